package embedded

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// process is a process that this one started.
type process struct {
	os     *os.Process
	exited chan struct{} // closed at its end
	err    error         // how it ended; valid once exited is closed
}

// startProcess starts a command. Where the kernel kills children of a dead parent it goes by the thread that forked them, so
// that thread lives as long as the child.
func startProcess(cmd *exec.Cmd) (*process, error) {
	p := &process{exited: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		p.os = cmd.Process
		started <- err
		if err != nil {
			return
		}
		p.err = cmd.Wait()
		close(p.exited)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// wait waits for the end of a helper process and kills it, with all that it started, when the context ends first.
func (p *process) wait(ctx context.Context) error {
	select {
	case <-p.exited:
		return p.err
	case <-ctx.Done():
		killGroup(p.os)
		<-p.exited
		return ctx.Err()
	}
}

// stopMode says how hard a server is asked to stop.
type stopMode int

const (
	stopFast      stopMode = iota // sessions end, everything is written
	stopImmediate                 // like a crash: the next start recovers
	stopKill                      // not asked at all
)

// stopRequest names a server that shall stop.
type stopRequest struct {
	process *os.Process
	exited  <-chan struct{}
	binDir  string
	dataDir string
	kept    bool // its data is kept
}

// stopServer stops a server, harder each time that patience ends, and returns whether it has ended. Data that is not kept
// needs no orderly stop; hurry cuts that short for data that is. A server that is asked at all removes its shared memory, so
// killing it is the last resort even in a hurry.
func stopServer(r stopRequest, hurry <-chan struct{}) bool {
	if r.kept {
		askToStop(r, stopFast)
		if awaitExit(r.exited, 30*time.Second, hurry) {
			return true
		}
	}
	askToStop(r, stopImmediate)
	if awaitExit(r.exited, 10*time.Second, nil) {
		return true
	}
	askToStop(r, stopKill)
	return awaitExit(r.exited, 10*time.Second, nil)
}

// awaitExit waits for an end, at most for the given time and until hurry, and returns whether it came.
func awaitExit(exited <-chan struct{}, patience time.Duration, hurry <-chan struct{}) bool {
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case <-exited:
		return true
	case <-timeout.C:
	case <-hurry:
	}
	return false
}

// serverEnvironment is this process's environment without what would redirect a Postgres program or translate its messages.
func serverEnvironment() []string {
	var env []string
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "PG") || strings.HasPrefix(v, "LC_") || strings.HasPrefix(v, "LANG") {
			continue
		}
		env = append(env, v)
	}
	return append(env, "LC_ALL=C")
}
