package memory

import (
	"context"
	"slices"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/store"
)

// BeginRun implements store.Group.
func (s *Store) BeginRun(ctx context.Context, r store.Run) (store.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := partition{r.Topic, r.Partition}
	before, cutOff := s.runs[at]
	r.CutOff, r.Trial, r.Decoding = 0, -1, -1
	if cutOff {
		r.CutOff, r.Trial = 1, before.Trial
		if before.Next == r.Next {
			r.CutOff = before.CutOff + 1
		}
	}
	for offset := range s.decodings[at] {
		if offset >= r.Next && (r.Decoding < 0 || offset < r.Decoding) {
			r.Decoding = offset
		}
	}
	s.runs[at] = r
	return r, ctx.Err()
}

// BeginDecoding implements store.Group.
func (s *Store) BeginDecoding(ctx context.Context, at event.Position, process string) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := partition{at.Topic, at.Partition}
	if s.decodings[in] == nil {
		s.decodings[in] = map[int64][]string{}
	}
	if owners := s.decodings[in][at.Offset]; !slices.Contains(owners, process) {
		s.decodings[in][at.Offset] = append(owners, process)
	}
	return len(s.decodings[in][at.Offset]), ctx.Err()
}

// EndDecoding implements store.Group.
func (s *Store) EndDecoding(ctx context.Context, at event.Position) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.decodings[partition{at.Topic, at.Partition}], at.Offset)
	return ctx.Err()
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
