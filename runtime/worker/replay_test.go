package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

// letterAt is a dead letter of the counter's group at an offset.
func letterAt(g *fold.Group, offset int64, clock int64, value string) store.DeadLetter {
	l := store.DeadLetter{Group: g.Name, Version: 1}
	l.Position.Topic, l.Position.Offset, l.Clock = "t", offset, clock
	l.ID = letterID(g.Name, 1, l.Position)
	l.Attempts, l.Message, l.ErrorClass = 5, "old", classEvent
	l.Value = []byte(value)
	return l
}

// replayBench has a store with letters in it.
func replayBench(t *testing.T, letters ...store.DeadLetter) (Config, Group, *memory.Store) {
	t.Helper()
	p := counterProgram(t)
	g, err := fold.Compile(p, &p.Groups[0])
	if err != nil {
		t.Fatal(err)
	}
	s := memory.New(g, 100)
	b := store.Batch{To: store.Cursor{Topic: "t", Next: 100}, From: store.Cursor{Topic: "t"}}
	for i := range letters {
		b.Entries = append(b.Entries, store.Entry{Position: letters[i].Position, Outcome: store.Dead, Dead: &letters[i]})
	}
	if _, err := s.Commit(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	return Config{Fork: "main", Retry: DefaultRetryPolicy(), UntilEnd: true, Log: slog.New(slog.DiscardHandler)}, Group{Fold: g, Version: 1, Store: s}, s
}

func tableText(t *testing.T, s *memory.Store) string {
	t.Helper()
	rows, err := s.Rows(t.Context(), "sales")
	if err != nil {
		t.Fatal(err)
	}
	return rowsText(rows)
}

// TestReplayKeepsOrder gives letters in the wrong order: the table is that of the log's order, and a second replay of the
// same letters does nothing.
func TestReplayKeepsOrder(t *testing.T) {
	g := compiledCounter(t)
	letters := []store.DeadLetter{letterAt(g, 9, 90, sold("a", "x", 4)), letterAt(g, 3, 30, sold("b", "x", 2)),
		letterAt(g, 5, 50, sold("c", "y", 0)), letterAt(g, 7, 70, "no event"), letterAt(g, 8, 80, `{"event_type":"SOLD","entity_id":"e","fork_id":"other","payload":{}}`)}
	conf, group, s := replayBench(t, letters...)
	done, err := Replay(t.Context(), conf, group, letters)
	if err != nil {
		t.Fatal(err)
	}
	if got := tableText(t, s); got != "x 25 2" {
		t.Errorf("rows: %s", got)
	}
	if len(done) != 5 || done[0].Outcome != store.Applied || done[1].Outcome != store.Dead || done[1].Letter.Attempts != 6 ||
		!strings.Contains(done[1].Letter.Message, "zero") || done[2].Letter.ErrorClass != classUndecodable || !strings.Contains(done[3].Letter.Message, "fork") {
		t.Errorf("done: %+v", done)
	}
	again, err := Replay(t.Context(), conf, group, letters)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range again {
		if r.Outcome != store.Duplicate {
			t.Errorf("a letter that changed meanwhile was tried: %+v", r)
		}
	}
	if got := tableText(t, s); got != "x 25 2" {
		t.Errorf("rows after the second replay: %s", got)
	}
	if open := s.Letters(); len(open) != 3 || open[0].Attempts != 6 || !open[0].PublishedAt.IsZero() {
		t.Errorf("letters: %+v", open)
	}
}

func compiledCounter(t *testing.T) *fold.Group {
	t.Helper()
	p := counterProgram(t)
	g, err := fold.Compile(p, &p.Groups[0])
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// refusing is a store that refuses one show's data, or panics at it.
type refusing struct {
	*memory.Store
	show  string
	panic bool
}

func (s *refusing) Replay(ctx context.Context, letters []store.DeadLetter, entries []store.Entry) (store.Counts, error) {
	for i := range entries {
		if entries[i].Outcome != store.Applied || !strings.Contains(string(letters[i].Value), s.show) {
			continue
		}
		if s.panic {
			panic("no such row")
		}
		return store.Counts{}, &store.DataError{SQLState: "23514", Message: "refused", Err: errors.New("refused")}
	}
	return s.Store.Replay(ctx, letters, entries)
}

// TestReplayFindsTheCulprit: one letter whose data is refused does not keep the others.
func TestReplayFindsTheCulprit(t *testing.T) {
	g := compiledCounter(t)
	for _, panics := range []bool{false, true} {
		var letters []store.DeadLetter
		for i := range 5 {
			letters = append(letters, letterAt(g, int64(i), int64(i), sold(fmt.Sprint(i), fmt.Sprint("show", i), 2)))
		}
		conf, group, s := replayBench(t, letters...)
		group.Store = &refusing{Store: s, show: "show3", panic: panics}
		done, err := Replay(t.Context(), conf, group, letters)
		if err != nil {
			t.Fatal(err)
		}
		if got := tableText(t, s); got != "show0 50 1; show1 50 1; show2 50 1; show4 50 1" {
			t.Errorf("rows: %s", got)
		}
		if done[3].Outcome != store.Dead || done[3].Letter.Attempts != 6 || (!panics && done[3].Letter.SQLState != "23514") {
			t.Errorf("the culprit: %+v", done[3])
		}
	}
}

// TestRelayIsReminded publishes a letter that somebody else's replay has left, while the worker has nothing to do.
func TestRelayIsReminded(t *testing.T) {
	b := newBench(t)
	l := letterAt(b.group, 0, 0, "no event")
	conf := b.config(b.store)
	w := newWorker(conf)
	w.client = b.client
	w.relay = newRelay(w)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	relayed := make(chan error, 1)
	go func() { relayed <- w.relay.run(ctx) }()
	if _, err := b.store.Commit(ctx, store.Batch{To: store.Cursor{Topic: "t", Next: 1}, From: store.Cursor{Topic: "t"},
		Entries: []store.Entry{{Position: l.Position, Outcome: store.Dead, Dead: &l}}}); err != nil {
		t.Fatal(err)
	}
	go atIntervals(ctx, time.Millisecond, w.relay.wake)
	for letters := []store.DeadLetter{l}; len(letters) > 0; {
		var err error
		if letters, err = b.store.UnpublishedDeadLetters(ctx, 1); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	<-relayed
}
