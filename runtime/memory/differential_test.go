package memory_test

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

// TestStoreEqualsFold runs random logs of random programs through the store, cut into random batches with restarts and
// zombies, and compares the tables with the canonical fold: all tables of one partition's log, the convergent ones of
// several partitions'.
func TestStoreEqualsFold(t *testing.T) {
	base := seed(t)
	coverage := oracle.NewCoverage()
	met := map[string]int{}
	rows := 0
	for i := range 1500 {
		name := fmt.Sprintf("SEED=%d program %d", base, i)
		r := rand.New(rand.NewPCG(base, uint64(i)))
		c := oracle.NewCase(r, oracle.Shape(i%3))
		o := oracle.LogOptions{Records: 10 + r.IntN(80), Partitions: 1, Duplicates: 0.15, Bad: 0.005}
		if i%2 == 0 {
			o.Partitions = 1 + r.IntN(3)
		}
		window := 1000
		if i%5 == 0 {
			window = r.IntN(10)
		}
		rows += runCase(t, name, r, c, o, window, coverage, met)
	}
	t.Logf("%d visible rows compared\n%s\n%v", rows, coverage, met)
	for _, what := range []string{"waiting", "applied late", "parked again", "parked compared", "fenced"} {
		if met[what] < oracle.Least {
			t.Errorf("too few of %s: %d", what, met[what])
		}
	}
	for _, missing := range coverage.Check(oracle.Least, true) {
		t.Errorf("too few of %s", missing)
	}
	if rows < 1000 {
		t.Errorf("only %d rows", rows)
	}
}

func runCase(t *testing.T, name string, r *rand.Rand, c *oracle.Case, o oracle.LogOptions, window int, coverage *oracle.Coverage, met map[string]int) int {
	t.Helper()
	records := c.NewLog(r, o)
	g, err := fold.Compile(c.Program, c.Group())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	s := memory.New(g, window)
	d := &oracle.Driver{Store: s, Group: g, Window: window, Rand: r, Cut: r.Float64(), Restart: 0.2, Poison: poison(r)}
	if err := d.Run(context.Background(), records); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for what, n := range d.Met {
		met[what] += n
	}
	if n := d.Counts.Applied + d.Counts.Skipped + d.Counts.Duplicates + d.Counts.Dead; n != len(records) {
		t.Errorf("%s: %d outcomes for %d records", name, n, len(records))
	}
	want, err := oracle.FoldHistory(c.Group(), records, window, d.History, coverage)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	rows := 0
	for i := range c.Group().Tables {
		table := &c.Group().Tables[i]
		if table.Class == ir.Ordered && o.Partitions > 1 {
			continue
		}
		got, err := s.Rows(context.Background(), table.Name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := oracle.Diff(table, want[table.Name], got); diff != "" {
			t.Fatalf("%s: %s", name, diff)
		}
		rows += len(got)
	}
	return rows
}

// poison is the share of events that fail: in two of three logs none do but those that can't be evaluated.
func poison(r *rand.Rand) float64 { return []float64{0, 0, 0.2}[r.IntN(3)] }
