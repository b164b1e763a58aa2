package worker

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

var errNoEvent = errors.New("the record holds no event any more")

// pending is an entry on its way to the store, with the record that it came from.
type pending struct {
	delivery  *delivery
	after     mark // how the reading stands after it; of records of the topic only
	entry     store.Entry
	otherFork bool
	// open says that the outcome is decided when the entry is written; all below is of such entries.
	open      bool
	effect    fold.Effect
	evaluated bool
	keys      []fold.Key
	keyed     bool
	failure   error // of the attempt that is being made; nil: it is good so far
	failedAt  time.Time
	row       *store.ParkedEvent // of an event that was parked: as it is stored
	exhausted bool               // it was parked and has no attempt left
}

// build evaluates records outside of any transaction, and appends their entries.
func (r *runner) build(ps []pending, ts []taken) []pending {
	ps = slices.Grow(ps, len(ts))
	for i := range ts {
		t := &ts[i]
		ps = append(ps, pending{delivery: t.delivery, after: t.after, entry: store.Entry{Position: t.position(), Clock: t.after.clock}})
		r.judge(&ps[len(ps)-1], t.known)
		t.evaluated()
	}
	return ps
}

// The estimated memory of an entry and of each value that it writes, in the statement too.
const (
	entryCost = 1 << 10
	valueCost = 96
)

// costOf estimates how many bytes of memory entries take until they are written, besides the records.
func costOf(ps []pending) int64 {
	cost := entryCost * int64(len(ps))
	for i := range ps {
		for j := range ps[i].effect.Writes {
			values, bytes := ps[i].effect.Writes[j].Size()
			cost += valueCost*int64(values) + bytes
		}
	}
	return cost
}

// judge decides what becomes of one record, short of what other events and the database may say; known: its id was seen
// before.
func (r *runner) judge(p *pending, known bool) {
	d := p.delivery
	switch {
	case d.err != nil:
		r.failed(p, d.err)
		p.entry.Outcome, p.entry.Dead = store.Dead, r.letter(r.failureOf(p))
		return
	case d.isMarker(), d.skip != "":
		p.entry.Outcome = store.Skipped
		return
	case d.event.ForkID != r.w.conf.Fork:
		p.entry.Outcome = store.Skipped
		p.otherFork = true
		return
	}
	if known && !failpoint.Off(failpoint.Window) {
		p.entry.Outcome = store.Duplicate
		return
	}
	if !known {
		p.entry.ID = d.id
	}
	if !r.group.Fold.Handles(d.event.Type) {
		p.entry.Outcome = store.Skipped
		return
	}
	p.open = true
	r.evaluate(p)
}

// evaluate makes the entry's effect, or notes the failure.
func (r *runner) evaluate(p *pending) {
	if p.row == nil && p.entry.Position.Offset == r.killer {
		r.failed(p, errCutOff)
		return
	}
	err := safely(func() (err error) {
		p.effect, err = r.group.Fold.Evaluate(p.delivery.whole())
		return err
	})
	if err != nil {
		r.failed(p, err)
		return
	}
	p.evaluated = true
}

// safely turns a panic into an error of the data, since an event that crashes the worker would crash it for ever.
func safely(step func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &store.DataError{Message: fmt.Sprintf("the event made the worker panic: %v", p)}
		}
	}()
	return step()
}

// failed notes how the attempt ended that is being made.
func (r *runner) failed(p *pending, err error) { p.failure, p.failedAt = err, r.w.now() }

// prepare decides the outcomes of entries of the topic, in the order of the log. It returns how many can be written
// together: the next one would be parked beyond the bound.
func (r *runner) prepare(ps []pending) int {
	var held keySet // by events that are parked with this batch
	room := r.w.conf.parkingBound() - r.lot.len()
	for i := range ps {
		p := &ps[i]
		if !p.open {
			continue
		}
		if r.mustWait(p, &held) {
			r.postpone(p)
		} else {
			r.decide(p)
		}
		if p.entry.Parked == nil {
			continue
		}
		if room == 0 {
			return i
		}
		room--
		held.add(p.entry.Parked.Keys)
	}
	return len(ps)
}

// postpone makes an entry wait. Whether it can be evaluated counts only when its turn comes.
func (r *runner) postpone(p *pending) {
	p.outcome(store.Waiting)
	p.entry.Parked = &store.ParkedEvent{Failure: r.describe(p), Waiting: true, Keys: r.keysOf(p)}
}

// decide gives an entry the outcome of the attempt on it: applied, parked, or dead after the last attempt.
func (r *runner) decide(p *pending) {
	if p.failure == nil && !p.exhausted {
		p.outcome(store.Applied)
		p.entry.Effect = p.effect
		return
	}
	f := r.failureOf(p)
	if r.w.conf.Retry.Last(f.Attempts) {
		p.outcome(store.Dead)
		p.entry.Dead = r.letter(f)
		return
	}
	p.outcome(store.Parked)
	p.entry.Parked = &store.ParkedEvent{Failure: f, NextAt: r.w.conf.Retry.next(f.LastAt, f.Attempts), Keys: r.keysOf(p)}
}

// outcome replaces whatever was decided before.
func (p *pending) outcome(o store.Outcome) {
	p.entry.Outcome = o
	p.entry.Effect, p.entry.Dead, p.entry.Parked = fold.Effect{}, nil, nil
}

// describe tells what event an entry is of.
func (r *runner) describe(p *pending) store.Failure {
	if p.row != nil {
		return p.row.Failure
	}
	d := p.delivery
	f := store.Failure{Position: p.entry.Position, Clock: p.entry.Clock, Record: d.source()}
	if d.event != nil {
		f.EventID, f.EventType, f.EntityID, f.ForkID = d.event.ID, d.event.Type, d.event.EntityID, d.event.ForkID
		f.Projection = r.group.Fold.FirstProjection(d.event.Type)
	}
	return f
}

// failureOf tells how the attempt on an entry failed.
func (r *runner) failureOf(p *pending) store.Failure {
	f := r.describe(p)
	if p.exhausted {
		return f
	}
	f.Attempts = max(f.Attempts, p.delivery.cutOff, 1) // of a parked event it was counted when the attempt began
	if p.row != nil && failpoint.Off(failpoint.CountFirst) {
		f.Attempts++
	}
	f.LastAt = p.failedAt
	if f.FirstAt.IsZero() {
		f.FirstAt = p.failedAt
	}
	f.ErrorClass, f.SQLState, f.Message = classEvent, "", bounded(p.failure)
	var undecodable *event.Undecodable
	if errors.As(p.failure, &undecodable) {
		f.ErrorClass = classUndecodable
	}
	var data *store.DataError
	if errors.As(p.failure, &data) {
		f.SQLState = data.SQLState
	}
	var ev *fold.EventError
	if errors.As(p.failure, &ev) && ev.Projection != "" {
		f.Projection = ev.Projection
	}
	return f
}
