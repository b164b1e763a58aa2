package invariant_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/invariant"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/postgres"
	"github.com/causetc/causetc/runtime/store"
	"github.com/causetc/causetc/runtime/worker"
)

// victimVariable makes this program a worker that one event kills.
const victimVariable = "CAUSETC_TEST_VICTIM"

// victim is such a worker: it dies when the group writes the record at the offset of partition 0.
type victim struct {
	Kafka                   kafka.Config
	DSN, Schema, ViewSchema string
	Group                   string
	Offset                  int64
}

// killed is the exit code of a victim that the event has killed.
const killed = 137

func runVictim(text string) int {
	err := func() error {
		ctx, cancel := context.WithTimeout(context.Background(), runTimeout)
		defer cancel()
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
			deaths := r.restart(victim{Kafka: r.d.Kafka, DSN: r.d.DSN, Schema: r.d.Schema, ViewSchema: r.d.ViewSchema, Group: group, Offset: at}, 60)
			if deaths < 4 {
				t.Errorf("the worker died %d times, but the event has 4 attempts", deaths)
			}
			letters, err := r.db.Letters(t.Context(), postgres.LetterFilter{State: postgres.LetterOpen, Whole: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(letters) != 1 || letters[0].Group != group || letters[0].Position.Offset != at || letters[0].Attempts != 4 {
				t.Fatalf("dead letters: %+v", letters)
			}
			for _, v := range r.check(true) {
				t.Error(v)
			}
			r.replay([]store.DeadLetter{letters[0].DeadLetter})
			for _, v := range r.check(true) {
				t.Error("after the replay: ", v)
			}
		})
	}
}

// restart starts a victim until it ends in order, and returns how often it was killed.
func (r *rig) restart(v victim, most int) (deaths int) {
	r.t.Helper()
	for ; deaths < most; deaths++ {
		v.Kafka.Group = fmt.Sprintf("%s-victim-%d", r.d.Kafka.Topic, deaths) // nobody waits for the one before
		text, err := json.Marshal(v)
		if err != nil {
			r.t.Fatal(err)
		}
		cmd := exec.CommandContext(r.t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), victimVariable+"="+string(text))
		cmd.Stderr = os.Stderr
		err = cmd.Run()
		var exit *exec.ExitError
		switch {
		case err == nil:
			return deaths
		case !errors.As(err, &exit) || exit.ExitCode() != killed:
			r.t.Fatal(err)
		}
	}
	r.t.Fatalf("killed %d times", deaths)
	return deaths
}
