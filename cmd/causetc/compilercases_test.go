package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/causetc/causetc/codegen"
)

// compilerWant is a line `# want-N RULE "regexp"` of a test spec: a finding that starts N lines above it.
var compilerWant = regexp.MustCompile(`(?m)^# want-(\d+) (CS\d{3}) (".*")$`)

// lintFinding is what the cases look at of a finding in JSON.
type lintFinding struct {
	Rule, Severity, Message string
	Start                   struct{ Line, Offset int }
}

// TestCompilerCases runs the test specs of the compiler's rules through lint: a bad one has the wanted errors and warnings and no
// others, a good one has none. A rule without specs can't be provoked by one.
func TestCompilerCases(t *testing.T) {
	for _, rule := range codegen.Rules() {
		if rule.ID == "CS999" {
			continue // a bug of the compiler, which no spec is known to reach
		}
		dir := filepath.Join(specs, rule.ID+"-"+rule.Name)
		for _, name := range []string{"bad.causet", "good.causet"} {
			t.Run(rule.ID+" "+name, func(t *testing.T) {
				text, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				if has := strings.Contains(string(text), " "+rule.ID+` "`); has != (name == "bad.causet") {
					t.Error("a bad spec wants a finding of its rule, and a good one none")
				}
				checkCompilerCase(t, string(text))
			})
		}
	}
}

func checkCompilerCase(t *testing.T, text string) {
	t.Helper()
	var out struct{ Findings []lintFinding }
	if r := causetcWith(t, text, "lint", "--format", "json", "-"); json.Unmarshal([]byte(r.stdout), &out) != nil {
		t.Fatalf("no JSON: %s%s", r.stdout, r.stderr)
	}
	found := slices.DeleteFunc(out.Findings, func(f lintFinding) bool { return f.Severity != "error" && f.Severity != "warning" })
	for _, m := range compilerWant.FindAllStringSubmatchIndex(text, -1) {
		above, _ := strconv.Atoi(text[m[2]:m[3]])
		line, rule := strings.Count(text[:m[0]], "\n")+1-above, text[m[4]:m[5]]
		message, err := strconv.Unquote(text[m[6]:m[7]])
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(found, func(f lintFinding) bool {
			return f.Rule == rule && f.Start.Line == line && regexp.MustCompile(message).MatchString(f.Severity+": "+f.Message)
		})
		if i < 0 {
			t.Errorf("line %d: no finding %s matching %q", line, rule, message)
			continue
		}
		found = slices.Delete(found, i, i+1)
	}
	for _, f := range found {
		t.Errorf("line %d: unexpected finding %s: %s", f.Start.Line, f.Rule, f.Message)
	}
}

// TestOneRootCause lints every test spec: where the compiler finds an error, no other rule has found anything but a hint. What the
// analyzer calls an error is left to it.
func TestOneRootCause(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(specs, "CS*", "*.causet"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no test specs: %v", err)
	}
	compiler := 0
	for _, file := range files {
		var out struct{ Findings []lintFinding }
		if r := causetc(t, "lint", "--format", "json", file); json.Unmarshal([]byte(r.stdout), &out) != nil {
			t.Fatalf("%s: no JSON: %s%s", file, r.stdout, r.stderr)
		}
		rules := map[int]string{} // of errors and warnings, by the offset where they start
		for _, f := range out.Findings {
			if (f.Severity == "error" || f.Severity == "warning") && f.Rule < "CS900" {
				rules[f.Start.Offset] = f.Rule
			}
		}
		for _, f := range out.Findings {
			if f.Rule < "CS900" {
				continue
			}
			compiler++
			if other := rules[f.Start.Offset]; other != "" {
				t.Errorf("%s: %s and %s are found at one place: %s", file, other, f.Rule, f.Message)
			}
		}
	}
	if compiler < 10 {
		t.Errorf("only %d findings of the compiler", compiler)
	}
}
