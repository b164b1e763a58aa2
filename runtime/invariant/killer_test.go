package invariant_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/invariant"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/postgres"
	"github.com/causetc/causetc/runtime/store"
	"github.com/causetc/causetc/runtime/worker"
)

// victimVariable makes this program a worker that one event kills.
const victimVariable = "CAUSETC_TEST_VICTIM"

// victim is such a worker: it dies when the group writes the record at the offset of partition 0, and where it decodes a deep
// one.
type victim struct {
	Kafka                   kafka.Config
	DSN, Schema, ViewSchema string
	Group                   string
	Offset                  int64
}

// The exit codes of a victim that the event has killed: by the test, and by Go's own end of a program, which nothing can
// recover from.
const (
	killed      = 137
	overflowing = 2
)

// victimStack is what a goroutine of a victim may have. That is enough for all but a deep record.
const victimStack = 96 << 10

// deep is a record that can be decoded, with a larger stack.
func deep(e invariant.Event) invariant.Event {
	const depth = 96
	e.Raw = fmt.Sprintf(`{"event_id":%q,"event_type":%q,"entity_id":%q,"ts":%d,"payload":{"acct":%q,"pool":%q,"item":%q,"uid":%q,"note":%q,"amount":%d,"parts":%d,"deep":%s1%s}}`,
		e.ID, e.Type, e.Account, e.TS, e.Account, e.Pool, e.Item, e.UID, e.Note, e.Amount, e.Parts, strings.Repeat(`{"in":`, depth), strings.Repeat("}", depth))
	return e
}

