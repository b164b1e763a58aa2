package worker

import (
	"context"
	"fmt"
	"testing"

	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

// pickyStore refuses every tenth event, and says which.
type pickyStore struct {
	*memory.Store
	refused map[int64]int // how often, by the first offset of the batch
}

func (s *pickyStore) refusal(entries []store.Entry) error {
	data := &store.DataError{SQLState: "23514", Message: "some are refused"}
	for i := range entries {
		if entries[i].Outcome == store.Applied && entries[i].Position.Offset%10 == 7 {
			data.Refused = append(data.Refused, store.Refusal{Index: i, Err: &store.DataError{SQLState: "23514", Message: "refused"}})
		}
	}
	if data.Refused == nil {
		return nil
	}
	return data
}

func (s *pickyStore) Commit(ctx context.Context, b store.Batch) (store.Counts, error) {
	if err := s.refusal(b.Entries); err != nil {
		s.refused[b.From.Next]++
		return store.Counts{}, err
	}
	return s.Store.Commit(ctx, b)
}

func (s *pickyStore) Settle(ctx context.Context, settlement store.Settlement) (store.Counts, error) {
	if err := s.refusal(settlement.Entries); err != nil {
		return store.Counts{}, err
	}
	return s.Store.Settle(ctx, settlement)
}

// TestNamedCulpritsNeedNoSearch: where the store names those at fault, the batch is written at the second try, and they go
// through all attempts.
func TestNamedCulpritsNeedNoSearch(t *testing.T) {
	b := newBench(t)
	for i := range 100 {
		b.produce(sold(fmt.Sprint("e", i), "a", 4))
	}
	st := &pickyStore{Store: b.store, refused: map[int64]int{}}
	report, err := Run(t.Context(), b.config(st))
	if err != nil {
		t.Fatal(err)
	}
	if c := report.Groups[0].Counts; c.Applied != 90 || c.Dead != 10 || c.Retries != 40 {
		t.Errorf("%+v", c)
	}
	for from, n := range st.refused {
		if n != 1 {
			t.Errorf("the batch from offset %d was refused %d times", from, n)
		}
	}
	if len(st.refused) == 0 {
		t.Error("nothing was refused")
	}
}
