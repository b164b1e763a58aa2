package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// existing is a program with many findings, as one that was written before lint was used.
func existing(n int) string {
	var b strings.Builder
	b.WriteString("state:\n  show: { entity_key: show_id, fields: { title: string } }\nevents:\n")
	for i := range n {
		fmt.Fprintf(&b, "  SOLD_%03d:\n    state: show\n    entity_expr: event.show_id\n    payload: { show_id: strin }\n", i)
	}
	return b.String()
}

// TestAdoption brings a program with 200 findings under lint as the documentation says, and then makes one new fault.
func TestAdoption(t *testing.T) {
	inFolder(t, "specs/a.causet", existing(120), "specs/b.causet", strings.ReplaceAll(existing(80), "SOLD", "LENT")[len("state:\n  show: { entity_key: show_id, fields: { title: string } }\n"):])
	if r := causetc(t, "lint", "specs", "--statistics"); !strings.Contains(r.stdout, "200") {
		t.Fatalf("want 200 findings: %s", r.stdout)
	}
	causetc(t, "lint", "specs", "--write-baseline", "base.json").want(t, exitClean, "200 findings in base.json")
	clean := func(what string) {
		t.Helper()
		for _, format := range lintFormats {
			if r := causetc(t, "lint", "specs", "--baseline", "base.json", "-f", format); r.code != exitClean || r.stderr != "" || format == "text" && r.stdout != "" {
				t.Errorf("%s, %s: exit code %d, %s%s", what, format, r.code, r.stdout, r.stderr)
			}
		}
	}
	clean("nothing has changed")
	text := readFile(t, "specs/a.causet")
	set := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set("specs/a.causet", "# new\n\n"+strings.ReplaceAll(text, "    state", "    # which\n    state"))
	clean("lines are added")
	if err := os.Rename("specs/b.causet", "specs/renamed.causet"); err != nil {
		t.Fatal(err)
	}
	clean("a file is renamed")

	set("specs/a.causet", text+"  NEW: { state: show, entity_expr: event.show_id, payload: { show_id: string, n: intger } }\n")
	r := causetc(t, "lint", "specs", "--baseline", "base.json", "-q")
	r.want(t, exitFindings)
	if strings.Count(r.stdout, "\n") != 1 || !strings.HasPrefix(r.stdout, "specs/a.causet:484:82: error: ") || r.stderr != "" {
		t.Errorf("text: %s%s", r.stdout, r.stderr)
	}
	r = causetc(t, "lint", "specs", "--baseline", "base.json", "-f", "sarif")
	if results := sarifOf(t, r.stdout).Results; r.code != exitFindings || len(results) != 1 || *results[0].Locations[0].PhysicalLocation.Region.StartLine != 484 {
		t.Errorf("SARIF: exit code %d, %d results", r.code, len(results))
	}
	r = causetc(t, "lint", "specs", "--baseline", "base.json", "-f", "github")
	if r.code != exitFindings || strings.Count(r.stdout, "\n") != 1 || !strings.HasPrefix(r.stdout, "::error file=specs/a.causet,line=484,") {
		t.Errorf("GitHub: exit code %d, %s", r.code, r.stdout)
	}
}

// TestBaselineShrinks checks that what is mended is told, that it counts when it comes back, and how the file is renewed.
func TestBaselineShrinks(t *testing.T) {
	inFolder(t, "a.causet", existing(3))
	causetc(t, "lint", "--write-baseline", "base.json").want(t, exitClean)
	text := existing(3)
	mended := strings.Replace(text, "strin ", "string ", 1)
	if err := os.WriteFile("a.causet", []byte(mended), 0o600); err != nil {
		t.Fatal(err)
	}
	r := causetc(t, "lint", "--baseline", "base.json")
	r.want(t, exitClean, "base.json: 1 finding of the baseline", "--write-baseline base.json", `a.causet: unknown type "strin"`, "[CS209]")
	if r.stdout != "" {
		t.Errorf("on standard output: %s", r.stdout)
	}
	causetc(t, "lint", "--baseline", "base.json", "--rule", "CS209=off").want(t, exitClean, "1 finding of the baseline")
	causetc(t, "lint", "--baseline", "base.json", "--write-baseline", "base.json").want(t, exitClean, "2 findings in base.json")
	if err := os.WriteFile("a.causet", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	causetc(t, "lint", "--baseline", "base.json").want(t, exitFindings, "a.causet:7:25: error:")
}

func TestBaselineFiles(t *testing.T) {
	inFolder(t, "a.causet", existing(1), "wrong.json", "{}", "sub/x", "")
	causetc(t, "lint", "--baseline", "none.json").want(t, exitUsage, "--baseline", "none.json")
	causetc(t, "lint", "--baseline", "wrong.json").want(t, exitUsage, "version 0")
	causetc(t, "lint", "--write-baseline", "none/base.json").want(t, exitUsage, "--write-baseline")
	causetc(t, "lint", "--write-baseline", "base.json")
	first := readFile(t, "base.json")
	causetc(t, "lint", "--write-baseline", "base.json")
	if readFile(t, "base.json") != first {
		t.Error("the same findings make another file")
	}
	t.Chdir("sub")
	causetc(t, "lint", "..", "--baseline", "../base.json").want(t, exitClean)
}
