package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The files whose locks stand for what a folder holds. Server and broker may share a data folder.
const (
	postgresLock = "postgres.lock"
	janitorLock  = "janitor.lock" // held by the janitor of the server's program
	kafkaLock    = "kafka.lock"
	cacheLock    = "cache.lock"
)

// errLocked says that another open file holds the lock.
var errLocked = errors.New("locked")

// folderLock is a lock on what a folder holds. The system releases it when the process dies.
type folderLock struct{ file *os.File }

// lockFolder makes a folder if need be and takes one of its locks; ErrInUse if someone else holds it.
func lockFolder(folder, lockName string) (*folderLock, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	name := filepath.Join(folder, lockName)
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if err := lockFile(file); err != nil {
		owner, _ := os.ReadFile(name)
		_ = file.Close()
		if !errors.Is(err, errLocked) {
			return nil, fmt.Errorf("locking %s: %w", name, err)
		}
		return nil, fmt.Errorf("data folder %s is %w%s", folder, ErrInUse, ownerText(string(owner)))
	}
	// The number serves the message above only; nothing is decided by it.
	if err := file.Truncate(0); err == nil {
		_, _ = file.WriteAt([]byte(strconv.Itoa(os.Getpid())), 0)
	}
	return &folderLock{file: file}, nil
}

func ownerText(content string) string {
	if pid, err := strconv.Atoi(strings.TrimSpace(content)); err == nil {
		return fmt.Sprintf(" (process %d)", pid)
	}
	return ""
}

// awaitFolder is lockFolder that waits its turn.
func awaitFolder(ctx context.Context, folder, lockName string) (*folderLock, error) {
	for {
		lock, err := lockFolder(folder, lockName)
		if !errors.Is(err, ErrInUse) {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// release gives the folder back. The file stays: removing it would let two processes lock two files of one name.
func (l *folderLock) release() {
	if l != nil {
		_ = l.file.Close()
	}
}
