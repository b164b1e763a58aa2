package memory

import (
	"context"
	"slices"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/store"
)

// run is a run with those that began at its position and did not end, itself last.
type run struct {
	store.Run
	owners []string
}

// BeginRun implements store.Group.
func (s *Store) BeginRun(ctx context.Context, r store.Run) (store.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := partition{r.Topic, r.Partition}
	before, found := s.runs[at]
	r.Trial, r.Decoding = -1, -1
	var owners []string
	if found {
		r.Trial = before.Trial
		if owners = before.owners; before.Next != r.Next {
			owners = owners[len(owners)-1:]
		}
	}
	owners = slices.DeleteFunc(slices.Clone(owners), func(owner string) bool { return owner == r.Owner })
	r.CutOff = len(owners)
	for offset := range s.decodings[at] {
		if offset >= r.Next && (r.Decoding < 0 || offset < r.Decoding) {
			r.Decoding = offset
		}
	}
	s.runs[at] = run{r, append(owners, r.Owner)}
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
	last, found := s.runs[at]
	if !found || last.Owner != r.Owner {
		return store.ErrFenced
	}
	last.Trial = r.Trial
	s.runs[at] = last
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
