package worker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/store"
)

// partition is an assigned partition with a runner for each group.
type partition struct {
	number  int32
	width   int // how many partitions the topic had when the runners were loaded
	feed    *feed
	runners []*runner
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

// startOffsets tells the client where to fetch from.
func (w *Worker) startOffsets(ctx context.Context, offsets map[string]map[int32]kgo.Offset) (map[string]map[int32]kgo.Offset, error) {
	<-w.connected
	for _, numbers := range offsets {
		parts, err := w.open(ctx, slices.Collect(maps.Keys(numbers)))
		var deployment *store.DeploymentError
		switch {
		case err != nil && ctx.Err() != nil: // the assignment was taken back meanwhile, whatever else may be wrong
			return nil, ctx.Err()
		case errors.As(err, &deployment):
			w.stopAll(err)
			return nil, err
		case err != nil:
			w.fail(fmt.Errorf("opening partitions: %w", err))
			return nil, err
		}
		for _, p := range parts {
			numbers[p.number] = kgo.NewOffset().At(p.feed.from)
		}
	}
	return offsets, nil
}

// assigned is told of new partitions; their positions are loaded when the client asks for offsets.
func (w *Worker) assigned(_ context.Context, _ *kgo.Client, parts map[string][]int32) {
	for topic, numbers := range parts {
		w.log.Info("partitions assigned", "topic", topic, "partitions", numbers)
	}
	w.conf.Observer.assigned(parts[w.conf.Kafka.Topic])
}

// open loads the positions of the groups in partitions and starts their runners. Partitions without any are left out.
func (w *Worker) open(ctx context.Context, numbers []int32) ([]*partition, error) {
	var parts []*partition
	for _, number := range numbers {
		w.release(number) // of an assignment that was lost without a word
		p, err := w.load(ctx, number)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	if err := w.environment(ctx, Group{}, nil, func() error {
		t, err := w.describeTopic(ctx) // after the positions, which grow
		if err != nil {
			return err
		}
		return w.follow(ctx, t)
	}); err != nil {
		return nil, err
	}
	for _, p := range parts {
		w.checkOpened(p)
	}
	parts = slices.DeleteFunc(parts, func(p *partition) bool { return len(p.runners) == 0 })
	for _, p := range parts {
		if err := w.makeFeed(ctx, p); err != nil {
			return nil, err
		}
		w.start(p)
	}
	return parts, nil
}

// load makes a partition with a runner for each group that is not stopped.
func (w *Worker) load(ctx context.Context, number int32) (*partition, error) {
	t := w.topic.Load()
	p := &partition{number: number, width: len(t.Partitions)}
	for _, g := range w.conf.Groups {
		if w.isStopped(g) {
			continue
		}
		r := newRunner(w, g, store.Cursor{Topic: t.Name, TopicID: t.ID, Partition: number})
		err := r.load(ctx)
		var deployment *store.DeploymentError
		switch {
		case errors.As(err, &deployment):
			w.forget(r)
			w.stop(g, fmt.Errorf("group %s: %w", g.Fold.Name, err))
		case err != nil:
			return nil, err
		default:
			p.runners = append(p.runners, r)
		}
	}
	return p, nil
}

// checkOpened stops the groups that stand outside of the log, or that were stopped meanwhile.
func (w *Worker) checkOpened(p *partition) {
	t := w.topic.Load()
	p.runners = slices.DeleteFunc(p.runners, func(r *runner) bool {
		if r.born() {
			if err := CheckCursor(r.cursor, t); err != nil {
				w.stop(r.group, fmt.Errorf("group %s: %w", r.group.Fold.Name, err))
			}
		}
		if !w.isStopped(r.group) {
			return false
		}
		w.forget(r)
		return true
	})
}

// together is how many records a group may be behind the others for all to begin together.
const together = 20_000

// makeFeed makes what the groups of a partition read together. It begins where the first of those stands that are not far
// behind the one that is farthest, or at the start where the partition has not begun for any.
func (w *Worker) makeFeed(ctx context.Context, p *partition) error {
	t := w.topic.Load()
	next, j := t.Partitions[p.number].Start, &judge{fork: w.conf.Fork, window: newRecent(windowSize, nil)}
	if first := firstOf(p.runners); first != nil {
		var err error
		for next, j, err = first.cursor.Next, nil, errMoved; errors.Is(err, errMoved); {
			if j, err = first.judgeHere(ctx); errors.Is(err, errMoved) {
				if err := first.load(ctx); err != nil {
					return err
				}
				next = first.cursor.Next
			}
		}
		if err != nil {
			return err
		}
	}
	p.feed = newFeed(w.budget, feedsCost, next, *j, len(p.runners))
	p.feed.hold = func(pause bool) { w.hold(p.number, pause) }
	for _, r := range p.runners {
		r.feed = p.feed
	}
	return nil
}

// firstOf returns the runner that stands first of those that are not far behind the farthest, nil where none has begun.
func firstOf(runners []*runner) *runner {
	var most int64
	for _, r := range runners {
		most = max(most, r.position.Load())
	}
	var first *runner
	for _, r := range runners {
		if r.born() && r.cursor.Next >= most-together && (first == nil || r.cursor.Next < first.cursor.Next) {
			first = r
		}
	}
	return first
}

// hold makes the fetch of a partition pause, or go on.
func (w *Worker) hold(number int32, pause bool) {
	parts := map[string][]int32{w.conf.Kafka.Topic: {number}}
	if pause {
		w.client.PauseFetchPartitions(parts)
	} else {
		w.client.ResumeFetchPartitions(parts)
	}
}

// outdate makes the runners look for new barriers.
func (p *partition) outdate() {
	for _, r := range p.runners {
		r.outdated.Store(true)
		r.wake()
	}
}

// start runs the runners until the partition is released.
func (w *Worker) start(p *partition) {
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	contexts := make([]context.Context, len(p.runners))
	for i, r := range p.runners {
		contexts[i], r.stop = context.WithCancel(ctx)
	}
	p.done.Add(len(p.runners)) // before anybody can release it
	w.mu.Lock()
	w.parts[p.number] = p
	w.mu.Unlock()
	if len(w.topic.Load().Partitions) != p.width { // it has grown since
		p.outdate()
	}
	w.shareOut()
	for i, r := range p.runners {
		if w.isStopped(r.group) { // meanwhile
			r.stop()
		}
		if r.born() {
			w.reached(r)
		}
		go func() {
			defer p.done.Done()
			defer r.stop()
			// The errors of a runner that was stopped are those of being stopped, also where an outage came first.
			if err := r.run(contexts[i]); err != nil && contexts[i].Err() == nil {
				w.ended(p, r, err)
			}
		}()
	}
}

// fail ends the run with an error.
func (w *Worker) fail(err error) { w.cancel(err) }

// revoked stops the work on partitions that another worker takes, before it may begin.
func (w *Worker) revoked(ctx context.Context, _ *kgo.Client, parts map[string][]int32) {
	w.hint(ctx, w.giveUp(parts))
}

// lost stops the work on partitions that another worker may have already.
func (w *Worker) lost(_ context.Context, _ *kgo.Client, parts map[string][]int32) { w.giveUp(parts) }

func (w *Worker) giveUp(parts map[string][]int32) (released []*partition) {
	failpoint.Reach(failpoint.Revoked)
	for topic, numbers := range parts {
		w.log.Info("partitions revoked", "topic", topic, "partitions", numbers)
		for _, number := range numbers {
			if p := w.release(number); p != nil {
				released = append(released, p)
				for _, r := range p.runners {
					w.forget(r)
				}
			}
		}
		w.conf.Observer.revoked(numbers)
	}
	return released
}

// release stops a partition's runners and waits for them. What they have parked is in the database.
func (w *Worker) release(number int32) *partition {
	w.mu.Lock()
	p := w.parts[number]
	delete(w.parts, number)
	w.mu.Unlock()
	if p != nil {
		p.cancel()
		p.done.Wait()
		p.feed.close()
		w.shareOut()
	}
	return p
}

func (w *Worker) releaseAll() []*partition {
	parts := w.assignedPartitions()
	for _, p := range parts {
		w.release(p.number)
	}
	return parts
}

// deliver hands records to a partition's groups.
func (w *Worker) deliver(number int32, records []*kgo.Record) {
	w.mu.Lock()
	p := w.parts[number]
	w.mu.Unlock()
	if p == nil {
		return // revoked meanwhile; whoever has it now fetches them again
	}
	ds := make([]*delivery, len(records))
	for i, rec := range records {
		ds[i] = &delivery{record: rec}
	}
	p.feed.put(ds)
}
