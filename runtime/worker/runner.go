package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/store"
)

var (
	// errMoved says that the stored cursor went on, or a parked event was taken, without this runner.
	errMoved = errors.New("the cursor moved")
	// errLost says that the answer of a commit was lost and the cursor is where it was to be. A rival may have moved it
	// there too, with other outcomes.
	errLost = errors.New("the answer of a commit was lost")
)

// runner applies one partition's records to one group: those of the topic in log order, and between them those that were
// parked. All of it is done by one goroutine.
type runner struct {
	w       *Worker
	group   Group
	ordered bool         // the group's events wait for failed ones
	at      store.Cursor // the partition; of another topic than the cursor's where that was made anew
	cursor  store.Cursor
	mark    mark // at the cursor
	// barriers are those of the partition behind which nothing has begun for the group yet.
	barriers []store.Barrier
	lot      *lot
	// feed is what the groups of the partition share. reader is the runner's place in it; without one, the runner is behind
	// the feed and reads from a fetch of its own, as soon as it may have one.
	feed   *feed
	reader *reader
	own    *alone
	// differs says that the runner needs a judge of its own to read from the feed.
	differs bool
	ready   chan struct{} // holds a token while there may be something to read
	waits   bool          // for a turn
	// current is the run as it is noted. wary is how many records more are taken up a chunk at a time, and suspect, one by one;
	// killer is the offset of one that has killed a process.
	current store.Run
	wary    int
	suspect int
	killer  int64
	// overtaken says that another runner has begun while this one took up records one by one.
	overtaken bool
	// rest are entries that were read and judged, and are to be written next. foretold is how many of them are written next
	// where the store has named those that it refuses: the others were not looked at yet.
	rest     []pending
	foretold int
	// ahead brings the entries that come after them, and aheadErr is why they could not be read.
	ahead    *lookahead
	aheadErr error
	// batchSize and attemptSize are how many entries the next transaction may have: fewer after the data of one was refused.
	batchSize, attemptSize int
	most                   atomic.Int64 // what the entries of a transaction may cost, unless it is one chunk
	shown                  gauge
	stale                  int          // rows of the last transaction that had a newer write
	position               atomic.Int64 // the cursor's, or unborn, for others than the runner
	outdated               atomic.Bool  // there may be new barriers
	// stop ends run.
	stop context.CancelFunc
}

func newRunner(w *Worker, g Group, at store.Cursor) *runner {
	r := &runner{w: w, group: g, at: at, ordered: g.Fold.Ordered(), ready: make(chan struct{}, 1), lot: newLot(nil), stop: func() {},
		batchSize: maxBatch, attemptSize: maxAttempts, killer: -1}
	r.position.Store(unborn)
	r.most.Store(maxBatchCost)
	return r
}

func (r *runner) wake() {
	select {
	case r.ready <- struct{}{}:
	default:
	}
}

// load reads how the group stands: its position, the ids that it remembers, the parked events and the barriers before it.
// Without a position the partition has not begun.
func (r *runner) load(ctx context.Context) error {
	return r.environment(ctx, nil, func() error {
		c, found, err := r.group.Store.LoadCursor(ctx, r.at.Topic, r.at.Partition)
		if err != nil {
			return err
		}
		if !found && failpoint.Off(failpoint.Barrier) {
			c, found = r.at, true
		}
		if !found {
			return nil
		}
		ids, err := r.group.Store.LoadWindow(ctx, r.at.Topic, r.at.Partition)
		if err != nil {
			return err
		}
		parked, err := r.group.Store.LoadParked(ctx, r.at.Topic, r.at.Partition)
		if err != nil {
			return err
		}
		if r.barriers, err = r.pendingBarriers(ctx); err != nil {
			return err
		}
		r.cursor, r.mark = c, mark{clock: c.Clock, ids: digest(ids)}
		r.lot = newLot(parked)
		r.position.Store(c.Next)
		r.w.show(r)
		r.w.conf.Observer.standing(r)
		return nil
	})
}

// born reports whether the partition has begun for the group.
func (r *runner) born() bool { return r.position.Load() != unborn }

