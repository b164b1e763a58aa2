package mutation

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var (
	full = flag.Bool("full", false, "make every mutant, and print the table and all misses")
	seed = flag.Uint64("seed", 1, "of what is chosen at random")
)

// wanted is the least share of the mistakes that is found at the place, in percent: of all, and of each kind that open
// does not list.
const wanted = 97

// programs are the specs without errors.
func programs(t *testing.T) []string {
	t.Helper()
	const specs = "../../testdata/specs/"
	list := []string{specs + "everything", specs + "tickets", specs + "wallet"}
	for _, pattern := range []string{"compile-*", "CS[1-7]*/good.causet"} {
		found, err := filepath.Glob(specs + pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no specs match %s: %v", pattern, err)
		}
		list = append(list, found...)
	}
	return list
}

// TestMutants makes one mistake at a time and asks that lint finds nearly all.
func TestMutants(t *testing.T) {
	opts := Options{Programs: programs(t), Seed: *seed, Most: 2}
	if *full {
		opts.Most = 0
	}
	t.Logf("seed %d", *seed)
	results, err := Run(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if *full {
		Table(os.Stdout, results)
		Misses(os.Stdout, results)
	}
	for _, r := range results {
		if least, ok := open[r.Kind.Name]; !ok && r.Share() < wanted || r.Share() < least {
			t.Errorf("%s: %.0f%% of %d are found at their place; a miss: %+v", r.Kind.Name, r.Share(), r.Mutants, r.Misses[0])
		}
		if r.Mutants+r.Legal == 0 {
			t.Errorf("%s: no program can have this mistake", r.Kind.Name)
		}
	}
	total := Total(results)
	t.Logf("%d of %d mistakes of %d kinds are found at their place: %.1f%%", total.AtSpan, total.Mutants, len(results), total.Share())
	if total.Share() < least {
		t.Errorf("%.1f%% of all mistakes are found at their place, and %d%% are asked for", total.Share(), least)
	}
}
