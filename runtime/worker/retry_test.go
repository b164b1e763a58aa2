package worker

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/oracle"
	"github.com/causetc/causetc/runtime/store"
)

// simOf makes a simulation of one partition's log; texts are as simGroup.record takes them.
func simOf(t *testing.T, kind simKind, texts ...string) *sim {
	t.Helper()
	g := newSimGroup(t, kind)
	var log []simRecord
	for i, text := range texts {
		log = append(log, g.record(t, text, fmt.Sprintf("e%d", i), 0, int64(i), int64(1000+i), 0))
	}
	s := newSim(t, g, log, map[string]oracle.Tables{})
	s.store.poison = event.Position{Offset: -1}
	return s
}

func (s *sim) parked() []store.ParkedEvent {
	s.t.Helper()
	rows, err := s.store.LoadParked(context.Background(), simTopic, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	return rows
}

func (s *sim) letters() []store.DeadLetter {
	s.t.Helper()
	letters, err := s.store.UnpublishedDeadLetters(context.Background(), 10)
	if err != nil {
		s.t.Fatal(err)
	}
	return letters
}

// TestScheduleOfAttempts holds the times of attempts to the guide: 1, 2, 4 and 8 seconds after the one before, over
// owners that die in between; an event is not tried before its time, and the next ones do not wait.
func TestScheduleOfAttempts(t *testing.T) {
	s := simOf(t, counting, "PUT a 0", "PUT a 1")
	s.w.conf.Retry = DefaultRetryPolicy()
	began := s.now
	owner := simOwner{}
	s.read(owner, 1)
	if len(s.store.history.Order) != 1 {
		t.Fatal("the event after the failed one waits")
	}
	for attempt, delay := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second} {
		rows := s.parked()
		if len(rows) != 1 || rows[0].Attempts != attempt+1 || !rows[0].NextAt.Equal(s.now.Add(delay)) || !rows[0].FirstAt.Equal(began) {
			t.Fatalf("after attempt %d at %s: %+v", attempt+1, s.now.Sub(began), rows)
		}
		if at, found := s.runner(owner).lot.nextAt(); !found || !at.Equal(rows[0].NextAt) {
			t.Fatalf("the next attempt is awaited for %s, %t", at, found)
		}
		s.die(owner)
		s.now = s.now.Add(delay - time.Microsecond)
		s.drain(owner, (*runner).attempt)
		if s.store.begun[s.log[0].Position] != attempt {
			t.Fatalf("attempt %d was made early", attempt+2)
		}
		s.now = s.now.Add(time.Microsecond)
		s.drain(owner, (*runner).attempt)
	}
	letters := s.letters()
	if len(letters) != 1 || letters[0].Attempts != 5 || !letters[0].FirstAt.Equal(began) || letters[0].LastAt.Sub(began) != 15*time.Second {
		t.Fatalf("letters %+v", letters)
	}
}

// TestDeathInTheLastAttempt: an event whose owner dies in every attempt is given up all the same, after as many attempts.
func TestDeathInTheLastAttempt(t *testing.T) {
	s := simOf(t, counting, "PUT a 5")
	s.store.poison, s.store.refusals = s.log[0].Position, 1
	owner := simOwner{}
	s.read(owner, 0)
	for range simAttempts - 1 {
		s.store.fault = simFault{At: s.store.calls + 1, Kind: diesAfter}
		s.now = s.now.Add(time.Second)
		s.drain(owner, (*runner).attempt)
	}
	if rows := s.parked(); len(rows) != 1 || rows[0].Attempts != simAttempts {
		t.Fatalf("parked %+v", rows)
	}
	s.retry(owner)
	if letters := s.letters(); len(letters) != 1 || letters[0].Attempts != simAttempts || letters[0].Message != "refused" {
		t.Fatalf("letters %+v, applied %v", letters, s.store.history.Order)
	}
}

// TestPartitionWaitsAtTheBound is the end of invariant I8: no more events are parked than the bound allows; the partition
// waits, and goes on when there is room.
func TestPartitionWaitsAtTheBound(t *testing.T) {
	for kind, want := range map[simKind][2]int64{counting: {4, 5}, ordered: {3, 5}} {
		s := simOf(t, kind, "PUT a 0", "PUT b 0", "PUT c 1", "PUT a 1", "PUT d 0")
		s.w.conf.MaxParked = 2
		owner := simOwner{}
		s.read(owner, 4)
		if got := s.runner(owner).cursor.Next; got != want[0] {
			t.Fatalf("%s: the position is %d, want %d", kind, got, want[0])
		}
		for range simAttempts {
			s.retry(owner)
			if n := len(s.parked()); n > 2 {
				t.Fatalf("%s: %d parked", kind, n)
			}
		}
		if got := s.runner(owner).cursor.Next; got != want[1] {
			t.Fatalf("%s: the position is %d when there is room, want %d", kind, got, want[1])
		}
		s.finish()
		if len(s.letters()) != 3 {
			t.Fatalf("%s: %d letters", kind, len(s.letters()))
		}
		s.checkOutcomes()
		s.checkLogOrder()
	}
}

