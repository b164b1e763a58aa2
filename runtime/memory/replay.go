package memory

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/causetc/causetc/runtime/store"
)

// Letters returns the dead letters that were not replayed, oldest first.
func (s *Store) Letters() []store.DeadLetter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.letters), func(l store.DeadLetter) bool {
		_, closed := s.closed[l.ID]
		return closed
	})
}

// Replay implements store.Group. Errors of the data are found as by Commit.
func (s *Store) Replay(ctx context.Context, letters []store.DeadLetter, entries []store.Entry) (store.Counts, error) {
	if len(letters) != len(entries) {
		return store.Counts{}, errors.New("a replay does not say of each dead letter what became of it")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return store.Counts{}, err
	}
	at := make([]int, len(letters))
	for i := range letters {
		if at[i] = s.open(&letters[i]); at[i] < 0 {
			return store.Counts{}, store.ErrFenced
		}
	}
	c := newChange(s)
	if err := c.apply(entries); err != nil {
		return store.Counts{}, err
	}
	if err := c.check(); err != nil {
		return store.Counts{}, err
	}
	c.commit(store.SpanOf(entries))
	for i := range entries {
		if entries[i].Outcome == store.Dead {
			s.letters[at[i]] = *entries[i].Dead
			s.letters[at[i]].PublishedAt = time.Time{}
		} else {
			s.closed[letters[i].ID] = struct{}{}
		}
	}
	return store.Count(entries), nil
}

// open returns the index of a letter that is as it is given and was not replayed, or -1.
func (s *Store) open(l *store.DeadLetter) int {
	if _, closed := s.closed[l.ID]; closed {
		return -1
	}
	return slices.IndexFunc(s.letters, func(stored store.DeadLetter) bool {
		return stored.ID == l.ID && stored.Attempts == l.Attempts
	})
}
