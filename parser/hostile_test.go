package parser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/causetc/causetc/spec"
)

// loadText loads a text as standard input.
func loadText(t testing.TB, text string) *Result {
	t.Helper()
	r, err := Load(context.Background(), Options{Args: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// show writes findings as people read them.
func show(r *Result) string {
	var b strings.Builder
	for _, d := range r.Diagnostics {
		f := r.Program.Set.File(d.Span.Start)
		from, to := f.Offset(d.Span.Start), f.Offset(d.Span.End)
		p := f.Position(d.Span.Start)
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s [%s] %q\n", f.Path, p.Line, p.Column, d.Severity, d.Message, d.Rule, clip(string(f.Text[from:to])))
		for _, rel := range d.Related {
			other := r.Program.Set.File(rel.Span.Start)
			p := other.Position(rel.Span.Start)
			fmt.Fprintf(&b, "  %s:%d:%d: %s\n", other.Path, p.Line, p.Column, rel.Message)
		}
		for _, fix := range d.Fixes {
			for _, e := range fix.Edits {
				fmt.Fprintf(&b, "  fix: %s: %q -> %q\n", fix.Message, f.Text[f.Offset(e.Span.Start):f.Offset(e.Span.End)], e.New)
			}
		}
	}
	return b.String()
}

func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}

// TestHostile gives the loader texts made to break it. Each must get an error at a place, quickly and in little memory.
func TestHostile(t *testing.T) {
	const full = 4 << 20
	laughs := "state:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 12; i++ {
		laughs += fmt.Sprintf("  a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	tests := []struct {
		name, text, rule, at string
	}{
		{"flow entries", "{" + strings.Repeat("a,", full/2-1) + "}", ruleTooLarge, ""},
		{"flow lists", "[" + strings.Repeat("[],", full/3-1) + "]", ruleTooLarge, ""},
		{"empty keys", strings.Repeat("a:\n", full/3), ruleTooLarge, ""},
		{"dashes", strings.Repeat("- \n", full/3), ruleTooLarge, ""},
		{"deep dashes", strings.Repeat("- ", full/2), ruleTooLarge, "1:201"},
		{"deep keys", strings.Repeat("? ", full/2), ruleTooLarge, "1:201"},
		{"deep brackets", "a: " + strings.Repeat("[", 100_000), ruleTooLarge, "1:103"},
		{"deep braces", strings.Repeat("{a: ", 100_000), ruleTooLarge, "1:401"},
		{"deep lines", deepLines(2000), ruleTooLarge, "101:101"},
		{"laughs", laughs, ruleTooLarge, ""},
		{"self-reference", "state: &a\n  x: *a\n", ruleAlias, "2:6"},
		{"self-merge", "state: &a\n  x: 1\n  <<: *a\n", ruleAlias, "3:7"},
		{"unknown alias", "state: *nobody\n", ruleAlias, "1:8"},
		{"open parentheses", "resources: {a: {b: '" + strings.Repeat("max(", 200_000) + "'}}", ruleExpression, ""},
		{"tags", "a: " + strings.Repeat("!x ", full/3-2), ruleTooLarge, ""},
		{"tagged items", "resources: {a: {b: [" + strings.Repeat("!x y,", 120_000) + "]}}", ruleTag, ""},
		{"torn calls", "resources: {a: {" + strings.Repeat("a: f(x, y), ", 40_000) + "}}", ruleComma, ""},
		{"open calls", "resources: {a: {b: [" + strings.Repeat("max((,", 190_000) + "]}}", ruleExpression, ""},
		{"merges", "resources: {x: &x {a: é}, " + strings.Repeat("y: {<<: *x, é: é}, ", 40_000) + "}", ruleDuplicate, ""},
		{"merge keys", "resources: {x: &x {a: é}, y: {" + strings.Repeat("<<: *x, ", 100_000) + "}}", ruleDuplicate, ""},
		{"distant anchors", distantAnchors(30_000), ruleShape, ""},
		{"aliases of a long text", "resources: {x: {a: &x \"\\x65" + strings.Repeat("(", 60_000) + "\", b: [" + strings.Repeat("*x, ", 100_000) + "]}}", ruleTooLarge, ""},
		{"suppressions", strings.Repeat("# causetc:ignore X\na: 1\n", 90_000), ruleDuplicate, ""},
		{"bound names", boundNames(12_000), ruleMissingKey, ""},
		{"NUL", "state:\n  a\x00b: 1\n", ruleEncoding, "2:4"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00", ruleEncoding, "1:1"},
		{"UTF-16", "\xff\xfes\x00t\x00", ruleEncoding, "1:1"},
		{"UTF-16, big-endian", "\xfe\xff\x00s\x00t", ruleEncoding, "1:1"},
		{"not UTF-8", "state:\n  x\xe9: 1\n", ruleEncoding, "2:4"},
		{"tabs", "state:\n\ta: 1\n", ruleTabs, "2:1"},
		{"one quote", "state: '" + strings.Repeat("x\n", full/4), ruleSyntax, "1:8"},
		{"comments", strings.Repeat("#\n", full/2), ruleEmptyFile, ""},
		{"one comment", "#" + strings.Repeat("x", full-2), ruleEmptyFile, ""},
		{"one long key", strings.Repeat("x", full-2), ruleShape, "1:1"},
		{"wide characters", "resources: {a: [" + strings.Repeat("é, ", 150_000) + "]}", ruleShape, ""},
		{"many errors", strings.Repeat("state: {a: }\n\t- x: [\n", 20_000), ruleTooLarge, ""},
		{"many documents", strings.Repeat("---\na: 1\n", 60_000), ruleUnknownKey, ""},
		{"empty", "", ruleEmptyFile, "1:1"},
		{"carriage returns", strings.Repeat("\r", full), ruleEmptyFile, "1:1"},
		{"a list", "- a\n- b\n", ruleShape, "1:1"},
		{"a word", "hello\n", ruleShape, "1:1"},
		{"a map as a key", "? {a: b}\n: c\n", ruleKeyKind, "1:3"},
		{"a missing key", ": c\n", ruleKeyKind, "1:1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := time.Now()
			r := loadText(t, test.text)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			t.Logf("%v, %d MB allocated, %d findings", took, (after.TotalAlloc-before.TotalAlloc)>>20, len(r.Diagnostics))
			if after.TotalAlloc-before.TotalAlloc > 700<<20 {
				t.Errorf("%d MB allocated", (after.TotalAlloc-before.TotalAlloc)>>20)
			}
			for _, d := range r.Diagnostics {
				if !d.Span.IsValid() {
					t.Errorf("no place: %v", d)
				}
			}
			p := r.Program.Set.Files()[0].Position(r.first(t, test.rule).Start)
			if at := fmt.Sprintf("%d:%d", p.Line, p.Column); test.at != "" && at != test.at {
				t.Errorf("at %s, not %s", at, test.at)
			}
		})
	}
}

// first returns the place of the first finding of a rule.
func (r *Result) first(t *testing.T, rule string) spec.Span {
	t.Helper()
	for _, d := range r.Diagnostics {
		if d.Rule == rule {
			return d.Span
		}
	}
	if len(r.Diagnostics) > 5 {
		r.Diagnostics = r.Diagnostics[:5]
	}
	t.Fatalf("no finding of %s:\n%s", rule, show(r))
	return spec.Span{}
}

// distantAnchors marks many texts in one line, and names them again in another order.
func distantAnchors(n int) string {
	var b strings.Builder
	b.WriteString("resources: {x: [")
	for i := range n {
		fmt.Fprintf(&b, "&a%d é, ", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "*a%d, ", i*7919%n)
	}
	return b.String() + "]}"
}

// boundNames binds many names, each of which the next op might use.
func boundNames(n int) string {
	var b strings.Builder
	b.WriteString("actions: {A: {core: {rules: [{name: a, then: [\n")
	for i := range n {
		fmt.Fprintf(&b, "{op: find, path: /x, where: it.a, into: n%d}, {op: set, path: /x, value: n%d},\n", i, i-1)
	}
	return b.String() + "]}]}}}\n"
}

func deepLines(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// TestUnreadable checks what can't be read at all.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo.causet")
	tests := map[string]Options{
		"no such file":    {Args: []string{filepath.Join(dir, "missing.causet")}},
		"an empty folder": {Args: []string{t.TempDir()}},
		"no input":        {Args: []string{"-"}},
		"no file":         {Args: []string{""}, StdinFilename: "x.causet"},
	}
	if err := makeFIFO(fifo); err == nil {
		tests["a pipe"] = Options{Args: []string{fifo}}
	}
	for name, opts := range tests {
		_, err := Load(context.Background(), opts)
		var input *InputError
		if !errors.As(err, &input) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCancelled checks that a cancelled context ends loading.
func TestCancelled(t *testing.T) {
	dir, _ := generated(t, 3)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Load(ctx, Options{Args: []string{dir}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestTooLarge checks the limits on files.
func TestTooLarge(t *testing.T) {
	dir := t.TempDir()
	big := filepath.Join(dir, "big.causet")
	if err := os.WriteFile(big, bytes.Repeat([]byte("# x\n"), 1<<20+1), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Load(context.Background(), Options{Args: []string{big}})
	if err != nil {
		t.Fatal(err)
	}
	r.first(t, ruleTooLarge)
	if !r.Program.Incomplete {
		t.Error("the program is not marked as incomplete")
	}
	small, _ := generated(t, 5)
	r, err = Load(context.Background(), Options{Args: []string{small}, Limits: Limits{Files: 3}})
	if err != nil {
		t.Fatal(err)
	}
	r.first(t, ruleTooLarge)
	if n := len(r.Program.Set.Files()); n != 3 {
		t.Errorf("%d files", n)
	}
}
