package codegen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causetc/causetc/codegen"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// load reads a spec; it must be in order.
func load(t *testing.T, args ...string) *spec.Program {
	t.Helper()
	result, err := parser.Load(t.Context(), parser.Options{Args: args})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range result.Diagnostics {
		if d.Severity == spec.Error {
			t.Fatalf("%s: %s", place(result.Program, d.Span), d.Message)
		}
	}
	return result.Program
}

// loadText reads a spec of one file.
func loadText(t *testing.T, text string) *spec.Program {
	t.Helper()
	result, err := parser.Load(t.Context(), parser.Options{Args: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range result.Diagnostics {
		if d.Severity == spec.Error {
			t.Fatalf("%s: %s\n%s", place(result.Program, d.Span), d.Message, text)
		}
	}
	return result.Program
}

func place(prog *spec.Program, at spec.Span) string {
	f := prog.Set.File(at.Start)
	if f == nil {
		return "nowhere"
	}
	p := f.Position(at.Start)
	return f.Path + ":" + strings.TrimSpace(string(f.Text[p.Offset:f.Offset(at.End)]))
}

// compile compiles a program that must have no errors.
func compile(t *testing.T, prog *spec.Program) *ir.Program {
	t.Helper()
	out, diagnostics := codegen.Compile(prog, codegen.Options{})
	for _, d := range diagnostics {
		t.Errorf("%s: %s [%s]", place(prog, d.Span), d.Message, d.Rule)
	}
	if out == nil {
		t.FailNow()
	}
	return out
}

func encode(t *testing.T, p *ir.Program) string {
	t.Helper()
	text, err := ir.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const specs = "../testdata/specs"

// specDirs returns the folders of specs that match a pattern.
func specDirs(t *testing.T, pattern string) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(specs, pattern))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no specs %s: %v", pattern, err)
	}
	return dirs
}

// golden compares text with a file, or writes it where UPDATE_GOLDEN is set.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs; set UPDATE_GOLDEN=1 to accept:\n%s", path, got)
	}
}
