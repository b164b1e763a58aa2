package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// errMoved says that the stored cursor went on without this runner.
var errMoved = errors.New("the cursor moved")

// runner applies one partition's records to one group, in log order.
type runner struct {
	w      *Worker
	group  Group
	cursor store.Cursor
	window *fold.Window
	mail   *mailbox
	// drained is called when the mailbox has room again.
	drained func()
}

// load reads the position and the window of ids that the store has; begin is where a partition without a position starts.
func (r *runner) load(ctx context.Context, begin store.Cursor) error {
	return r.w.environment(ctx, r.group, nil, func() error {
		c, found, err := r.group.Store.LoadCursor(ctx, begin.Topic, begin.Partition)
		if err != nil {
			return err
		}
		if !found {
			c = begin
		}
		ids, err := r.group.Store.LoadWindow(ctx, begin.Topic, begin.Partition)
		if err != nil {
			return err
		}
		r.cursor = c
		r.window = fold.NewWindow(windowSize, ids)
		return nil
	})
}

// run works until the context ends or the group fails for good.
func (r *runner) run(ctx context.Context) error {
	for {
		ds, left := r.mail.take(maxBatch)
		if left < resumeBelow {
			r.drained()
		}
		if len(ds) == 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-r.mail.ready:
				continue
			}
		}
		if err := r.process(ctx, ds); err != nil {
			return err
		}
	}
}

// process applies deliveries; those below the cursor were applied before.
func (r *runner) process(ctx context.Context, ds []*delivery) error {
	for len(ds) > 0 && ds[0].record.Offset < r.cursor.Next {
		ds = ds[1:]
	}
	if len(ds) == 0 {
		return nil
	}
	err := r.write(ctx, r.build(ds))
	if !errors.Is(err, errMoved) {
		return err
	}
	if err := r.load(ctx, r.cursor); err != nil {
		return err
	}
	return r.process(ctx, ds)
}

// pending is an entry with the delivery it came from.
type pending struct {
	delivery  *delivery
	entry     store.Entry
	failure   *failure
	otherFork bool
}

// build decodes and evaluates deliveries outside of any transaction.
func (r *runner) build(ds []*delivery) []pending {
	ps := make([]pending, len(ds))
	clock := r.cursor.Clock
	for i, d := range ds {
		d.decode()
		clock = d.clock(clock)
		ps[i] = pending{delivery: d, entry: store.Entry{Position: d.position(), Clock: clock}}
		r.judge(&ps[i])
	}
	return ps
}

// judge decides what becomes of one entry, short of what the database may say.
func (r *runner) judge(p *pending) {
	d := p.delivery
	switch {
	case d.err != nil:
		now := time.Now()
		p.kill(r, failure{err: d.err, attempts: 1, firstAt: now, lastAt: now})
		return
	case d.isMarker(), d.skip != "":
		p.entry.Outcome = store.Skipped
		return
	case d.event.ForkID != r.w.conf.Fork:
		p.entry.Outcome = store.Skipped
		p.otherFork = true
		return
	}
	p.entry.ID = fold.HashID(d.event.ID)
	if !r.window.Add(p.entry.ID) {
		p.entry.Outcome = store.Duplicate
		return
	}
	if !r.group.Fold.Handles(d.event.Type) {
		p.entry.Outcome = store.Skipped
		return
	}
	r.evaluate(p)
}

// evaluate makes the entry's effect, or notes the failure.
func (r *runner) evaluate(p *pending) {
	effect, err := r.evaluateSafely(p.delivery.event)
	if err != nil {
		p.failed(err)
		return
	}
	p.entry.Outcome = store.Applied
	p.entry.Effect = effect
}

// evaluateSafely turns a panic into an error, since an event that crashes the worker would crash it for ever.
func (r *runner) evaluateSafely(ev *event.Event) (effect fold.Effect, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("evaluation panicked: %v", p)
		}
	}()
	return r.group.Fold.Evaluate(ev)
}

// failed counts an attempt.
func (p *pending) failed(err error) {
	now := time.Now()
	if p.failure == nil {
		p.failure = &failure{firstAt: now}
	}
	p.failure.err = err
	p.failure.attempts++
	p.failure.lastAt = now
}

// kill makes the entry a dead letter.
func (p *pending) kill(r *runner, f failure) {
	p.entry.Outcome = store.Dead
	p.entry.Effect = fold.Effect{}
	p.entry.Dead = r.letter(p.delivery, p.entry.Clock, f)
	p.failure = nil
}

