package memory

import (
	"context"

	"github.com/causetc/causetc/runtime/store"
)

// BeginRun implements store.Group.
func (s *Store) BeginRun(ctx context.Context, r store.Run) (store.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := partition{r.Topic, r.Partition}
	before, cutOff := s.runs[at]
	r.CutOff, r.Trial = 0, -1
	if cutOff {
		r.CutOff, r.Trial = 1, before.Trial
		if before.Next == r.Next {
			r.CutOff = before.CutOff + 1
		}
	}
	s.runs[at] = r
	return r, ctx.Err()
}

// BeginTrial implements store.Group.
func (s *Store) BeginTrial(ctx context.Context, r store.Run) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := partition{r.Topic, r.Partition}
	run, found := s.runs[at]
	if !found || run.Owner != r.Owner {
		return store.ErrFenced
	}
	run.Trial = r.Trial
	s.runs[at] = run
	return ctx.Err()
}

// EndRun implements store.Group.
func (s *Store) EndRun(ctx context.Context, r store.Run) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := (partition{r.Topic, r.Partition}); s.runs[at].Owner == r.Owner {
		delete(s.runs, at)
	}
	return ctx.Err()
}
