package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/oracle"
	"github.com/causetc/causetc/runtime/store"
)

// batchOf returns a batch of applied events sold(from)... at the offsets from... of partition 0.
func batchOf(t testing.TB, g *Group, from, n int) store.Batch {
	t.Helper()
	cursor := func(next int) store.Cursor {
		return store.Cursor{Topic: "events", TopicID: [16]byte{1, 2}, Next: int64(next), Clock: int64(next)}
	}
	b := store.Batch{From: cursor(from), To: cursor(from + n)}
	for i := from; i < from+n; i++ {
		effect, err := g.fold.Evaluate(sold(i))
		if err != nil {
			t.Fatal(err)
		}
		b.Entries = append(b.Entries, store.Entry{Position: event.Position{Topic: "events", Offset: int64(i)}, Clock: int64(i),
			ID: fold.HashID(sold(i).ID), Effect: effect})
	}
	return b
}

func commit(t testing.TB, g *Group, b store.Batch) {
	t.Helper()
	counts, err := g.Commit(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	if want := store.Count(b.Entries); counts != want {
		t.Fatalf("%+v, want %+v", counts, want)
	}
}

func rowCount(t testing.TB, g *Group) int {
	t.Helper()
	rows, err := g.Rows(context.Background(), g.fold.Tables[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	return len(rows)
}

func TestFencing(t *testing.T) {
	g := deploy(t, open(t, newConfig(t)), ticketProgram(ir.Convergent))
	commit(t, g, batchOf(t, g, 5, 2))
	for name, change := range map[string]func(c *store.Cursor){
		"next behind":    func(c *store.Cursor) { c.Next-- },
		"next ahead":     func(c *store.Cursor) { c.Next++ },
		"clock":          func(c *store.Cursor) { c.Clock++ },
		"topic id":       func(c *store.Cursor) { c.TopicID[0]++ },
		"from the start": func(c *store.Cursor) { c.Next, c.Clock = 0, 0 },
	} {
		b := batchOf(t, g, 7, 3)
		change(&b.From)
		if _, err := g.Commit(context.Background(), b); !errors.Is(err, store.ErrFenced) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := rowCount(t, g); n != 2 {
		t.Errorf("%d rows", n)
	}
	c, found, err := g.LoadCursor(context.Background(), "events", 0)
	if want := batchOf(t, g, 5, 2).To; err != nil || !found || c != want {
		t.Errorf("cursor %+v, %t, %v; want %+v", c, found, err, want)
	}
	if _, found, err := g.LoadCursor(context.Background(), "events", 1); found || err != nil {
		t.Errorf("a cursor of nothing: %t, %v", found, err)
	}
}

// TestOnlyOneOfManyWins lets workers commit the same batch at once, also the first one of a partition.
func TestOnlyOneOfManyWins(t *testing.T) {
	g := deploy(t, open(t, newConfig(t)), ticketProgram(ir.Convergent))
	for round := range 5 {
		b := batchOf(t, g, round*10, 10)
		errs := make(chan error, 4)
		for range 4 {
			go func() {
				_, err := g.Commit(context.Background(), b)
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
			t.Fatalf("%d workers committed one batch", won)
		}
	}
	if n := rowCount(t, g); n != 50 {
		t.Errorf("%d rows", n)
	}
}

func TestRetiredVersionGetsNoCursor(t *testing.T) {
	db := open(t, newConfig(t))
	g := deploy(t, db, ticketProgram(ir.Convergent))
	exec(t, "UPDATE "+db.table("groups")+" SET state = 'retired'")
	if _, err := g.Commit(context.Background(), batchOf(t, g, 0, 1)); !errors.Is(err, store.ErrFenced) {
		t.Errorf("%v", err)
	}
}

// cutter is a connection that dies at a COMMIT: before it is sent, or after the server has answered it.
type cutter struct {
	net.Conn
	armed *atomic.Bool
	after bool
	dead  bool
}

func (c *cutter) Write(p []byte) (int, error) {
	if !c.armed.Load() || !bytes.Contains(p, []byte("commit\x00")) {
		return c.Conn.Write(p)
	}
	c.armed.Store(false)
	c.dead = true
	if c.after {
		if _, err := c.Conn.Write(p); err != nil {
			return 0, err
		}
		// The answer comes once the commit is done.
		if _, err := c.Conn.Read(make([]byte, 1)); err != nil {
			return 0, err
		}
	}
	_ = c.Conn.Close()
	return len(p), nil
}

func (c *cutter) Read(p []byte) (int, error) {
	if c.dead {
		return 0, net.ErrClosed
	}
	return c.Conn.Read(p)
}

func TestConnectionLostAtCommit(t *testing.T) {
	for _, after := range []bool{false, true} {
		var armed atomic.Bool
		cfg := newConfig(t)
		cfg.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			return &cutter{Conn: conn, armed: &armed, after: after}, err
		}
		g := deploy(t, open(t, cfg), ticketProgram(ir.Convergent))
		commit(t, g, batchOf(t, g, 0, 3))
		armed.Store(true)
		b := batchOf(t, g, 3, 4)
		if _, err := g.Commit(context.Background(), b); kindOf(err) != "environment" {
			t.Fatalf("after=%t: %v", after, err)
		}
		c, _, err := g.LoadCursor(context.Background(), "events", 0)
		want := b.From
		if after {
			want = b.To
		}
		if err != nil || c != want {
			t.Errorf("after=%t: cursor %+v, %v; want %+v", after, c, err, want)
		}
		_, err = g.Commit(context.Background(), b)
		if after && !errors.Is(err, store.ErrFenced) || !after && err != nil {
			t.Errorf("after=%t: the second try gave %v", after, err)
		}
		if n := rowCount(t, g); n != 7 {
			t.Errorf("after=%t: %d rows", after, n)
		}
		if ids, err := g.LoadWindow(context.Background(), "events", 0); err != nil || len(ids) != 7 {
			t.Errorf("after=%t: %d ids, %v", after, len(ids), err)
		}
	}
}

// TestConcurrentPartitions commits partitions at once on shared keys. Convergent tables are then the canonical fold; of
// ordered ones (bulk updates, unique indexes and all) it is enough that nobody is in anybody's way.
func TestConcurrentPartitions(t *testing.T) {
	base := seed(t)
	compared := 0
	for i := range 18 {
		name := fmt.Sprintf("SEED=%d program %d", base, i)
		r := rand.New(rand.NewPCG(base, 1000+uint64(i)))
		c := oracle.NewCase(r, oracle.Shape(i%3))
		records := c.NewLog(r, oracle.LogOptions{Records: 300, Partitions: 4, Keys: 8})
		g, alive := commitConcurrently(t, name, c, records, r)
		if len(c.Group().ExactIDs) > 0 {
			continue // which partition applies an identity first is open
		}
		want, err := oracle.Fold(c.Group(), alive, 1000, oracle.NewCoverage())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for j := range c.Group().Tables {
			table := &c.Group().Tables[j]
			if table.Class == ir.Ordered {
				continue
			}
			got, err := g.Rows(context.Background(), table.Name)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := oracle.Diff(table, want[table.Name], got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			compared += len(got)
		}
	}
	if compared < 20 {
		t.Errorf("only %d rows compared", compared)
	}
}

func commitConcurrently(t *testing.T, name string, c *oracle.Case, records []oracle.Record, r *rand.Rand) (*Group, []oracle.Record) {
	t.Helper()
	cfg := newConfig(t)
	cfg.Window, cfg.MaxConns = 1000, 6
	db := open(t, cfg)
	g := deploy(t, db, c.Program)
	var all sync.WaitGroup
	drivers := make([]oracle.Driver, 4)
	for partition := range int32(4) {
		own := slices.DeleteFunc(slices.Clone(records), func(x oracle.Record) bool { return x.Position.Partition != partition })
		d := &drivers[partition]
		*d = oracle.Driver{Store: g, Group: g.fold, Window: 1000, Rand: rand.New(rand.NewPCG(r.Uint64(), 1)), Cut: 0.1, Restart: 0.1, Poison: 0.05}
		all.Go(func() {
			if err := d.Run(context.Background(), own); err != nil {
				t.Errorf("%s: partition %d: %v", name, partition, err)
			}
		})
	}
	all.Wait()
	dead := map[event.Position]bool{}
	for i := range drivers {
		maps.Copy(dead, drivers[i].History.Dead)
	}
	return g, slices.DeleteFunc(slices.Clone(records), func(x oracle.Record) bool { return dead[x.Position] })
}

func TestWindowKeepsExactlyTheNewest(t *testing.T) {
	cfg := newConfig(t)
	cfg.Window = 10
	db := open(t, cfg)
	g := deploy(t, db, ticketProgram(ir.Convergent))
	var all [][16]byte
	next := 0
	for _, size := range []int{3, 4, 1, 7, 25, 2, 2} {
		b := batchOf(t, g, next, size)
		b.Entries[0].Outcome = store.Duplicate // refreshes nothing
		for i := range b.Entries[1:] {
			b.Entries[1+i].Outcome = []store.Outcome{store.Applied, store.Skipped, store.Dead}[i%3]
			all = append(all, b.Entries[1+i].ID)
		}
		commit(t, g, b)
		next += size
		got, err := g.LoadWindow(context.Background(), "events", 0)
		want := all[max(0, len(all)-10):]
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("after %d ids: %d, %v; want %d", len(all), len(got), err, len(want))
		}
	}
	var blobs int
	if err := cluster.admin.QueryRow(context.Background(), "SELECT count(*) FROM "+db.table("recent_ids")).Scan(&blobs); err != nil || blobs > 4 {
		t.Errorf("%d blobs are kept, %v", blobs, err)
	}
}

func TestDeadLetters(t *testing.T) {
	g := deploy(t, open(t, newConfig(t)), ticketProgram(ir.Convergent))
	letters := []store.DeadLetter{
		{ID: "full", Group: "tickets", Version: 1, Failure: store.Failure{Projection: "tickets",
			Position: event.Position{Topic: "events", Offset: 1}, Clock: 7,
			EventID: "nul\x00", EventType: "SOLD", EntityID: "bad\xff", ForkID: "main", Attempts: 5,
			FirstAt: time.UnixMicro(1_000_001).UTC(), LastAt: time.UnixMicro(9_000_001).UTC(), ErrorClass: "event", SQLState: "22003",
			Message: "too much", Record: store.Record{Key: []byte("k\x00"), Value: []byte("v\xff"), Timestamp: 1_700_000_000_123,
				Headers: []store.Header{{Key: "h\xff", Value: []byte{0}}, {Key: "h", Value: nil}, {Key: "", Value: []byte{}}}}}},
		{ID: "bare", Group: "tickets", Version: 1, Failure: store.Failure{Position: event.Position{Topic: "events", Offset: 3},
			ErrorClass: "undecodable"}},
	}
	b := batchOf(t, g, 0, 4)
	for i := range letters {
		b.Entries[1+2*i].Outcome, b.Entries[1+2*i].Dead = store.Dead, &letters[i]
	}
	commit(t, g, b)
	if n := rowCount(t, g); n != 2 {
		t.Errorf("%d rows", n)
	}
	got, err := g.UnpublishedDeadLetters(context.Background(), 10)
	if err != nil || len(got) != 2 {
		t.Fatalf("%d letters, %v", len(got), err)
	}
	letters[0].EventID, letters[0].EntityID = "nul\uFFFD", "bad\uFFFD" // the record's bytes tell the truth
	for i := range letters {
		if a, b := fmt.Sprintf("%#v", got[i]), fmt.Sprintf("%#v", letters[i]); a != b {
			t.Errorf("letter %d\n%s\nwant\n%s", i, a, b)
		}
	}
	if first, err := g.UnpublishedDeadLetters(context.Background(), 1); err != nil || len(first) != 1 || first[0].ID != "full" {
		t.Errorf("the oldest is %+v, %v", first, err)
	}
	if err := g.MarkPublished(context.Background(), got[:1]); err != nil {
		t.Fatal(err)
	}
	if rest, err := g.UnpublishedDeadLetters(context.Background(), 10); err != nil || len(rest) != 1 || rest[0].ID != "bare" {
		t.Errorf("left are %+v, %v", rest, err)
	}
}
