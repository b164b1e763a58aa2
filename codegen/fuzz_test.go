package codegen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causetc/causetc/codegen"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/parser"
)

// FuzzCompile compiles whatever the parser makes of a text, its errors notwithstanding: no panic, either a program or a
// reason at a place, and a program can be read back.
func FuzzCompile(f *testing.F) {
	for _, rule := range codegen.Rules() {
		f.Add(rule.Bad)
		f.Add(rule.Good)
	}
	files, err := filepath.Glob(filepath.Join(specs, "compile-*", "*.causet"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		result, err := parser.Load(t.Context(), parser.Options{Args: []string{"-"}, Stdin: strings.NewReader(text)})
		if err != nil || result.Program == nil {
			return
		}
		out, diagnostics := codegen.Compile(result.Program, codegen.Options{})
		if (out == nil) != (len(diagnostics) > 0) {
			t.Fatalf("a program: %t, and %d diagnostics", out != nil, len(diagnostics))
		}
		for _, d := range diagnostics {
			if d.Rule == "CS999" {
				t.Fatal(d.Message)
			}
		}
		if out == nil {
			return
		}
		encoded, err := ir.Encode(out)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ir.Decode(encoded); err != nil {
			t.Fatal(err)
		}
	})
}

// What is cut out of a spec at any line leaves something that compiles or says why not.
func TestDamagedSpecs(t *testing.T) {
	for _, dir := range append(specDirs(t, "compile-*"), specDirs(t, "wallet")...) {
		all := pieces(t, dir)
		text := joined(all)
		lines := strings.SplitAfter(text, "\n")
		for i := range lines {
			damaged := strings.Join(lines[:i], "") + strings.Join(lines[i+1:], "")
			result, err := parser.Load(t.Context(), parser.Options{Args: []string{"-"}, Stdin: strings.NewReader(damaged)})
			if err != nil {
				continue
			}
			out, diagnostics := codegen.Compile(result.Program, codegen.Options{})
			for _, d := range diagnostics {
				if d.Rule == "CS999" || !d.Span.IsValid() {
					t.Fatalf("without %q: [%s] %s", lines[i], d.Rule, d.Message)
				}
			}
			if out == nil && len(diagnostics) == 0 {
				t.Fatalf("without %q: nothing", lines[i])
			}
		}
	}
}

// joined puts pieces into one text with each section once.
func joined(pieces []string) string {
	sections := map[string]string{}
	var order []string
	for _, piece := range pieces {
		if strings.HasPrefix(piece, "app:") {
			_, piece, _ = strings.Cut(piece, "\n")
		}
		section, body, _ := strings.Cut(piece, "\n")
		if sections[section] == "" {
			order = append(order, section)
		}
		sections[section] += body
	}
	var b strings.Builder
	for _, section := range order {
		b.WriteString(section + "\n" + sections[section])
	}
	return b.String()
}
