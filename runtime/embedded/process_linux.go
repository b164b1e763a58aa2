package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// ownExecutable is a name of the running program that stays valid when its file is replaced or deleted (as "go run" does).
func ownExecutable() (string, error) { return "/proc/self/exe", nil }

func signalOnParentDeath(attr *syscall.SysProcAttr, sig syscall.Signal) { attr.Pdeathsig = sig }

// hasExited reports whether a process has ended; one that nobody has reaped yet counts as ended.
func hasExited(p *os.Process) bool {
	if err := p.Signal(syscall.Signal(0)); err != nil {
		return errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH)
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
	if err != nil {
		return false
	}
	_, state, found := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" "))
	return found && len(state) > 0 && (state[0] == 'Z' || state[0] == 'X')
}

// serverOf reports whether a live process is the server of a cluster: a server works in its data folder. One whose working
// folder we may not see is not ours, for ours runs as this user, or as another one while this user is root.
func serverOf(pid int, dataDir string) bool {
	cwd, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
	if err != nil {
		return false
	}
	real, err := filepath.EvalSymlinks(dataDir)
	return err == nil && cwd == real
}
