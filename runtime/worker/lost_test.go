package worker

import (
	"context"
	"io"
	"testing"

	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

// deafness is how many questions fail after an answer was lost: the one about what the transaction left, and the one about
// what its repetition left, which is fenced.
const deafness = 2

// lossy is a store that loses the answer to the first transaction of each kind, and then does not answer for a while. A
// partition belongs to one runner, so nothing of it runs at once.
type lossy struct {
	*memory.Store
	partition int32
	deaf      int
	lost      map[string]bool
}

var errBroken = &store.EnvironmentError{Err: io.ErrUnexpectedEOF}

func (s *lossy) lose(kind string, err error) error {
	if err != nil || s.lost[kind] {
		return err
	}
	s.lost[kind], s.deaf = true, deafness
	return errBroken
}

func (s *lossy) Commit(ctx context.Context, b store.Batch) (store.Counts, error) {
	counts, err := s.Store.Commit(ctx, b)
	if b.To.Partition != s.partition {
		return counts, err
	}
	return counts, s.lose("commit", err)
}

func (s *lossy) BeginAttempts(ctx context.Context, rows []store.ParkedEvent) error {
	return s.lose("begin", s.Store.BeginAttempts(ctx, rows))
}

func (s *lossy) Settle(ctx context.Context, b store.Settlement) (store.Counts, error) {
	counts, err := s.Store.Settle(ctx, b)
	return counts, s.lose("settle", err)
}

func (s *lossy) hear(partition int32) error {
	if partition == s.partition && s.deaf > 0 {
		s.deaf--
		return errBroken
	}
	return nil
}

func (s *lossy) LoadCursor(ctx context.Context, topic string, partition int32) (store.Cursor, bool, error) {
	if err := s.hear(partition); err != nil {
		return store.Cursor{}, false, err
	}
	return s.Store.LoadCursor(ctx, topic, partition)
}

func (s *lossy) LoadParked(ctx context.Context, topic string, partition int32) ([]store.ParkedEvent, error) {
	if err := s.hear(partition); err != nil {
		return nil, err
	}
	return s.Store.LoadParked(ctx, topic, partition)
}

// TestLostAnswersInAnOutage loses the answer of a transaction while the database goes away: that the repetition is fenced by
// the transaction itself does not end the worker, and nothing is applied twice.
func TestLostAnswersInAnOutage(t *testing.T) {
	b := newBench(t)
	b.produce(sold("1", "a", 2), sold("p", "a", 0), sold("2", "a", 4))
	st := &lossy{Store: b.store, partition: b.partition(), lost: map[string]bool{}}
	b.run(st)
	if got, want := b.rows(), `a 25 2`; got != want {
		t.Errorf("rows %q, want %q", got, want)
	}
	for _, kind := range []string{"commit", "begin", "settle"} {
		if !st.lost[kind] {
			t.Errorf("no answer to %s was lost", kind)
		}
	}
}
