package oracle

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// Driver takes records to a store as a worker would: in order of arrival, cut into batches at random, with events that
// fail and are tried again, with restarts from what is stored and with zombies that write everything twice. It checks
// the store's word at each step.
type Driver struct {
	Store  store.Group
	Group  *fold.Group
	Window int
	Rand   *rand.Rand
	// Cut is the chance that a batch ends after a record.
	Cut float64
	// Restart is the chance, before each batch, that the partition's worker loses its state or was a zombie.
	Restart float64
	// Poison is the chance that an event that could be evaluated fails, once or for good.
	Poison float64

	partitions map[int32]*partitionState
	// Counts are the outcomes of all records, those of parked events when they are no longer parked.
	Counts store.Counts
	// Met counts how often what the driver does happened, such as "waiting" or "fenced".
	Met     map[string]int
	History History
}

type partitionState struct {
	cursor store.Cursor
	window *fold.Window
	parked []parkedEvent
}

// Run commits all records, and tries until no event is parked. Errors are the store's own, or say what it did wrong.
func (d *Driver) Run(ctx context.Context, records []Record) error {
	if d.partitions == nil {
		d.partitions, d.Met = map[int32]*partitionState{}, map[string]int{}
		d.History.Dead = map[event.Position]bool{}
	}
	for len(records) > 0 {
		n := 1
		for n < len(records) && records[n].Position.Partition == records[0].Position.Partition && d.Rand.Float64() >= d.Cut {
			n++
		}
		if err := d.commit(ctx, records[:n]); err != nil {
			return fmt.Errorf("batch at %+v: %w", records[0].Position, err)
		}
		records = records[n:]
		if d.Rand.Float64() < 0.5 {
			if err := d.retry(ctx); err != nil {
				return err
			}
		}
	}
	for d.parked() > 0 {
		if err := d.retry(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (d *Driver) commit(ctx context.Context, records []Record) error {
	s, err := d.state(ctx, records[0].Position)
	if err != nil {
		return err
	}
	b := store.Batch{From: s.cursor, To: s.cursor}
	for i := range records {
		b.Entries = append(b.Entries, d.entry(s, &records[i]))
	}
	last := &records[len(records)-1]
	b.To.Next, b.To.Clock = last.Position.Offset+1, last.Clock
	counts, err := d.Store.Commit(ctx, b)
	if err != nil {
		return err
	}
	s.cursor = b.To
	counts.Stale = 0 // it depends on the rows
	if want := store.Count(b.Entries); counts != want {
		return fmt.Errorf("counts %+v, want %+v", counts, want)
	}
	d.note(b.Entries)
	if d.Rand.Float64() < d.Restart {
		if _, err := d.Store.Commit(ctx, b); !errors.Is(err, store.ErrFenced) {
			return fmt.Errorf("a batch committed twice gave %v, want %w", err, store.ErrFenced)
		}
	}
	return nil
}

// note keeps the outcomes that are final.
func (d *Driver) note(entries []store.Entry) {
	for i := range entries {
		switch entries[i].Outcome {
		case store.Applied:
			d.History.Order = append(d.History.Order, entries[i].Position)
		case store.Dead:
			d.History.Dead[entries[i].Position] = true
		}
	}
	c := store.Count(entries)
	d.Counts.Applied += c.Applied
	d.Counts.Skipped += c.Skipped
	d.Counts.Duplicates += c.Duplicates
	d.Counts.Dead += c.Dead
}

// state returns what the worker of a partition knows, now and then by asking the store, which must know the same.
func (d *Driver) state(ctx context.Context, at event.Position) (*partitionState, error) {
	known := d.partitions[at.Partition]
	if known != nil && d.Rand.Float64() >= d.Restart {
		return known, nil
	}
	cursor, found, err := d.Store.LoadCursor(ctx, at.Topic, at.Partition)
	if err != nil {
		return nil, err
	}
	ids, err := d.Store.LoadWindow(ctx, at.Topic, at.Partition)
	if err != nil {
		return nil, err
	}
	if found != (known != nil) {
		return nil, fmt.Errorf("a cursor was found: %t, want %t", found, known != nil)
	}
	if !found {
		cursor = store.Cursor{Topic: at.Topic, TopicID: [16]byte{1}, Partition: at.Partition, Next: at.Offset}
	} else if cursor != known.cursor {
		return nil, fmt.Errorf("the store's cursor is %+v, want %+v", cursor, known.cursor)
	}
	s := &partitionState{cursor: cursor, window: fold.NewWindow(d.Window, ids)}
	if known != nil && !slices.Equal(s.window.IDs(), known.window.IDs()) {
		return nil, fmt.Errorf("the store's window has %d ids, want %d, or others", len(ids), known.window.Len())
	}
	if known != nil {
		if err := d.compareParked(ctx, at, known.parked); err != nil {
			return nil, err
		}
		s.parked = known.parked
	}
	d.partitions[at.Partition] = s
	return s, nil
}

func (d *Driver) entry(s *partitionState, record *Record) store.Entry {
	e := store.Entry{Position: record.Position, Clock: record.Clock, ID: fold.HashID(record.Event.ID)}
	if !s.window.Add(e.ID) {
		e.Outcome = store.Duplicate
		return e
	}
	if !d.Group.Handles(record.Event.Type) {
		e.Outcome = store.Skipped
		return e
	}
	p := d.newEvent(record)
	switch {
	case d.Group.Ordered() && meetsAny(s.parked, p.row.Keys):
		d.Met["waiting"]++
		p.row.Waiting = true
	case p.fails == 0:
		e.Effect = p.effect
		return e
	default:
		p.failed(d.Rand)
	}
	s.parked = append(s.parked, p)
	e.Outcome = store.Parked
	if p.row.Waiting {
		e.Outcome = store.Waiting
	}
	row := p.row
	e.Parked = &row
	return e
}
