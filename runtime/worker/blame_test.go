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
	wrong   []int64       // first offsets of batches that had more to refuse than it had foretold
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
		if b.Foretold {
			s.wrong = append(s.wrong, b.From.Next)
		}
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
// through all attempts. What is read meanwhile is not taken for looked at.
func TestNamedCulpritsNeedNoSearch(t *testing.T) {
	b := newBench(t)
	const events = 5 * chunkRecords
	for i := range events {
		b.produce(sold(fmt.Sprint("e", i), "a", 4))
	}
	st := &pickyStore{Store: b.store, refused: map[int64]int{}}
	report, err := Run(t.Context(), b.config(st))
	if err != nil {
		t.Fatal(err)
	}
	if c := report.Groups[0].Counts; c.Applied != events*9/10 || c.Dead != events/10 || c.Retries != events/10*4 {
		t.Errorf("%+v", c)
	}
	for from, n := range st.refused {
		if n != 1 {
			t.Errorf("the batch from offset %d was refused %d times", from, n)
		}
	}
	if len(st.refused) == 0 || st.wrong != nil {
		t.Errorf("refused were %v, foretold wrongly %v", st.refused, st.wrong)
	}
}
