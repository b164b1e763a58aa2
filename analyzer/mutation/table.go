package mutation

import (
	"fmt"
	"io"
	"strings"

	"github.com/causetc/causetc/spec"
)

func place(path string, pos spec.Position) string {
	return fmt.Sprintf("%s:%d:%d", strings.TrimPrefix(path, "../../testdata/specs/"), pos.Line, pos.Column)
}

// position returns where a finding stands in the mutant.
func (p *program) position(m *Mutant, f finding) spec.Position {
	for _, file := range p.spec.Set.Files() {
		if file.Path != f.file {
			continue
		}
		text := file.Text
		if file == m.File {
			text = m.text()
		}
		set := &spec.FileSet{}
		return set.Add(f.file, text).Position(spec.Pos(1 + f.from))
	}
	return spec.Position{}
}

// Total adds up results.
func Total(results []*Result) Result {
	var t Result
	for _, r := range results {
		t.Mutants += r.Mutants
		t.Found += r.Found
		t.AtSpan += r.AtSpan
		t.Legal += r.Legal
	}
	return t
}

// Share is the part of the mistakes that are found at their place, in percent; 100 where there are none.
func (r *Result) Share() float64 {
	if r.Mutants == 0 {
		return 100
	}
	return 100 * float64(r.AtSpan) / float64(r.Mutants)
}

// Table prints results by kind.
func Table(w io.Writer, results []*Result) {
	_, _ = fmt.Fprintf(w, "%-44s %8s %8s %8s %8s %7s\n", "kind", "mutants", "found", "at span", "share", "legal")
	for _, r := range results {
		_, _ = fmt.Fprintf(w, "%-44s %8d %8d %8d %7.1f%% %7d\n", r.Kind.Name, r.Mutants, r.Found, r.AtSpan, r.Share(), r.Legal)
	}
	t := Total(results)
	_, _ = fmt.Fprintf(w, "%-44s %8d %8d %8d %7.1f%% %7d\n", "all", t.Mutants, t.Found, t.AtSpan, t.Share(), t.Legal)
}

// Misses prints every mistake that is not found at its place, by kind with the rule that it breaks.
func Misses(w io.Writer, results []*Result) {
	for _, r := range results {
		if len(r.Misses) == 0 {
			continue
		}
		_, _ = fmt.Fprintf(w, "\n%s: %d of %d missed. Rule: %s.\n", r.Kind.Name, len(r.Misses), r.Mutants, r.Kind.Rule)
		for _, m := range r.Misses {
			_, _ = fmt.Fprintf(w, "  %s: %s\n", m.Place, m.Label)
			if m.Found != "" {
				_, _ = fmt.Fprintf(w, "    only at %s\n", m.Found)
			}
		}
	}
}
