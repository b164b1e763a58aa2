package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// hostileSpec is a text that breaks, or tries to, whoever reads specs.
type hostileSpec struct {
	name string
	text string
	rule string // of a finding that there must be
	big  bool   // worth a look at time and memory
}

// TestHostileSpecs gives every text to lint, build and run: each says what is wrong at a place and ends with the code for
// findings, and build writes nothing.
func TestHostileSpecs(t *testing.T) {
	for _, spec := range hostileSpecs() {
		t.Run(spec.name, func(t *testing.T) {
			t.Parallel()
			if spec.big && testing.Short() {
				t.Skip("large files")
			}
			path := filepath.Join(t.TempDir(), "x.causet")
			write(t, path, spec.text)
			if spec.big {
				lintInLittleMemory(t, path, spec.rule)
				return
			}
			checkFindings(t, causetc(t, "lint", "--format", "json", path), path, spec.rule)
			checkTextFindings(t, causetc(t, "lint", path), path, spec.rule)
			checkRefused(t, path)
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkRefused wants build and run to name the problem and to do nothing.
func checkRefused(t *testing.T, path string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	causetc(t, "build", path, "-o", out).want(t, exitFindings, "error: ", "nothing was compiled")
	if _, err := os.Stat(out); err == nil {
		t.Error("build made its folder")
	}
	causetc(t, "run", path, "--embedded", "--until-end").want(t, exitFindings, "error: ", "nothing was compiled")
}

// TestNothing gives files that hold nothing: lint hints at that, build compiles it to a program without tables, and run says
// that it has nothing to do.
func TestNothing(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "a comment": "# nothing\n", "a byte order mark": "\ufeff", "a document mark": "---\n", "blank lines": "\r\n \n\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "x.causet")
			write(t, path, text)
			r := causetc(t, "lint", path)
			r.want(t, exitClean, shownPath(t, path)+":1:1: hint: ", "[CS113]")
			causetc(t, "lint", "--fail-on", "hint", path).want(t, exitFindings)
			causetc(t, "build", path, "-o", filepath.Join(dir, "out")).want(t, exitClean)
			causetc(t, "run", path, "--embedded").want(t, exitUsage, path, "nothing to run")
		})
	}
}

// findingsDocument is what lint prints for programs, as far as tests look at it.
type findingsDocument struct {
	Version  int `json:"version"`
	Findings []struct {
		Rule     string `json:"rule"`
		Severity string `json:"severity"`
		File     string `json:"file"`
		Message  string `json:"message"`
		Start    struct {
			Line   int `json:"line"`
			Column int `json:"column"`
		} `json:"start"`
	} `json:"findings"`
}

// checkFindings holds a JSON output of lint to its schema and wants an error of a rule at a place of a file.
func checkFindings(t *testing.T, r result, path, rule string) {
	t.Helper()
	r.want(t, exitFindings)
	if r.stderr != "" {
		t.Errorf("standard error: %s", r.stderr)
	}
	doc := decodeFindings(t, r.stdout)
	shown := shownPath(t, path)
	found := false
	for _, f := range doc.Findings {
		found = found || f.Rule == rule && f.File == shown && f.Start.Line > 0 && f.Start.Column > 0
		if f.Message == "" || len(f.Message) > 2000 {
			t.Errorf("a message of %d bytes: %.100s", len(f.Message), f.Message)
		}
	}
	if !found {
		t.Errorf("no %s in %s: %.2000s", rule, shown, r.stdout)
	}
}

// shownPath is a path as lint prints it.
func shownPath(t *testing.T, path string) string {
	t.Helper()
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(wd, path)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(rel)
}

func decodeFindings(t *testing.T, text string) findingsDocument {
	t.Helper()
	var tree any
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatalf("%v: %.500s", err, text)
	}
	if err := findingsSchema(t).Validate(tree); err != nil {
		t.Errorf("%v\n%.500s", err, text)
	}
	var doc findingsDocument
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// findingsSchema is the schema that the command itself prints.
func findingsSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	return commandSchema(t, "findings")
}

func commandSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	r := causetc(t, "schema", name)
	r.want(t, exitClean)
	schema, err := jsonschema.CompileString("schema.json", r.stdout)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// checkTextFindings wants a line that problem matchers read, and no line that floods a terminal.
func checkTextFindings(t *testing.T, r result, path, rule string) {
	t.Helper()
	r.want(t, exitFindings)
	lines := strings.Split(r.stdout, "\n")
	if !slices.ContainsFunc(lines, func(line string) bool {
		rest, ok := strings.CutPrefix(line, shownPath(t, path)+":")
		var row, column int
		n, _ := fmt.Sscanf(rest, "%d:%d:", &row, &column)
		return ok && n == 2 && row > 0 && column > 0 && strings.HasSuffix(line, "["+rule+"]")
	}) {
		t.Errorf("no line for %s: %.2000s", rule, r.stdout)
	}
	for _, line := range lines {
		if len(line) > 2000 {
			t.Errorf("a line of %d bytes: %.100s", len(line), line)
		}
	}
	for _, c := range r.stdout {
		if c < ' ' && c != '\n' && c != '\t' {
			t.Fatalf("control character %U in the output", c)
		}
	}
}

// The bounds of one lint or run of any input. Only the processor's time says something of a busy machine; the other one
// ends what hangs.
const (
	maxMemory = 1 << 30
	maxCPU    = 15 * time.Second
	maxTime   = 2 * time.Minute
)

// lintInLittleMemory lints in a process of its own and looks at its memory and time.
func lintInLittleMemory(t *testing.T, path, rule string) {
	t.Helper()
	r := runBounded(t, "lint", "--format", "json", path)
	checkFindings(t, r, path, rule)
}
