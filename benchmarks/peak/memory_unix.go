//go:build unix

// Package peak tells how much memory the processes of benchmarks took.
package peak

import (
	"os"
	"runtime"
	"syscall"
)

// Memory returns the most resident bytes that a finished process had, 0 where that can't be told.
func Memory(state *os.ProcessState) int64 {
	u, ok := state.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin" || runtime.GOOS == "ios":
		return u.Maxrss
	}
	return u.Maxrss << 10
}
