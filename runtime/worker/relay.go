package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/store"
)

// remindEvery is how often the relay looks for dead letters that others than this worker have left to be published: those
// that failed again when somebody replayed them, and those of a worker that died.
const remindEvery = 30 * time.Second

// relayBatch is how many dead letters are published at a time; each holds a whole record.
const relayBatch = 100

// relay carries recorded dead letters to their topic, beside the groups, which never wait for it. It may send one twice,
// never none: each is marked only after the brokers have it, and its id tells a copy.
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
				if ctx.Err() != nil || r.w.conf.UntilEnd {
					return err
				}
				r.w.log.Error("dead letters are kept in the database, but can't be published", "error", err.Error())
				time.AfterFunc(r.w.conf.Retry.Max, r.wake)
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

// publish sends one batch of a group's letters and marks those that arrived. It returns how many there were.
func (r *relay) publish(ctx context.Context, g Group) (int, error) {
	letters, err := g.Store.UnpublishedDeadLetters(ctx, relayBatch)
	if err != nil || len(letters) == 0 || failpoint.Off(failpoint.Relay) {
		return 0, err
	}
	sent, failed := r.send(ctx, letters)
	if len(sent) > 0 {
		failpoint.Reach(failpoint.LettersSent)
		if err := g.Store.MarkPublished(ctx, sent); err != nil {
			return 0, err
		}
		failpoint.Reach(failpoint.LettersMarked)
	}
	switch {
	case failed == nil:
		return len(letters), nil
	case ctx.Err() != nil:
		return 0, errors.Join(failed, ctx.Err())
	case kafka.Refused(failed):
		return 0, &store.DeploymentError{Message: fmt.Sprintf("the brokers refuse topic %s: %v", r.w.conf.Kafka.DLQTopic, failed)}
	}
	return 0, &store.EnvironmentError{Err: failed}
}

// send produces letters and returns those that the brokers have, and why the others could not be sent.
func (r *relay) send(ctx context.Context, letters []store.DeadLetter) (sent []store.DeadLetter, failed error) {
	attempt, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	records := make([]*kgo.Record, len(letters))
	for i, l := range letters {
		rec, err := kafka.DeadLetterRecord(r.w.conf.Kafka.DLQTopic, l)
		if err != nil {
			return nil, err
		}
		records[i] = rec
	}
	results := r.w.client.ProduceSync(attempt, records...)
	byRecord := make(map[*kgo.Record]error, len(results))
	for _, res := range results {
		byRecord[res.Record] = res.Err
	}
	for i, rec := range records {
		err := byRecord[rec]
		if errors.Is(err, kerr.MessageTooLarge) {
			err = r.sendShortened(attempt, letters[i])
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		letters[i].PublishedAt = r.w.now()
		sent = append(sent, letters[i])
	}
	return sent, failed
}

// sendShortened sends a letter that does not fit the topic without its record, which the database keeps.
func (r *relay) sendShortened(ctx context.Context, l store.DeadLetter) error {
	l.Message = boundedText("(the record is too large for this topic; the database keeps it) " + l.Message)
	l.Value, l.Headers = nil, nil
	rec, err := kafka.DeadLetterRecord(r.w.conf.Kafka.DLQTopic, l)
	if err != nil {
		return err
	}
	return r.w.client.ProduceSync(ctx, rec).FirstErr()
}
