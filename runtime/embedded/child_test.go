//go:build unix

package embedded

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// childConfig says how a program under test runs.
type childConfig struct {
	mode              string // "postgres" if empty
	temp, cache, data string
	home, as          string
	env               []string
}

// child is a program under test: the test binary, started as another process.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
}

func startChild(t *testing.T, cfg childConfig) *child {
	t.Helper()
	mode := cfg.mode
	if mode == "" {
		mode = "postgres"
	}
	cmd := exec.Command(childProgram(t, cfg.as != ""))
	cmd.Env = append(os.Environ(), childMarker+"="+mode, "TMPDIR="+cfg.temp, "CHILD_CACHE="+cfg.cache, "CHILD_DATA="+cfg.data)
	cmd.Env = append(cmd.Env, cfg.env...)
	if cfg.as != "" {
		cmd.Env = append(cmd.Env, "HOME="+cfg.home)
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: credentialOf(t, cfg.as)}
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: cmd, in: in, lines: make(chan string, 100)}
	go func() {
		defer close(c.lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			c.lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return c
}

// childProgram is the test binary, or a copy that every user can reach.
func childProgram(t *testing.T, copied bool) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if !copied {
		return exe
	}
	reachable := filepath.Join(openFolder(t), "program")
	if _, err := new(fileCopier).copy(exe, reachable); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(reachable, 0o755); err != nil {
		t.Fatal(err)
	}
	return reachable
}

func credentialOf(t *testing.T, name string) *syscall.Credential {
	t.Helper()
	found, err := user.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.ParseUint(found.Uid, 10, 32)
	gid, _ := strconv.ParseUint(found.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// awaitReady waits for the child's server and returns its DSN.
func (c *child) awaitReady(t *testing.T) string {
	t.Helper()
	line := <-c.lines
	dsn, ok := strings.CutPrefix(line, "ready ")
	if !ok {
		t.Fatalf("the child says %q", line)
	}
	return dsn
}

// kill kills the child and waits until it is gone.
func (c *child) kill(t *testing.T) {
	t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.cmd.Wait()
}

// end lets the child stop by itself.
func (c *child) end(t *testing.T) {
	t.Helper()
	if err := c.in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// awaitClean waits until nothing is left of a killed child.
func (c *child) awaitClean(t *testing.T, temp string) {
	t.Helper()
	eventually(t, "no process is left", func() bool { return len(processesNaming(t, temp)) == 0 })
	eventually(t, "no folder is left", func() bool { return len(listFolder(t, temp)) == 0 })
	parent := fmt.Sprintf("parent=%d\x00", c.cmd.Process.Pid)
	eventually(t, "the janitor has ended", func() bool { return len(processesNaming(t, parent)) == 0 })
}
