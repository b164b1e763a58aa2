package embedded

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// janitorMarker is the environment variable that makes the program run as its own janitor.
const janitorMarker = "CAUSETC_EMBEDDED_JANITOR"

// janitorFolder is the environment variable that names the kept data folder, if there is one, whose janitor it is.
const janitorFolder = "CAUSETC_EMBEDDED_JANITOR_FOLDER"

// janitorReady is what the janitor writes when it listens.
const janitorReady = "ready\n"

// janitorBusy is what it writes instead when the kept folder's earlier janitor does not end.
const janitorBusy = "busy\n"

// janitorPatience bounds the wait for a janitor that starts or ends.
const janitorPatience = 20 * time.Second

// order is one line from the program to its janitor. The pipe keeps what was written when the program dies, so an order
// counts from the moment it was written; that is why no order is acknowledged.
type order struct {
	Remove string `json:"remove,omitempty"` // a folder to remove at the end; it need not exist yet
	Watch  *watch `json:"watch,omitempty"`  // a process is about to start
	PID    int    `json:"pid,omitempty"`    // it has started
	Gone   bool   `json:"gone,omitempty"`   // it has ended
	Done   bool   `json:"done,omitempty"`   // nothing is left to clean up
}

// watch describes a process that must not outlive the program.
type watch struct {
	DataDir string `json:"dataDir"` // the cluster that it works on
	BinDir  string `json:"binDir"`
	Kept    bool   `json:"kept"` // the data is kept: stop with care
	Server  bool   `json:"server"`
}

// janitor is the program's end of the pipe to the process that cleans up when the program dies.
type janitor struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	enc *json.Encoder
}

// startJanitor runs the program a second time as a janitor and waits until it listens. A kept folder has one janitor at a time:
// the one of a program that died first finishes, or it would take the new program's server for the old one's.
func startJanitor(ctx context.Context, kept string) (*janitor, error) {
	if os.Getenv(janitorMarker) != "" {
		return nil, fmt.Errorf("%w: call embedded.RunJanitorIfAsked first in main or TestMain", ErrNoJanitor)
	}
	exe, err := ownExecutable()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoJanitor, err)
	}
	cmd := exec.Command(exe)
	// The name differs from the program's so that whoever kills the program by its name leaves the janitor alive.
	cmd.Args = []string{"embedded-services-janitor", fmt.Sprintf("parent=%d", os.Getpid())}
	cmd.Env = append(os.Environ(), janitorMarker+"=1", janitorFolder+"="+kept)
	cmd.Dir = filepath.VolumeName(os.TempDir()) + string(filepath.Separator)
	detach(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoJanitor, err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoJanitor, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoJanitor, err)
	}
	j := &janitor{cmd: cmd, in: in, enc: json.NewEncoder(in)}
	if err := awaitReady(ctx, out, kept); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, err
	}
	return j, nil
}

// awaitReady reads the janitor's first line.
func awaitReady(ctx context.Context, out io.Reader, kept string) error {
	said := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(io.LimitReader(out, int64(len(janitorReady)))).ReadString('\n')
		said <- line
	}()
	timeout := time.NewTimer(previousPatience + janitorPatience)
	defer timeout.Stop()
	select {
	case line := <-said:
		switch line {
		case janitorReady:
			return nil
		case janitorBusy:
			return fmt.Errorf("data folder %s is %w: what an earlier program left there is still being cleaned up", kept, ErrInUse)
		}
	case <-timeout.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return fmt.Errorf("%w: does the program call embedded.RunJanitorIfAsked first in main or TestMain?", ErrNoJanitor)
}

// tell writes one order.
func (j *janitor) tell(o order) error {
	if err := j.enc.Encode(o); err != nil {
		return fmt.Errorf("the clean-up process has ended: %w", err)
	}
	return nil
}

// dismiss ends the janitor; unless the program has cleaned up by itself, the janitor does that first. It may be called once.
func (j *janitor) dismiss(clean bool) {
	if clean {
		_ = j.tell(order{Done: true})
	}
	_ = j.in.Close()
	ended := make(chan struct{})
	go func() {
		_ = j.cmd.Wait()
		close(ended)
	}()
	timeout := time.NewTimer(janitorPatience)
	defer timeout.Stop()
	select {
	case <-ended:
	case <-timeout.C:
		_ = j.cmd.Process.Kill()
		<-ended
	}
}
