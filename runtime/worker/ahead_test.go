package worker

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/causetc/causetc/runtime/store"
)

// slowStore commits when nothing more is read ahead.
type slowStore struct {
	store.Group
	runner *runner
	sizes  []int  // of the batches
	refuse func() // what happens while it refuses a record, once
}

func (s *slowStore) Commit(ctx context.Context, b store.Batch) (store.Counts, error) {
	if s.runner.ahead != nil {
		<-s.runner.ahead.done
	}
	if refuse := s.refuse; refuse != nil {
		s.refuse = nil
		refuse()
		refusal := &store.DataError{SQLState: "23514", Message: "refused"}
		return store.Counts{}, &store.DataError{SQLState: "23514", Refused: []store.Refusal{{Err: refusal}}}
	}
	s.sizes = append(s.sizes, len(b.Entries))
	return s.Group.Commit(ctx, b)
}

// slowSim is a simulation of so many records, whose owner writes to a slow store.
func slowSim(t *testing.T, records int) (*sim, *slowStore) {
	t.Helper()
	texts := make([]string, records)
	for i := range texts {
		texts[i] = fmt.Sprintf("PUT k%d 1", i)
	}
	s := simOf(t, counting, texts...)
	slow := &slowStore{Group: s.store, runner: s.runner(simOwner{})}
	slow.runner.group.Store = slow
	return s, slow
}

// TestSlowTransactionsGrow: what comes in while one transaction runs is written by the next one together, up to the bounds.
func TestSlowTransactionsGrow(t *testing.T) {
	for _, c := range []struct {
		most int64
		want []int
	}{{maxBatchCost, []int{chunkRecords, 2 * chunkRecords}}, {1, []int{chunkRecords, chunkRecords, chunkRecords}}} {
		s, slow := slowSim(t, 3*chunkRecords)
		slow.runner.most.Store(c.most)
		s.read(simOwner{}, 3*chunkRecords-1)
		if !slices.Equal(slow.sizes, c.want) {
			t.Errorf("at most %d bytes: transactions of %v records, want %v", c.most, slow.sizes, c.want)
		}
	}
}

// TestRefusedTransactionsGrow: what was read ahead until a transaction was refused is not all that comes after it.
func TestRefusedTransactionsGrow(t *testing.T) {
	s, slow := slowSim(t, 3*chunkRecords)
	slow.refuse = func() { s.fetch(simOwner{}, 3*chunkRecords-1) }
	s.read(simOwner{}, 2*chunkRecords-1)
	if want := []int{chunkRecords, 2 * chunkRecords}; !slices.Equal(slow.sizes, want) {
		t.Errorf("transactions of %v records, want %v", slow.sizes, want)
	}
}