func runVictim(text string) int {
	err := func() error {
		ctx, cancel := context.WithTimeout(context.Background(), runTimeout)
		defer cancel()
		debug.SetMaxStack(victimStack)
		var v victim
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			return err
		}
		var err error
		if shared.program, err = compile(ctx, "../../testdata/specs/chaos"); err != nil {
			return err
		}
		db, err := postgres.Open(ctx, postgres.Config{DSN: v.DSN, Schema: v.Schema, ViewSchema: v.ViewSchema})
		if err != nil {
			return err
		}
		defer db.Close()
		conf, err := newConfig(db, v.Kafka, time.Millisecond)
		if err != nil {
			return err
		}
		_, err = worker.Run(ctx, meddle(conf, func(group string, st store.Group) store.Group {
			if group != v.Group {
				return st
			}
			return &deadly{st, v.Offset}
		}))
		return err
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// deadly ends the process at once when it is to write one record; nothing that is deferred runs.
type deadly struct {
	store.Group
	offset int64
}

func (d *deadly) meet(entries []store.Entry) {
	for i := range entries {
		if e := &entries[i]; e.Outcome == store.Applied && e.Position.Partition == 0 && e.Position.Offset == d.offset {
			os.Exit(killed)
		}
	}
}

func (d *deadly) Commit(ctx context.Context, b store.Batch) (store.Counts, error) {
	d.meet(b.Entries)
	return d.Group.Commit(ctx, b)
}

func (d *deadly) Settle(ctx context.Context, s store.Settlement) (store.Counts, error) {
	d.meet(s.Entries)
	return d.Group.Settle(ctx, s)
}

// TestEventThatKillsTheWorker: workers die at an event time and again, first as a part of their batches. It goes through its
// attempts like any other poison and ends in the dead letters of the group that it kills; everything else is applied.
func TestEventThatKillsTheWorker(t *testing.T) {
	for _, group := range []string{"balances", "orders"} {
		t.Run(group, func(t *testing.T) {
			r := newRig(t)
			const at = 17
			var events []invariant.Event
			for i := range 40 {
				events = append(events, r.put(0, fmt.Sprintf("p%d", i%5), "note", int64(100+i)))
			}
			r.produce(events...)
			r.d.Refused = func(in string, ev *event.Event) bool { return in == group && ev.ID == events[at].ID }
			// Every place before the event may cost some lives more, should the records come in several fetches.
			deaths := r.mustRestart(r.victim(group, at), 60)
			if deaths < 4 {
				t.Errorf("the worker died %d times, but the event has 4 attempts", deaths)
			}
			letters := r.open()
			if len(letters) != 1 || letters[0].Group != group || letters[0].Position.Offset != at || letters[0].Attempts != 4 {
				t.Fatalf("dead letters: %+v", letters)
			}
			r.mustHold()
			r.replay(letters)
			r.mustHold()
		})
	}
}

// TestWaitingEventThatKillsTheWorker: the event waits for one that fails, and kills the worker when its turn has come.
func TestWaitingEventThatKillsTheWorker(t *testing.T) {
	r := newRig(t)
	r.refuse("orders")
	refused, waits, other := r.put(0, "p", invariant.RefusedNote, 100), r.put(0, "p", "waits", 200), r.put(0, "q", "other", 300)
	r.produce(refused, waits, other)
	r.d.Refused = func(in string, ev *event.Event) bool {
		return in == "orders" && ev.ID != other.ID || invariant.RefusedIn(in, ev)
	}
	deaths := r.mustRestart(r.victim("orders", 1), 30)
	if deaths < 4 {
		t.Errorf("the worker died %d times, but the event has 4 attempts", deaths)
	}
	letters := r.open()
	if len(letters) != 2 || letters[1].Position.Offset != 1 || letters[1].Attempts != 4 {
		t.Fatalf("dead letters: %+v", letters)
	}
	r.mustHold()
}

// TestRecordThatKillsTheWorker: workers die at a record while they decode it, so that no group can tell what event it is. After
// as many attempts as an event has it is a dead letter of all groups; everything else is applied.
func TestRecordThatKillsTheWorker(t *testing.T) {
	r := newRig(t)
	const at = 17
	var events []invariant.Event
	for i := range 40 {
		events = append(events, r.put(0, fmt.Sprintf("p%d", i%5), "note", int64(100+i)))
	}
	events[at] = deep(events[at])
	r.produce(events...)
	r.d.Refused = func(_ string, ev *event.Event) bool { return ev.ID == events[at].ID }
	deaths := r.mustRestart(r.victim("none", -1), 60)
	if deaths < 4 {
		t.Errorf("the worker died %d times, but the record has 4 attempts", deaths)
	}
	t.Logf("the worker died %d times", deaths)
	letters := r.open()
	if len(letters) != len(shared.program.Groups) {
		t.Fatalf("dead letters: %+v", letters)
	}
	for _, l := range letters {
		if l.Position.Offset != at || l.Attempts != 4 || l.ErrorClass != "undecodable" {
			t.Errorf("dead letter: %+v", l)
		}
	}
	r.mustHold()
	r.replay(letters)
	r.mustHold()
}

// mustHold reports what is broken of the invariants, when everything is at rest.
func (r *rig) mustHold() {
	r.t.Helper()
	for _, v := range r.check(true) {
		r.t.Error(v)
	}
}

func (r *rig) victim(group string, offset int64) victim {
	return victim{Kafka: r.d.Kafka, DSN: r.d.DSN, Schema: r.d.Schema, ViewSchema: r.d.ViewSchema, Group: group, Offset: offset}
}

// open returns the open dead letters of all groups, in their order.
func (r *rig) open() (letters []store.DeadLetter) {
	r.t.Helper()
	found, err := r.db.Letters(r.t.Context(), postgres.LetterFilter{State: postgres.LetterOpen, Whole: true})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, l := range found {
		letters = append(letters, l.DeadLetter)
	}
	return letters
}

// restart starts a victim until it ends in order, at most so often, and returns how often it was killed.
func (r *rig) restart(v victim, most int) (deaths int) {
	r.t.Helper()
	for ; deaths < most; deaths++ {
		v.Kafka.Group = fmt.Sprintf("%s-victim-%d", r.d.Kafka.Topic, deaths) // nobody waits for the one before
		text, err := json.Marshal(v)
		if err != nil {
			r.t.Fatal(err)
		}
		cmd := exec.CommandContext(r.t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), victimVariable+"="+string(text), lacking())
		var said strings.Builder
		cmd.Stderr = &said
		err = cmd.Run()
		var exit *exec.ExitError
		switch {
		case err == nil:
			return deaths
		case !errors.As(err, &exit) || !slices.Contains([]int{killed, overflowing}, exit.ExitCode()):
			r.t.Fatalf("%v\n%s", err, said.String())
		}
	}
	return deaths
}

// mustRestart is restart for a victim that has to end in order.
func (r *rig) mustRestart(v victim, most int) (deaths int) {
	r.t.Helper()
	if deaths = r.restart(v, most); deaths == most {
		r.t.Fatalf("killed %d times", deaths)
	}
	return deaths
}

// lacking is what makes another process lack the mechanisms that this one lacks.
func lacking() string {
	var off []string
	for _, m := range failpoint.Mechanisms {
		if failpoint.Off(m) {
			off = append(off, "off="+string(m))
		}
	}
	return "CAUSETC_FAILPOINTS=" + strings.Join(off, ",")
}

// deadlyRetry has an event that the database refuses at first, and that kills the worker at each attempt from then on.
func deadlyRetry(r *rig) []invariant.Violation {
	r.refuse("balances")
	r.patience = runTimeout
	first := r.put(0, "p", invariant.RefusedNote, 100)
	r.produce(first, r.put(0, "q", "other", 200))
	r.runWhile(r.config(), r.consumed)
	r.accept()
	r.wake()
	r.restart(r.victim("balances", 0), 12)
	return r.check(true)
}
