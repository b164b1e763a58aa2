package report_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/causetc/causetc/analyzer/report"
	"github.com/causetc/causetc/spec"
)

// in returns a file set with one file, and a function that finds the span of a text in it.
func in(path, text string) (*spec.FileSet, func(string) spec.Span) {
	set := &spec.FileSet{}
	f := set.Add(path, []byte(text))
	return set, func(s string) spec.Span {
		i := strings.Index(text, s)
		return f.Span(i, i+len(s))
	}
}

func text(t *testing.T, set *spec.FileSet, opts report.TextOptions, list ...spec.Diagnostic) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Text(&b, set, list, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	set, at := in("a/b.causet", "x: 1\nid: uuid()\nkey: [id]\n")
	got := text(t, set, report.TextOptions{}, spec.Diagnostic{
		Rule: "CS501", Severity: spec.Error, Span: at("uuid()"), Message: "no",
		Flow:    []spec.Related{{Span: at("uuid()"), Message: "starts"}, {Span: at("[id]"), Message: "ends"}},
		Related: []spec.Related{{Span: at("key"), Message: "this one"}},
		Fixes:   []spec.Fix{{Message: "write event.ts"}},
	})
	want := `a/b.causet:2:5: error: no [CS501]
  2 | id: uuid()
    |     ^^^^^^
    1. a/b.causet:2:5: starts
    2. a/b.causet:3:6: ends
    see a/b.causet:3:1: this one
    fix: write event.ts
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestTextOptions(t *testing.T) {
	set, at := in("f", "a: b\n")
	d := spec.Diagnostic{Rule: "CS101", Severity: spec.Warning, Span: at("b"), Message: "m"}
	if got := text(t, set, report.TextOptions{Brief: true}, d); got != "f:1:4: warning: m [CS101]\n" {
		t.Errorf("brief: %q", got)
	}
	if got := text(t, set, report.TextOptions{}, d); strings.Contains(got, "\x1b") {
		t.Errorf("colour without asking: %q", got)
	}
	colored := text(t, set, report.TextOptions{Color: true}, d)
	if !strings.Contains(colored, "\x1b[1;33mwarning\x1b[0m") {
		t.Errorf("no colour: %q", colored)
	}
}

// TestUnderline checks that the caret stands below the place, whatever stands before it.
func TestUnderline(t *testing.T) {
	cases := []struct {
		name, line, token, shown, under string
	}{
		{"tabs", "\ta:\tBAD", "BAD", "    a:  BAD", "        ^^^"},
		{"wide", "名前: BAD", "BAD", "名前: BAD", "      ^^^"},
		{"wide token", "a: 名前", "名前", "a: 名前", "   ^^^^"},
		{"combining", "e\u0301: BAD", "BAD", "e\u0301: BAD", "   ^^^"},
		{"emoji", "a: 😀 BAD", "BAD", "a: 😀 BAD", "      ^^^"},
		{"control", "a: \x1b[2J BAD", "BAD", "a: ␛[2J BAD", "        ^^^"},
		{"invalid UTF-8", "a: \xff BAD", "BAD", "a: \ufffd BAD", "     ^^^"},
		{"direction", "a: \u202e BAD", "BAD", "a: \ufffd BAD", "     ^^^"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			set, at := in("f", c.line+"\n")
			got := text(t, set, report.TextOptions{}, spec.Diagnostic{Rule: "CS101", Severity: spec.Hint, Span: at(c.token), Message: "m"})
			lines := strings.Split(got, "\n")
			if lines[1] != "  1 | "+c.shown || lines[2] != "    | "+c.under {
				t.Errorf("got\n%s\nwant\n  1 | %s\n    | %s", got, c.shown, c.under)
			}
		})
	}
}

func TestLongLine(t *testing.T) {
	set, at := in("f", strings.Repeat("a", 1000)+"BAD"+strings.Repeat("b", 100_000)+"\n")
	got := text(t, set, report.TextOptions{}, spec.Diagnostic{Rule: "CS101", Severity: spec.Hint, Span: at("BAD"), Message: "m"})
	lines := strings.Split(got, "\n")
	if n := utf8.RuneCountInString(lines[1]); n > 200 {
		t.Errorf("a line of %d characters", n)
	}
	column := strings.Index(lines[2], "^")
	if runes := []rune(lines[1]); string(runes[column:column+3]) != "BAD" || strings.Count(lines[2], "^") != 3 {
		t.Errorf("the caret is not below the place:\n%s", got)
	}
}

func TestSpansAtEdges(t *testing.T) {
	set := &spec.FileSet{}
	empty := set.Add("empty", nil)
	two := set.Add("two", []byte("one\ntwo\n"))
	list := []spec.Diagnostic{
		{Rule: "CS101", Severity: spec.Error, Span: empty.Span(0, 0), Message: "empty"},
		{Rule: "CS101", Severity: spec.Error, Span: two.Span(1, 7), Message: "two lines"},
		{Rule: "CS101", Severity: spec.Error, Span: two.Span(8, 8), Message: "end"},
		{Rule: "CS101", Severity: spec.Error, Message: "nowhere\nand\x1b more"},
	}
	got := text(t, set, report.TextOptions{}, list...)
	for _, want := range []string{"empty:1:1: error: empty", "two:1:2: error: two lines", "    |  ^^\n", "two:3:1: error: end", "-:1:1: error: nowhere␊and␛ more [CS101]"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("findings.json", bytes.NewReader(report.Schema())); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("findings.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestJSON(t *testing.T) {
	set, at := in("a/b.causet", "n: 😀 uuid() # <\n")
	list := []spec.Diagnostic{{
		Rule: "CS501", Severity: spec.Error, Span: at("uuid()"), Message: "a < b",
		Related: []spec.Related{{Span: at("n"), Message: "here"}}, Flow: []spec.Related{{Span: at("n"), Message: "there"}},
		Fixes: []spec.Fix{{Message: "fix", Unsafe: true, Edits: []spec.Edit{{Span: at("uuid()"), New: "event.ts"}}}},
	}, {Rule: "CS101", Severity: spec.Hint, Message: "no place"}}
	var b bytes.Buffer
	if err := report.JSON(&b, set, list); err != nil {
		t.Fatal(err)
	}
	var raw any
	if err := json.Unmarshal(b.Bytes(), &raw); err != nil {
		t.Fatal(err)
	}
	if err := compileSchema(t).Validate(raw); err != nil {
		t.Errorf("%#v", err)
	}
	var doc report.Document
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	f := doc.Findings[0]
	if want := (report.Position{Line: 1, Column: 6, UTF16: 7, Offset: 8}); f.Start != want || f.File != "a/b.causet" {
		t.Errorf("starts at %+v in %s, want %+v", f.Start, f.File, want)
	}
	if f.End.Offset != 14 || f.Doc != "docs/rules/CS501.md" || f.Fixes[0].Edits[0].New != "event.ts" || f.Flow[0].Message != "there" || f.Related[0].Message != "here" {
		t.Errorf("got %+v", f)
	}
	if want := (report.Summary{Errors: 1, Hints: 1, Files: 1}); doc.Summary != want || doc.Version != 1 {
		t.Errorf("summary %+v, version %d", doc.Summary, doc.Version)
	}
	if !strings.Contains(b.String(), "a < b") {
		t.Error("the message is escaped for HTML")
	}
}

// TestSchemaRefuses checks that the schema has teeth.
func TestSchemaRefuses(t *testing.T) {
	s := compileSchema(t)
	for _, bad := range []string{
		`{}`, `{"version": 2, "findings": [], "summary": {"errors":0,"warnings":0,"infos":0,"hints":0,"files":0}}`,
		`{"version": 1, "findings": [{}], "summary": {"errors":0,"warnings":0,"infos":0,"hints":0,"files":0}}`,
		`{"version": 1, "findings": [], "summary": {"errors":0}}`,
		`{"version": 1, "findings": [], "extra": 1, "summary": {"errors":0,"warnings":0,"infos":0,"hints":0,"files":0}}`,
	} {
		var raw any
		if err := json.Unmarshal([]byte(bad), &raw); err != nil {
			t.Fatal(err)
		}
		if s.Validate(raw) == nil {
			t.Errorf("the schema takes %s", bad)
		}
	}
}

func TestEmptyDocument(t *testing.T) {
	var b bytes.Buffer
	if err := report.JSON(&b, &spec.FileSet{}, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"findings": []`) {
		t.Errorf("findings is no list: %s", b.String())
	}
}
