//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestHostileFiles puts links and pipes where a program's files should be.
func TestHostileFiles(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	manifest := filepath.Join(dir, "app.causet")
	include := func(glob string) {
		write(t, manifest, "dsl_version: 1\napp: x\nincludes: {states: ["+glob+"]}\n")
	}
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	pipe := filepath.Join(dir, "pipe.causet")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(outside, "good.causet"), goodSpec)
	link(filepath.Join(outside, "good.causet"), "out.causet")
	link("loop.causet", "loop.causet")
	link(".", "round")
	link("nowhere.causet", "dangling.causet")

	for _, test := range []struct{ glob, rule string }{
		{"out.causet", "CS111"}, {"loop.causet", "CS110"}, {"pipe.causet", "CS110"}, {"dangling.causet", "CS110"},
	} {
		include(test.glob)
		checkFindings(t, causetc(t, "lint", "--format", "json", dir), manifest, test.rule)
		causetc(t, "build", dir, "-o", filepath.Join(outside, "out")).want(t, exitFindings, "["+test.rule+"]")
	}
	include("out.causet")
	causetc(t, "lint", "--allow-outside", dir).want(t, exitClean)
	causetc(t, "lint", pipe).want(t, exitUsage, "pipe")
	causetc(t, "run", "--embedded", pipe).want(t, exitUsage, "pipe")
	include("'round/**/*.causet'") // a folder that holds itself
	if r := causetc(t, "lint", dir); r.code > exitFindings {
		t.Errorf("exit code %d: %s", r.code, r.stderr)
	}
}
