package oracle

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// lastAttempt is the number of the attempt after which an event is dead.
const lastAttempt = 3

// parkedEvent is an event that the driver has parked, or lets wait.
type parkedEvent struct {
	row    store.ParkedEvent
	effect fold.Effect
	fails  int // attempts that are still to fail
	err    error
}

// newEvent decides how often an event fails.
func (d *Driver) newEvent(record *Record) parkedEvent {
	ev := record.Event
	p := parkedEvent{row: store.ParkedEvent{Failure: store.Failure{
		Position: record.Position, Clock: record.Clock, EventID: ev.ID, EventType: ev.Type, EntityID: ev.EntityID, ForkID: ev.ForkID,
		Record: store.Record{Key: []byte(ev.EntityID), Value: ev.Payload.AppendJSON(nil), Timestamp: ev.TS,
			Headers: []store.Header{{Key: "n", Value: []byte{0, byte(record.Position.Offset)}}}},
	}}}
	effect, err := d.Group.Evaluate(ev)
	switch {
	case err != nil:
		p.err, p.fails = err, lastAttempt
		p.row.Keys = d.Group.KeysOf(ev)
	default:
		p.effect, p.err = effect, errors.New("a poison")
		p.row.Keys = d.Group.Keys(&effect)
		if d.Rand.Float64() < d.Poison {
			p.fails = 1 + d.Rand.IntN(lastAttempt)
		}
	}
	return p
}

// failed makes an event one that failed just now, for the first time or again.
func (p *parkedEvent) failed(r *rand.Rand) {
	now := time.UnixMicro(r.Int64N(1 << 50)).UTC()
	p.row.Waiting, p.row.Attempts = false, max(p.row.Attempts, 1)
	if p.row.FirstAt.IsZero() {
		p.row.FirstAt = now
	}
	p.row.LastAt, p.row.NextAt = now, now.Add(time.Second)
	p.row.ErrorClass, p.row.SQLState, p.row.Message = "event", "22003", p.err.Error()
	p.row.Projection = "p"
	p.fails--
}

func (d *Driver) parked() (n int) {
	for _, s := range d.partitions {
		n += len(s.parked)
	}
	return n
}

func meetsAny(list []parkedEvent, keys []fold.Key) bool {
	return slices.ContainsFunc(list, func(p parkedEvent) bool { return meet(p.row.Keys, keys) })
}

func meet(a, b []fold.Key) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y || x.IsAll() || y.IsAll() {
				return true
			}
		}
	}
	return false
}

// retry makes attempts on some of the parked events of each partition, and on waiting ones that may be tried.
func (d *Driver) retry(ctx context.Context) error {
	for number := range int32(16) {
		s := d.partitions[number]
		if s == nil || len(s.parked) == 0 {
			continue
		}
		tried, err := d.begin(ctx, s)
		if err != nil {
			return fmt.Errorf("begin attempts: %w", err)
		}
		if len(tried) == 0 || d.Rand.Float64() < d.Restart/2 {
			continue // the worker dies in the attempts
		}
		if err := d.settle(ctx, s, tried); err != nil {
			return fmt.Errorf("settle attempts: %w", err)
		}
	}
	return nil
}

// begin chooses events and begins their attempts. It returns their places in the list.
func (d *Driver) begin(ctx context.Context, s *partitionState) (tried []int, err error) {
	var begun []store.ParkedEvent
	for i := range s.parked {
		p := &s.parked[i]
		switch {
		case p.row.Waiting && !meetsAny(s.parked[:i], p.row.Keys):
			tried = append(tried, i)
		case p.row.Waiting, d.Rand.IntN(2) == 0:
		case p.row.Attempts >= lastAttempt:
			tried = append(tried, i)
		default:
			tried = append(tried, i)
			p.row.Attempts++
			p.row.NextAt = p.row.NextAt.Add(time.Minute)
			begun = append(begun, p.row)
		}
	}
	if err := d.Store.BeginAttempts(ctx, begun); err != nil {
		return nil, err
	}
	if len(begun) > 0 && d.Rand.Float64() < d.Restart {
		d.Met["fenced"]++
		if err := d.Store.BeginAttempts(ctx, begun); !errors.Is(err, store.ErrFenced) {
			return nil, fmt.Errorf("attempts begun twice gave %v, want %w", err, store.ErrFenced)
		}
	}
	return tried, nil
}

