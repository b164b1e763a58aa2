package main

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"testing"
	"time"
)

// runBounded runs a command line in a process of its own and fails if it takes too much time or memory.
func runBounded(t *testing.T, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), maxTime)
	defer cancel()
	cmd := commandContext(ctx, t, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("not done after %v", maxTime)
	}
	peak, used := peakMemory(cmd.ProcessState), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	if used > maxCPU {
		t.Errorf("%v of processor time", used)
	}
	t.Logf("%v, %v of processor time, %d MiB at most", time.Since(start).Round(time.Millisecond), used.Round(time.Millisecond), peak>>20)
	if peak > maxMemory {
		t.Errorf("%d MiB of memory", peak>>20)
	}
	return result{code: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
}
