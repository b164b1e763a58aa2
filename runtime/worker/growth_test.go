package worker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/oracle"
	"github.com/causetc/causetc/runtime/store"
)

// simGrowth is a simulated topic that grows while keyed producers write to it: an event's partition is the number of its key
// modulo the number of partitions. What the topic had before its growths are the records up to each of bounds.
type simGrowth struct {
	*sim
	rand    *rand.Rand
	counts  []int32 // how many partitions the topic had, growth by growth
	bounds  []int   // records of the log when each growth but the first is noticed
	grown   int     // growths that the store was told of
	offsets map[int32]int64
}

func newSimGrowth(t testing.TB, kind simKind, r *rand.Rand) *simGrowth {
	g := &simGrowth{rand: r, counts: []int32{1, 2, 4, 12}[r.IntN(2) : 3+r.IntN(2)], offsets: map[int32]int64{}}
	group := newSimGroup(t, kind)
	var log []simRecord
	for i, count := range g.counts {
		if i > 0 {
			g.bounds = append(g.bounds, len(log)+g.rand.IntN(3))
		}
		log = g.produce(t, group, kind, count, log)
	}
	g.sim = newSim(t, group, log[:0:0], map[string]oracle.Tables{})
	g.log = log
	g.begin()
	return g
}

// produce adds records: events of a few keys, copies of earlier ones, and some that can't be evaluated. The later an event, the
// earlier may be its time.
func (g *simGrowth) produce(t testing.TB, group *simGroup, kind simKind, count int32, log []simRecord) []simRecord {
	for range 3 + g.rand.IntN(8) {
		key := g.rand.Int32N(12)
		text, id := fmt.Sprintf("PUT %c %d", 'a'+key, 1+g.rand.IntN(4)), fmt.Sprintf("e%d", len(log))
		switch n := g.rand.IntN(8); {
		case n == 0 && kind != counting:
			text = fmt.Sprintf("DROP %c 0", 'a'+key)
		case n == 1:
			text = fmt.Sprintf("PUT %c 0", 'a'+key)
		case n < 4 && len(log) > 0:
			again := &log[g.rand.IntN(len(log))]
			text, id, key = again.text, again.Event.ID, int32(again.text[strings.Index(again.text, " ")+1]-'a')
		}
		p := key % count
		rec := group.record(t, text, id, p, g.offsets[p], int64(1000-len(log)*g.rand.IntN(3)), 0)
		g.offsets[p]++
		log = append(log, rec)
	}
	return log
}

// begin gives the group its first positions.
func (g *simGrowth) begin() {
	var cursors []store.Cursor
	for p := range g.counts[0] {
		cursors = append(cursors, store.Cursor{Topic: simTopic, TopicID: [16]byte{1}, Partition: p})
	}
	if err := g.store.Begin(context.Background(), simTopic, cursors); err != nil {
		g.t.Fatal(err)
	}
	topic := &kafka.Topic{Name: simTopic, ID: [16]byte{1}, Partitions: map[int32]kafka.Extent{}}
	for p := range g.counts[len(g.counts)-1] {
		topic.Partitions[p] = kafka.Extent{}
	}
	g.w.topic.Store(topic)
}

// grow tells the store of the next growth, after that many records. Owners learn of it by and by.
func (g *simGrowth) grow(records int) {
	var barriers []store.Barrier
	ends := map[int32]int64{}
	for i := range g.log[:records] {
		ends[g.log[i].Position.Partition]++
	}
	before, after := g.counts[g.grown], g.counts[g.grown+1]
	for p := range before {
		barriers = append(barriers, store.Barrier{Topic: simTopic, TopicID: [16]byte{1}, Before: before, After: after, Partition: p, Next: ends[p]})
	}
	if err := g.store.Grow(context.Background(), barriers); err != nil {
		g.t.Fatal(err)
	}
	g.grown++
	for _, r := range g.runners {
		if g.rand.IntN(2) == 0 {
			r.outdated.Store(true)
		}
	}
}

// step does something at random with what was produced by now.
func (g *simGrowth) step(upto int) {
	o := simOwner{g.rand.Int32N(g.counts[len(g.counts)-1]), g.rand.IntN(2)}
	switch g.rand.IntN(8) {
	case 0:
		g.die(o)
	case 1, 2:
		g.retry(o)
	default:
		g.read(o, upto)
	}
}

// run lets owners work on the log as it grows, in a random order.
func (g *simGrowth) run() {
	for upto := range g.log {
		for g.grown < len(g.bounds) && g.bounds[g.grown] <= upto {
			g.grow(upto)
		}
		for range g.rand.IntN(6) {
			g.step(upto)
		}
	}
	for _, r := range g.runners {
		r.outdated.Store(true)
	}
	for range 100 * len(g.counts) {
		for p := range g.counts[len(g.counts)-1] {
			o := simOwner{p, 0}
			g.read(o, len(g.log)-1)
			g.retry(o)
		}
		if g.done() {
			return
		}
	}
	g.t.Fatalf("no end: %s", g)
}

func (g *simGrowth) done() bool {
	for p, end := range g.offsets {
		r := g.runner(simOwner{p, 0})
		if !r.born() || r.cursor.Next < end || r.lot.len() > 0 {
			return false
		}
	}
	return true
}

// check: the tables are those of a topic that always had one partition.
func (g *simGrowth) check() {
	var records []oracle.Record
	seen := map[string]bool{}
	for i := range g.log {
		rec := g.log[i].Record
		if seen[rec.Event.ID] {
			continue
		}
		seen[rec.Event.ID] = true
		if g.fails(&g.log[i]) {
			continue
		}
		rec.Position.Partition, rec.Position.Offset, rec.Clock = 0, int64(i), 0
		records = append(records, rec)
	}
	want, err := oracle.Fold(g.group.source, records, fold.WindowSize, oracle.NewCoverage())
	if err != nil {
		g.t.Fatal(err)
	}
	g.compare(want)
}

// TestGrowthKeepsTheOrder runs random logs of topics that grow once or twice, with owners that die, rivals, copies of events
// on both sides of a growth, and events that are parked at its moment.
func TestGrowthKeepsTheOrder(t *testing.T) {
	seed := rand.Uint64()
	logs := uint64(400)
	if testing.Short() {
		logs = 100
	}
	for _, kind := range []simKind{counting, deleting, ordered} {
		for n := range logs {
			g := newSimGrowth(t, kind, rand.New(rand.NewPCG(seed, n)))
			g.run()
			g.check()
			if t.Failed() {
				t.Fatalf("seed %d, %d: %s", seed, n, g)
			}
		}
	}
	t.Logf("seed %d", seed)
}
