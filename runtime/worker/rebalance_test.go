package worker

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

// cutOff is a store that answers only when it is not asked any more, and then says that the connection broke.
type cutOff struct {
	*memory.Store
	commit bool       // Commit is so
	load   *sync.Once // the first LoadCursor is so
	asked  chan<- struct{}
}

func (s *cutOff) fail(ctx context.Context) error {
	select {
	case s.asked <- struct{}{}:
	default:
	}
	<-ctx.Done()
	return &store.EnvironmentError{Err: io.ErrUnexpectedEOF}
}

func (s *cutOff) Commit(ctx context.Context, b store.Batch) (store.Counts, error) {
	if s.commit {
		return store.Counts{}, s.fail(ctx)
	}
	return s.Store.Commit(ctx, b)
}

func (s *cutOff) LoadCursor(ctx context.Context, topic string, partition int32) (c store.Cursor, found bool, err error) {
	if s.load != nil {
		s.load.Do(func() { err = s.fail(ctx) })
	}
	if err != nil {
		return c, false, err
	}
	return s.Store.LoadCursor(ctx, topic, partition)
}

// TestRebalanceInAnOutage takes partitions from a worker while its database is away: in the middle of a transaction, and
// before it has learnt its positions. It goes on.
func TestRebalanceInAnOutage(t *testing.T) {
	for _, call := range []string{"commit", "load"} {
		t.Run(call, func(t *testing.T) {
			b := newBench(t)
			for partition := range int32(4) {
				rec := &kgo.Record{Topic: b.kafka.Topic, Key: fmt.Append(nil, "key", partition), Value: []byte(sold(fmt.Sprint(partition), "a", 2))}
				if err := b.client.ProduceSync(t.Context(), rec).FirstErr(); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			asked, told := make(chan struct{}, 1), make(chan struct{}, 10)
			away := &cutOff{Store: b.store, commit: call == "commit", asked: asked}
			if call == "load" {
				away.load = new(sync.Once)
			}
			conf := b.config(away)
			conf.UntilEnd = false
			conf.Observer.Revoked = func([]int32) { told <- struct{}{} }
			conf.Observer.Assigned = func([]int32) {
				if call == "load" {
					told <- struct{}{}
				}
			}
			done := make(chan error, 2)
			run := func(conf Config) {
				_, err := Run(ctx, conf)
				done <- err
			}
			go run(conf)
			<-asked
			for len(told) > 0 {
				<-told
			}
			other := b.config(b.store)
			other.UntilEnd = false
			go run(other)
			select {
			case <-told:
			case err := <-done:
				t.Fatalf("a worker ended: %v", err)
			}
			cancel()
			for range 2 {
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
		})
	}
}
