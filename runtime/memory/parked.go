package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/causetc/causetc/runtime/store"
)

// LoadParked implements store.Group.
func (s *Store) LoadParked(ctx context.Context, topic string, number int32) ([]store.ParkedEvent, error) {
	rows := s.parkedEvents(partition{topic, number}, func(int64) bool { return true })
	for i := range rows {
		rows[i].Record, rows[i].Message = store.Record{}, ""
	}
	return rows, ctx.Err()
}

// LoadFailures implements store.Group.
func (s *Store) LoadFailures(ctx context.Context, topic string, number int32, offsets []int64) ([]store.ParkedEvent, error) {
	rows := s.parkedEvents(partition{topic, number}, func(offset int64) bool { return slices.Contains(offsets, offset) })
	return rows, ctx.Err()
}

func (s *Store) parkedEvents(at partition, wanted func(offset int64) bool) []store.ParkedEvent {
	s.mu.Lock()
	defer s.mu.Unlock()
	var rows []store.ParkedEvent
	for offset, row := range s.parked[at] {
		if wanted(offset) {
			rows = append(rows, row)
		}
	}
	slices.SortFunc(rows, func(a, b store.ParkedEvent) int { return cmp.Compare(a.Position.Offset, b.Position.Offset) })
	return rows
}

// BeginAttempts implements store.Group.
func (s *Store) BeginAttempts(ctx context.Context, rows []store.ParkedEvent) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range rows {
		stored, found := s.parked[partitionOf(&rows[i])][rows[i].Position.Offset]
		if !found || stored.Attempts != rows[i].Attempts-1 {
			return store.ErrFenced
		}
	}
	for i := range rows {
		at, offset := partitionOf(&rows[i]), rows[i].Position.Offset
		row := s.parked[at][offset]
		row.Attempts, row.NextAt, row.Waiting = rows[i].Attempts, rows[i].NextAt, false
		s.parked[at][offset] = row
	}
	return nil
}

func partitionOf(row *store.ParkedEvent) partition {
	return partition{row.Position.Topic, row.Position.Partition}
}

// unchanged reports whether an event is parked as the row says.
func (s *Store) unchanged(row *store.ParkedEvent) bool {
	stored, found := s.parked[partitionOf(row)][row.Position.Offset]
	return found && stored.Same(row)
}

// Settle implements store.Group. Errors of the data are found as by Commit.
func (s *Store) Settle(ctx context.Context, settled store.Settlement) (store.Counts, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return store.Counts{}, err
	}
	for i := range settled.Rows {
		if !s.unchanged(&settled.Rows[i]) {
			return store.Counts{}, store.ErrFenced
		}
	}
	c := newChange(s)
	if err := c.apply(settled.Entries); err != nil {
		return store.Counts{}, err
	}
	if err := c.check(); err != nil {
		return store.Counts{}, err
	}
	counts := store.Count(settled.Entries)
	counts.Stale = c.commit(store.SpanOf(settled.Entries))
	at := partition{settled.Topic, settled.Partition}
	for i := range settled.Rows {
		delete(s.parked[at], settled.Rows[i].Position.Offset)
	}
	s.keep(at, settled.Entries)
	return counts, nil
}
