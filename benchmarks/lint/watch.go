package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// compareWatch measures causetc lint --watch on n projections: how long the first lint takes from the start of the process
// on, and the next one from an edit of one file on, each until its line is there.
func compareWatch(n, rounds int) error {
	dir, err := os.MkdirTemp("", "causetc-lint-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	causetc := filepath.Join(dir, "causetc")
	build := exec.Command("go", "build", "-o", causetc, "./cmd/causetc")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building causetc, which needs its checkout as the working directory: %w", err)
	}
	program := filepath.Join(dir, "program")
	if err := os.Mkdir(program, 0o700); err != nil {
		return err
	}
	if _, _, err := generate(program, n); err != nil {
		return err
	}
	first, second := time.Duration(0), time.Duration(0)
	for range rounds {
		a, b, err := measureWatch(causetc, program)
		if err != nil {
			return err
		}
		fmt.Printf("first lint %5.2f s, after an edit of one file %5.2f s, %.2f times the first\n", a.Seconds(), b.Seconds(), ratio(b, a))
		if first == 0 || a < first {
			first = a
		}
		if second == 0 || b < second {
			second = b
		}
	}
	fmt.Printf("%d projections, the fastest of %d: %.2f s and %.2f s, %.2f times the first\n", n, rounds, first.Seconds(), second.Seconds(), ratio(second, first))
	return nil
}

// measureWatch starts a lint that watches, edits one file, and stops it.
func measureWatch(causetc, program string) (first, second time.Duration, err error) {
	cmd := exec.Command(causetc, "lint", "--watch", "--quiet", "--format", "json", program)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	lines := bufio.NewReader(out)
	if err := skipLine(lines); err != nil {
		return 0, 0, err
	}
	first = time.Since(start)
	file, err := os.OpenFile(filepath.Join(program, "part00000.causet"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return 0, 0, err
	}
	start = time.Now()
	_, err = fmt.Fprintf(file, "# edited at %d\n", start.UnixNano())
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return 0, 0, err
	}
	err = skipLine(lines)
	return first, time.Since(start), err
}

// skipLine reads a line, however long, and forgets it.
func skipLine(r *bufio.Reader) error {
	for {
		_, more, err := r.ReadLine()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil || !more {
			return err
		}
	}
}
