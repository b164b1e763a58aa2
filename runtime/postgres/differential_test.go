package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/oracle"
)

// seed returns the seed of a random test: a fixed one, or SEED of the environment. It is printed where a test fails.
func seed(t *testing.T) uint64 {
	t.Helper()
	n := uint64(1)
	if text := os.Getenv("SEED"); text != "" {
		var err error
		if n, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("SEED=%d", n)
	return n
}

// programCount is how many random programs a run takes; PROGRAMS of the environment asks for more.
func programCount(t *testing.T) int {
	t.Helper()
	text := os.Getenv("PROGRAMS")
	if text == "" {
		return 80
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestStoreEqualsFoldAndMemory runs random logs of random programs through Postgres and through the store in memory, cut
// into random batches with restarts and zombies, and compares the tables with the canonical fold: all tables of one
// partition's log, the convergent ones of several partitions'. Postgres and memory are compared always.
func TestStoreEqualsFoldAndMemory(t *testing.T) {
	base, programs := seed(t), programCount(t)
	coverage := oracle.NewCoverage()
	shapes := []oracle.Shape{oracle.Deleting, oracle.Updating, oracle.Mixed, oracle.Mixed}
	rows, met := 0, map[string]int{}
	for i := range programs {
		name := fmt.Sprintf("SEED=%d program %d", base, i)
		r := rand.New(rand.NewPCG(base, uint64(i)))
		c := oracle.NewCase(r, shapes[i%len(shapes)])
		o := oracle.LogOptions{Records: 40 + r.IntN(160), Partitions: 1, Duplicates: 0.15, Bad: 0.005}
		if i/len(shapes)%2 == 0 {
			o.Partitions = 1 + r.IntN(3)
		}
		window := 1000
		if i%5 == 0 {
			window = 1 + r.IntN(10)
		}
		rows += runCase(t, name, r, c, o, window, coverage, met)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d visible rows compared\n%s\n%v", rows, coverage, met)
	for _, what := range []string{"waiting", "applied late", "parked again", "parked compared", "fenced"} {
		if met[what] < programs/4 {
			t.Errorf("too few of %s: %d", what, met[what])
		}
	}
	for _, missing := range coverage.Check(programs/20, true) {
		t.Errorf("too few of %s", missing)
	}
	if rows < 5*programs {
		t.Errorf("only %d rows", rows)
	}
}

func runCase(t *testing.T, name string, r *rand.Rand, c *oracle.Case, o oracle.LogOptions, window int, coverage *oracle.Coverage, met map[string]int) (rows int) {
	t.Helper()
	ctx := context.Background()
	records := c.NewLog(r, o)
	compiled, err := fold.Compile(c.Program, c.Group())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	cfg := newConfig(t)
	cfg.Window = window
	db := open(t, cfg)
	defer db.Close()
	kept := deploy(t, db, c.Program)
	reference := memory.New(compiled, window)
	cut, source, bad := r.Float64()*0.3, r.Uint64(), []float64{0, 0.2}[r.IntN(2)]
	drive := func(d oracle.Driver) oracle.Driver {
		d.Group, d.Window, d.Rand, d.Cut, d.Restart, d.Poison = compiled, window, rand.New(rand.NewPCG(source, 1)), cut, 0.2, bad
		if err := d.Run(ctx, records); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return d
	}
	d := drive(oracle.Driver{Store: kept})
	if want := drive(oracle.Driver{Store: reference}); d.Counts != want.Counts {
		t.Errorf("%s: counts %+v, want %+v", name, d.Counts, want.Counts)
	}
	for what, n := range d.Met {
		met[what] += n
	}
	folded, err := oracle.FoldHistory(c.Group(), records, window, d.History, coverage)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i := range c.Group().Tables {
		table := &c.Group().Tables[i]
		got, err := kept.Rows(ctx, table.Name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		inMemory, err := reference.Rows(ctx, table.Name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := oracle.Diff(table, inMemory, got); diff != "" {
			t.Errorf("%s: Postgres differs from memory: %s", name, diff)
		}
		if table.Class == ir.Ordered && o.Partitions > 1 {
			continue
		}
		if diff := oracle.Diff(table, folded[table.Name], got); diff != "" {
			t.Errorf("%s: Postgres differs from the fold: %s", name, diff)
		}
		rows += len(got)
	}
	return rows
}
