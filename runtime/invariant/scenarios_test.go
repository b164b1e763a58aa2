package invariant_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/runtime/invariant"
	"github.com/causetc/causetc/runtime/postgres"
	"github.com/causetc/causetc/runtime/store"
	"github.com/causetc/causetc/runtime/worker"
)

// scenario is a story that ends with a look at the invariants. Where the worker lacks a mechanism, the one that it is for
// finds one broken.
type scenario func(r *rig) []invariant.Violation

// mixedLoad runs rivals, restarts and replays on a random log with everything in it.
func mixedLoad(r *rig) []invariant.Violation {
	load := r.load(rand.Uint64())
	r.refuse("balances", "orders", "profiles")
	r.produce(load(150)...)
	r.run(r.config())
	for range 2 {
		r.abort(load(5)...)
		r.produce(load(150)...)
		var rivals sync.WaitGroup
		for _, conf := range []worker.Config{r.config(), r.config(), r.config()} {
			rivals.Go(func() {
				if _, err := r.try(conf); err != nil {
					r.t.Error(err)
				}
			})
		}
		rivals.Wait()
	}
	found := r.check(true)
	r.accept()
	r.replay(r.letters("balances", "profiles"))
	return append(found, r.check(true)...)
}

// aborted has records that no reader of committed ones may see.
func aborted(r *rig) []invariant.Violation {
	r.produce(r.put(0, "p", "a", 100))
	r.abort(r.put(0, "p", "b", 200), r.put(0, "q", "b", 300))
	r.produce(r.put(0, "p", "c", 400))
	r.run(r.config())
	return r.check(true)
}

// overtaken lets a worker prepare a batch, and write it only when a rival has done all the work.
func overtaken(r *rig) []invariant.Violation {
	r.produce(r.put(0, "p", "a", 100), r.put(0, "p", "b", 200))
	slow := meddle(r.config(), func(group string, st store.Group) store.Group {
		if group != "balances" {
			return st
		}
		return &hooked{Group: st, commit: func() { r.run(r.config()) }}
	})
	r.run(slow)
	return r.check(true)
}

// hooked does something before the first call of one kind.
type hooked struct {
	store.Group
	once           sync.Once
	commit, settle func()
}

func (h *hooked) Commit(ctx context.Context, b store.Batch) (store.Counts, error) {
	if h.commit != nil {
		h.once.Do(h.commit)
	}
	return h.Group.Commit(ctx, b)
}

func (h *hooked) Settle(ctx context.Context, s store.Settlement) (store.Counts, error) {
	if h.settle != nil {
		h.once.Do(h.settle)
	}
	return h.Group.Settle(ctx, s)
}

// overtakenAttempt lets a worker begin an attempt on a parked event, and end it only when a rival has applied the event.
func overtakenAttempt(r *rig) []invariant.Violation {
	r.refuse("balances")
	r.produce(r.put(0, "p", invariant.RefusedNote, 100))
	slow := meddle(r.config(), func(group string, st store.Group) store.Group {
		if group != "balances" {
			return st
		}
		return &hooked{Group: st, settle: func() {
			r.accept()
			r.run(r.config())
		}}
	})
	r.run(slow)
	return r.check(true)
}

// replayedTwice replays the same dead letters from two places.
func replayedTwice(r *rig) []invariant.Violation {
	r.refuse("balances")
	r.produce(r.put(0, "p", invariant.RefusedNote, 100))
	r.run(r.config())
	found := r.check(true)
	r.accept()
	letters := r.letters("balances")
	if len(letters) != 1 {
		r.t.Fatalf("%d dead letters", len(letters))
	}
	r.replay(letters)
	r.replay(letters)
	return append(found, r.check(true)...)
}

// letters returns the open dead letters of groups.
func (r *rig) letters(groups ...string) (letters []store.DeadLetter) {
	for _, group := range groups {
		found, err := r.db.Letters(r.t.Context(), postgres.LetterFilter{State: postgres.LetterOpen, Group: group, Whole: true})
		if err != nil {
			r.t.Fatal(err)
		}
		for _, l := range found {
			if l.SQLState != "" {
				letters = append(letters, l.DeadLetter)
			}
		}
	}
	return letters
}

// replay tries dead letters again.
func (r *rig) replay(letters []store.DeadLetter) {
	conf := r.config()
	for _, g := range conf.Groups {
		var own []store.DeadLetter
		for _, l := range letters {
			if l.Group == g.Fold.Name {
				own = append(own, l)
			}
		}
		if _, err := worker.Replay(r.t.Context(), conf, g, own); err != nil {
			r.t.Fatal(err)
		}
	}
}

// redelivered has copies of events: in the same batch, after a restart, and in another partition.
func redelivered(r *rig) []invariant.Violation {
	first, second := r.put(0, "p", "a", 100), r.put(0, "p", "b", 200)
	r.produce(first, second, first)
	r.run(r.config())
	r.produce(second, first)
	r.run(r.config())
	return r.check(true)
}

