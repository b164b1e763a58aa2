//go:build unix

package embedded

import (
	"os"
	"os/exec"
	"syscall"
)

// detach puts the janitor into a session of its own, out of reach of the terminal's signals.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// confine makes a command run as the account, in a process group of its own, and (on Linux) get a signal when this process dies.
func confine(cmd *exec.Cmd, as *account, onParentDeath stopMode) {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if as != nil {
		attr.Credential = &syscall.Credential{Uid: as.uid, Gid: as.gid}
	}
	signalOnParentDeath(attr, signalOf(onParentDeath))
	cmd.SysProcAttr = attr
}

func signalOf(mode stopMode) syscall.Signal {
	switch mode {
	case stopFast:
		return syscall.SIGINT
	case stopImmediate:
		return syscall.SIGQUIT
	default:
		return syscall.SIGKILL
	}
}

// askToStop sends a server the signal for the mode.
func askToStop(r stopRequest, mode stopMode) {
	_ = r.process.Signal(signalOf(mode))
}

// killGroup kills a process and all of its process group.
func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
	_ = p.Kill()
}
