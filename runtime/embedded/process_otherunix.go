//go:build unix && !linux

package embedded

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// ownExecutable is the path of the running program.
func ownExecutable() (string, error) { return os.Executable() }

// signalOnParentDeath does nothing where the kernel has no such signal: there the janitor alone looks after the server.
func signalOnParentDeath(*syscall.SysProcAttr, syscall.Signal) {}

// hasExited reports whether a process has ended.
func hasExited(p *os.Process) bool {
	err := p.Signal(syscall.Signal(0))
	return errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH)
}

// serverOf reports whether a process of that number is a Postgres server; whose data it works on can't be told here.
func serverOf(pid int, _ string) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	name, err := exec.Command("ps", "-o", "comm=", "-p", strconv.Itoa(pid)).Output()
	return err != nil || strings.Contains(string(name), "postgres")
}