// copiedElsewhere has a copy of an event in another partition, where only exact ids know it.
func copiedElsewhere(r *rig) []invariant.Violation {
	first := r.put(0, "p", "a", 100)
	other := first
	other.Partition, other.Account = 1, "a1"
	r.produce(first)
	r.run(r.config())
	r.produce(other)
	r.run(r.config())
	return r.check(true)
}

// redeliveredFailure has a copy of an event that is parked, and that is applied later.
func redeliveredFailure(r *rig) []invariant.Violation {
	r.refuse("balances")
	r.patience = runTimeout
	first := r.put(0, "p", invariant.RefusedNote, 100)
	r.produce(first)
	r.runWhile(r.config(), r.consumed)
	found := r.check(false)
	r.produce(first)
	r.accept()
	r.wake()
	r.run(r.config())
	return append(found, r.check(true)...)
}

// late lets newer events arrive before older ones, of every kind that the order decides about.
func late(r *rig) []invariant.Violation {
	r.produce(r.put(0, "p", "new", 1000), r.event("SWAP", 0, "q", "new", 1100), r.event("HIDE", 0, "p", "", 1200))
	r.run(r.config())
	r.produce(r.put(1, "p", "old", 500), r.put(1, "q", "old", 510), r.event("FIX", 1, "p", "old", 520))
	r.run(r.config())
	r.produce(r.event("SWAP", 2, "p", "oldest", 100), r.event("SPEND", 2, "q", "", 110))
	r.run(r.config())
	return r.check(true)
}

// permuted compares the tables after all orders of arrival of three partitions.
func permuted(r *rig) []invariant.Violation {
	parts := [][]invariant.Event{
		{r.put(0, "p", "a", 100), r.event("SWAP", 0, "q", "b", 400), r.event("FIX", 0, "p", "c", 700)},
		{r.put(1, "q", "d", 200), r.event("DROP", 1, "p", "", 500), r.event("HIDE", 1, "q", "", 800)},
		{r.event("SWAP", 2, "p", "e", 300), r.event("SPEND", 2, "q", "", 600), r.put(2, "p", "f", 900)},
	}
	var found []invariant.Violation
	first := ""
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		other := newRig(r.t)
		for _, i := range order {
			other.produce(parts[i]...)
			other.run(other.config())
		}
		found = append(found, other.check(true)...)
		tables := other.tables()
		if first == "" {
			first = tables
		}
		if tables != first {
			r.found("I5", "the order %v gives\n%snot\n%s", order, tables, first)
		}
	}
	return append(found, r.extra...)
}

// deleted has writes that come after a delete and are older.
func deleted(r *rig) []invariant.Violation {
	r.produce(r.put(0, "p", "a", 100), r.event("DROP", 0, "p", "", 300), r.event("DROP", 0, "q", "", 300))
	r.run(r.config())
	r.produce(r.put(1, "p", "late", 200), r.put(1, "q", "late", 250))
	r.run(r.config())
	return r.check(true)
}

// cut compares the tables of logs that are cut into batches in several ways.
func cut(r *rig) []invariant.Violation {
	events := r.load(rand.Uint64())(60)
	whole := ""
	var found []invariant.Violation
	for _, size := range []int{len(events), 25, 7, 2} {
		other := newRig(r.t)
		for at := 0; at < len(events); at += size {
			other.produce(events[at:min(at+size, len(events))]...)
			other.run(other.config())
		}
		found = append(found, other.check(true)...)
		tables := other.tables()
		if whole == "" {
			whole = tables
		}
		if tables != whole {
			r.found("I7", "batches of %d give\n%snot\n%s", size, tables, whole)
		}
	}
	return append(found, r.extra...)
}

// poison has events that fail among others, and looks while they are parked and when they are dead.
func poison(r *rig) []invariant.Violation {
	r.refuse("balances", "orders", "profiles")
	r.patience = runTimeout
	bad, sharer, bulk := r.put(0, "p", "a", 100), r.put(0, "p", "b", 200), r.event("BULK", 1, "", "all", 100)
	bad.Parts = 0
	other, after := r.put(0, "q", "c", 300), r.put(1, "q", "d", 200)
	other.Item = "another"
	r.produce(bad, sharer, other, r.put(1, "r", invariant.RefusedNote, 50), bulk, after, r.put(2, "p", "e", 100))
	r.runWhile(r.config(), r.consumed)
	found := r.check(false)
	r.patience = 0
	for range 3 {
		r.wake()
		r.runWhile(r.config(), func() bool { return true })
	}
	r.wake()
	r.run(r.config())
	return append(found, r.check(true)...)
}

// recovering has an event of an ordered table that fails once and is applied when others of its row have come.
func recovering(r *rig) []invariant.Violation {
	r.refuse("orders")
	r.patience = runTimeout
	first, spend := r.put(0, "p", invariant.RefusedNote, 100), r.event("SPEND", 0, "p", "", 200)
	first.Amount, spend.Amount = 40, 30
	r.produce(first, spend)
	r.runWhile(r.config(), r.consumed)
	r.accept()
	r.wake()
	r.run(r.config())
	return r.check(true)
}

