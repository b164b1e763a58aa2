package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/causetc/causetc/benchmarks/peak"
)

// The kinds of tasks.
const (
	kafkaTask   = "kafka"
	produceTask = "produce"
	workerTask  = "worker"
	bareTask    = "bare"
)

// task is what a process is to do.
type task struct {
	Kind      string
	Brokers   []string
	Topic     string
	Load      load
	DSN       string
	Schema    string // of the tables
	Workload  string
	BatchSize int    // of the bare loop
	Profile   string // where profiles of the worker go; empty: none
}

// span is when a process began to consume, and when it last wrote.
type span struct{ Began, Ended time.Time }

// usage is what a process used.
type usage struct {
	span
	cpu    time.Duration // user and system
	memory int64         // the most resident bytes; 0 where that can't be told
}

// child is a process that does a task.
type child struct {
	cmd  *exec.Cmd
	hold io.WriteCloser // its end tells the process to stop
	out  *json.Decoder
}

// start runs this program once more for a task.
func start(ctx context.Context, t task) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.CommandContext(ctx, self, "-task", string(text))}
	c.cmd.Stderr = os.Stderr
	if c.hold, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = json.NewDecoder(out)
	return c, c.cmd.Start()
}

// stop tells the process to stop, without waiting.
func (c *child) stop() { _ = c.hold.Close() }

// wait returns what a process used that ends by itself or was told to.
func (c *child) wait() (u usage, err error) {
	if err := c.out.Decode(&u.span); err != nil {
		_ = c.cmd.Wait()
		return u, fmt.Errorf("a %s said nothing: %w", c.cmd.Args[0], err)
	}
	if err := c.cmd.Wait(); err != nil {
		return u, err
	}
	u.cpu = c.cmd.ProcessState.UserTime() + c.cmd.ProcessState.SystemTime()
	u.memory = peak.Memory(c.cmd.ProcessState)
	return u, nil
}
