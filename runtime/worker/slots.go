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

// slots are leaves to do something of which only so much is to be done at a time. Who gets none waits in a row.
type slots struct {
	most, mostGroup int
	mu              sync.Mutex
	held            []*runner
	stuck           []*runner // of those: they leave theirs to others meanwhile, but not to their own group
	row             []*runner
}

// acquire reports whether the runner has a slot. If not, it is woken when it can have one.
func (s *slots) acquire(r *runner) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case slices.Contains(s.held, r):
		return true
	case slices.Contains(s.row, r):
		return false
	case s.free() && s.of(r) < s.mostGroup: // nobody in the row could have it
		s.held = append(s.held, r)
		return true
	}
	s.row = append(s.row, r)
	return false
}

func (s *slots) free() bool { return len(s.held)-len(s.stuck) < s.most }

// release gives a slot, or a place in the row, back.
func (s *slots) release(r *runner) {
	s.mu.Lock()
	defer s.mu.Unlock()
	other := func(x *runner) bool { return x == r }
	s.held, s.stuck, s.row = slices.DeleteFunc(s.held, other), slices.DeleteFunc(s.stuck, other), slices.DeleteFunc(s.row, other)
	s.grant()
}

// stick notes whether a runner that has a slot can't use it for now.
func (s *slots) stick(r *runner, stuck bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stuck = slices.DeleteFunc(s.stuck, func(x *runner) bool { return x == r })
	if stuck && slices.Contains(s.held, r) {
		s.stuck = append(s.stuck, r)
		s.grant()
	}
}

// wanted reports whether a runner waits that could have the slot of this one.
func (s *slots) wanted(r *runner) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.row, func(x *runner) bool { return x.group.Fold == r.group.Fold || s.of(x) < s.mostGroup })
}

// grant gives the free slots to those who may have them, in the order of the row.
func (s *slots) grant() {
	for s.free() {
		i := slices.IndexFunc(s.row, func(x *runner) bool { return s.of(x) < s.mostGroup })
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
