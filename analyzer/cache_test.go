package analyzer_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/analyzer/report"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// edit changes one file of a folder, or adds, renames or removes one.
func edit(t *testing.T, r *rand.Rand, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.causet"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	file := files[r.IntN(len(files))]
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	at := r.IntN(len(lines))
	switch other := filepath.Join(dir, fmt.Sprintf("%08x.causet", r.Uint32())); r.IntN(6) {
	case 0:
		err = os.Remove(file)
	case 1:
		err = os.Rename(file, other)
	case 2:
		err = os.WriteFile(other, text, 0o600)
	case 3:
		err = os.WriteFile(file, []byte(strings.Join(slices.Delete(lines, at, at+1), "")), 0o600)
	default:
		err = os.WriteFile(file, []byte(strings.Join(slices.Insert(lines, at, "# ü\n"), "")), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// judged returns all that comes of a program, and its files.
func judged(t *testing.T, dir string, cache *parser.Cache) (string, []*spec.File) {
	t.Helper()
	r, err := parser.Load(context.Background(), parser.Options{Args: []string{dir}, Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	o, err := analyzer.Judge(context.Background(), r, analyzer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := report.JSON(&b, r.Program.Set, o.Findings); err != nil {
		t.Fatal(err)
	}
	for _, s := range o.Suppressed {
		if err := report.JSON(&b, r.Program.Set, []spec.Diagnostic{s.Finding}); err != nil {
			t.Fatal(err)
		}
	}
	return b.String(), r.Program.Set.Files()
}

// TestCache edits a program at random: what is found with the parts of earlier loads is what is found without, and files
// that did not change are the same ones.
func TestCache(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	dir := t.TempDir()
	for i, text := range manyFiles(t) {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%02d.causet", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cache := &parser.Cache{}
	_, before := judged(t, dir, cache)
	for range 12 {
		const edits = 3
		for range edits {
			edit(t, random, dir)
		}
		got, after := judged(t, dir, cache)
		if want, _ := judged(t, dir, nil); got != want {
			t.Fatalf("with what is known of files:\n%s\n--- instead of ---\n%s", got, want)
		}
		same := 0
		for _, f := range after {
			if slices.Contains(before, f) {
				same++
			}
		}
		if same < len(after)-edits {
			t.Errorf("%d of %d files are the same after %d edits", same, len(after), edits)
		}
		before = after
	}
}
