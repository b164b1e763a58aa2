package worker

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/store"
)

// attempt tries the parked events that are due, and the waiting ones that need wait no longer, as many as one transaction
// takes. It reports whether there were any.
func (r *runner) attempt(ctx context.Context) (bool, error) {
	events := r.lot.ready(r.w.now(), r.attemptSize)
	if r.careful() {
		events = untilWaiting(events)
	}
	if len(events) == 0 || !r.enter() {
		return false, nil
	}
	err := r.begin(ctx, events)
	if err == nil {
		err = r.try(ctx, events)
	}
	if errors.Is(err, errMoved) {
		err = r.reload(ctx)
	}
	return true, err
}

// attemptTime is how long an attempt may take before another runner, which may have the partition too, begins the next one: two that
// overtake each other would use up the attempts of an event with which nothing is wrong.
const attemptTime = time.Second

// careful reports whether the process has died lately, perhaps of one of the next events.
func (r *runner) careful() bool { return r.current.CutOff > 0 && r.attemptSize < maxAttempts }

// untilWaiting returns the events before the first that waits, or that one alone: no other shares a key with it then.
func untilWaiting(events []*lotEvent) []*lotEvent {
	i := slices.IndexFunc(events, func(e *lotEvent) bool { return e.Waiting })
	if i < 0 {
		return events
	}
	return events[:max(i, 1)]
}

// begin writes the number of the attempt down before anything of the event is evaluated, so that an event that kills the
// process is not tried for ever. Waiting events were not tried yet; like the events of a batch they are counted when they
// have failed, or before that where the process has died lately: then they wait no longer.
func (r *runner) begin(ctx context.Context, events []*lotEvent) error {
	var begun []*lotEvent
	var after []store.ParkedEvent
	now := r.w.now()
	for _, e := range events {
		if e.Waiting && !r.careful() || e.begun || r.w.conf.Retry.Last(e.Attempts) {
			continue
		}
		row := e.ParkedEvent
		row.Attempts++
		row.Waiting = false
		row.NextAt = now.Add(max(r.w.conf.Retry.Delay(row.Attempts), attemptTime)).Truncate(time.Microsecond)
		begun, after = append(begun, e), append(after, row)
	}
	if len(begun) == 0 {
		return nil
	}
	if failpoint.Off(failpoint.CountFirst) {
		for _, e := range begun {
			e.begun = true
		}
		return nil
	}
	err := r.transact(ctx, nil, func() error { return r.group.Store.BeginAttempts(ctx, after) }, func(cause error, lost bool) error {
		return r.found(ctx, cause, func(stored map[int64]*store.ParkedEvent) (done, open bool) {
			done, open = true, true
			for i := range after {
				row := stored[after[i].Position.Offset]
				done = done && row != nil && row.Same(&after[i])
				open = open && row != nil && row.Same(&begun[i].ParkedEvent)
			}
			return done && lost, open
		})
	})
	if err != nil {
		return err
	}
	for i, e := range begun {
		e.Attempts, e.Waiting, e.NextAt, e.begun = after[i].Attempts, false, after[i].NextAt, true
	}
	failpoint.Reach(failpoint.AttemptBegun)
	return nil
}

// found finds out what a failed transaction on parked events left. judge says, from the events that are stored, whether it
// was done and whether it can be tried again.
func (r *runner) found(ctx context.Context, cause error, judge func(stored map[int64]*store.ParkedEvent) (done, open bool)) error {
	var data *store.DataError
	if errors.As(cause, &data) {
		return cause
	}
	rows, err := r.group.Store.LoadParked(ctx, r.cursor.Topic, r.cursor.Partition)
	if err != nil {
		return unread(cause, err)
	}
	stored := make(map[int64]*store.ParkedEvent, len(rows))
	for i := range rows {
		stored[rows[i].Position.Offset] = &rows[i]
	}
	switch done, open := judge(stored); {
	case done:
		return nil
	case !open, errors.Is(cause, store.ErrFenced):
		return errMoved
	}
	return cause
}

// try evaluates and applies events whose attempts have begun. Where the data is refused, those at fault have failed, or,
// where it can't be told, fewer are tried next time, down to the one at fault.
func (r *runner) try(ctx context.Context, events []*lotEvent) error {
	ps, err := r.recall(ctx, events)
	if err != nil {
		return err
	}
	ps = r.conclude(ps)
	err = r.settle(ctx, ps)
	var data *store.DataError
	if !errors.As(err, &data) {
		r.attemptSize = min(2*r.attemptSize, maxAttempts)
		return err
	}
	culprit, only := onlyApplied(ps)
	if culprit == nil {
		return err
	}
	if only {
		r.failed(culprit, err)
		return r.settle(ctx, r.conclude(ps))
	}
	if r.blame(ps, data) {
		if err = r.settle(ctx, r.conclude(ps)); !errors.As(err, &data) {
			return err
		}
	}
	r.attemptSize = max(len(ps)/2, 1)
	return nil
}

