package worker

import (
	"context"
	"errors"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/store"
)

// requestTimeout bounds one question to the brokers, so that a retry schedule means something.
const requestTimeout = 10 * time.Second

// quietTimeout is how long a run that has an end waits for records before it looks whether the brokers are there.
const quietTimeout = 5 * time.Second

// environment runs a step and tries it again for as long as the surroundings fail: by the schedule, then at its longest
// interval without end. With UntilEnd it gives up after the schedule. Nothing is skipped meanwhile, since the position
// lives in the database that is away.
func (w *Worker) environment(ctx context.Context, g Group, ev *event.Event, step func() error) error {
	f := store.Failure{ForkID: w.conf.Fork}
	if g.Fold != nil {
		f.Projection = g.Fold.Name
	}
	if ev != nil {
		f.Projection, f.EventType, f.EntityID, f.ForkID = g.Fold.FirstProjection(ev.Type), ev.Type, ev.EntityID, ev.ForkID
	}
	out := outage{observer: &w.conf.Observer}
	if g.Fold != nil {
		out.group = g.Fold.Name
	}
	defer out.ended()
	for {
		err := step()
		var env *store.EnvironmentError
		if err == nil || !errors.As(err, &env) || ctx.Err() != nil {
			return err
		}
		f.Message = bounded(err)
		f.Attempts++
		out.failed(w.conf.Retry.Last(f.Attempts))
		delay := w.conf.Retry.Max
		if w.conf.Retry.Last(f.Attempts) {
			if w.conf.UntilEnd {
				return err
			}
		} else {
			delay = w.conf.Retry.Delay(f.Attempts)
		}
		if g.Fold != nil {
			w.count(g, func(c *Counts) { c.Retries++ })
		}
		w.logRetry(&f, delay)
		if err := sleep(ctx, delay); err != nil {
			return err
		}
	}
}

// Await runs a step before a worker's own work, such as looking at the database, by the same rules.
func Await(ctx context.Context, conf Config, step func() error) error {
	w := &Worker{conf: conf, log: conf.Log}
	return w.environment(ctx, Group{}, nil, step)
}
