package baseline_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer/baseline"
	"github.com/causetc/causetc/spec"
)

// program is a program whose findings are the words in capitals, by file; the paths and texts are in pairs.
func program(files ...string) (*spec.FileSet, []spec.Diagnostic) {
	set := &spec.FileSet{}
	var list []spec.Diagnostic
	for i := 0; i < len(files); i += 2 {
		f := set.Add(files[i], []byte(files[i+1]))
		for at := 0; at < len(f.Text); at++ {
			if c := f.Text[at]; c >= 'A' && c <= 'Z' {
				list = append(list, spec.Diagnostic{Rule: "CS101", Severity: spec.Error, Span: f.Span(at, at+1), Message: "found " + string(c)})
			}
		}
	}
	return set, list
}

// written makes the baseline of a program, writes it, and reads it again.
func written(t *testing.T, path string, files ...string) *baseline.Baseline {
	t.Helper()
	set, list := program(files...)
	b, err := baseline.New(path, set, list)
	if err != nil {
		t.Fatal(err)
	}
	text, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := baseline.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if read.Len() != len(list) || b.Len() != len(list) {
		t.Errorf("%d and %d findings, want %d", read.Len(), b.Len(), len(list))
	}
	return read
}

// compared returns what is new and what is gone, as texts.
func compared(b *baseline.Baseline, files ...string) (fresh, gone string) {
	set, list := program(files...)
	new, old := b.Compare(set, list)
	var f, g []string
	for _, d := range new {
		file := set.File(d.Span.Start)
		f = append(f, fmt.Sprintf("%s:%d %s", file.Path, file.Position(d.Span.Start).Line, strings.TrimPrefix(d.Message, "found ")))
	}
	for _, e := range old {
		g = append(g, fmt.Sprintf("%s %s x%d", e.File, strings.TrimPrefix(e.Message, "found "), e.Count))
	}
	return strings.Join(f, ", "), strings.Join(g, ", ")
}

func TestCompare(t *testing.T) {
	t.Chdir(t.TempDir())
	const one, two = "a:\n  x: A\n  y: B\n", "b:\n  - C\n  - C\n"
	b := written(t, "base.json", "one", one, "two", two)
	for _, c := range []struct {
		what, fresh, gone string
		files             []string
	}{
		{"the same", "", "", []string{"one", one, "two", two}},
		{"other lines", "", "", []string{"one", "# a\n\n" + strings.ReplaceAll(one, "  ", "    "), "two", "z: 1\n" + two}},
		{"renamed", "", "", []string{"three", one, "two", two}},
		{"moved to another file", "", "", []string{"two", two + one}},
		{"a new one", "one:4 D", "", []string{"one", one + "  z: D\n", "two", two}},
		{"a known fault at another place", "one:5 A", "", []string{"one", one + "c:\n  x: A\n", "two", two}},
		{"one more of the same", "two:4 C", "", []string{"one", one, "two", two + "  - C\n"}},
		{"one less of the same", "", "two C x1", []string{"one", one, "two", "b:\n  - C\n"}},
		{"mended", "", "one B x1, two C x2", []string{"one", "a:\n  x: A\n"}},
		{"copied", "three:2 A, three:3 B", "", []string{"one", one, "three", one, "two", two}},
		{"all gone", "", "one A x1, one B x1, two C x2", nil},
	} {
		fresh, gone := compared(b, c.files...)
		if fresh != c.fresh || gone != c.gone {
			t.Errorf("%s: new %q, gone %q; want %q and %q", c.what, fresh, gone, c.fresh, c.gone)
		}
	}
}

// TestElsewhere checks that it does not matter in which folder lint is started.
func TestElsewhere(t *testing.T) {
	top := t.TempDir()
	if err := os.Mkdir(filepath.Join(top, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(top)
	set, list := program("sub/one", "a: A\n")
	first, _ := baseline.New("base.json", set, list)
	t.Chdir(filepath.Join(top, "sub"))
	set, list = program("one", "a: A\n")
	second, _ := baseline.New("../base.json", set, list)
	a, _ := first.Bytes()
	b, _ := second.Bytes()
	if string(a) != string(b) || !strings.Contains(string(a), `"sub/one"`) {
		t.Errorf("got\n%s\nand\n%s", a, b)
	}
}

func TestRead(t *testing.T) {
	t.Chdir(t.TempDir())
	for text, want := range map[string]string{
		"": "not a baseline", "[]": "not a baseline", `{"version": 2}`: "version 2", `{}`: "version 0", `{"version": 1, "findings": 3}`: "not a baseline",
	} {
		if err := os.WriteFile("b", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := baseline.Read("b"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, path := range []string{"none", "."} {
		if _, err := baseline.Read(path); err == nil {
			t.Errorf("%s can be read", path)
		}
	}
}
