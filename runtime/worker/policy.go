package worker

import (
	"context"
	"time"
)

// RetryPolicy is the schedule of attempts of the Causet guide "Retries": the first at once, then after Initial, which
// grows by Multiplier up to Max.
type RetryPolicy struct {
	MaxAttempts int
	Initial     time.Duration
	Multiplier  float64
	Max         time.Duration
}

// DefaultRetryPolicy returns the guide's defaults: attempts after 0, 1, 2, 4 and 8 seconds.
func DefaultRetryPolicy() RetryPolicy {
	return RetryPolicy{MaxAttempts: 5, Initial: time.Second, Multiplier: 2, Max: 30 * time.Second}
}

// Delay returns the time to wait between attempt n and attempt n+1; n counts from 1.
func (p RetryPolicy) Delay(n int) time.Duration {
	d := float64(p.Initial)
	for range n - 1 {
		d *= p.Multiplier
		if d >= float64(p.Max) {
			return p.Max
		}
	}
	return min(time.Duration(d), p.Max)
}

// next returns when attempt n+1 is due after attempt n ended.
func (p RetryPolicy) next(at time.Time, n int) time.Time {
	return at.Add(p.Delay(n)).Truncate(time.Microsecond)
}

// Last reports whether attempt n was the last.
func (p RetryPolicy) Last(n int) bool { return n >= p.MaxAttempts }

// sleep waits, or returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
