package postgres

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/store"
)

// parkedBatch is batchOf with its first event parked.
func parkedBatch(t *testing.T, g *Group, from, n int) (store.Batch, store.ParkedEvent, store.Entry) {
	t.Helper()
	b := batchOf(t, g, from, n)
	applied := b.Entries[0]
	row := store.ParkedEvent{Failure: store.Failure{Position: applied.Position, Clock: applied.Clock, EventID: "e", Attempts: 1,
		ErrorClass: "event", Message: "refused", Record: store.Record{Value: []byte("v")}}, NextAt: time.UnixMicro(1).UTC()}
	e := &b.Entries[0]
	*e = store.Entry{Position: e.Position, Clock: e.Clock, ID: e.ID, Outcome: store.Parked, Parked: &row}
	return b, row, applied
}

// TestLoserWritesNothing is invariant I11: two workers believe that a partition is theirs. What the one that was overtaken
// still sends, be it a batch, the beginning of an attempt or its end, is refused and leaves no trace.
func TestLoserWritesNothing(t *testing.T) {
	ctx := context.Background()
	for _, class := range []ir.Class{ir.Convergent, ir.Ordered} {
		db := open(t, newConfig(t))
		g := deploy(t, db, ticketProgram(class))
		b, row, entry := parkedBatch(t, g, 0, 3)
		commit(t, g, b)

		// The loser began an attempt, the winner the next one.
		begun, again := row, row
		begun.Attempts, again.Attempts = 2, 3
		for _, r := range []store.ParkedEvent{begun, again} {
			if err := g.BeginAttempts(ctx, []store.ParkedEvent{r}); err != nil {
				t.Fatal(err)
			}
		}
		at := store.Settlement{Topic: "events"}
		settle := func(row store.ParkedEvent, e store.Entry) error {
			s := at
			s.Rows, s.Entries = []store.ParkedEvent{row}, []store.Entry{e}
			_, err := g.Settle(ctx, s)
			return err
		}
		failed := store.Entry{Position: row.Position, Outcome: store.Parked, Parked: &begun}
		dead := store.Entry{Position: row.Position, Outcome: store.Dead, Dead: &store.DeadLetter{Failure: begun.Failure, ID: "x", Group: "tickets", Version: 1}}
		waiting := again
		waiting.Waiting = true
		loser := func() map[string]error {
			_, err := g.Commit(ctx, b)
			return map[string]error{
				"the batch": err, "the beginning": g.BeginAttempts(ctx, []store.ParkedEvent{begun}),
				"success": settle(begun, entry), "failure": settle(begun, failed), "a dead letter": settle(begun, dead),
				"a waiting one": settle(waiting, entry),
			}
		}
		check := func(when string, rows, parked int) {
			for what, err := range loser() {
				if !errors.Is(err, store.ErrFenced) {
					t.Errorf("%s %s: %s of the loser gave %v", class, when, what, err)
				}
			}
			left, err := g.LoadParked(ctx, "events", 0)
			if err != nil || len(left) != parked || (parked == 1 && left[0].Attempts != 3) {
				t.Errorf("%s %s: %+v, %v", class, when, left, err)
			}
			if n := rowCount(t, g); n != rows {
				t.Errorf("%s %s: %d rows", class, when, n)
			}
			if letters, err := g.UnpublishedDeadLetters(ctx, 5); err != nil || len(letters) != 0 {
				t.Errorf("%s %s: %+v, %v", class, when, letters, err)
			}
		}
		check("in the attempt", 2, 1)
		if err := settle(again, entry); err != nil {
			t.Fatal(err)
		}
		check("after the attempt", 3, 0)
		if err := settle(again, entry); !errors.Is(err, store.ErrFenced) {
			t.Errorf("%s: a second success of the winner gave %v", class, err)
		}
	}
}

// TestRivalsSettleOnce lets workers end the same attempt at once.
func TestRivalsSettleOnce(t *testing.T) {
	g := deploy(t, open(t, newConfig(t)), ticketProgram(ir.Convergent))
	for round := range 5 {
		b, row, entry := parkedBatch(t, g, round*2, 2)
		commit(t, g, b)
		errs := make(chan error, 4)
		for range 4 {
			go func() {
				_, err := g.Settle(context.Background(), store.Settlement{Topic: "events", Rows: []store.ParkedEvent{row}, Entries: []store.Entry{entry}})
				errs <- err
			}()
		}
		won := 0
		for range 4 {
			switch err := <-errs; {
			case err == nil:
				won++
			case !errors.Is(err, store.ErrFenced):
				t.Error(err)
			}
		}
		if won != 1 {
			t.Fatalf("%d workers ended one attempt", won)
		}
	}
	if n := rowCount(t, g); n != 10 {
		t.Errorf("%d rows", n)
	}
}

// TestRefusedSettlementLeavesTheEvent: where the data of one event is refused, none of the settlement is done.
func TestRefusedSettlementLeavesTheEvent(t *testing.T) {
	g := deploy(t, open(t, newConfig(t)), uniqueProgram())
	commit(t, g, seatBatch(t, g, 0, "a", "1"))
	b := seatBatch(t, g, 1, "b", "2", "c", "1")
	var s store.Settlement
	s.Topic = "events"
	for i := range b.Entries {
		e := b.Entries[i]
		row := store.ParkedEvent{Failure: store.Failure{Position: e.Position, Attempts: 1}, NextAt: time.UnixMicro(1).UTC()}
		s.Rows, s.Entries = append(s.Rows, row), append(s.Entries, e)
		b.Entries[i] = store.Entry{Position: e.Position, Clock: e.Clock, ID: e.ID, Outcome: store.Parked, Parked: &row}
	}
	commit(t, g, b)
	_, err := g.Settle(context.Background(), s)
	if kindOf(err) != "data" {
		t.Fatalf("a seat sold twice: %v", err)
	}
	if left, err := g.LoadParked(context.Background(), "events", 0); err != nil || len(left) != 2 || rowCount(t, g) != 1 {
		t.Errorf("%d parked, %v, %d rows", len(left), err, rowCount(t, g))
	}
}