// reload takes up what another worker, or a transaction whose answer was lost, has left.
func (r *runner) reload(ctx context.Context) error {
	r.leave()
	if err := r.load(ctx); err != nil {
		return err
	}
	if r.born() {
		r.w.reached(r)
	}
	return nil
}

// refresh looks again whether the partition has begun, or what the growth of the topic has changed.
func (r *runner) refresh(ctx context.Context) error {
	if !r.outdated.Swap(false) && r.born() {
		return nil
	}
	return r.reload(ctx)
}

// leave forgets what was read and from where.
func (r *runner) leave() {
	r.rest, r.foretold, r.aheadErr = nil, 0, nil
	if r.reader != nil {
		r.reader.detach()
		r.reader = nil
	}
	r.closeOwn()
}

// run works until the context ends or the group fails for good.
func (r *runner) run(ctx context.Context) error {
	loop := fmt.Sprintf("%s/%d", r.group.Fold.Name, r.at.Partition)
	defer r.w.conf.Observer.idle(loop)
	defer r.quit()
	if err := r.beginRun(ctx); err != nil {
		return err
	}
	defer r.endRun(ctx)
	for {
		r.w.conf.Observer.busy(loop)
		r.waits = false
		if err := r.refresh(ctx); err != nil {
			return err
		}
		tried, err := r.attempt(ctx)
		if err != nil {
			return err
		}
		moved, err := r.advance(ctx)
		if len(r.rest) == 0 || !moved {
			r.pass()
		}
		if err == nil && r.overtaken {
			err = r.standBack(ctx)
		}
		if err != nil {
			return err
		}
		if !tried && !moved {
			r.w.conf.Observer.idle(loop)
			if !r.waits {
				r.w.noteIdle()
			}
			if err := r.wait(ctx); err != nil {
				return err
			}
		}
	}
}

// quit holds up nobody any more.
func (r *runner) quit() {
	r.leave()
	r.w.turns.release(r)
	r.feed.forget()
}

// wait returns when there may be records, when an attempt is due, or when the runner has the turn that it waits for.
func (r *runner) wait(ctx context.Context) error {
	var due <-chan time.Time
	if at, found := r.lot.nextAt(); found && !r.waits {
		timer := time.NewTimer(at.Sub(r.w.now()))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-due:
	case <-r.ready:
	}
	return nil
}

// advance reads records and writes one transaction of them. It reports whether there may be more to do at once; there is
// not where nothing is to be read, or where too many events are parked.
func (r *runner) advance(ctx context.Context) (bool, error) {
	if !r.born() || !r.enter() {
		return false, nil
	}
	if r.suspect > 0 {
		r.w.trials.Lock() // nothing else should be able to kill the process meanwhile
		defer r.w.trials.Unlock()
	}
	if len(r.rest) == 0 {
		if r.cursor.Next >= r.limit() {
			return r.split(ctx)
		}
		again, err := r.next(ctx)
		switch {
		case errors.Is(err, errMoved):
			return true, r.reload(ctx)
		case errors.Is(err, errLimit):
			return r.split(ctx)
		}
		if err != nil || len(r.rest) == 0 {
			return again, err
		}
	}
	n := r.prepare(r.rest[:cmp.Or(r.foretold, min(len(r.rest), r.batchSize))])
	if n == 0 {
		if r.own != nil {
			r.leave() // others may have the slot meanwhile
		}
		return false, nil
	}
	err := r.write(ctx, n)
	if errors.Is(err, errMoved) {
		err = r.reload(ctx)
	}
	return true, err
}

// next reads and evaluates the records that are to be written next. With none, again reports whether to ask at once.
func (r *runner) next(ctx context.Context) (again bool, err error) {
	ts, again, err := r.read(ctx)
	if err != nil || len(ts) == 0 {
		return again, err
	}
	if r.suspect > 0 && ts[0].cutOff == 0 {
		if err := r.trial(ctx, ts[0].record.Offset); err != nil {
			return false, err
		}
	}
	r.rest = r.build(nil, ts)
	return false, nil
}
