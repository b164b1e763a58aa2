//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// background is a command that runs beside a test, with a folder of its own for everything temporary.
type background struct {
	cmd    *exec.Cmd
	temp   string
	lines  chan string // standard error
	stdout bytes.Buffer
}

func startBackground(t *testing.T, args ...string) *background {
	t.Helper()
	b := &background{cmd: command(t, args...), temp: dataDir(t), lines: make(chan string, 1000)}
	b.cmd.Env = append(b.cmd.Env, "TMPDIR="+b.temp)
	b.cmd.Stdout = &b.stdout
	stderr, err := b.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(b.lines)
		for in := bufio.NewScanner(stderr); in.Scan(); {
			b.lines <- in.Text()
		}
		_, _ = io.Copy(io.Discard, stderr)
	}()
	return b
}

// await returns when standard error has a line with a text.
func (b *background) await(t *testing.T, text string) {
	t.Helper()
	var seen []string
	timeout := time.After(maxTime)
	for {
		select {
		case line, ok := <-b.lines:
			if !ok {
				t.Fatalf("the end came before %q: %s", text, strings.Join(seen, "\n"))
			}
			if seen = append(seen, line); strings.Contains(line, text) {
				return
			}
		case <-timeout:
			t.Fatalf("no %q in: %s", text, strings.Join(seen, "\n"))
		}
	}
}

// end sends a signal and returns the exit code and what was said afterwards.
func (b *background) end(t *testing.T, sig os.Signal) result {
	t.Helper()
	if err := b.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for line := range b.lines {
		fmt.Fprintln(&said, line)
	}
	_ = b.cmd.Wait()
	return result{code: b.cmd.ProcessState.ExitCode(), stdout: b.stdout.String(), stderr: said.String()}
}

// awaitNothingLeft waits until no process names the command's temporary folder and nothing is in it.
func (b *background) awaitNothingLeft(t *testing.T, data string) {
	t.Helper()
	deadline := time.Now().Add(maxTime)
	for {
		entries, err := os.ReadDir(b.temp)
		if err != nil {
			t.Fatal(err)
		}
		processes := processesNaming(b.temp)
		if data != "" {
			processes = append(processes, processesNaming(data)...)
		}
		if len(entries) == 0 && len(processes) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left behind: %v, processes %q", entries, processes)
		}
		time.Sleep(20 * time.Millisecond) // until the next look
	}
}

// processesNaming lists the command lines of the processes that name a path, where the system tells.
func processesNaming(path string) []string {
	var found []string
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && bytes.Contains(line, []byte(path)) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

// TestWorkerStopsInOrder asks a worker to stop, which is a success, and looks for what it left behind. Meanwhile nobody else
// gets at its data.
func TestWorkerStopsInOrder(t *testing.T) {
	dir := filepath.Join(specs, "tickets")
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			data := dataDir(t)
			b := startBackground(t, "run", dir, "--embedded", "--data", data, "--log-level", "debug", "--events", filepath.Join(dir, "events.ndjson"))
			b.await(t, "batch committed")
			causetc(t, "run", dir, "--embedded", "--data", data).want(t, exitUsage, "in use", data)
			r := b.end(t, sig)
			r.want(t, exitClean)
			if strings.Contains(r.stderr, `"level":"ERROR"`) || strings.Contains(r.stderr, "causetc: ") {
				t.Errorf("it said: %s", r.stderr)
			}
			b.awaitNothingLeft(t, data)
		})
	}
}

// TestWaitingWorkerStops asks a worker to stop that waits for its database.
func TestWaitingWorkerStops(t *testing.T) {
	t.Parallel()
	b := startBackground(t, "run", filepath.Join(specs, "tickets"), "--brokers", "127.0.0.1:1", "--db-url",
		"postgres://"+impostor(t, hangUp)+"/x?sslmode=disable", "--retry-initial-ms", "3600000", "--retry-max-ms", "3600000")
	b.await(t, "projection_retry")
	b.end(t, syscall.SIGTERM).want(t, exitClean)
}

// TestInterruptedRun: a run to the end that did not get there is no success.
func TestInterruptedRun(t *testing.T) {
	t.Parallel()
	b := startBackground(t, "run", filepath.Join(specs, "tickets"), "--until-end", "--brokers", "127.0.0.1:1", "--db-url",
		"postgres://"+impostor(t, hangUp)+"/x?sslmode=disable", "--retry-initial-ms", "3600000", "--retry-max-ms", "3600000")
	b.await(t, "projection_retry")
	b.end(t, os.Interrupt).want(t, exitUsage, "stopped by a signal")
}

// TestInterruptedStart sends the signal at random moments of the start of the services.
func TestInterruptedStart(t *testing.T) {
	t.Parallel()
	killAtRandom(t, syscall.SIGTERM, 2)
}

// TestKilledCommandLeavesNothing kills the command at random moments with what nobody can catch.
func TestKilledCommandLeavesNothing(t *testing.T) {
	t.Parallel()
	killAtRandom(t, os.Kill, 4)
}

func killAtRandom(t *testing.T, sig os.Signal, times int) {
	t.Helper()
	if testing.Short() {
		times = 1
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := filepath.Join(specs, "tickets")
	for range times {
		b := startBackground(t, "run", dir, "--embedded", "--events", filepath.Join(dir, "events.ndjson"))
		select {
		case <-time.After(time.Duration(r.IntN(2500)) * time.Millisecond):
		case line, ok := <-b.lines:
			if !ok {
				t.Fatalf("it ended by itself: %s", line)
			}
		}
		got := b.end(t, sig)
		if sig != os.Kill {
			got.want(t, exitClean)
		}
		b.awaitNothingLeft(t, "")
	}
}

// TestWatchingStops asks a lint that watches to stop.
func TestWatchingStops(t *testing.T) {
	t.Parallel()
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		b := startBackground(t, "lint", "--watch", filepath.Join(specs, "tickets"))
		b.await(t, "watching")
		if r := b.end(t, sig); r.code != exitClean || r.stderr != "" || !strings.Contains(r.stdout, "CS601") {
			t.Errorf("%v: exit code %d: %s", sig, r.code, r.stderr)
		}
	}
}
