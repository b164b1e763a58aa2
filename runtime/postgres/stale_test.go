package postgres

import (
	"context"
	"fmt"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

// stalePart commits the rows from..from+n-1 from a partition whose clock is given, and returns how many were stale.
func stalePart(t *testing.T, s store.Group, g *fold.Group, partition int32, next, clock int64, from, n int) int {
	t.Helper()
	cursor := store.Cursor{Topic: "events", TopicID: [16]byte{1}, Partition: partition, Next: next, Clock: clock}
	b := store.Batch{From: cursor, To: cursor}
	b.To.Next += int64(n)
	for i := range n {
		effect, err := g.Evaluate(sold(from + i))
		if err != nil {
			t.Fatal(err)
		}
		offset := next + int64(i)
		b.Entries = append(b.Entries, store.Entry{Position: event.Position{Topic: "events", Partition: partition, Offset: offset}, Clock: clock,
			ID: fold.HashID(fmt.Sprint(partition, "/", offset)), Effect: effect})
	}
	counts, err := s.Commit(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	return counts.Stale
}

// TestStaleRows: rows that another partition has written later are counted, by both stores and for both classes of tables; what a
// partition writes in order is none.
func TestStaleRows(t *testing.T) {
	for _, class := range []ir.Class{ir.Convergent, ir.Ordered} {
		g := deploy(t, open(t, newConfig(t)), ticketProgram(class))
		for name, s := range map[string]store.Group{"Postgres": g, "memory": memory.New(g.fold, 100)} {
			for i, c := range []struct {
				partition             int32
				next, clock           int64
				from, rows, wantStale int
			}{
				{0, 0, 1000, 0, 10, 0},
				{0, 10, 1000, 5, 10, 0}, // in the order of its partition
				{1, 0, 500, 12, 10, 3},  // rows 12 to 14 are there, from later
				{1, 10, 500, 20, 10, 0},
				{2, 0, 2000, 0, 30, 0}, // all of them later
				{0, 20, 1000, 0, 30, 30},
			} {
				if got := stalePart(t, s, g.fold, c.partition, c.next, c.clock, c.from, c.rows); got != c.wantStale {
					t.Errorf("%s, %s, batch %d: %d stale rows, want %d", class, name, i, got, c.wantStale)
				}
			}
		}
	}
}
