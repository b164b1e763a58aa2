package main

import (
	"os"
	"syscall"
)

// peakMemory is the most memory in bytes that an ended process had at once.
func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}
