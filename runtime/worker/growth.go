package worker

import (
	"context"
	"errors"
	"math"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/store"
)

// unborn is the position of a runner whose partition is new and has not begun for its group.
const unborn = -1

// barrier returns the next one at which the runner's group has to start new partitions, nil where there is none.
func (r *runner) barrier() *store.Barrier {
	if len(r.barriers) == 0 || failpoint.Off(failpoint.Barrier) {
		return nil
	}
	return &r.barriers[0]
}

// limit is the offset up to which may be read for now.
func (r *runner) limit() int64 {
	if b := r.barrier(); b != nil {
		return b.Next
	}
	return math.MaxInt64
}

// pendingBarriers returns those of the runner's partition behind which nothing has begun for the group.
func (r *runner) pendingBarriers(ctx context.Context) ([]store.Barrier, error) {
	all, err := r.group.Store.LoadBarriers(ctx, r.at.Topic, r.at.TopicID)
	if err != nil {
		return nil, err
	}
	var open []store.Barrier
	for i := range all {
		if all[i].Partition != r.at.Partition {
			continue
		}
		_, found, err := r.group.Store.LoadCursor(ctx, r.at.Topic, all[i].Children()[0])
		if err != nil {
			return nil, err
		}
		if !found {
			open = append(open, all[i])
		}
	}
	return open, nil
}

// split starts the new partitions behind the next barrier, which the runner has come to. In ordered groups what is parked
// comes first: an entity's events go on over there, and they would not wait.
func (r *runner) split(ctx context.Context) (bool, error) {
	if r.ordered && r.lot.len() > 0 {
		return false, nil
	}
	b := r.barriers[0]
	starts := map[int32]int64{}
	for _, q := range b.Children() {
		starts[q] = r.w.topic.Load().Partitions[q].Start
	}
	err := r.environment(ctx, nil, func() error { return r.group.Store.Split(ctx, r.cursor, b, starts) })
	if errors.Is(err, store.ErrFenced) {
		return true, r.reload(ctx)
	}
	if err != nil {
		return false, err
	}
	r.barriers, r.aheadErr = r.barriers[1:], nil // the barrier was the limit of what was read
	r.w.log.Info("new partitions begin", "event", "partitions_begin", "group", r.group.Fold.Name, "partition", b.Partition,
		"next", r.cursor.Next, "new", b.Children())
	r.w.wakeUnborn()
	return true, nil
}