// write commits the entries in order: runs of good ones in one transaction, failed ones by the retry schedule.
func (r *runner) write(ctx context.Context, ps []pending) error {
	for len(ps) > 0 {
		n := 0
		for n < len(ps) && ps[n].failure == nil {
			n++
		}
		if err := r.writeGood(ctx, ps[:n]); err != nil {
			return err
		}
		if n < len(ps) {
			if err := r.retry(ctx, &ps[n]); err != nil {
				return err
			}
			n++
		}
		ps = ps[n:]
	}
	return nil
}

// writeGood commits entries that evaluated well. When the database refuses the data it halves the run down to the
// culprits, left before right, and keeps the rest.
func (r *runner) writeGood(ctx context.Context, ps []pending) error {
	if len(ps) == 0 {
		return nil
	}
	err := r.commit(ctx, ps)
	var data *store.DataError
	if !errors.As(err, &data) {
		return err
	}
	if len(ps) == 1 {
		ps[0].failed(err)
		return r.retry(ctx, &ps[0])
	}
	if err := r.writeGood(ctx, ps[:len(ps)/2]); err != nil {
		return err
	}
	return r.writeGood(ctx, ps[len(ps)/2:])
}

// retry tries a failed event again on the schedule and gives it to the dead letters after the last attempt. Meanwhile
// the partition waits in this group.
func (r *runner) retry(ctx context.Context, p *pending) error {
	for !r.w.conf.Retry.Last(p.failure.attempts) {
		delay := r.w.conf.Retry.Delay(p.failure.attempts)
		r.w.logRetry(r.failedProjection(p.delivery, p.failure.err), p.delivery.event, p.failure, delay)
		r.w.count(r.group, func(c *Counts) { c.Retries++ })
		if err := sleep(ctx, delay); err != nil {
			return err
		}
		done, err := r.attempt(ctx, p)
		if done || err != nil {
			return err
		}
	}
	p.kill(r, *p.failure)
	return r.commit(ctx, []pending{*p})
}

// attempt evaluates and commits a failed event once more.
func (r *runner) attempt(ctx context.Context, p *pending) (done bool, err error) {
	effect, err := r.evaluateSafely(p.delivery.event)
	if err != nil {
		p.failed(err)
		return false, nil
	}
	good := *p
	good.failure = nil
	good.entry.Outcome = store.Applied
	good.entry.Effect = effect
	err = r.commit(ctx, []pending{good})
	var data *store.DataError
	if errors.As(err, &data) {
		p.failed(err)
		return false, nil
	}
	return err == nil, err
}

// commit writes one transaction and moves the cursor. It returns a *store.DataError where the data is at fault, errMoved
// where the cursor is elsewhere, and retries everything else that may pass.
func (r *runner) commit(ctx context.Context, ps []pending) error {
	b := r.batch(ps)
	var counts store.Counts
	err := r.w.environment(ctx, r.group, ps[0].delivery.event, func() (err error) {
		counts, err = r.group.Store.Commit(ctx, b)
		if err == nil || ctx.Err() != nil {
			return err
		}
		counts = outcomes(ps)
		return r.settle(ctx, b, err)
	})
	if err != nil {
		return err
	}
	r.cursor = b.To
	r.w.committed(r, ps, counts)
	return nil
}

// outcomes counts entries as they were judged, for a commit whose answer was lost.
func outcomes(ps []pending) (c store.Counts) {
	for i := range ps {
		switch ps[i].entry.Outcome {
		case store.Applied:
			c.Applied++
		case store.Skipped:
			c.Skipped++
		case store.Duplicate:
			c.Duplicates++
		case store.Dead:
			c.Dead++
		}
	}
	return c
}

// settle finds out what a failed commit left: nothing, or a success whose answer was lost.
func (r *runner) settle(ctx context.Context, b store.Batch, cause error) error {
	var data *store.DataError
	if errors.As(cause, &data) {
		return cause
	}
	c, found, err := r.group.Store.LoadCursor(ctx, b.From.Topic, b.From.Partition)
	switch {
	case err != nil:
		return cause
	case found && c == b.To:
		return nil
	case found && c != b.From, errors.Is(cause, store.ErrFenced):
		return errMoved
	}
	return cause
}

// batch makes the transaction for a run of entries.
func (r *runner) batch(ps []pending) store.Batch {
	last := ps[len(ps)-1].entry
	b := store.Batch{From: r.cursor, To: r.cursor, Entries: make([]store.Entry, len(ps))}
	b.To.Next = last.Position.Offset + 1
	b.To.Clock = last.Clock
	for i := range ps {
		b.Entries[i] = ps[i].entry
	}
	return b
}
