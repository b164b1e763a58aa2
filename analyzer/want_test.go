package analyzer_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/report"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// want is what a comment of a test spec expects: a finding of a rule that starts on a line.
type want struct {
	line    int
	rule    string
	message *regexp.Regexp
	token   string // the exact text of its span, empty for any
	met     bool
}

// wantComment is `# want RULE "regexp" @"token"`, any number of them behind one want; want+1 means the next line.
var (
	wantComment = regexp.MustCompile(`# want([+-]\d+)? (.*)$`)
	oneWant     = regexp.MustCompile(`^\s*(CS\d{3})\s+("(?:[^"\\]|\\.)*")(?:\s+@("(?:[^"\\]|\\.)*"))?`)
	targetLine  = regexp.MustCompile(`(?m)^# target: (\w+)$`)
)

func parseWants(t *testing.T, text string) []*want {
	t.Helper()
	var wants []*want
	for i, line := range strings.Split(text, "\n") {
		m := wantComment.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		shift, _ := strconv.Atoi(m[1])
		rest := m[2]
		for strings.TrimSpace(rest) != "" {
			w := oneWant.FindStringSubmatch(rest)
			if w == nil {
				t.Fatalf("line %d: cannot read the want %q", i+1, rest)
			}
			rest = rest[len(w[0]):]
			wants = append(wants, &want{line: i + 1 + shift, rule: w[1], message: regexp.MustCompile(unquote(t, w[2])), token: unquote(t, w[3])})
		}
	}
	return wants
}

func unquote(t *testing.T, s string) string {
	t.Helper()
	if s == "" {
		return ""
	}
	u, err := strconv.Unquote(s)
	if err != nil {
		t.Fatalf("cannot read %s: %v", s, err)
	}
	return u
}

