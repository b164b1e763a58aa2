package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/store"
)

// partition is an assigned partition with a runner for each group.
type partition struct {
	number  int32
	runners []*runner
	cancel  context.CancelFunc
	done    sync.WaitGroup

	mu     sync.Mutex
	paused bool
}

// startOffsets tells the client where to fetch from: the smallest position of the groups.
func (w *Worker) startOffsets(ctx context.Context, offsets map[string]map[int32]kgo.Offset) (map[string]map[int32]kgo.Offset, error) {
	for topic, parts := range offsets {
		for number := range parts {
			p, err := w.open(ctx, number)
			if err != nil {
				w.fail(err)
				return nil, err
			}
			if len(p.runners) == 0 {
				continue // every group was stopped, and the run ends
			}
			next := p.runners[0].cursor.Next
			for _, r := range p.runners {
				next = min(next, r.cursor.Next)
			}
			offsets[topic][number] = kgo.NewOffset().At(next)
		}
	}
	return offsets, nil
}

// assigned is told of new partitions; their positions are loaded when the client asks for offsets.
func (w *Worker) assigned(_ context.Context, _ *kgo.Client, parts map[string][]int32) {
	for topic, numbers := range parts {
		w.log.Info("partitions assigned", "topic", topic, "partitions", numbers)
	}
	w.conf.Observer.assigned(parts[w.conf.Kafka.Topic])
}

// open loads the positions of a partition's groups and starts its runners.
func (w *Worker) open(ctx context.Context, number int32) (*partition, error) {
	extent, ok := w.topic.Partitions[number]
	if !ok {
		return nil, &store.DeploymentError{Message: fmt.Sprintf(
			"topic %s has grown: partition %d is new; a worker that runs during the growth can't place it, restart it after a rebuild", w.topic.Name, number)}
	}
	w.release(number) // of an assignment that was lost without a word
	p := &partition{number: number}
	for _, g := range w.conf.Groups {
		if w.isStopped(g) {
			continue
		}
		r := newRunner(w, g)
		r.drained = func() { w.resume(p) }
		begin := store.Cursor{Topic: w.topic.Name, TopicID: w.topic.ID, Partition: number, Next: extent.Start}
		err := r.load(ctx, begin)
		if err == nil {
			err = checkCursor(r.cursor, w.topic, extent)
		}
		var deployment *store.DeploymentError
		if errors.As(err, &deployment) {
			w.forget(r)
			w.stop(g, fmt.Errorf("group %s: %w", g.Fold.Name, err))
			continue
		}
		if err != nil {
			return nil, err
		}
		p.runners = append(p.runners, r)
	}
	w.start(p)
	return p, nil
}

// checkCursor refuses a stored position that does not belong to this log.
func checkCursor(c store.Cursor, t *kafka.Topic, e kafka.Extent) error {
	switch {
	case failpoint.Off(failpoint.PositionCheck):
	case c.TopicID != t.ID:
		return &store.DeploymentError{Message: fmt.Sprintf(
			"topic %s was deleted and made anew since the tables were built; their position means nothing in it: rebuild", t.Name)}
	case c.Next < e.Start:
		return &store.DeploymentError{Message: fmt.Sprintf(
			"partition %d of topic %s starts at offset %d, the tables need offset %d: records were deleted before they were consumed; rebuild",
			c.Partition, t.Name, e.Start, c.Next)}
	case c.Next > e.End:
		return &store.DeploymentError{Message: fmt.Sprintf(
			"partition %d of topic %s ends at offset %d, but the tables have consumed up to %d: the log has shrunk; rebuild",
			c.Partition, t.Name, e.End, c.Next)}
	}
	return nil
}

// start runs the runners until the partition is released.
func (w *Worker) start(p *partition) {
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	contexts := make([]context.Context, len(p.runners))
	for i, r := range p.runners {
		contexts[i], r.stop = context.WithCancel(ctx)
	}
	w.mu.Lock()
	w.parts[p.number] = p
	w.mu.Unlock()
	for i, r := range p.runners {
		if w.isStopped(r.group) { // meanwhile
			r.halt()
		}
		w.reached(r)
		p.done.Add(1)
		go func() {
			defer p.done.Done()
			defer r.stop()
			if err := r.run(contexts[i]); err != nil && !errors.Is(err, context.Canceled) {
				w.ended(p, r, err)
			}
		}()
	}
}

// fail ends the run with an error.
func (w *Worker) fail(err error) { w.cancel(err) }

// revoked stops the work on partitions that another worker takes, before it may begin.
func (w *Worker) revoked(_ context.Context, _ *kgo.Client, parts map[string][]int32) {
	failpoint.Reach(failpoint.Revoked)
	for topic, numbers := range parts {
		w.log.Info("partitions revoked", "topic", topic, "partitions", numbers)
		for _, number := range numbers {
			if p := w.release(number); p != nil {
				for _, r := range p.runners {
					w.forget(r)
				}
			}
		}
		w.conf.Observer.revoked(numbers)
	}
}

// release stops a partition's runners and waits for them. What they have parked is in the database.
func (w *Worker) release(number int32) *partition {
	w.mu.Lock()
	p := w.parts[number]
	delete(w.parts, number)
	w.mu.Unlock()
	if p != nil {
		p.cancel()
		p.done.Wait()
		w.forgetPause(p)
	}
	return p
}

func (w *Worker) releaseAll() {
	w.mu.Lock()
	numbers := make([]int32, 0, len(w.parts))
	for n := range w.parts {
		numbers = append(numbers, n)
	}
	w.mu.Unlock()
	for _, n := range numbers {
		w.release(n)
	}
}

// deliver queues records for each group of a partition, and pauses fetching while one has too many waiting.
func (w *Worker) deliver(number int32, records []*kgo.Record) {
	w.mu.Lock()
	p := w.parts[number]
	w.mu.Unlock()
	if p == nil {
		return // revoked meanwhile; whoever has it now fetches them again
	}
	ds := make([]*delivery, len(records))
	for i, rec := range records {
		ds[i] = &delivery{record: rec}
	}
	waiting := 0
	for _, r := range p.runners {
		waiting = max(waiting, r.mail.put(ds))
	}
	if waiting > maxQueued {
		w.pause(p)
	}
}

// pause stops fetching a partition. The queues may have become short since they were found too long, and then nobody would
// tell again, so they are looked at once more.
func (w *Worker) pause(p *partition) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paused = true
	w.client.PauseFetchPartitions(map[string][]int32{w.topic.Name: {p.number}})
	w.resumeIfShort(p)
}

// resume lets fetching go on once every group's queue is short again.
func (w *Worker) resume(p *partition) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w.resumeIfShort(p)
}

// forgetPause leaves the client without a pause that nobody would end, should the partition come back.
func (w *Worker) forgetPause(p *partition) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paused {
		p.paused = false
		w.client.ResumeFetchPartitions(map[string][]int32{w.topic.Name: {p.number}})
	}
}

func (w *Worker) resumeIfShort(p *partition) {
	if !p.paused {
		return
	}
	for _, r := range p.runners {
		if r.mail.len() >= resumeBelow {
			return
		}
	}
	p.paused = false
	w.client.ResumeFetchPartitions(map[string][]int32{w.topic.Name: {p.number}})
}