// onlyApplied returns the first entry that would be applied, and whether it is the only one: then it is at fault.
func onlyApplied(ps []pending) (first *pending, only bool) {
	for i := range ps {
		if ps[i].entry.Outcome != store.Applied {
			continue
		}
		if first != nil {
			return first, false
		}
		first = &ps[i]
	}
	return first, true
}

// recall loads events whole and evaluates them, but for those that have no attempt left.
func (r *runner) recall(ctx context.Context, events []*lotEvent) ([]pending, error) {
	offsets := make([]int64, len(events))
	for i, e := range events {
		offsets[i] = e.Position.Offset
	}
	var rows []store.ParkedEvent
	err := r.environment(ctx, nil, func() (err error) {
		rows, err = r.group.Store.LoadFailures(ctx, r.cursor.Topic, r.cursor.Partition, offsets)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(rows) != len(events) {
		return nil, errMoved
	}
	ps := make([]pending, len(rows))
	for i := range rows {
		if !rows[i].Same(&events[i].ParkedEvent) {
			return nil, errMoved
		}
		ps[i] = r.again(&rows[i], events[i].begun)
	}
	return ps, nil
}

// again makes an entry of a parked or waiting event and evaluates it.
func (r *runner) again(row *store.ParkedEvent, begun bool) pending {
	record := &kgo.Record{Topic: row.Position.Topic, Partition: row.Position.Partition, Offset: row.Position.Offset,
		Key: row.Key, Value: row.Value, Timestamp: time.UnixMilli(row.Timestamp)}
	for _, h := range row.Headers {
		record.Headers = append(record.Headers, kgo.RecordHeader{Key: h.Key, Value: h.Value})
	}
	p := pending{delivery: &delivery{record: record}, open: true, row: row, keys: row.Keys, keyed: true,
		entry: store.Entry{Position: row.Position, Clock: row.Clock}}
	if p.exhausted = !row.Waiting && !begun; p.exhausted {
		return p
	}
	p.delivery.decode()
	switch d := p.delivery; {
	case d.err != nil:
		r.failed(&p, d.err)
	case d.event == nil:
		r.failed(&p, errNoEvent)
	default:
		r.evaluate(&p)
	}
	return p
}

// conclude decides what becomes of the entries, in the order of the log. A waiting event that shares a key with one that
// has failed before it goes on waiting, and is left out.
func (r *runner) conclude(ps []pending) []pending {
	kept := ps[:0]
	var held keySet
	for i := range ps {
		p := &ps[i]
		if p.row.Waiting && held.meets(p.keys) {
			continue
		}
		r.decide(p)
		if p.entry.Outcome == store.Parked {
			held.add(p.keys)
		}
		kept = append(kept, *p)
	}
	return kept
}

// settle writes the outcomes of attempts in one transaction. Errors are as those of commit.
func (r *runner) settle(ctx context.Context, ps []pending) error {
	s := store.Settlement{Topic: r.cursor.Topic, Partition: r.cursor.Partition}
	for i := range ps {
		s.Rows = append(s.Rows, *ps[i].row)
		s.Entries = append(s.Entries, ps[i].entry)
	}
	began := time.Now()
	err := r.transact(ctx, ps[0].delivery.event, func() error {
		return safely(func() error {
			counts, err := r.group.Store.Settle(ctx, s)
			r.stale = counts.Stale
			return err
		})
	}, func(cause error, lost bool) error {
		return r.found(ctx, cause, func(stored map[int64]*store.ParkedEvent) (done, open bool) {
			done, open = settlementDone(&s, stored)
			return done && lost, open
		})
	})
	if err != nil {
		return err
	}
	gone := map[int64]bool{}
	for i := range ps {
		if after := ps[i].entry.Parked; ps[i].entry.Outcome == store.Parked {
			r.lot.update(after)
		} else {
			gone[ps[i].entry.Position.Offset] = true
		}
	}
	r.lot.drop(gone)
	r.w.settled(r, ps, time.Since(began))
	return nil
}

// settlementDone reports whether the stored events are as a settlement leaves them, and whether they are as before it.
func settlementDone(s *store.Settlement, stored map[int64]*store.ParkedEvent) (done, open bool) {
	done, open = true, true
	for i := range s.Rows {
		row := stored[s.Rows[i].Position.Offset]
		open = open && row != nil && row.Same(&s.Rows[i])
		if after := s.Entries[i].Parked; s.Entries[i].Outcome == store.Parked {
			done = done && row != nil && row.Same(after) && row.NextAt.Equal(after.NextAt)
		} else {
			done = done && row == nil
		}
	}
	return done, open
}
