package worker

import (
	"context"
	"time"
)

// remindEvery is how often the relay looks for dead letters that others than this worker have left to be published: those
// that failed again when somebody replayed them, and those of a worker that died.
const remindEvery = 30 * time.Second

// remind wakes the relay at intervals until the context ends.
func (r *relay) remind(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			r.wake()
		}
	}
}