// TestManyCulpritsInABatch finds each of many events whose data is refused, keeps all others, and counts the parked ones.
func TestManyCulpritsInABatch(t *testing.T) {
	var texts []string
	for i := range 300 {
		texts = append(texts, fmt.Sprintf("PUT k%d 5", i))
	}
	s := simOf(t, counting, texts...)
	bad := &refusingMany{scripted: s.store}
	s.w.conf.Groups[0].Store = bad
	owner := simOwner{}
	s.read(owner, len(texts)-1)
	if c := s.w.counts["sim"]; c.Applied != 270 || c.Parked != 30 || c.Retries != 30 || c.Records != 300 {
		t.Fatalf("counts %+v", *c)
	}
	for range simAttempts {
		s.retry(owner)
	}
	if c := s.w.counts["sim"]; c.Applied != 270 || c.Parked != 0 || c.Dead != 30 || c.Retries != 60 {
		t.Fatalf("counts %+v", *c)
	}
	s.checkOutcomes()
}

// refusingMany refuses every tenth event, and panics at every twentieth.
type refusingMany struct{ *scripted }

func (s *refusingMany) refused(entries []store.Entry) error {
	for i := range entries {
		switch at := entries[i].Position.Offset; {
		case entries[i].Outcome != store.Applied || at%10 != 3:
		case at%20 == 3:
			panic("no such row")
		default:
			return &store.DataError{SQLState: "23514", Message: "refused"}
		}
	}
	return nil
}

func (s *refusingMany) Commit(ctx context.Context, b store.Batch) (store.Counts, error) {
	if err := s.refused(b.Entries); err != nil {
		return store.Counts{}, err
	}
	return s.scripted.Commit(ctx, b)
}

func (s *refusingMany) Settle(ctx context.Context, settled store.Settlement) (store.Counts, error) {
	if err := s.refused(settled.Entries); err != nil {
		return store.Counts{}, err
	}
	return s.scripted.Settle(ctx, settled)
}

// TestManyWaitersAreAppliedTogether: what waited for a dead event is applied in few transactions, in the order of the log.
func TestManyWaitersAreAppliedTogether(t *testing.T) {
	texts := []string{"PUT a 0"}
	for range 200 {
		texts = append(texts, "PUT a 1", "DROP a 0")
	}
	s := simOf(t, ordered, append(texts, "PUT a 4")...)
	owner := simOwner{}
	s.read(owner, len(texts))
	if c := s.w.counts["sim"]; c.Parked != 1 || c.Waiting != len(texts) {
		t.Fatalf("counts %+v", *c)
	}
	calls := s.store.calls
	for range simAttempts {
		s.retry(owner)
	}
	if c := s.w.counts["sim"]; c.Parked+c.Waiting > 0 || c.Dead != 1 || s.store.calls-calls > 10 {
		t.Fatalf("counts %+v after %d calls", *c, s.store.calls-calls)
	}
	s.checkLogOrder()
}

// interrupted lets something happen in each attempt, after it has begun.
type interrupted struct {
	store.Group
	happens func()
}

func (s *interrupted) LoadFailures(ctx context.Context, topic string, partition int32, offsets []int64) ([]store.ParkedEvent, error) {
	s.happens()
	return s.Group.LoadFailures(ctx, topic, partition, offsets)
}

// TestRivalsUseUpNoAttempts: another worker has the partition too, and does not begin an attempt while one is being made.
func TestRivalsUseUpNoAttempts(t *testing.T) {
	s := simOf(t, counting, "PUT a 0")
	owner, rival := simOwner{}, simOwner{number: 1}
	s.read(owner, 0)
	s.now = s.now.Add(time.Second)
	interruptions := 0
	s.runner(owner).group.Store = &interrupted{Group: s.store, happens: func() {
		interruptions++
		s.now = s.now.Add(attemptTime / 2)
		s.drain(rival, (*runner).attempt)
	}}
	if _, err := s.runner(owner).attempt(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rows := s.parked(); interruptions != 1 || len(rows) != 1 || rows[0].Attempts != 2 || !rows[0].LastAt.Equal(s.now) {
		t.Errorf("%d interruptions, %+v", interruptions, rows)
	}
}
