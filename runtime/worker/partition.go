package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/store"
)

// partition is an assigned partition with a runner for each group.
type partition struct {
	number  int32
	feed    *feed
	runners []*runner
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

// startOffsets tells the client where to fetch from.
func (w *Worker) startOffsets(ctx context.Context, offsets map[string]map[int32]kgo.Offset) (map[string]map[int32]kgo.Offset, error) {
	for topic, parts := range offsets {
		for number := range parts {
			p, err := w.open(ctx, number)
			if err != nil {
				w.fail(err)
				return nil, err
			}
			if p == nil {
				continue // every group was stopped, and the run ends
			}
			offsets[topic][number] = kgo.NewOffset().At(p.feed.from)
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

// open loads the positions of a partition's groups and starts its runners. It returns nil where every group was stopped.
func (w *Worker) open(ctx context.Context, number int32) (*partition, error) {
	extent, ok := w.topic.Partitions[number]
	if !ok {
		return nil, &store.DeploymentError{Message: fmt.Sprintf(
			"topic %s has grown: partition %d is new; a worker that runs during the growth can't place it, restart it after a rebuild", w.topic.Name, number)}
	}
	w.release(number) // of an assignment that was lost without a word
	p := &partition{number: number}
	for _, g := range w.conf.Groups {
		if w.isStopped(g) {
			continue
		}
		r := newRunner(w, g)
		begin := store.Cursor{Topic: w.topic.Name, TopicID: w.topic.ID, Partition: number, Next: extent.Start}
		err := r.load(ctx, begin)
		if err == nil {
			err = checkCursor(r.cursor, w.topic, extent)
		}
		var deployment *store.DeploymentError
		if errors.As(err, &deployment) {
			w.forget(r)
			w.stop(g, fmt.Errorf("group %s: %w", g.Fold.Name, err))
			continue
		}
		if err != nil {
			return nil, err
		}
		p.runners = append(p.runners, r)
	}
	if len(p.runners) == 0 {
		return nil, nil
	}
	if err := w.makeFeed(ctx, p); err != nil {
		return nil, err
	}
	w.start(p)
	return p, nil
}

// together is how many records a group may be behind the others for all to begin together.
const together = 20_000

// makeFeed makes what the groups of a partition read together. It begins where the first of those stands that are not far
// behind the one that is farthest.
func (w *Worker) makeFeed(ctx context.Context, p *partition) error {
	byNext := func(a, b *runner) int { return cmp.Compare(a.cursor.Next, b.cursor.Next) }
	most := slices.MaxFunc(p.runners, byNext).cursor.Next
	near := slices.DeleteFunc(slices.Clone(p.runners), func(r *runner) bool { return r.cursor.Next < most-together })
	first := slices.MinFunc(near, byNext)
	j, err := first.judgeHere(ctx)
	if errors.Is(err, errMoved) {
		if err = first.load(ctx, first.cursor); err == nil {
			return w.makeFeed(ctx, p)
		}
	}
	if err != nil {
		return err
	}
	p.feed = newFeed(w.budget, feedsCost, first.cursor.Next, *j, len(p.runners))
	p.feed.hold = func(pause bool) { w.hold(p.number, pause) }
	for _, r := range p.runners {
		r.feed = p.feed
	}
	return nil
}

// hold makes the fetch of a partition pause, or go on.
func (w *Worker) hold(number int32, pause bool) {
	parts := map[string][]int32{w.topic.Name: {number}}
	if pause {
		w.client.PauseFetchPartitions(parts)
	} else {
		w.client.ResumeFetchPartitions(parts)
	}
}

// checkCursor refuses a stored position that does not belong to this log.
func checkCursor(c store.Cursor, t *kafka.Topic, e kafka.Extent) error {
	switch {
	case failpoint.Off(failpoint.PositionCheck):
	case c.TopicID != t.ID:
		return &store.DeploymentError{Message: fmt.Sprintf(
			"topic %s was deleted and made anew since the tables were built; their position means nothing in it: rebuild", t.Name)}
	case c.Next < e.Start:
		return &store.DeploymentError{Message: fmt.Sprintf(
			"partition %d of topic %s starts at offset %d, the tables need offset %d: records were deleted before they were consumed; rebuild",
			c.Partition, t.Name, e.Start, c.Next)}
	case c.Next > e.End:
		return &store.DeploymentError{Message: fmt.Sprintf(
			"partition %d of topic %s ends at offset %d, but the tables have consumed up to %d: the log has shrunk; rebuild",
			c.Partition, t.Name, e.End, c.Next)}
	}
	return nil
}

// start runs the runners until the partition is released.
func (w *Worker) start(p *partition) {
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	contexts := make([]context.Context, len(p.runners))
	for i, r := range p.runners {
		contexts[i], r.stop = context.WithCancel(ctx)
	}
	w.mu.Lock()
	w.parts[p.number] = p
	w.mu.Unlock()
	w.shareOut()
	for i, r := range p.runners {
		if w.isStopped(r.group) { // meanwhile
			r.stop()
		}
		w.reached(r)
		p.done.Add(1)
		go func() {
			defer p.done.Done()
			defer r.stop()
			if err := r.run(contexts[i]); err != nil && !errors.Is(err, context.Canceled) {
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
