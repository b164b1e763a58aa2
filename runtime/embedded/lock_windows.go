package embedded

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile locks an open file without waiting; errLocked if another one holds the lock. Windows keeps others from reading
// what is locked, so the lock lies far behind the content.
func lockFile(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errLocked
	}
	return err
}
