package worker

import (
	"context"
	"errors"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/store"
)

// A process that dies again and again at one place of the log may be killed by an event there, which is not counted as an
// attempt as long as it is part of a batch. So a runner notes that it begins and, in order, that it ends. Where one before it was
// cut off, it takes up no more than a chunk of records at a time, until it is past all that the other may have begun. Where several
// were cut off at its own position, the culprit is in the first chunk, and those records are taken up one by one. It is noted which
// process decodes each, before it does, for all groups: a record that as many have died of as an event has attempts can never be an
// event. Then each is noted before it is evaluated. One that was noted when the process died has failed at its first attempt; what
// follows is what follows any failed attempt.
const (
	patience       = 3            // runs cut off at one position before records are taken up one by one
	waryRecords    = 2 * maxBatch // that a run may have begun to work on beyond its position
	suspectRecords = chunkRecords
)

// overtakenPause is how long a runner stands back.
const overtakenPause = time.Second

// endTimeout bounds how long a runner that ends waits for the database.
const endTimeout = 2 * time.Second

var (
	errCutOff          = errors.New("the worker died while it worked on this event alone")
	errUndecoded error = &event.Undecodable{Message: "the worker died each time that it decoded this record alone"}
)

// beginRun notes that the runner begins, and finds out how those before it ended.
func (r *runner) beginRun(ctx context.Context) error {
	run := store.Run{Topic: r.cursor.Topic, Partition: r.cursor.Partition, Owner: r.w.process, Next: r.cursor.Next}
	err := r.environment(ctx, nil, func() (err error) {
		r.current, err = r.group.Store.BeginRun(ctx, run)
		return err
	})
	if err != nil || r.current.CutOff == 0 {
		return err
	}
	r.wary = waryRecords
	r.attemptSize = 1 // one that kills the process should use up the attempts of no other
	r.killer = r.current.Trial
	if r.current.CutOff >= patience || r.soon(r.killer) || r.soon(r.current.Decoding) {
		r.suspect = suspectRecords
		r.w.log.Warn("workers died again and again at one position; the records from there on are taken up one by one",
			"event", "suspect_records", "group", r.group.Fold.Name, "partition", r.cursor.Partition, "next", r.cursor.Next,
			"times", r.current.CutOff)
	}
	return nil
}

// soon reports whether an offset is among those that a run takes up one by one.
func (r *runner) soon(offset int64) bool {
	return offset >= r.cursor.Next && offset < r.cursor.Next+suspectRecords
}

// endRun notes that the runner ends in order. Where that fails, the next one is told that this one was cut off.
func (r *runner) endRun(ctx context.Context) {
	attempt, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if err := r.group.Store.EndRun(attempt, r.current); err != nil {
		r.w.log.Debug("the end of the work is not noted", "group", r.group.Fold.Name, "partition", r.cursor.Partition, "error", err.Error())
	}
}

// decode decodes a record that may kill the process, unless all attempts at that are used up.
func (r *runner) decode(ctx context.Context, d *delivery) error {
	if d.isMarker() || d.decoded.Load() {
		return nil
	}
	var processes int
	err := r.environment(ctx, nil, func() (err error) {
		processes, err = r.group.Store.BeginDecoding(ctx, d.position(), r.w.process)
		return err
	})
	if err != nil {
		return err
	}
	if died := processes - 1; r.w.conf.Retry.Last(died) {
		d.giveUp(died)
		return nil
	}
	d.decode()
	return r.environment(ctx, nil, func() error { return r.group.Store.EndDecoding(ctx, d.position()) })
}

// trial notes which record is evaluated next, alone. It returns errMoved where another runner has begun since.
func (r *runner) trial(ctx context.Context, offset int64) error {
	run := r.current
	run.Trial = offset
	err := r.environment(ctx, nil, func() error { return r.group.Store.BeginTrial(ctx, run) })
	if errors.Is(err, store.ErrFenced) {
		r.overtaken = true
		return errMoved
	}
	return err
}

// standBack leaves the records to the runner that has overtaken this one for a while: two that take each other's place at every
// record would hardly come on. Then it takes the place back, in case the other has died.
func (r *runner) standBack(ctx context.Context) error {
	if err := sleep(ctx, overtakenPause); err != nil {
		return err
	}
	r.overtaken = false
	return r.beginRun(ctx)
}
