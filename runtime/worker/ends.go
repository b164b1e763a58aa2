package worker

import (
	"sync"

	"github.com/causetc/causetc/runtime/kafka"
)

// ends knows how far each group still has to go in each partition.
type ends struct {
	mu      sync.Mutex
	targets map[int32]int64
	open    map[endKey]bool
}

type endKey struct {
	group     string
	partition int32
}

func newEnds(t *kafka.Topic, groups []Group) *ends {
	e := &ends{targets: map[int32]int64{}, open: map[endKey]bool{}}
	for number, extent := range t.Partitions {
		e.targets[number] = extent.End
		for _, g := range groups {
			e.open[endKey{g.Fold.Name, number}] = true
		}
	}
	return e
}

// reached notes a group's position, and whether events of it are parked or wait, and reports whether nothing is left to do.
func (e *ends) reached(group string, partition int32, next int64, parked bool) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if next >= e.targets[partition] && !parked {
		delete(e.open, endKey{group, partition})
	}
	return len(e.open) == 0
}

// give takes a group that was stopped out of account, and reports whether nothing is left to do.
func (e *ends) give(group string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for k := range e.open {
		if k.group == group {
			delete(e.open, k)
		}
	}
	return len(e.open) == 0
}

// reached notes a runner's position, and ends a run that was to go to the end only.
func (w *Worker) reached(r *runner) {
	if w.ends != nil && w.ends.reached(r.group.Fold.Name, r.cursor.Partition, r.cursor.Next, r.lot.len() > 0) {
		w.cancel(errEndReached)
	}
}
