package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/store"
)

// The sizes of the fetch of one group that is behind.
const (
	aloneFetch = 512 << 10 // bytes that the brokers answer with
	alonePoll  = 2000      // records taken up at a time
	aloneTurn  = 50_000    // records after which the next in the row gets the slot
	alonePause = time.Second
)

// alone is the fetch of one group in one partition while it is behind the others.
type alone struct {
	client *kgo.Client
	reader *reader
	left   int // records until the turn is over
}

// place is where the runner reads in its own fetch, nil where there is none.
func (a *alone) place() *reader {
	if a == nil {
		return nil
	}
	return a.reader
}

// read returns records that follow the position: from the feed that the groups share, or from a fetch of the runner's own
// where it is behind that. With none, again reports whether to ask at once.
func (r *runner) read(ctx context.Context) (ts []taken, again bool, err error) {
	if r.reader == nil {
		if err := r.join(ctx); err != nil {
			return nil, false, err
		}
	}
	if r.reader == nil {
		return r.readAlone(ctx)
	}
	if err = r.aheadErr; err == nil {
		ts, err = r.take(ctx, r.reader)
	}
	r.aheadErr = nil
	switch {
	case errors.Is(err, errShed), errors.Is(err, errDiffers):
		r.reader, r.differs = nil, errors.Is(err, errDiffers)
		return nil, true, nil
	}
	return ts, false, err
}

// take returns the records that follow in a feed: one, if it may kill the process.
func (r *runner) take(ctx context.Context, rd *reader) ([]taken, error) {
	if r.suspect > 0 {
		return rd.takeBy(r.limit(), 1, func(d *delivery) error { return r.decode(ctx, d) })
	}
	return rd.take(r.limit(), maxBatch)
}

// join takes a place in the feed of the partition, if that still has the records that follow.
func (r *runner) join(ctx context.Context) error {
	if !r.feed.has(r.cursor.Next) {
		return nil
	}
	rd, err := r.attach(ctx)
	if err != nil || rd == nil {
		return err
	}
	r.reader, r.differs = rd, false
	if r.own != nil {
		r.closeOwn()
		r.w.log.Info("group fetches with the others again", "event", "group_joined", "group", r.group.Fold.Name,
			"partition", r.cursor.Partition, "next", r.cursor.Next)
	}
	return nil
}

// attach makes a place in the feed, with a judge of the runner's own where its history differs from the feed's.
func (r *runner) attach(ctx context.Context) (*reader, error) {
	if !r.differs {
		rd, err := r.feed.attach(r.cursor.Next, r.mark, nil, r.ready)
		if err == nil {
			return rd, nil
		}
	}
	j, err := r.judgeHere(ctx)
	if err != nil {
		return nil, err
	}
	if r.own == nil && r.feed.adopt(r.cursor.Next, j) {
		j = nil
	}
	return r.feed.attach(r.cursor.Next, r.mark, j, r.ready)
}

// judgeHere returns a judge for what follows the runner's position.
func (r *runner) judgeHere(ctx context.Context) (*judge, error) {
	if r.own != nil {
		return &r.own.reader.feed.judge, nil // everything that was taken from there is written
	}
	var ids [][16]byte
	err := r.environment(ctx, nil, func() (err error) {
		ids, err = r.group.Store.LoadWindow(ctx, r.cursor.Topic, r.cursor.Partition)
		return err
	})
	if err != nil {
		return nil, err
	}
	j := &judge{fork: r.w.conf.Fork, clock: r.cursor.Clock, window: newRecent(windowSize, ids)}
	if j.mark() != r.mark {
		return nil, errMoved // a rival has moved the position meanwhile
	}
	return j, nil
}

// readAlone reads from a fetch of the runner's own.
func (r *runner) readAlone(ctx context.Context) (ts []taken, again bool, err error) {
	if r.own != nil && r.own.left <= 0 && r.w.fetches.wanted(r) {
		r.closeOwn()
	}
	if r.own == nil {
		if 2*r.lot.len() > r.w.conf.parkingBound() || !r.w.fetches.acquire(r) {
			return nil, false, nil
		}
		if err := r.openOwn(ctx); err != nil {
			return nil, false, err
		}
	}
	ts, err = r.take(ctx, r.own.reader)
	if err != nil || len(ts) > 0 {
		r.own.left -= len(ts)
		return ts, false, err
	}
	r.pass() // nobody waits for the brokers with a turn
	return nil, true, r.poll(ctx)
}

// openOwn begins to fetch from the runner's position.
func (r *runner) openOwn(ctx context.Context) error {
	j, err := r.judgeHere(ctx)
	if err != nil {
		return err
	}
	f := newFeed(newBudget(), math.MaxInt64, r.cursor.Next, *j, 1)
	client, err := r.w.conf.Kafka.NewClient(
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{r.cursor.Topic: {r.cursor.Partition: kgo.NewOffset().At(r.cursor.Next)}}),
		kgo.FetchIsolationLevel(isolation()), kgo.KeepControlRecords(), kgo.ConsumeResetOffset(kgo.NoResetOffset()),
		kgo.FetchMaxBytes(aloneFetch), kgo.FetchMaxPartitionBytes(aloneFetch),
	)
	if err != nil {
		return err
	}
	r.own = &alone{client: client, left: aloneTurn}
	if r.own.reader, err = f.attach(r.cursor.Next, r.mark, nil, r.ready); err != nil {
		return err
	}
	r.w.log.Info("group is behind the others and fetches alone", "event", "group_alone", "group", r.group.Fold.Name,
		"partition", r.cursor.Partition, "next", r.cursor.Next)
	return nil
}

// closeOwn ends the runner's own fetch, and gives the slot back.
func (r *runner) closeOwn() {
	if r.own != nil {
		r.own.client.Close()
		r.own = nil
	}
	r.w.fetches.release(r)
}

// poll fetches what follows, and returns after a while also without.
func (r *runner) poll(ctx context.Context) error {
	wait := alonePause
	if at, found := r.lot.nextAt(); found {
		wait = min(wait, at.Sub(r.w.now()))
	}
	attempt, cancel := context.WithTimeout(ctx, max(wait, 0))
	defer cancel()
	fetches := r.own.client.PollRecords(attempt, alonePoll)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, e := range fetches.Errors() {
		switch {
		case errors.Is(e.Err, context.DeadlineExceeded):
		case kafka.OutsideLog(e.Err), kafka.Refused(e.Err):
			return fetchFailure(&e)
		default:
			r.w.log.Warn("fetching failed", "group", r.group.Fold.Name, "topic", e.Topic, "partition", e.Partition, "error", e.Err.Error())
		}
	}
	var ds []*delivery
	fetches.EachRecord(func(rec *kgo.Record) { ds = append(ds, &delivery{record: rec}) })
	if len(ds) == 0 {
		r.own.left = 0
	}
	r.own.reader.feed.put(ds)
	return nil
}

// fetchFailure says what no waiting mends.
func fetchFailure(e *kgo.FetchError) error {
	if kafka.Refused(e.Err) {
		return &store.DeploymentError{Message: fmt.Sprintf("the brokers refuse topic %s: %v", e.Topic, e.Err)}
	}
	return &store.DeploymentError{Message: fmt.Sprintf(
		"partition %d of topic %s no longer holds the position to continue from (%v): records were deleted before they were consumed, or the topic was made anew; a rebuild is needed",
		e.Partition, e.Topic, e.Err)}
}
