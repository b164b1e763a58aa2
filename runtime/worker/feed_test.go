package worker

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/fold"
)

// feedBench is a feed that notes when its fetch is held.
type feedBench struct {
	*feed
	t     *testing.T
	held  bool
	next  int64
	value int // length of a record's value
}

func newFeedBench(t *testing.T, value, groups int) *feedBench {
	b := &feedBench{t: t, value: value}
	b.feed = newFeed(newBudget(), 1<<20, 0, judge{fork: "main", window: newRecent(windowSize, nil)}, groups)
	b.hold = func(pause bool) { b.held = pause }
	return b
}

// record is one whose event has its offset as id, of a length.
func record(offset int64, length int) *delivery {
	text := fmt.Sprintf(`{"event_type":"SOLD","entity_id":"x","event_id":"%d"}`, offset)
	return &delivery{record: &kgo.Record{Offset: offset, Value: fmt.Appendf(nil, "%-*s", length, text)}}
}

// fetch puts records until the feed holds the fetch, and returns how many.
func (b *feedBench) fetch(most int) (n int) {
	for ; n < most && !b.held; n++ {
		b.put([]*delivery{record(b.next, b.value)})
		b.next++
	}
	return n
}

// join makes a reader at an offset; the window there holds the ids before it.
func (b *feedBench) join(next int64) *reader {
	b.t.Helper()
	rd, err := b.attach(next, b.markFor(next), nil, make(chan struct{}, 1))
	if err != nil {
		b.t.Fatal(err)
	}
	return rd
}

func (b *feedBench) markFor(next int64) mark {
	j := judge{fork: "main", window: newRecent(windowSize, nil)}
	for offset := range next {
		d := record(offset, 0)
		d.decode()
		j.look(d)
	}
	return j.mark()
}

// work lets a reader take and write everything there is.
func (b *feedBench) work(rd *reader) (n int) {
	b.t.Helper()
	for {
		ts, err := rd.take(math.MaxInt64, maxBatch)
		if err != nil {
			b.t.Fatal(err)
		}
		if len(ts) == 0 {
			return n
		}
		n += len(ts)
		rd.wrote(rd.next)
	}
}

// TestFeedIsBoundedByBytes: few large records are as much as many small ones.
func TestFeedIsBoundedByBytes(t *testing.T) {
	small, large := newFeedBench(t, 100, 1), newFeedBench(t, 100_000, 1)
	for _, b := range []*feedBench{small, large} {
		rd := b.join(0)
		n := b.fetch(5000)
		if held := b.budget.held; !b.held || held <= 1<<20 || held > 1<<20+b.queue[0].cost() {
			t.Errorf("after %d records the fetch is held: %t, and the feed has %d", n, b.held, held)
		}
		ts, err := rd.take(math.MaxInt64, maxBatch)
		if err != nil || len(ts) == 0 || !b.held {
			t.Errorf("%d taken, %v; held: %t", len(ts), err, b.held)
		}
		rd.wrote(rd.next)
		b.work(rd)
		if b.held || b.budget.held != 0 {
			t.Errorf("all is written, but the fetch is held (%t), or memory (%d)", b.held, b.budget.held)
		}
	}
	if s, l := small.next, large.next; s < 200 || l > 12 {
		t.Errorf("%d small records, %d large ones", s, l)
	}
}

// TestFeedGoesOnWithoutTheSlow sheds a reader that takes nothing, but only once it keeps the other waiting; and takes it
// back where it has caught up.
func TestFeedGoesOnWithoutTheSlow(t *testing.T) {
	b := newFeedBench(t, 100, 2)
	fast, slow := b.join(0), b.join(0)
	first := b.fetch(5000)
	if !b.held || slow.lost {
		t.Fatal("the feed must wait while neither has written anything")
	}
	b.work(fast)
	if b.held || !slow.lost || fast.lost {
		t.Fatalf("held: %t, the slow one is shed: %t, the fast one: %t", b.held, slow.lost, fast.lost)
	}
	if _, err := slow.take(math.MaxInt64, maxBatch); !errors.Is(err, errShed) {
		t.Errorf("taken from where it was shed: %v", err)
	}
	for range 10 {
		b.fetch(first)
		b.work(fast)
	}
	if b.held || b.budget.held > 1<<20 {
		t.Errorf("held: %t; the feed has %d", b.held, b.budget.held)
	}
	if b.has(0) || !b.has(b.next-10) {
		t.Error("what the slow one needs to come back is not kept, or all of it is")
	}
	back := b.join(b.next - 10)
	if n := b.work(back); n != 10 {
		t.Errorf("%d records taken after coming back", n)
	}
	b.fetch(1)
	if b.work(fast) != 1 || b.work(back) != 1 || b.budget.held != 0 {
		t.Errorf("they don't read together; the feed has %d", b.budget.held)
	}
}

// TestFeedKnowsOtherHistories: a group that remembers other ids gets a judge of its own until both windows are the same.
func TestFeedKnowsOtherHistories(t *testing.T) {
	const limit = 50
	b := newFeedBench(t, 100, 2)
	b.judge.window = newRecent(limit, nil)
	ours := b.join(0)
	b.fetch(10)
	b.work(ours)
	other := mark{ids: 1}
	if rd, err := b.attach(10, other, nil, nil); rd != nil || !errors.Is(err, errDiffers) {
		t.Fatalf("a group with other ids got a place: %v", err)
	}
	// One that is ahead is found out when the feed comes there.
	ahead, err := b.attach(12, other, nil, make(chan struct{}, 1))
	if err != nil {
		t.Fatal(err)
	}
	b.fetch(3)
	if _, err := ahead.take(math.MaxInt64, maxBatch); !errors.Is(err, errDiffers) {
		t.Errorf("a group with other ids took records: %v", err)
	}
	b.work(ours)
	// This one knows the id of the next record, and the others don't.
	window := newRecent(limit, [][16]byte{fold.HashID("13")})
	apart, err := b.attach(13, mark{}, &judge{fork: "main", window: window}, make(chan struct{}, 1))
	if err != nil {
		t.Fatal(err)
	}
	b.fetch(2 * limit)
	ts, err := apart.take(14, maxBatch)
	if err != nil || len(ts) != 1 || !ts[0].known || ts[0].seen.known {
		t.Errorf("taken %v, %v", ts, err)
	}
	apart.wrote(apart.next)
	b.work(ours)
	b.work(apart)
	if apart.own != nil {
		t.Error("the windows are the same, but are kept twice")
	}
}

// TestFeedDropsWhatAReaderLooksAt: a reader that is ahead looks at records before its place, and another one writes them
// meanwhile.
func TestFeedDropsWhatAReaderLooksAt(t *testing.T) {
	b := newFeedBench(t, 100, 2)
	b.fetch(3)
	fast, slow := b.join(3), b.join(0)
	ds, err := b.span(fast, math.MaxInt64, maxBatch)
	if err != nil || len(ds) != 3 {
		t.Fatalf("%d records, %v", len(ds), err)
	}
	if n := b.work(slow); n != 3 || len(b.queue) != 0 {
		t.Fatalf("%d records written, %d left", n, len(b.queue))
	}
	for _, d := range ds {
		d.decode()
	}
	if ts, err := b.look(fast, ds); err != nil || len(ts) != 0 {
		t.Errorf("%d records, %v", len(ts), err)
	}
}
