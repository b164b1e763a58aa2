package main

import "testing"

// TestGenerated holds the generated program to what the benchmark says of it: ten projections a file, and no findings.
func TestGenerated(t *testing.T) {
	dir := t.TempDir()
	files, _, err := generate(dir, 30)
	if err != nil || files != 4 {
		t.Fatalf("%d files, %v", files, err)
	}
	if err := lint(dir); err != nil {
		t.Error(err)
	}
	if err := bare(dir); err != nil {
		t.Error(err)
	}
}
