package worker

import (
	"context"
	"sync"
)

// The memory, as delivery.cost estimates it, that records of the common fetch may take. It is shared out among the
// assigned partitions; since what one fetch brings is not known beforehand, fetching ends as a whole at a bound of its own.
const (
	feedsCost  = 40 << 20
	maxCost    = feedsCost * 3 / 2
	leastLimit = 256 << 10 // of one partition, and of one runner's transaction
)

// The memory, as costOf estimates it, that evaluated records may take, of all runners that have a turn: each has those of the
// transaction that runs, and those that come after it.
const (
	batchesCost  = 44 << 20
	maxBatchCost = batchesCost / 2 // of one transaction
)

// budget adds up what the feeds hold.
type budget struct {
	mu    sync.Mutex
	held  int64
	freed chan struct{} // holds a token after something was given back; nil: nobody waits
}

func newBudget() *budget { return &budget{freed: make(chan struct{}, 1)} }

func (b *budget) add(cost int64) {
	b.mu.Lock()
	b.held += cost
	b.mu.Unlock()
	if cost >= 0 {
		return
	}
	select {
	case b.freed <- struct{}{}:
	default:
	}
}

// wait returns when less than the bound is held.
func (b *budget) wait(ctx context.Context) error {
	for {
		b.mu.Lock()
		held := b.held
		b.mu.Unlock()
		if held < maxCost {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-b.freed:
		}
	}
}

// shareOut divides the memory for records that wait among the partitions that are assigned now, and the memory for what is on
// its way to the database among the runners that have a turn. Of what waits, one of them takes no more than a part, or it would
// be taken for one that keeps the others of its partition waiting.
func (w *Worker) shareOut() {
	parts := w.assignedPartitions()
	w.tuneCollector(len(parts))
	runners := 0
	for _, p := range parts {
		runners += len(p.runners)
	}
	if runners == 0 {
		return
	}
	waiting, most := max(feedsCost/int64(len(parts)), leastLimit), int64(maxBatchCost/min(runners, maxTurns))
	if len(w.conf.Groups) > 1 {
		most = min(most, waiting/8)
	}
	for _, p := range parts {
		p.feed.setLimit(waiting)
		for _, r := range p.runners {
			r.most.Store(max(most, leastLimit))
		}
	}
}
