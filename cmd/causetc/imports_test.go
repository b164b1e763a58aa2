package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/causetc/causetc/"

// allowedImports says which of our packages a room of the house may import: its own sub-packages always, and these. The
// longest room that is a prefix of a package's path counts.
var allowedImports = map[string][]string{
	"spec":         {},
	"parser":       {"spec"},
	"ir":           {},
	"ir/expr":      {"ir"},
	"codegen/expr": {"spec", "ir", "ir/expr"},
	"codegen/sql":  {"ir", "ir/expr"},
	"analyzer":     {"spec", "parser", "ir", "ir/expr", "codegen/expr"},
	"codegen":      {"spec", "parser", "analyzer", "ir", "ir/expr", "codegen/expr", "codegen/sql"},
	"runtime":      {"ir", "ir/expr", "codegen/sql"},
	"cmd":          {"spec", "parser", "analyzer", "ir", "ir/expr", "codegen", "codegen/expr", "codegen/sql", "runtime"},
	"benchmarks":   {"ir", "runtime", "codegen/sql"},
	"scripts":      {"ir", "runtime", "codegen/sql"},
	// This one measures what lint does.
	"benchmarks/lint": {"spec", "parser", "analyzer", "codegen", "benchmarks/peak"},
	// This one compiles specs and runs them.
	"benchmarks/throughput": {"parser", "codegen", "ir", "runtime", "benchmarks/peak"},
	// What the two share.
	"benchmarks/peak": {},
}

// TestImportsPointOneWay holds the packages to the one direction of imports.
func TestImportsPointOneWay(t *testing.T) {
	root := "../.."
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || strings.HasPrefix(name, ".") && name != ".." {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(rel))
		seen[roomOf(pkg)] = true
		checkFileImports(t, file, pkg)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []string{"spec", "parser", "ir", "ir/expr", "codegen", "codegen/sql", "analyzer", "runtime", "cmd"} {
		if !seen[room] {
			t.Errorf("no file of %s was looked at", room)
		}
	}
}

func checkFileImports(t *testing.T, file, pkg string) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	room := roomOf(pkg)
	if room == "" {
		t.Errorf("%s: package %s has no room in the house", file, pkg)
		return
	}
	for _, spec := range f.Imports {
		target, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		own, ok := strings.CutPrefix(target, module)
		if ok && !mayImport(room, own) {
			t.Errorf("%s: %s must not import %s", file, pkg, own)
		}
	}
}

func mayImport(room, target string) bool {
	return roomOf(target) == room || slices.Contains(allowedImports[room], roomOf(target))
}

func within(pkg, room string) bool { return pkg == room || strings.HasPrefix(pkg, room+"/") }

// roomOf returns the longest room that holds the package.
func roomOf(pkg string) string {
	best := ""
	for room := range allowedImports {
		if within(pkg, room) && len(room) > len(best) {
			best = room
		}
	}
	return best
}
