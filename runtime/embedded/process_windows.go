package embedded

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"
)

// ownExecutable is the path of the running program.
func ownExecutable() (string, error) { return os.Executable() }

// detach keeps the console's Ctrl-C away from the janitor.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW,
	}
}

// confine keeps the console's Ctrl-C away from a command. Postgres's own programs give up administrator rights by themselves.
func confine(cmd *exec.Cmd, _ *account, _ stopMode) { detach(cmd) }

// askToStop stops a server with pg_ctl, which knows its private way of signalling.
func askToStop(r stopRequest, mode stopMode) {
	name := "fast"
	switch mode {
	case stopFast:
	case stopImmediate:
		name = "immediate"
	case stopKill:
		_ = r.process.Kill()
		return
	}
	cmd := exec.Command(filepath.Join(r.binDir, "pg_ctl.exe"), "stop", "-D", r.dataDir, "-m", name, "-W")
	detach(cmd)
	_ = cmd.Run()
}

// killGroup kills a process and all that it started.
func killGroup(p *os.Process) {
	kill := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid))
	detach(kill)
	_ = kill.Run()
	_ = p.Kill()
}

// hasExited reports whether a process has ended.
func hasExited(p *os.Process) bool {
	handle, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(p.Pid))
	if err != nil {
		return err == windows.ERROR_INVALID_PARAMETER
	}
	defer func() { _ = windows.CloseHandle(handle) }()
	event, err := windows.WaitForSingleObject(handle, 0)
	return err == nil && event == windows.WAIT_OBJECT_0
}

// serverOf reports whether a process of that number is a Postgres server; whose data it works on can't be told here.
func serverOf(pid int, _ string) bool {
	if hasExited(&os.Process{Pid: pid}) {
		return false
	}
	handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return true
	}
	defer func() { _ = windows.CloseHandle(handle) }()
	name := make([]uint16, windows.MAX_LONG_PATH)
	length := uint32(len(name))
	if err := windows.QueryFullProcessImageName(handle, 0, &name[0], &length); err != nil {
		return true
	}
	return strings.EqualFold(filepath.Base(windows.UTF16ToString(name[:length])), "postgres.exe")
}
