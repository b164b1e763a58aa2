package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	official "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/causetc/causetc/analyzer/report/reporttest"
)

// faulty is a program with an error, a warning that is suppressed, and a fix.
const faulty = `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SOLD: { state: show, entity_expr: event.show_id, payload: { show_id: strin } }
projections:
  sales:
    source_events: [SOLD]
    target: { table: sales, primary_key: [show_id] }
    fields: { show_id: TEXT, n: BIGINT }
    derive: { show_id: event.payload.show_id }
    aggregates: { SOLD: { n: { op: add } } } # causetc:ignore CS601 -- a rough number is enough
`

// inFolder makes a folder with files, given as pairs of names and texts, and makes it the working directory.
func inFolder(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		file := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sarifOf reads a SARIF log and checks it by the official schema.
func sarifOf(t *testing.T, text string) *official.Run {
	t.Helper()
	log, err := official.FromString(text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	reporttest.CheckSARIF(t, []byte(text))
	return log.Runs[0]
}

// TestFormats prints one program in all formats.
func TestFormats(t *testing.T) {
	inFolder(t, "a.causet", faulty)
	causetc(t, "lint", "a.causet").want(t, exitFindings, "a.causet:4:72: error: ", "[CS209]\n  4 |", "fix: write string")
	causetc(t, "lint", "a.causet", "-f", "github").want(t, exitFindings, "::error file=a.causet,line=4,endLine=4,col=72,endColumn=77,title=CS209::unknown type")
	gitlab := causetc(t, "lint", "a.causet", "-f", "gitlab")
	var quality []map[string]any
	if err := json.Unmarshal([]byte(gitlab.stdout), &quality); err != nil || len(quality) != 1 || quality[0]["check_name"] != "CS209" {
		t.Errorf("%v: %s", err, gitlab.stdout)
	}
	r := causetc(t, "lint", "a.causet", "-f", "sarif")
	r.want(t, exitFindings)
	run := sarifOf(t, r.stdout)
	if len(run.Results) != 2 || *run.Results[0].RuleID != "CS209" || len(run.Results[0].Fixes) != 1 || len(run.Results[0].Suppressions) != 0 {
		t.Errorf("results %+v", run.Results)
	}
	if s := run.Results[1]; *s.RuleID != "CS601" || len(s.Suppressions) != 1 || *s.Suppressions[0].Justification != "a rough number is enough" {
		t.Errorf("the suppressed result: %+v", s)
	}
	for _, rule := range run.Tool.Driver.Rules {
		if !strings.Contains(*rule.Help.Markdown, "## Why") || !strings.Contains(*rule.Help.Text, "docs/rules/"+*rule.ID+".md") {
			t.Errorf("help of %s", *rule.ID)
		}
	}
}

// TestFlowInSARIF checks that the steps of a value become a code flow.
func TestFlowInSARIF(t *testing.T) {
	r := causetc(t, "lint", filepath.Join(specs, "CS501-nondeterministic-id", "bad.causet"), "--rule", "CS501", "-f", "sarif")
	run := sarifOf(t, r.stdout)
	flows := 0
	for _, res := range run.Results {
		if len(res.CodeFlows) > 0 && len(res.CodeFlows[0].ThreadFlows[0].Locations) > 1 {
			flows++
		}
	}
	if flows == 0 {
		t.Errorf("no flow in %d results", len(run.Results))
	}
}

// TestStableFingerprints checks that results keep their identity when lines are added above them, and in a renamed file.
func TestStableFingerprints(t *testing.T) {
	prints := func() (list []string) {
		for _, r := range sarifOf(t, causetc(t, "lint", ".", "-f", "sarif").stdout).Results {
			list = append(list, r.PartialFingerprints["causetc/v1"])
		}
		return list
	}
	dir := inFolder(t, "a.causet", faulty)
	was := strings.Join(prints(), " ")
	if err := os.Remove("a.causet"); err != nil {
		t.Fatal(err)
	}
	texts{"sub/b.causet": "# more\n\nresources: {}\n" + faulty}.write(t, dir)
	if now := strings.Join(prints(), " "); now != was || len(strings.Fields(was)) != 2 {
		t.Errorf("%s became %s", was, now)
	}
}

// TestOutput checks where reports go.
func TestOutput(t *testing.T) {
	inFolder(t, "a.causet", faulty)
	text := causetc(t, "lint", "a.causet").stdout
	r := causetc(t, "lint", "a.causet", "--format", "sarif", "--output", "out.sarif")
	r.want(t, exitFindings)
	if r.stdout != text {
		t.Errorf("beside the file: %s", r.stdout)
	}
	sarifOf(t, readFile(t, "out.sarif"))
	r = causetc(t, "lint", "a.causet", "--format", "github", "--output", "json=out.json")
	if !strings.HasPrefix(r.stdout, "::error ") || !json.Valid([]byte(readFile(t, "out.json"))) {
		t.Errorf("got %s and %s", r.stdout, readFile(t, "out.json"))
	}
	if r := causetc(t, "lint", "a.causet", "-o", "out.txt"); r.stdout != text || readFile(t, "out.txt") != text {
		t.Errorf("text: %s", r.stdout)
	}
	causetc(t, "lint", "a.causet", "-o", "none/out").want(t, exitUsage, "--output", "none")
	causetc(t, "lint", "a.causet", "-o", "sarif=").want(t, exitUsage, "name a file")
}

// TestQuietAndStatistics checks the short forms.
func TestQuietAndStatistics(t *testing.T) {
	inFolder(t, "a.causet", faulty+"    x: 1\n    y: 2\n")
	if r := causetc(t, "lint", "a.causet", "-q"); strings.Count(r.stdout, "\n") != 3 || strings.Contains(r.stdout, "|") {
		t.Errorf("quiet: %s", r.stdout)
	}
	r := causetc(t, "lint", "a.causet", "--statistics")
	r.want(t, exitFindings)
	if lines := strings.Split(r.stdout, "\n"); len(lines) != 3 || strings.Join(strings.Fields(lines[0]), " ") != "2 CS201 unknown-key" {
		t.Errorf("statistics: %q", lines)
	}
}

func TestSuppressionReport(t *testing.T) {
	inFolder(t, "a.causet", "# causetc:ignore-file CS303, CS302 -- another team's\n# causetc:ignore CS201\n"+faulty)
	r := causetc(t, "lint", ".", "--suppressions")
	r.want(t, exitClean)
	want := "a.causet:1:1: CS303, CS302 in the whole file (0 findings): another team's\n" +
		"a.causet:2:1: CS201 (0 findings): no reason given, so it does not count\n" +
		"a.causet:13:46: CS601 (1 finding): a rough number is enough\n"
	if r.stdout != want {
		t.Errorf("got\n%s\nwant\n%s", r.stdout, want)
	}
	var items []suppressedItem
	if err := json.Unmarshal([]byte(causetc(t, "lint", ".", "--suppressions", "-f", "json").stdout), &items); err != nil || len(items) != 3 {
		t.Fatalf("%v: %+v", err, items)
	}
	if i := items[2]; i.Count != 1 || i.Start.Line != 13 || i.Rules[0] != "CS601" || i.Whole {
		t.Errorf("got %+v", i)
	}
}