// settle ends the attempts: events that still fail are parked again or dead, the others are applied.
func (d *Driver) settle(ctx context.Context, s *partitionState, tried []int) error {
	settled := store.Settlement{Topic: s.cursor.Topic, Partition: s.cursor.Partition}
	gone := map[int]bool{}
	for _, i := range tried {
		p := &s.parked[i]
		settled.Rows = append(settled.Rows, p.row)
		e := d.outcome(p)
		settled.Entries = append(settled.Entries, e)
		gone[i] = e.Outcome != store.Parked
	}
	if d.Rand.Float64() < d.Restart {
		if err := d.zombie(ctx, settled); err != nil {
			return err
		}
	}
	counts, err := d.Store.Settle(ctx, settled)
	if err != nil {
		return err
	}
	counts.Stale = 0 // it depends on the rows
	if want := store.Count(settled.Entries); counts != want {
		return fmt.Errorf("counts %+v, want %+v", counts, want)
	}
	d.note(settled.Entries)
	left := s.parked[:0]
	for i := range s.parked {
		if !gone[i] {
			left = append(left, s.parked[i])
		}
	}
	s.parked = left
	if c := store.Count(settled.Entries); c.Applied+c.Dead > 0 && d.Rand.Float64() < d.Restart {
		if _, err := d.Store.Settle(ctx, settled); !errors.Is(err, store.ErrFenced) {
			return fmt.Errorf("attempts settled twice gave %v, want %w", err, store.ErrFenced)
		}
	}
	return nil
}

func (d *Driver) outcome(p *parkedEvent) store.Entry {
	e := store.Entry{Position: p.row.Position, Clock: p.row.Clock}
	switch {
	case p.fails == 0 && !(p.row.Attempts >= lastAttempt && d.Rand.IntN(4) == 0):
		d.Met["applied late"]++
		e.Effect = p.effect
	case p.row.Attempts >= lastAttempt:
		e.Outcome, e.Dead = store.Dead, deadLetter(d.Group, p)
	default:
		d.Met["parked again"]++
		p.failed(d.Rand)
		p.fails = max(p.fails, 0)
		row := p.row
		e.Outcome, e.Parked = store.Parked, &row
	}
	return e
}

// zombie settles with the number of an attempt that is not the last, or of an event that does not wait any more.
func (d *Driver) zombie(ctx context.Context, settled store.Settlement) error {
	d.Met["fenced"]++
	settled.Rows = slices.Clone(settled.Rows)
	i := d.Rand.IntN(len(settled.Rows))
	if row := &settled.Rows[i]; d.Rand.IntN(2) == 0 {
		row.Attempts--
	} else {
		row.Waiting = !row.Waiting
	}
	if _, err := d.Store.Settle(ctx, settled); !errors.Is(err, store.ErrFenced) {
		return fmt.Errorf("a settlement of changed events gave %v, want %w", err, store.ErrFenced)
	}
	return nil
}

// compareParked asks the store for the parked events, which must be those that the driver knows.
func (d *Driver) compareParked(ctx context.Context, at event.Position, known []parkedEvent) error {
	light, err := d.Store.LoadParked(ctx, at.Topic, at.Partition)
	if err != nil {
		return err
	}
	offsets := []int64{-1}
	for _, p := range known {
		offsets = append(offsets, p.row.Position.Offset)
	}
	whole, err := d.Store.LoadFailures(ctx, at.Topic, at.Partition, offsets)
	if err != nil {
		return err
	}
	if len(light) != len(known) || len(whole) != len(known) {
		return fmt.Errorf("the store has %d and %d parked events, want %d", len(light), len(whole), len(known))
	}
	for i := range known {
		d.Met["parked compared"]++
		want := known[i].row
		if !reflect.DeepEqual(whole[i], want) {
			return fmt.Errorf("a parked event is %+v, want %+v", whole[i], want)
		}
		want.Record, want.Message = store.Record{}, ""
		if !reflect.DeepEqual(light[i], want) {
			return fmt.Errorf("a parked event is loaded as %+v, want %+v", light[i], want)
		}
	}
	return nil
}

func deadLetter(g *fold.Group, p *parkedEvent) *store.DeadLetter {
	at := p.row.Position
	return &store.DeadLetter{ID: fmt.Sprintf("%s/%s/%d/%d", g.Name, at.Topic, at.Partition, at.Offset), Group: g.Name, Version: 1,
		Failure: p.row.Failure}
}
