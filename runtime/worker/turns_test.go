package worker

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

// TestTurns: a group that holds all that it may leaves the others theirs, and who is stuck leaves others its turn; who waits longest is
// next, and is woken.
func TestTurns(t *testing.T) {
	one, two := &fold.Group{Name: "one"}, &fold.Group{Name: "two"}
	s := newTurns(2)
	runnersOf := func(g *fold.Group) (list []*runner) {
		for range maxTurns {
			list = append(list, &runner{group: Group{Fold: g}, ready: make(chan struct{}, 1)})
		}
		return list
	}
	ones, twos := runnersOf(one), runnersOf(two)
	has := func(list []*runner) (n int) {
		for _, r := range list {
			if s.acquire(r) {
				n++
			}
		}
		return n
	}
	if n := has(ones); n != maxTurnsGroup {
		t.Fatalf("a group has %d turns", n)
	}
	if n := has(twos); n != maxTurnsGroup {
		t.Fatalf("the other has %d turns", n)
	}
	s.release(ones[0])
	if next := ones[maxTurnsGroup]; len(next.ready) != 1 || !s.acquire(next) {
		t.Error("the turn that became free was not passed on")
	}
	if s.acquire(ones[0]) {
		t.Error("who gave its turn back is before others that wait")
	}
	s.mostGroup = maxTurns
	s.stick(twos[0], true)
	if n := has(ones) + has(twos); n != maxTurns+1 {
		t.Errorf("%d have a turn while one is stuck", n)
	}
	s.stick(twos[0], false)
	s.release(twos[0])
	if n := has(ones) + has(twos[1:]); n != maxTurns {
		t.Errorf("%d have a turn in the end", n)
	}
}

// troubled is a store that no transaction reaches.
type troubled struct{ *memory.Store }

func (s *troubled) Commit(context.Context, store.Batch) (store.Counts, error) {
	return store.Counts{}, &store.EnvironmentError{Err: fmt.Errorf("a lock is not to be had")}
}

// TestGroupsInTroubleHoldNoOther: the statements of all groups but one fail for ever, in more partitions than there are turns.
func TestGroupsInTroubleHoldNoOther(t *testing.T) {
	b := newBench(t)
	var recs []*kgo.Record
	for i := range 100 {
		recs = append(recs, &kgo.Record{Topic: b.kafka.Topic, Key: fmt.Append(nil, i), Value: []byte(sold(fmt.Sprint(i), "a", 4))})
	}
	if err := b.client.ProduceSync(t.Context(), recs...).FirstErr(); err != nil {
		t.Fatal(err)
	}
	conf := b.config(b.store)
	conf.UntilEnd = false
	for i := range 3 {
		g := another(t, fmt.Sprint("other", i))
		conf.Groups = append([]Group{{Fold: g, Version: 1, Store: &troubled{memory.New(g, fold.WindowSize)}}}, conf.Groups...)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var applied atomic.Int64
	conf.Observer.Wrote = func(tr Transaction) {
		if applied.Add(int64(tr.Outcomes.Applied)) == int64(len(recs)) {
			cancel()
		}
	}
	if _, err := Run(ctx, conf); err != nil {
		t.Fatal(err)
	}
	if got := b.rows(); got != "a 25 100" {
		t.Errorf("rows: %s", got)
	}
}