// outage has a database that refuses everything for a while, for reasons that no event is to blame for.
func outage(r *rig) []invariant.Violation {
	r.produce(r.put(0, "p", "a", 100), r.put(1, "p", "b", 200), r.put(2, "q", "c", 300))
	schema := sql.Ident(r.d.Schema)
	execSQL(r.t, "CREATE SEQUENCE "+schema+".failures; CREATE FUNCTION "+schema+`.fail() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE n bigint := nextval('`+schema+`.failures');
BEGIN
  IF n <= 24 THEN
    RAISE EXCEPTION 'away' USING ERRCODE = (ARRAY['53100', '40001', '57P01', '25006', '55P03', '40P01'])[1 + n % 6];
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON `+schema+".\"balances@1\" FOR EACH ROW EXECUTE FUNCTION "+schema+".fail()")
	for range 20 {
		var away *store.EnvironmentError
		_, err := r.try(r.config())
		if err == nil {
			return r.check(true)
		}
		if !errors.As(err, &away) {
			r.t.Fatal(err)
		}
	}
	r.found("I3", "the worker never gets over the outage")
	return r.extra
}

// dead has dead letters of all kinds.
func dead(r *rig) []invariant.Violation {
	r.refuse("balances", "orders", "profiles")
	bad := r.put(0, "p", "a", 100)
	bad.Parts = 0
	r.produce(bad, r.put(1, "q", invariant.RefusedNote, 50), invariant.Event{Partition: 2, Raw: "no json", TS: 1}, r.put(2, "p", "e", 100))
	r.run(r.config())
	return r.check(true)
}

// grown has a topic that grows: what an entity does from then on is in another partition, whose times are behind, and so is a
// copy of what it did before. The tables must be those of a topic that has not grown.
func grown(r *rig) []invariant.Violation {
	first, second := r.put(0, "p", "before", 1000), r.put(0, "p", "after", 500)
	moved := []invariant.Event{first, second}
	for i := range moved {
		moved[i].Partition = partitions
	}
	r.produce(first)
	r.run(r.config())
	if _, err := kadm.NewClient(r.client).UpdatePartitions(r.t.Context(), 2*partitions, r.d.Kafka.Topic); err != nil {
		r.t.Fatal(err)
	}
	r.client.PurgeTopicsFromClient(r.d.Kafka.Topic)
	r.produce(moved...)
	r.run(r.config())
	same := newRig(r.t)
	same.produce(first, first, second)
	same.run(same.config())
	if got, want := r.tables(), same.tables(); got != want {
		r.found("I1", "the tables are\n%swithout the growth they are\n%s", got, want)
	}
	return r.check(true)
}

// anew has a topic that is deleted and made again.
func anew(r *rig) []invariant.Violation {
	r.produce(r.put(0, "p", "a", 100))
	r.run(r.config())
	before := r.positions()
	if _, err := kadm.NewClient(r.client).DeleteTopics(r.t.Context(), r.d.Kafka.Topic); err != nil {
		r.t.Fatal(err)
	}
	r.createTopic(r.d.Kafka.Topic, partitions)
	r.client.PurgeTopicsFromClient(r.d.Kafka.Topic)
	r.produce(r.put(0, "p", "b", 200), r.put(0, "p", "c", 300))
	r.mustStop(before)
	return r.extra
}

// expired has a log whose beginning was deleted before it was consumed.
func expired(r *rig) []invariant.Violation {
	r.produce(r.put(0, "p", "a", 100))
	r.run(r.config())
	before := r.positions()
	r.produce(r.put(0, "p", "b", 200), r.put(0, "p", "c", 300))
	offsets := kadm.Offsets{}
	offsets.AddOffset(r.d.Kafka.Topic, 0, 2, -1)
	if _, err := kadm.NewClient(r.client).DeleteRecords(r.t.Context(), offsets); err != nil {
		r.t.Fatal(err)
	}
	r.mustStop(before)
	return r.extra
}

// positions tells the cursors.
func (r *rig) positions() (text string) {
	for _, g := range r.own.Groups {
		for number := range int32(partitions) {
			c, _, err := g.Store.LoadCursor(r.t.Context(), r.d.Kafka.Topic, number)
			if err != nil {
				r.t.Fatal(err)
			}
			text += fmt.Sprintln(g.Fold.Name, c)
		}
	}
	return text
}

// mustStop is I12: the worker stops, says why, and moves nothing.
func (r *rig) mustStop(before string) {
	_, err := r.try(r.config())
	var deployment *store.DeploymentError
	if !errors.As(err, &deployment) {
		r.found("I12", "the worker goes on: %v", err)
	}
	if after := r.positions(); after != before {
		r.found("I12", "the cursors were\n%sand are\n%s", before, after)
	}
}
