package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer/report"
	"github.com/causetc/causetc/spec"
)

func github(t *testing.T, set *spec.FileSet, list []spec.Diagnostic) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.GitHub(&b, set, list); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGitHub(t *testing.T) {
	set, at := in("a,b/c:d.causet", "n: 😀 uuid()\nm: x\n")
	got := github(t, set, []spec.Diagnostic{
		{Rule: "CS501", Severity: spec.Error, Span: at("uuid()"), Message: "50% of\r\nwhat: a, b"},
		{Rule: "CS101", Severity: spec.Warning, Span: spec.Span{Start: at("uuid()").Start, End: at("x").End}, Message: "two lines"},
		{Rule: "CS102", Severity: spec.Hint, Message: "nowhere"},
	})
	want := "::error file=a%2Cb/c%3Ad.causet,line=1,endLine=1,col=6,endColumn=12,title=CS501::50%25 of%0D%0Awhat: a, b\n" +
		"::warning file=a%2Cb/c%3Ad.causet,line=1,endLine=2,title=CS101::two lines\n" +
		"::notice title=CS102::nowhere\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestGitHubLimits checks that nothing is lost silently: what is over the limit is in the log, and a notice says so.
func TestGitHubLimits(t *testing.T) {
	set, at := in("::error::x", "a: b\n")
	var list []spec.Diagnostic
	for i := range 12 {
		list = append(list, spec.Diagnostic{Rule: "CS101", Severity: spec.Error, Span: at("b"), Message: fmt.Sprint("e", i)})
	}
	for i := range 10 {
		list = append(list, spec.Diagnostic{Rule: "CS101", Severity: spec.Info, Span: at("b"), Message: fmt.Sprint("i", i)})
	}
	list[0].Message = strings.Repeat("long", 100_000)
	got := github(t, set, list)
	counts := map[string]int{}
	for line := range strings.Lines(got) {
		level, _, _ := strings.Cut(line, " ")
		counts[level]++
		if len(line) > 12_000 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	if counts["::error"] != 10 || counts["::notice"] != 10 {
		t.Errorf("annotations %v", counts)
	}
	for _, want := range []string{"./::error::x:1:4: error: e11 [CS101]\n", "./::error::x:1:4: info: i9 [CS101]\n", "::notice title=causetc::2 more errors, 1 more notice in the log"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got[len(got)-2000:])
		}
	}
}

func TestGitLab(t *testing.T) {
	set, at := in("a/b.causet", "n: x\nm: x\n")
	list := []spec.Diagnostic{
		{Rule: "CS501", Severity: spec.Error, Span: at("m"), Message: "a < b"}, {Rule: "CS501", Severity: spec.Error, Span: at("m"), Message: "a < b"},
		{Rule: "CS101", Severity: spec.Hint, Message: "nowhere"},
	}
	var b bytes.Buffer
	if err := report.GitLab(&b, set, list); err != nil {
		t.Fatal(err)
	}
	var out []struct {
		Description, Fingerprint, Severity string
		Check                              string `json:"check_name"`
		Location                           struct {
			Path  string
			Lines struct{ Begin, End int }
		}
	}
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	if f := out[0]; f.Description != "a < b" || f.Check != "CS501" || f.Severity != "critical" || f.Location.Path != "a/b.causet" || f.Location.Lines.Begin != 2 {
		t.Errorf("got %+v", f)
	}
	if out[0].Fingerprint == out[1].Fingerprint || len(out[0].Fingerprint) != 32 {
		t.Errorf("fingerprints %s, %s", out[0].Fingerprint, out[1].Fingerprint)
	}
	b.Reset()
	if err := report.GitLab(&b, set, nil); err != nil || b.String() != "[]\n" {
		t.Errorf("nothing: %q, %v", b.String(), err)
	}
}
