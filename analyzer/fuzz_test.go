package analyzer_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/parser"
)

// FuzzRun checks that no program makes the analysis fail, and that every finding has a place, a rule and a message.
func FuzzRun(f *testing.F) {
	for _, doc := range analyzer.Rules() {
		f.Add(doc.Bad)
		f.Add(doc.Good)
	}
	if text, err := os.ReadFile("../testdata/specs/CS501-nondeterministic-id/bad.causet"); err == nil {
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parser.Load(context.Background(), parser.Options{Args: []string{"-"}, Stdin: strings.NewReader(text)})
		if err != nil {
			t.Skip()
		}
		for _, opts := range []analyzer.Options{{}, {Target: analysis.Causetc, Binding: true}} {
			for _, d := range run(t, r, opts) {
				if !d.Span.IsValid() || d.Rule == "" || d.Message == "" || d.Severity == 0 {
					t.Errorf("incomplete finding: %+v", d)
				}
				for _, hop := range d.Flow {
					if !hop.Span.IsValid() || hop.Message == "" {
						t.Errorf("incomplete step of %s: %+v", d.Rule, hop)
					}
				}
				for _, rel := range d.Related {
					if !rel.Span.IsValid() || rel.Message == "" {
						t.Errorf("incomplete related place of %s: %+v", d.Rule, rel)
					}
				}
			}
		}
	})
}
