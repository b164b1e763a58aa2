package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/store"
)

// relayBatch is how many dead letters are published at a time.
const relayBatch = 500

// relay carries recorded dead letters to their topic. It may send one twice, never none: each is marked only after the
// brokers have it, and its id tells a copy.
type relay struct {
	w        *Worker
	pending  chan struct{} // holds a token while there may be letters
	finished chan struct{} // closed when no more will come
}

func newRelay(w *Worker) *relay {
	r := &relay{w: w, pending: make(chan struct{}, 1), finished: make(chan struct{})}
	r.wake() // letters that an earlier run left
	return r
}

func (r *relay) wake() {
	select {
	case r.pending <- struct{}{}:
	default:
	}
}

// finish lets run end once everything is sent.
func (r *relay) finish() { close(r.finished) }

func (r *relay) run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-r.pending:
			if err := r.publishAll(ctx); err != nil {
				return err
			}
		case <-r.finished:
			return r.publishAll(ctx)
		}
	}
}

func (r *relay) publishAll(ctx context.Context) error {
	for _, g := range r.w.conf.Groups {
		for {
			n := 0
			err := r.w.environment(ctx, g, nil, func() (err error) {
				n, err = r.publish(ctx, g)
				return err
			})
			if err != nil {
				return fmt.Errorf("publishing dead letters of group %s: %w", g.Fold.Name, err)
			}
			if n < relayBatch {
				break
			}
		}
	}
	return nil
}

// publish sends one batch of a group's letters and marks them.
func (r *relay) publish(ctx context.Context, g Group) (int, error) {
	letters, err := g.Store.UnpublishedDeadLetters(ctx, relayBatch)
	if err != nil || len(letters) == 0 {
		return 0, err
	}
	attempt, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	for i, l := range letters {
		rec, err := kafka.DeadLetterRecord(r.w.conf.Kafka.DLQTopic, l)
		if err != nil {
			return 0, err
		}
		if err := r.w.client.ProduceSync(attempt, rec).FirstErr(); err != nil {
			if ctx.Err() != nil {
				return 0, errors.Join(err, ctx.Err())
			}
			return 0, &store.EnvironmentError{Err: err}
		}
		letters[i].PublishedAt = time.Now()
	}
	return len(letters), g.Store.MarkPublished(ctx, letters)
}
