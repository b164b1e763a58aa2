//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/causetc/causetc/runtime/failpoint"
)

// fleet is a number of worker processes, each started again when it is killed.
type fleet struct {
	binary string
	args   []string
	dir    string // of their logs
	off    string // a mechanism that they lack

	slots   []*slot
	done    sync.WaitGroup
	ending  atomic.Bool
	calm    atomic.Bool // processes are started without failpoints
	mu      sync.Mutex
	faults  []string // exits that nobody has caused, groups that were stopped
	counted counts
}

// counts is what the workers said and what was done to them.
type counts struct {
	kills, failpoints, pauses, zombies, rebalances, retries atomic.Int64
}

// slot is the place of one worker.
type slot struct {
	fleet  *fleet
	number int
	args   []string
	rand   *rand.Rand
	mu     sync.Mutex
	cmd    *exec.Cmd // nil while none runs
	killed bool
	next   string // what is to happen in the next process, instead of what chance says
	went   chan struct{}
	log    io.Writer
}

// start starts n workers that share the partitions, and a rival in a consumer group of its own, which believes all the time
// that it has every partition.
func (f *fleet) start(n int, r *rand.Rand) error {
	for i := range n + 1 {
		args := f.args
		if i == n {
			args = append(slices.Clip(args), "--consumer-group", "rival")
		}
		log, err := os.Create(filepath.Join(f.dir, fmt.Sprintf("worker-%d.log", i)))
		if err != nil {
			return err
		}
		s := &slot{fleet: f, number: i, args: args, rand: rand.New(rand.NewPCG(r.Uint64(), 0)), went: make(chan struct{}, 1), log: log}
		f.slots = append(f.slots, s)
		f.done.Go(s.run)
	}
	return nil
}

// run keeps a worker running.
func (s *slot) run() {
	for !s.fleet.ending.Load() {
		s.once()
	}
}

func (s *slot) once() {
	cmd := exec.Command(s.fleet.binary, s.args...)
	script := ""
	if s.fleet.off != "" {
		script = "off=" + s.fleet.off + ","
	}
	if !s.fleet.calm.Load() {
		script += s.nextScript()
	}
	cmd.Env = append(os.Environ(), "CAUSETC_FAILPOINTS="+script)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		s.fleet.blame("worker %d: %v", s.number, err)
		return
	}
	fmt.Fprintf(s.log, "--- start with %q\n", script)
	s.mu.Lock()
	err = cmd.Start()
	s.cmd, s.killed = cmd, false
	s.mu.Unlock()
	if err != nil {
		s.fleet.blame("worker %d: %v", s.number, err)
		return
	}
	fatal, last := s.listen(stderr)
	_ = cmd.Wait()
	s.mu.Lock()
	killed := s.killed
	s.cmd = nil
	s.mu.Unlock()
	fmt.Fprintf(s.log, "--- end: %v\n", cmd.ProcessState)
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	asked := s.fleet.ending.Load() && (status.ExitStatus() == 0 || status.Signal() == syscall.SIGTERM) // the latter has just begun
	if !killed && !fatal && !asked {
		s.fleet.blame("worker %d ended by itself: %v: %s", s.number, cmd.ProcessState, last)
	}
}

// states are refusals of the database that no event is to blame for.
var states = []string{"53100", "40001", "40P01", "57P03", "25006", "55P03", "08006"}

func (s *slot) nextScript() string {
	s.mu.Lock()
	next := s.next
	s.next = ""
	s.mu.Unlock()
	if next != "" {
		return next
	}
	return s.script()
}

// script chooses what happens to a process by itself.
func (s *slot) script() (text string) {
	if s.rand.IntN(4) > 0 {
		point := failpoint.Points[s.rand.IntN(len(failpoint.Points))]
		most := 3
		switch point {
		case failpoint.BatchBegun, failpoint.CursorMoved, failpoint.BeforeCommit, failpoint.AfterCommit:
			most = 400
		case failpoint.AttemptBegun:
			most = 30
		}
		text += fmt.Sprintf("kill=%s:%d,", point, 1+s.rand.IntN(most))
	}
	for range s.rand.IntN(4) {
		text += fmt.Sprintf("refuse=%s:%d:%s,", failpoint.BeforeCommit, 1+s.rand.IntN(200), states[s.rand.IntN(len(states))])
	}
	return text
}

// said is a line of a worker's log.
type said struct {
	Event   string `json:"event"`
	Message string `json:"msg"`
	Group   string `json:"group"`
	Error   string `json:"error"`
	Kill    string `json:"kill"`
	Stop    string `json:"stop"`
}

// listen counts what a worker says, until its end, and returns whether a failpoint killed it, and its last words.
func (s *slot) listen(stderr io.Reader) (fatal bool, last string) {
	c := &s.fleet.counted
	in := bufio.NewReader(stderr)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return fatal, last
		}
		last = string(bytes.TrimSpace(line))
		_, _ = s.log.Write(line)
		var said said
		if json.Unmarshal(line, &said) != nil {
			continue
		}
		switch {
		case said.Kill != "":
			fatal = true
			c.failpoints.Add(1)
		case said.Stop != "":
			time.AfterFunc(pauseLength, func() {
				if s.signal(syscall.SIGCONT) {
					c.zombies.Add(1)
				}
				select {
				case s.went <- struct{}{}:
				default:
				}
			})
		case said.Event == "projection_retry":
			c.retries.Add(1)
		case said.Event == "group_stopped":
			s.fleet.blame("group %s was stopped: %s", said.Group, said.Error)
		case said.Message == "partitions assigned", said.Message == "partitions revoked":
			c.rebalances.Add(1)
		}
	}
}

func (f *fleet) blame(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = append(f.faults, fmt.Sprintf(format, args...))
}

// signal sends a signal to a worker and reports whether there is one.
func (s *slot) signal(sig syscall.Signal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil || s.cmd.Process.Signal(sig) != nil {
		return false
	}
	s.killed = s.killed || sig == syscall.SIGKILL
	return true
}

func (f *fleet) kill(s *slot) {
	if s.signal(syscall.SIGKILL) {
		f.counted.kills.Add(1)
	}
}

// pauseLength is so long that others have a worker's partitions, and work, when it goes on.
const pauseLength = 2 * sessionTimeout

// pause stops a worker, and lets it go on.
func (f *fleet) pause(ctx context.Context, s *slot) {
	if !s.signal(syscall.SIGSTOP) {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(pauseLength):
		f.counted.pauses.Add(1)
	}
	s.signal(syscall.SIGCONT)
}

// zombie lets a worker stand still in the middle of a transaction while others take its partitions, and go on with that. It
// returns when the worker has gone on, or was killed before.
func (f *fleet) zombie(ctx context.Context, s *slot, batches int) {
	s.mu.Lock()
	s.next = fmt.Sprintf("stop=%s:%d,", failpoint.BatchBegun, batches)
	s.mu.Unlock()
	f.kill(s)
	select {
	case <-ctx.Done():
	case <-s.went:
	case <-time.After(3 * pauseLength):
	}
}

// calmDown lets the workers that have failpoints be replaced by others that have none.
func (f *fleet) calmDown() {
	f.calm.Store(true)
	for _, s := range f.slots {
		s.signal(syscall.SIGKILL)
	}
}

// end asks the workers to stop, and waits for them.
func (f *fleet) end() {
	f.ending.Store(true)
	for _, s := range f.slots {
		s.signal(syscall.SIGTERM)
	}
	f.done.Wait()
}
