package worker

import (
	"os"
	"runtime/debug"
)

// How the garbage collector serves a process best that does nothing but run a worker: it leaves garbage alone while there is
// room, and takes more time where records are large. What is in use for good, the windows of ids, must not use up the room:
// it would collect all the time.
const (
	gcPercent    = 200
	roomForAll   = 116 << 20 // bytes, besides the windows
	leastRoom    = 150 << 20
	windowMemory = windowSize*16 + 4<<17 // bytes: ids, and an index of them
)

// memoryLimit is the soft limit of the memory of a worker with so many partitions, in bytes.
func memoryLimit(partitions int) int64 {
	return max(roomForAll+int64(partitions)*windowMemory, leastRoom)
}

// tuneCollector sets the garbage collector for so many partitions, if the process is the worker's own. What the environment says,
// by GOGC and GOMEMLIMIT, takes precedence.
func (w *Worker) tuneCollector(partitions int) {
	if !w.conf.OwnProcess {
		return
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit(partitions))
	}
}
