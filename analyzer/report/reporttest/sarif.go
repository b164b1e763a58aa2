// Package reporttest helps tests to check reports.
package reporttest

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// CheckSARIF validates a log against the official schema of SARIF 2.1.0.
func CheckSARIF(t testing.TB, log []byte) {
	t.Helper()
	var raw any
	if err := json.Unmarshal(log, &raw); err != nil {
		t.Errorf("not JSON: %v", err)
		return
	}
	if err := sarifSchema(t).Validate(raw); err != nil {
		t.Errorf("against the schema of SARIF: %#v", err)
	}
}

// sarifSchema returns the schema that the standard comes with. A module that is used in tests carries it, as a constant
// that it does not export.
func sarifSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	_, self, _, _ := runtime.Caller(0) // the working directory may be anywhere
	here := build.Default
	here.Dir = filepath.Dir(self)
	pkg, err := here.Import("github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif", here.Dir, build.FindOnly)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && len(lit.Value) > len(text) {
			text, err = strconv.Unquote(lit.Value)
		}
		return true
	})
	if err != nil || !strings.Contains(text, `"title": "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"`) {
		t.Fatalf("the module has no schema of SARIF 2.1.0: %v", err)
	}
	schema, err := jsonschema.CompileString("sarif.json", text)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
