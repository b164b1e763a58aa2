package report_test

import (
	"bytes"
	"strings"
	"testing"

	official "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/causetc/causetc/analyzer/report"
	"github.com/causetc/causetc/analyzer/report/reporttest"
	"github.com/causetc/causetc/spec"
)

func sarif(t *testing.T, set *spec.FileSet, run report.Run) (string, official.Run) {
	t.Helper()
	var b bytes.Buffer
	if err := report.SARIF(&b, set, run); err != nil {
		t.Fatal(err)
	}
	reporttest.CheckSARIF(t, b.Bytes())
	log, err := official.FromBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), *log.Runs[0]
}

func TestSARIF(t *testing.T) {
	set, at := in("a b/ü.causet", "n: 😀 uuid() # <\r\nm: two\n")
	doc := spec.RuleDoc{ID: "CS501", Name: "nondeterministic-id", Title: "T", Why: "W", Fix: "F", Severity: spec.Error, Since: "0.1.0"}
	find := spec.Diagnostic{
		Rule: "CS501", Severity: spec.Hint, Span: at("uuid()"), Message: "a < b",
		Related: []spec.Related{{Span: at("two"), Message: "here"}}, Flow: []spec.Related{{Span: at("n"), Message: "there"}, {Span: at("two"), Message: "sink"}},
		Fixes: []spec.Fix{{Message: "fix", Unsafe: true, Edits: []spec.Edit{{Span: at("uuid()"), New: ""}, {Span: at("two"), New: "2"}}}},
	}
	again := find
	again.Span = at("two")
	text, run := sarif(t, set, report.Run{
		Version: "1.2.3", Rules: []spec.RuleDoc{{ID: "CS101"}, doc}, Findings: []spec.Diagnostic{find, {Rule: "CS900", Severity: spec.Info, Message: "nowhere"}},
		Suppressed: []report.Suppressed{{Finding: again, By: spec.Suppression{Span: at("# <"), Reason: "because"}}},
	})
	if !strings.Contains(text, "a < b") || !strings.Contains(text, `"columnKind": "unicodeCodePoints"`) {
		t.Error(text)
	}
	if len(run.Tool.Driver.Rules) != 1 || run.Tool.Driver.Rules[0].Help.Markdown == nil || run.Tool.Driver.Rules[0].DefaultConfiguration.Level != "error" {
		t.Errorf("rules %+v", run.Tool.Driver.Rules)
	}
	r := run.Results[0]
	where := r.Locations[0].PhysicalLocation
	if uri := *where.ArtifactLocation.URI; uri != "a%20b/%C3%BC.causet" {
		t.Errorf("URI %s", uri)
	}
	if g := where.Region; *g.StartLine != 1 || *g.StartColumn != 6 || *g.EndLine != 1 || *g.EndColumn != 12 {
		t.Errorf("region %d:%d-%d:%d", *g.StartLine, *g.StartColumn, *g.EndLine, *g.EndColumn)
	}
	if r.Level != "note" || r.RuleIndex != 0 || len(r.Suppressions) != 0 || *r.RelatedLocations[0].Message.Text != "here" {
		t.Errorf("result %+v", r)
	}
	if hops := r.CodeFlows[0].ThreadFlows[0].Locations; len(hops) != 2 || *hops[1].Location.Message.Text != "sink" {
		t.Errorf("flow %+v", hops)
	}
	if c := r.Fixes[0].ArtifactChanges; len(c) != 1 || len(c[0].Replacements) != 2 || !strings.Contains(*r.Fixes[0].Description.Text, "may change") {
		t.Errorf("fix %+v", r.Fixes[0])
	}
	if nowhere := run.Results[1]; len(nowhere.Locations) != 0 || nowhere.Level != "note" {
		t.Errorf("without a place: %+v", nowhere)
	}
	s := run.Results[2].Suppressions
	if len(s) != 1 || *s[0].Kind != "inSource" || *s[0].Justification != "because" || *s[0].Location.PhysicalLocation.Region.StartColumn != 13 {
		t.Errorf("suppressions %+v", s)
	}
}

// TestSARIFPaths checks that every path of a file becomes a URI that the schema takes.
func TestSARIFPaths(t *testing.T) {
	for path, want := range map[string]string{
		"../up/a.causet": "../up/a.causet", "/abs/a b": "file:///abs/a%20b", "C:/x": "file:///C:/x", "a:b/c": "a%3Ab/c", "<stdin>": "%3Cstdin%3E", "50%": "50%25",
	} {
		set, at := in(path, "x: y\n")
		_, run := sarif(t, set, report.Run{Findings: []spec.Diagnostic{{Rule: "CS101", Severity: spec.Error, Span: at("y"), Message: "m"}}})
		if uri := *run.Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI; uri != want {
			t.Errorf("%s: %s, want %s", path, uri, want)
		}
	}
}

func TestSARIFOfNothing(t *testing.T) {
	text, _ := sarif(t, &spec.FileSet{}, report.Run{})
	if !strings.Contains(text, `"results": []`) {
		t.Error("results is no list")
	}
}

// prints returns the fingerprints of findings on the tokens of a text.
func prints(t *testing.T, path, text string, tokens ...string) []string {
	t.Helper()
	set, at := in(path, text)
	var list []spec.Diagnostic
	for _, token := range tokens {
		list = append(list, spec.Diagnostic{Rule: "CS101", Span: at(token), Message: "m"})
	}
	return report.Fingerprints(set, list)
}

// TestFingerprints checks what an identity survives, and what it tells apart.
func TestFingerprints(t *testing.T) {
	const text = "a:\n  x: ONE\nb:\n  - x: TWO\n    y: THREE\n"
	was := prints(t, "f", text, "ONE", "TWO", "THREE")
	if was[0] == was[1] || was[1] == was[2] || was[0] == was[2] {
		t.Errorf("not told apart: %v", was)
	}
	for what, now := range map[string]string{
		"lines above":  "# new\n\nc:\n  z: 1\n" + text,
		"moved":        "b:\n  - x: TWO\n    y: THREE\na:\n  x: ONE\n",
		"other indent": "a:\n      x:   ONE\n\nb:\n- x: TWO\n  y: THREE\n",
		"CRLF":         strings.ReplaceAll(text, "\n", "\r\n"),
		"comments":     "a:\n  # ONE of them\n  x: ONE\nb:\n# none\n  - x: TWO\n\n    y: THREE\n",
	} {
		if what == "comments" {
			now = strings.Replace(now, "ONE of them", "some", 1)
		}
		got := prints(t, "renamed", now, "ONE", "TWO", "THREE")
		for i := range was {
			if got[i] != was[i] {
				t.Errorf("%s: finding %d is another", what, i)
			}
		}
	}
}
