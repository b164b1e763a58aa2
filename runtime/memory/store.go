// Package memory keeps a group's rows, cursors and ids in memory. It is the reference for every other store, and serves
// tests and simulations.
package memory

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// Store is a store.Group in memory. It is safe for use by many goroutines.
type Store struct {
	group  *fold.Group
	window int

	mu        sync.Mutex
	cursors   map[partition]store.Cursor
	barriers  []store.Barrier
	windows   map[partition]*fold.Window
	exact     []map[string]struct{}                     // by fold.Group.Exact
	tables    []map[string]*storedRow                   // by fold.Group.Tables, then by fold.Write.KeyID
	parked    map[partition]map[int64]store.ParkedEvent // by offset
	letters   []store.DeadLetter                        // oldest first
	closed    map[string]struct{}                       // ids of the letters that were replayed
	runs      map[partition]run
	decodings map[partition]map[int64][]string
}

var _ store.Group = (*Store)(nil)

type partition struct {
	topic  string
	number int32
}

// storedRow is a row with its key. A committed one is never changed, only replaced.
type storedRow struct {
	key []expr.Value
	row fold.Row
}

// New returns an empty store for a group that remembers the given number of event ids a partition.
func New(group *fold.Group, window int) *Store {
	s := &Store{
		group:     group,
		window:    window,
		cursors:   map[partition]store.Cursor{},
		windows:   map[partition]*fold.Window{},
		parked:    map[partition]map[int64]store.ParkedEvent{},
		closed:    map[string]struct{}{},
		runs:      map[partition]run{},
		decodings: map[partition]map[int64][]string{},
	}
	for range group.Exact {
		s.exact = append(s.exact, map[string]struct{}{})
	}
	for range group.Tables {
		s.tables = append(s.tables, map[string]*storedRow{})
	}
	return s
}

// LoadCursor implements store.Group.
func (s *Store) LoadCursor(ctx context.Context, topic string, number int32) (store.Cursor, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cursor, found := s.cursors[partition{topic, number}]
	return cursor, found, ctx.Err()
}

// LoadWindow implements store.Group.
func (s *Store) LoadWindow(ctx context.Context, topic string, number int32) ([][16]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w := s.windows[partition{topic, number}]; w != nil {
		return w.IDs(), ctx.Err()
	}
	return nil, ctx.Err()
}

// Commit implements store.Group. Sums beyond their column and doubles in a unique secondary index are found in the rows
// as the whole batch leaves them, but for the sums of ordered tables, which must fit after every event.
func (s *Store) Commit(ctx context.Context, b store.Batch) (store.Counts, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return store.Counts{}, err
	}
	at := partition{b.From.Topic, b.From.Partition}
	if stored, found := s.cursors[at]; found && stored != b.From {
		return store.Counts{}, store.ErrFenced
	}
	if s.crosses(&b) {
		return store.Counts{}, store.ErrFenced
	}
	if (partition{b.To.Topic, b.To.Partition}) != at || b.To.Next < b.From.Next {
		return store.Counts{}, fmt.Errorf("a batch moves the cursor from %+v to %+v", b.From, b.To)
	}
	c := newChange(s)
	if err := c.apply(b.Entries); err != nil {
		return store.Counts{}, err
	}
	if err := c.check(); err != nil {
		return store.Counts{}, err
	}
	counts := store.Count(b.Entries)
	counts.Stale = c.commit(store.SpanOf(b.Entries))
	s.cursors[at] = b.To
	s.remember(at, b.Entries)
	s.keep(at, b.Entries)
	return counts, nil
}

// remember puts the ids of a batch into the partition's window.
func (s *Store) remember(at partition, entries []store.Entry) {
	w := s.windows[at]
	if w == nil {
		w = fold.NewWindow(s.window, nil)
		s.windows[at] = w
	}
	for i := range entries {
		if entries[i].ID != [16]byte{} {
			w.Add(entries[i].ID) // a duplicate changes nothing
		}
	}
}

// keep stores the parked events and the dead letters of a transaction.
func (s *Store) keep(at partition, entries []store.Entry) {
	for i := range entries {
		switch e := &entries[i]; {
		case e.Outcome == store.Dead && e.Dead != nil:
			s.letters = append(s.letters, *e.Dead)
		case e.Outcome == store.Parked || e.Outcome == store.Waiting:
			if s.parked[at] == nil {
				s.parked[at] = map[int64]store.ParkedEvent{}
			}
			s.parked[at][e.Position.Offset] = *e.Parked
		}
	}
}

// UnpublishedDeadLetters implements store.Group.
func (s *Store) UnpublishedDeadLetters(ctx context.Context, limit int) ([]store.DeadLetter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var letters []store.DeadLetter
	for i := range s.letters {
		if len(letters) < limit && s.letters[i].PublishedAt.IsZero() {
			letters = append(letters, s.letters[i])
		}
	}
	return letters, ctx.Err()
}

// MarkPublished implements store.Group. The moments are those of the letters given, now where they have none.
func (s *Store) MarkPublished(ctx context.Context, letters []store.DeadLetter) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range letters {
		for j := range s.letters {
			if s.letters[j].ID != letters[i].ID || s.letters[j].Attempts != letters[i].Attempts {
				continue
			}
			s.letters[j].PublishedAt = letters[i].PublishedAt
			if letters[i].PublishedAt.IsZero() {
				s.letters[j].PublishedAt = time.Now()
			}
		}
	}
	return nil
}

// Rows returns the visible rows of a table, sorted by key, each with its values in the order of the columns.
func (s *Store) Rows(ctx context.Context, table string) ([][]expr.Value, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	index := s.group.Table(table)
	if index < 0 {
		return nil, fmt.Errorf("group %s has no table %s", s.group.Name, table)
	}
	t := s.group.Tables[index]
	var rows [][]expr.Value
	for _, r := range s.tables[index] {
		if values, visible := t.View(r.key, &r.row); visible {
			rows = append(rows, values)
		}
	}
	slices.SortFunc(rows, func(a, b []expr.Value) int { return compareKeys(t, a, b) })
	return rows, ctx.Err()
}

func compareKeys(t *fold.Table, a, b []expr.Value) int {
	for _, column := range t.Key {
		if c := expr.Order(a[column], b[column]); c != 0 {
			return c
		}
	}
	return 0
}
