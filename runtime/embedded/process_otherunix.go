//go:build unix && !linux

package embedded

import (
	"errors"
	"os"
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

// serverOf reports whether a process of that number lives; which program it is can't be told cheaply here.
func serverOf(pid int, _ string) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// canTellServers says that serverOf may be wrong about a number used again, so Postgres itself must judge stale notes.
const canTellServers = false
