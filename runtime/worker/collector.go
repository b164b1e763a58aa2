package worker

import (
	"os"
	"runtime/debug"
)

// How the garbage collector serves a process best that does nothing but run a worker: it leaves garbage alone while there is
// room, and takes more time where records are large.
const (
	gcPercent   = 200
	memoryLimit = 150 << 20 // bytes
)

// TuneCollector sets the garbage collector of a process that does nothing but run a worker. What the environment says, by GOGC and
// GOMEMLIMIT, takes precedence.
func TuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
