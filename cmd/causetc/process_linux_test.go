package main

import (
	"os"
	"syscall"
)

// peakMemory is the most memory in bytes that an ended process had at once. It counts what this process had when it started
// the other one, so it is a bound.
func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}
