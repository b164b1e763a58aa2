package mutation

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	full = flag.Bool("full", false, "make every mutant, and print the table and all misses")
	seed = flag.Uint64("seed", 1, "of what is chosen at random")
	file = flag.String("table", "", "with -full: also write the table and the misses to this file")
	only = flag.String("only", "", "take the specs whose folder begins with this")
)

// What share of the mistakes is found at the place, in percent, at least: of all, and of each kind that open does not
// list, for which a single miss is no proof.
const (
	wanted     = 97
	wantedKind = 90
)

// programs are the specs without errors: the applications, and those of the rules too.
func programs(t *testing.T, rules bool) []string {
	t.Helper()
	const specs = "../../testdata/specs/"
	list := []string{specs + "everything", specs + "tickets", specs + "wallet"}
	patterns := []string{"compile-*"}
	if rules {
		patterns = append(patterns, "CS[1-7]*/good.causet")
	}
	for _, pattern := range patterns {
		found, err := filepath.Glob(specs + pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no specs match %s: %v", pattern, err)
		}
		list = append(list, found...)
	}
	return slices.DeleteFunc(list, func(path string) bool { return !strings.HasPrefix(path, specs+*only) })
}

// TestMutants makes one mistake at a time and asks that lint finds nearly all.
func TestMutants(t *testing.T) {
	opts := Options{Programs: programs(t, *full), Seed: *seed, Most: 4}
	switch {
	case *full:
		opts.Most = 0
	case testing.Short():
		opts.Most = 1
	}
	t.Logf("seed %d", *seed)
	results, err := Run(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if *full {
		printResults(t, results)
	}
	for _, r := range results {
		least, ok := open[r.Kind.Name]
		if !ok {
			least = wantedKind
		}
		if r.Share() < least && r.Mutants-r.AtSpan > 1 {
			t.Errorf("%s: %.0f%% of %d are found at their place; a miss: %+v", r.Kind.Name, r.Share(), r.Mutants, r.Misses[0])
		}
		if r.Mutants+r.Legal == 0 && *only == "" {
			t.Errorf("%s: no program can have this mistake", r.Kind.Name)
		}
	}
	total := Total(results)
	t.Logf("%d of %d mistakes of %d kinds are found at their place: %.1f%%", total.AtSpan, total.Mutants, len(results), total.Share())
	if total.Share() < wanted {
		t.Errorf("%.1f%% of all mistakes are found at their place, and %d%% are asked for", total.Share(), wanted)
	}
}

// printResults prints the table and the misses, and keeps them where a file is named.
func printResults(t *testing.T, results []*Result) {
	t.Helper()
	var text bytes.Buffer
	Table(&text, results)
	Misses(&text, results)
	_, _ = os.Stdout.Write(text.Bytes())
	if *file == "" {
		return
	}
	if err := os.WriteFile(*file, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