// load reads a spec from a text.
func load(t testing.TB, text string) *parser.Result {
	t.Helper()
	r, err := parser.Load(context.Background(), parser.Options{Args: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// run judges a loaded program.
func run(t testing.TB, r *parser.Result, opts analyzer.Options) []spec.Diagnostic {
	t.Helper()
	found, err := analyzer.Run(context.Background(), r, opts)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func printed(r *parser.Result, found []spec.Diagnostic) string {
	var b bytes.Buffer
	if err := report.Text(&b, r.Program.Set, found, report.TextOptions{}); err != nil {
		return err.Error()
	}
	return b.String()
}

func specCases(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/specs/CS[1-8]*/*.causet") // CS9xx are found by the compiler, which cmd/causetc tests
	if err != nil || len(files) == 0 {
		t.Fatalf("no test specs: %v", err)
	}
	return files
}

// TestWants runs every test spec of a rule: each want is met, and nothing else is reported.
func TestWants(t *testing.T) {
	for _, file := range specCases(t) {
		t.Run(filepath.ToSlash(strings.TrimPrefix(file, "../testdata/specs/")), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var opts analyzer.Options
			if m := targetLine.FindSubmatch(text); m != nil {
				opts.Target = analysis.Target(m[1])
			}
			r := load(t, string(text))
			wants := parseWants(t, string(text))
			checkWants(t, r, relevant(run(t, r, opts), ruleOf(file), wants), wants)
		})
	}
}

// ruleOf returns the rule that a test spec is about, which its folder begins with.
func ruleOf(file string) string { return filepath.Base(filepath.Dir(file))[:len("CS000")] }

// relevant leaves out hints and the like of rules that a test spec is not about.
func relevant(found []spec.Diagnostic, rule string, wants []*want) []spec.Diagnostic {
	return slices.DeleteFunc(found, func(d spec.Diagnostic) bool {
		return d.Severity < spec.Warning && d.Rule != rule && !slices.ContainsFunc(wants, func(w *want) bool { return w.rule == d.Rule })
	})
}

func checkWants(t *testing.T, r *parser.Result, found []spec.Diagnostic, wants []*want) {
	t.Helper()
	for _, d := range found {
		f := r.Program.Set.File(d.Span.Start)
		line := f.Position(d.Span.Start).Line
		token := string(f.Text[f.Offset(d.Span.Start):f.Offset(d.Span.End)])
		i := slices.IndexFunc(wants, func(w *want) bool {
			return !w.met && w.line == line && w.rule == d.Rule && w.message.MatchString(wholeText(r, d)) && (w.token == "" || w.token == token)
		})
		if i < 0 {
			t.Errorf("unexpected finding at %q:\n%s", token, printed(r, []spec.Diagnostic{d}))
			continue
		}
		wants[i].met = true
	}
	for _, w := range wants {
		if !w.met {
			t.Errorf("line %d: no finding %s matching %q at %q", w.line, w.rule, w.message, w.token)
		}
	}
}

// wholeText is what a want is matched against: severity and message, then the flow, " -> " before each step.
func wholeText(_ *parser.Result, d spec.Diagnostic) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", d.Severity, d.Message)
	for _, hop := range d.Flow {
		b.WriteString(" -> " + hop.Message)
	}
	return b.String()
}

// elsewhere are the rules without test specs of one file, with the reason.
var elsewhere = map[string]string{
	"CS110": "needs a manifest whose file is missing: parser/load_test.go",
	"CS111": "needs a manifest with a file outside of its folder: parser/load_test.go",
	"CS112": "needs a manifest with a folder: parser/load_test.go",
	"CS114": "needs a file beside a manifest that leaves it out: parser/load_test.go",
}

// TestEveryRuleHasCases holds the rules of the parser and of the analyzer to their test specs.
func TestEveryRuleHasCases(t *testing.T) {
	for _, doc := range analyzer.Rules() {
		dir := filepath.Join("../testdata/specs", doc.ID+"-"+doc.Name)
		if elsewhere[doc.ID] != "" {
			if _, err := os.Stat(dir); err == nil {
				t.Errorf("%s has cases, and is said to have none", doc.ID)
			}
			continue
		}
		for _, name := range []string{"bad.causet", "good.causet"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Errorf("%s: %v", doc.ID, err)
				continue
			}
			has := strings.Contains(string(text), doc.ID+` "`)
			if has != (name == "bad.causet") {
				t.Errorf("%s/%s: a bad spec wants a finding of its rule, and a good one none", dir, name)
			}
		}
	}
}

// TestDocExamples runs the examples of all rules of the analyzer: the bad one has the finding, and the good one none at
// all.
func TestDocExamples(t *testing.T) {
	for _, doc := range analyzer.Rules() {
		if doc.ID < "CS300" {
			continue
		}
		t.Run(doc.ID, func(t *testing.T) {
			bad := load(t, doc.Bad)
			found := run(t, bad, analyzer.Options{})
			if !slices.ContainsFunc(found, func(d spec.Diagnostic) bool { return d.Rule == doc.ID }) {
				t.Errorf("the bad example has no finding of its rule:\n%s", printed(bad, found))
			}
			for _, d := range found {
				if d.Rule != doc.ID && d.Severity >= spec.Warning && !strings.HasPrefix(doc.ID, "CS8") && d.Rule != "CS407" {
					t.Errorf("the bad example has another finding:\n%s", printed(bad, []spec.Diagnostic{d}))
				}
			}
			good := load(t, doc.Good)
			if found := relevant(run(t, good, analyzer.Options{}), doc.ID, nil); len(found) > 0 {
				t.Errorf("the good example has findings:\n%s", printed(good, found))
			}
		})
	}
}

// TestRuleDocs checks that every rule says all that people and report formats need.
func TestRuleDocs(t *testing.T) {
	ids, names := map[string]bool{}, map[string]bool{}
	for _, d := range analyzer.Rules() {
		if ids[d.ID] || names[d.Name] {
			t.Errorf("%s %s: id or name given twice", d.ID, d.Name)
		}
		ids[d.ID], names[d.Name] = true, true
		for what, text := range map[string]string{"name": d.Name, "title": d.Title, "why": d.Why, "bad": d.Bad, "good": d.Good, "fix": d.Fix, "since": d.Since} {
			if text == "" {
				t.Errorf("%s has no %s", d.ID, what)
			}
		}
		if d.Severity == 0 || !regexp.MustCompile(`^CS\d{3}$`).MatchString(d.ID) {
			t.Errorf("%s: severity %d", d.ID, d.Severity)
		}
	}
}

// TestFixes applies every fix of every finding in the test specs: the finding is gone then, and nothing can't be read.
func TestFixes(t *testing.T) {
	applied := 0
	for _, file := range specCases(t) {
		if ruleOf(file) < "CS300" {
			continue // the parser's own tests make its fixes
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := load(t, string(text))
		for _, d := range run(t, r, analyzer.Options{}) {
			if d.Rule < "CS300" {
				continue
			}
			for _, fix := range d.Fixes {
				applied++
				mended := load(t, apply(r.Program.Set, string(text), fix))
				for _, again := range run(t, mended, analyzer.Options{}) {
					if again.Rule < "CS300" || again.Rule == d.Rule && again.Message == d.Message && again.Span.Start == d.Span.Start {
						t.Errorf("%s: the fix %q of\n%sleaves\n%s", file, fix.Message, printed(r, []spec.Diagnostic{d}), printed(mended, []spec.Diagnostic{again}))
					}
				}
			}
		}
	}
	if applied < 20 {
		t.Errorf("only %d fixes were applied", applied)
	}
}

// apply makes the edits of a fix, the last first.
func apply(set *spec.FileSet, text string, fix spec.Fix) string {
	edits := slices.Clone(fix.Edits)
	slices.SortFunc(edits, func(a, b spec.Edit) int { return int(b.Span.Start - a.Span.Start) })
	for _, e := range edits {
		f := set.File(e.Span.Start)
		text = text[:f.Offset(e.Span.Start)] + e.New + text[f.Offset(e.Span.End):]
	}
	return text
}
