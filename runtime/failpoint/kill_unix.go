//go:build failpoints && unix

package failpoint

import (
	"os"
	"syscall"
)

// kill ends the process at once; nothing that is deferred runs.
func kill() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// stop makes the process stand still until it is told to go on.
func stop() { _ = syscall.Kill(os.Getpid(), syscall.SIGSTOP) }
