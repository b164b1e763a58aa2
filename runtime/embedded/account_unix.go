//go:build unix

package embedded

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// account is the user that the server runs as where that is not the current one.
type account struct {
	name     string
	uid, gid uint32
}

// serverAccount chooses whom the server runs as: nil (the current user) unless that is root, whom Postgres refuses. A cluster
// that exists and belongs to an ordinary user stays that user's.
func serverAccount(cluster string) (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	if owner := ordinaryOwner(cluster); owner != nil {
		return owner, nil
	}
	for _, name := range []string{"postgres", "_postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(found.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(found.Gid, 10, 32)
		if errors.Join(uidErr, gidErr) != nil || uid == 0 {
			continue
		}
		return &account{name: name, uid: uint32(uid), gid: uint32(gid)}, nil
	}
	return nil, errors.New("root may not run Postgres, and there is neither a user postgres nor nobody: run as an ordinary user")
}

func ordinaryOwner(folder string) *account {
	info, err := os.Stat(folder)
	if err != nil {
		return nil
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid == 0 {
		return nil
	}
	name := strconv.FormatUint(uint64(stat.Uid), 10)
	if found, err := user.LookupId(name); err == nil {
		name = found.Username
	}
	return &account{name: name, uid: stat.Uid, gid: stat.Gid}
}

// own gives a file or folder to the account.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	if err := os.Lchown(path, int(a.uid), int(a.gid)); err != nil {
		return fmt.Errorf("giving the file to the user %s: %w", a.name, err)
	}
	return nil
}
