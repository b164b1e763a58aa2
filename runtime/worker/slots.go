package worker

import (
	"slices"
	"sync"
)

// How many fetches of groups that are behind a worker has at a time, and how many of them are one group's, so that one that
// hangs leaves some to others. Each takes a window of ids and a batch of memory.
const (
	maxAlone      = 4
	maxAloneGroup = 2
)

// slots are the leaves to fetch alone. Who gets none waits in a row.
type slots struct {
	mu   sync.Mutex
	held []*runner
	row  []*runner
}

// acquire reports whether the runner has a slot. If not, it is woken when it can have one.
func (s *slots) acquire(r *runner) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.row, r) && !slices.Contains(s.held, r) {
		s.row = append(s.row, r)
		s.grant()
	}
	return slices.Contains(s.held, r)
}

// release gives a slot, or a place in the row, back.
func (s *slots) release(r *runner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	other := func(x *runner) bool { return x == r }
	s.held, s.row = slices.DeleteFunc(s.held, other), slices.DeleteFunc(s.row, other)
	s.grant()
}

// wanted reports whether a runner waits that could have the slot of this one.
func (s *slots) wanted(r *runner) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.row, func(x *runner) bool { return x.group.Fold == r.group.Fold || s.of(x) < maxAloneGroup })
}

// grant gives the free slots to those who may have them, in the order of the row.
func (s *slots) grant() {
	for len(s.held) < maxAlone {
		i := slices.IndexFunc(s.row, func(x *runner) bool { return s.of(x) < maxAloneGroup })
		if i < 0 {
			return
		}
		s.held = append(s.held, s.row[i])
		s.row[i].wake()
		s.row = slices.Delete(s.row, i, i+1)
	}
}

// of counts the slots that the runner's group has.
func (s *slots) of(r *runner) int {
	n := 0
	for _, x := range s.held {
		if x.group.Fold == r.group.Fold {
			n++
		}
	}
	return n
}
