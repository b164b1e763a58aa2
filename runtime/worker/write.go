package worker

import (
	"context"
	"errors"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/store"
)

// write commits the first n of the entries that are to be written. Where their data is refused, those at fault have failed
// and the others are written next time, or, where it can't be told, fewer, down to the one at fault.
func (r *runner) write(ctx context.Context, n int) error {
	ps := r.rest[:n]
	began := time.Now()
	r.lookAhead(n)
	defer r.catchUp()
	err := r.commit(ctx, ps)
	r.foretold = 0
	if err == nil || errors.Is(err, errLost) {
		if r.rest = r.rest[n:]; len(r.rest) == 0 {
			r.rest = nil // what is written takes memory no longer
		}
		r.wary, r.suspect = max(r.wary-n, 0), max(r.suspect-n, 0)
		r.batchSize = min(2*r.batchSize, maxBatch)
		r.wrote(ps)
		r.w.committed(r, ps, time.Since(began))
		if err != nil {
			return errMoved // what is parked is to be read, not taken for granted
		}
		return nil
	}
	var data *store.DataError
	if !errors.As(err, &data) {
		return err
	}
	switch culprit, only := onlyApplied(ps); {
	case culprit == nil:
		return err
	case failpoint.Off(failpoint.Halving):
		r.allFailed(ps, err)
	case only:
		r.failed(culprit, err)
	case r.blame(ps, data):
		r.foretold = n
	default:
		r.batchSize = max(n/2, 1)
	}
	return nil
}

// blame notes the failures of the entries that the database has refused. It reports whether there is one.
func (r *runner) blame(ps []pending, data *store.DataError) bool {
	found := false
	for _, refusal := range data.Refused {
		if p := &ps[refusal.Index]; p.failure == nil {
			r.failed(p, refusal.Err)
			found = true
		}
	}
	return found
}

// wrote notes that entries are in the database.
func (r *runner) wrote(ps []pending) {
	r.mark = ps[len(ps)-1].after
	r.position.Store(r.cursor.Next)
	for _, rd := range []*reader{r.reader, r.own.place()} {
		if rd != nil {
			rd.wrote(r.cursor.Next)
		}
	}
}

// commit writes one transaction and moves the cursor. It returns a *store.DataError where the data is at fault, errMoved
// where the cursor is elsewhere, errLost, and retries everything else that may pass.
func (r *runner) commit(ctx context.Context, ps []pending) error {
	b := r.batch(ps)
	err := r.transact(ctx, ps[0].delivery.event, func() error {
		return safely(func() error {
			counts, err := r.group.Store.Commit(ctx, b)
			r.stale = counts.Stale
			return err
		})
	}, func(cause error, lost bool) error { return r.committed(ctx, b, cause, lost) })
	if err != nil && !errors.Is(err, errLost) {
		return err
	}
	r.cursor = b.To
	for i := range ps {
		if row := ps[i].entry.Parked; row != nil {
			r.lot.put(row)
		}
	}
	return err
}

// transact makes a transaction, and tries it again for as long as the surroundings fail. find says what one that failed has left:
// lost, that its answer, or that of one before, may have been lost.
func (r *runner) transact(ctx context.Context, ev *event.Event, step func() error, find func(cause error, lost bool) error) error {
	lost := false
	return r.environment(ctx, ev, func() error {
		err := step()
		if err == nil || ctx.Err() != nil {
			return err
		}
		lost = lost || isEnvironment(err)
		return find(err, lost)
	})
}

func isEnvironment(err error) bool {
	var env *store.EnvironmentError
	return errors.As(err, &env)
}

// committed finds out what a failed commit left: nothing, or, where an answer was lost, perhaps a success.
func (r *runner) committed(ctx context.Context, b store.Batch, cause error, lost bool) error {
	var data *store.DataError
	if errors.As(cause, &data) {
		return cause
	}
	c, found, err := r.group.Store.LoadCursor(ctx, b.From.Topic, b.From.Partition)
	switch {
	case err != nil:
		return unread(cause, err)
	case found && c == b.To && lost:
		return errLost
	case found && c != b.From, errors.Is(cause, store.ErrFenced):
		return errMoved
	}
	return cause
}

// unread is the error of a transaction of which it can't be read, for the second error, what it has left. Of one that was
// fenced it is still to be found out by whom: perhaps by itself, where its answer was lost.
func unread(cause, err error) error {
	if errors.Is(cause, store.ErrFenced) {
		return err
	}
	return cause
}

// batch makes the transaction for a run of entries.
func (r *runner) batch(ps []pending) store.Batch {
	last := ps[len(ps)-1].entry
	b := store.Batch{From: r.cursor, To: r.cursor, Entries: make([]store.Entry, len(ps)), Foretold: r.foretold > 0}
	b.To.Next = last.Position.Offset + 1
	b.To.Clock = last.Clock
	for i := range ps {
		b.Entries[i] = ps[i].entry
	}
	return b
}

// allFailed blames every event of a batch, where a test wants that.
func (r *runner) allFailed(ps []pending, err error) {
	for i := range ps {
		if ps[i].entry.Outcome == store.Applied {
			r.failed(&ps[i], err)
		}
	}
}
