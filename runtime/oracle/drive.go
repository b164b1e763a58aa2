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

// Driver takes records to a store as a worker would: in order of arrival, cut into batches at random, with restarts
// from the stored cursor and with zombies that commit a batch twice. It checks the store's word at each step.
type Driver struct {
	Store  store.Group
	Group  *fold.Group
	Window int
	Rand   *rand.Rand
	// Cut is the chance that a batch ends after a record.
	Cut float64
	// Restart is the chance, before each batch, that the partition's worker loses its state or was a zombie.
	Restart float64

	partitions map[int32]*partitionState
	Counts     store.Counts // sum over all batches
}

type partitionState struct {
	cursor store.Cursor
	window *fold.Window
}

// Run commits all records. Errors are the store's own, or say what it did wrong.
func (d *Driver) Run(ctx context.Context, records []Record) error {
	if d.partitions == nil {
		d.partitions = map[int32]*partitionState{}
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
		b.Entries = append(b.Entries, d.entry(s.window, &records[i]))
	}
	last := &records[len(records)-1]
	b.To.Next, b.To.Clock = last.Position.Offset+1, last.Clock
	counts, err := d.Store.Commit(ctx, b)
	if err != nil {
		return err
	}
	s.cursor = b.To
	d.add(counts)
	if d.Rand.Float64() < d.Restart {
		if _, err := d.Store.Commit(ctx, b); !errors.Is(err, store.ErrFenced) {
			return fmt.Errorf("a batch committed twice gave %v, want %w", err, store.ErrFenced)
		}
	}
	return nil
}

func (d *Driver) add(c store.Counts) {
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
	d.partitions[at.Partition] = s
	return s, nil
}

func (d *Driver) entry(window *fold.Window, record *Record) store.Entry {
	e := store.Entry{Position: record.Position, Clock: record.Clock, ID: fold.HashID(record.Event.ID)}
	if !window.Add(e.ID) {
		e.Outcome = store.Duplicate
		return e
	}
	if !d.Group.Handles(record.Event.Type) {
		e.Outcome = store.Skipped
		return e
	}
	effect, err := d.Group.Evaluate(record.Event)
	if err != nil {
		e.Outcome, e.Dead = store.Dead, deadLetter(d.Group, record, err)
		return e
	}
	e.Effect = effect
	return e
}

func deadLetter(g *fold.Group, record *Record, err error) *store.DeadLetter {
	letter := &store.DeadLetter{
		ID:         fmt.Sprintf("%s/%s/%d/%d", g.Name, record.Position.Topic, record.Position.Partition, record.Position.Offset),
		Group:      g.Name,
		Version:    1,
		Position:   record.Position,
		Clock:      record.Clock,
		EventID:    record.Event.ID,
		EventType:  record.Event.Type,
		EntityID:   record.Event.EntityID,
		ForkID:     record.Event.ForkID,
		Attempts:   1,
		ErrorClass: "event",
		Message:    err.Error(),
	}
	var failed *fold.EventError
	if errors.As(err, &failed) {
		letter.Projection = failed.Projection
	}
	return letter
}
