package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// RunJanitorIfAsked turns the process into a janitor, and never returns, when an embedded service of another process of the
// same program started it as one; otherwise it does nothing. Call it first thing in main, and in TestMain of every test
// that starts a Postgres: a janitor stops the server and removes its temporary folders when the program dies, whatever
// killed it.
func RunJanitorIfAsked() {
	if os.Getenv(janitorMarker) == "" {
		return
	}
	// Only the end of the pipe counts: a terminal's interrupt is meant for the program, which then says what to do.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	lock, err := janitorLockOf(os.Getenv(janitorFolder))
	if err != nil {
		_, _ = os.Stdout.WriteString(janitorBusy)
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString(janitorReady)
	_ = os.Stdout.Close()
	newDuty().serve(os.Stdin)
	lock.release()
	os.Exit(0)
}

// janitorLockOf waits until no other janitor works on a kept folder.
func janitorLockOf(kept string) (*folderLock, error) {
	if kept == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), previousPatience)
	defer cancel()
	return awaitFolder(ctx, kept, janitorLock)
}

// duty is what a janitor has been told so far.
type duty struct {
	folders []string
	watched *watch
	process *os.Process // nil until the watched process's id is known
	done    bool
}

func newDuty() *duty { return &duty{} }

// serve takes orders until the pipe ends, then cleans up.
func (d *duty) serve(in io.Reader) {
	orders := json.NewDecoder(in)
	for {
		var o order
		if err := orders.Decode(&o); err != nil {
			break
		}
		d.take(o)
	}
	if !d.done {
		d.cleanUp()
	}
}

func (d *duty) take(o order) {
	switch {
	case o.Remove != "":
		d.folders = append(d.folders, o.Remove)
	case o.Watch != nil:
		d.watched, d.process = o.Watch, nil
	case o.PID != 0:
		// Taken at once, so that (where the system has handles for processes) a later process of the same number is never hit.
		d.process, _ = os.FindProcess(o.PID)
	case o.Gone:
		d.watched, d.process = nil, nil
	case o.Done:
		d.done = true
	}
}

// cleanUp ends the watched process and removes the folders.
func (d *duty) cleanUp() {
	if d.watched != nil {
		d.endWatched(*d.watched)
	}
	for _, folder := range d.folders {
		removeFolder(folder)
	}
}

func (d *duty) endWatched(w watch) {
	if d.process == nil {
		d.process = findServer(w.DataDir)
	}
	if d.process == nil {
		return
	}
	exited := pollExit(d.process)
	if !w.Server {
		killGroup(d.process)
		awaitExit(exited, janitorPatience, nil)
		return
	}
	stopServer(stopRequest{process: d.process, exited: exited, binDir: w.BinDir, dataDir: w.DataDir, kept: w.Kept}, nil)
}

// findServer waits a moment for the server of a cluster to show itself: the program may have been killed between starting
// it and telling its process id.
func findServer(dataDir string) *os.Process {
	for range 100 {
		if pid, ok := readPID(dataDir); ok {
			process, _ := os.FindProcess(pid)
			return process
		}
		if _, err := os.Stat(dataDir); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// pollExit returns a channel that is closed when a process that is no child of this one has ended.
func pollExit(p *os.Process) <-chan struct{} {
	exited := make(chan struct{})
	go func() {
		for !hasExited(p) {
			time.Sleep(10 * time.Millisecond)
		}
		close(exited)
	}()
	return exited
}

// removeFolder removes a folder, again and again for a while if something still writes into it.
func removeFolder(folder string) {
	for range 200 {
		if err := os.RemoveAll(folder); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}
