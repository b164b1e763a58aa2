package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	goodSpec = "state: {s: {entity_key: id, fields: {a: number}}}\n"
	badSpec  = "stat: {s: {entity_key: id}}\n"
)

// TestStandardInput gives specs as "-" and as a stand-in for a file.
func TestStandardInput(t *testing.T) {
	causetcWith(t, goodSpec, "lint", "-").want(t, exitClean)
	causetcWith(t, badSpec, "lint", "-").want(t, exitFindings, "<stdin>:1:1: error: ")
	causetcWith(t, badSpec, "lint", "-", "-").want(t, exitFindings, "<stdin>:1:1: error: ")
	causetcWith(t, "", "lint", "-").want(t, exitClean, "<stdin>:1:1: hint: ")
	causetcWith(t, badSpec, "build", "-", "--print").want(t, exitFindings, "<stdin>:1:1: error: ")
	causetcWith(t, badSpec, "run", "-", "--embedded").want(t, exitFindings, "<stdin>:1:1: error: ")
	causetcWith(t, noteSpec, "build", "-", "--print").want(t, exitClean, "app notes")
	causetcWith(t, strings.Repeat("# 45678\n", fullFile/8+1), "lint", "-").want(t, exitFindings, "<stdin>:1:1: error: ", "too large")

	dir := t.TempDir()
	manifest, other := filepath.Join(dir, "app.causet"), filepath.Join(dir, "states.causet")
	write(t, manifest, "dsl_version: 1\napp: x\nincludes: {states: [states.causet]}\n")
	write(t, other, goodSpec)
	causetcWith(t, badSpec, "lint", "--stdin-filename", other).want(t, exitFindings, shownPath(t, other)+":1:1: error: ")
	causetcWith(t, badSpec, "lint", "--stdin-filename", other, "--only", manifest).want(t, exitClean)
	causetcWith(t, badSpec, "lint", "--stdin-filename", other, "--only", other).want(t, exitFindings)
	causetcWith(t, "", "lint", dir).want(t, exitClean)
}

// failing fails after some bytes.
type failing struct{ left int }

var errFull = errors.New("no space left")

func (f *failing) Write(p []byte) (int, error) {
	n := min(f.left, len(p))
	f.left -= n
	if n < len(p) {
		return n, errFull
	}
	return n, nil
}

// TestLostOutput: a text that could not be written is not a success, whichever command wrote it.
func TestLostOutput(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "x.causet")
	write(t, bad, badSpec)
	for _, args := range [][]string{
		{"lint", bad}, {"lint", "-f", "json", bad}, {"lint", "-f", "json", filepath.Join(specs, "tickets")}, {"schema"}, {"rules"}, {"explain", "CS101"},
		{"version"}, {"--version"}, {"help"}, {"help", "run"}, {}, {"build", "--print", filepath.Join(specs, "tickets")},
		{"build", "-o", t.TempDir(), filepath.Join(specs, "tickets")},
	} {
		for _, room := range []int{0, 20} {
			var stderr strings.Builder
			code := execute(t.Context(), append([]string{"causetc"}, args...), strings.NewReader(""), &failing{left: room}, &stderr)
			if code != exitUsage || !strings.Contains(stderr.String(), "standard output: no space left") {
				t.Errorf("%v: exit code %d: %s", args, code, stderr.String())
			}
		}
	}
}

// TestNoColor: colours are for terminals only.
func TestNoColor(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	if isTerminal(os.Stdout) || isTerminal(&output{to: os.Stdout}) {
		t.Error("NO_COLOR has no effect")
	}
	bad := filepath.Join(t.TempDir(), "x.causet")
	write(t, bad, badSpec)
	if r := causetc(t, "lint", bad); strings.Contains(r.stdout, "\x1b") {
		t.Errorf("colours: %q", r.stdout)
	}
}

// TestBrokenPipe reads a part of a long output and goes away: no panic, and the command ends.
func TestBrokenPipe(t *testing.T) {
	cmd := command(t, "schema")
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stdout, cmd.Stderr = writer, &stderr
	if err := reader.Close(); err != nil { // before the start, so that there is no race with it
		t.Fatal(err)
	}
	err = cmd.Run()
	_ = writer.Close()
	if err == nil || strings.Contains(stderr.String(), "panic") || strings.Contains(stderr.String(), "internal error") {
		t.Errorf("ended with %v: %s", err, stderr.String())
	}
}

// TestBrokenStandardInput ends with the code for input.
func TestBrokenStandardInput(t *testing.T) {
	var stdout, stderr strings.Builder
	in := io.MultiReader(strings.NewReader("state:"), &brokenReader{})
	code := execute(t.Context(), []string{"causetc", "lint", "-"}, in, &stdout, &stderr)
	if code != exitUsage || !strings.Contains(stderr.String(), "<stdin>") {
		t.Errorf("exit code %d: %s%s", code, stdout.String(), stderr.String())
	}
}

type brokenReader struct{}

func (*brokenReader) Read([]byte) (int, error) { return 0, errors.New("the line is dead") }
