package postgres

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/oracle"
	"github.com/causetc/causetc/runtime/store"
)

// TestGrowth: Postgres keeps the rules of topics that grow as the reference does.
func TestGrowth(t *testing.T) {
	for _, class := range []ir.Class{ir.Convergent, ir.Ordered} {
		g := deploy(t, open(t, newConfig(t)), ticketProgram(class))
		if err := oracle.CheckGrowth(t.Context(), g, class == ir.Ordered); err != nil {
			t.Errorf("%s: %v", class, err)
		}
	}
}

// TestGrowthBesideCommits notes a growth again and again while batches move the cursor: either the barrier is not before the
// cursor, or it was refused; and no cursor ever goes beyond a barrier.
func TestGrowthBesideCommits(t *testing.T) {
	g := deploy(t, open(t, newConfig(t)), ticketProgram(ir.Convergent))
	ctx := context.Background()
	const batches = 60
	var noted int64 = -1
	var done sync.WaitGroup
	reached := make(chan int64, batches)
	done.Go(func() {
		defer close(reached)
		for i := range batches {
			if _, err := g.Commit(ctx, batchOf(t, g, i, 1)); errors.Is(err, store.ErrFenced) {
				return
			} else if err != nil {
				t.Error(err)
				return
			}
			reached <- int64(i) + 1
		}
	})
	for next := range reached {
		if next < batches/3 {
			continue
		}
		next += 2
		err := g.Grow(ctx, []store.Barrier{{Topic: "events", TopicID: [16]byte{1, 2}, Before: 1, After: 2, Next: next}})
		if err == nil && noted < 0 {
			noted = next
		} else if err != nil && !errors.Is(err, store.ErrFenced) {
			t.Error(err)
		}
	}
	done.Wait()
	c, _, err := g.LoadCursor(ctx, "events", 0)
	if err != nil || noted < 0 || c.Next > noted {
		t.Errorf("the barrier is at %d, the cursor at %d, %v", noted, c.Next, err)
	}
}
