package worker

import (
	"context"
	"time"
)

// atIntervals does something again and again until the context ends, for the first time when an interval has passed.
func atIntervals(ctx context.Context, every time.Duration, do func()) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do()
		}
	}
}
