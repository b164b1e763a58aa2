//go:build unix

package embedded

import (
	"errors"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func needRoot(t *testing.T) {
	t.Helper()
	needPostgres(t)
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
}

func TestRootDropsPrivileges(t *testing.T) {
	needRoot(t)
	pg := startPostgres(t, PostgresConfig{DataDir: openFolder(t), CacheDir: sharedCache()})
	out, err := exec.Command("ps", "-o", "uid=", "-p", strconv.Itoa(pg.starter.server.os.Pid)).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(out)); got == "0" || got != strconv.FormatUint(uint64(pg.starter.account.uid), 10) {
		t.Errorf("runs as %q", got)
	}
	queryText(t, pg.DSN(), "select 'up'")
}

func TestFolderOutOfReach(t *testing.T) {
	needRoot(t)
	closed := filepath.Join(openFolder(t), "closed")
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(closed, "data")
	_, err := StartPostgres(t.Context(), PostgresConfig{DataDir: data, CacheDir: sharedCache()})
	var unreachable *UnreachableError
	if !errors.As(err, &unreachable) || unreachable.Folder != data || unreachable.Blocker != closed {
		t.Fatalf("got %v", err)
	}
	t.Log(err)
}

// TestClosedTemporaryFolder needs a fallback: root's TMPDIR may be its own.
func TestClosedTemporaryFolder(t *testing.T) {
	needRoot(t)
	t.Setenv("TMPDIR", t.TempDir())
	queryText(t, startPostgres(t, PostgresConfig{CacheDir: sharedCache()}).DSN(), "select 'up'")
}

func TestOrdinaryUser(t *testing.T) {
	needRoot(t)
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Skip(err)
	}
	home, temp := openFolder(t), openFolder(t)
	c := startChild(t, childConfig{temp: temp, home: home, as: nobody.Username, data: filepath.Join(home, "data")})
	if got := queryText(t, c.awaitReady(t), "select current_user::text"); got != "postgres" {
		t.Errorf("got %q", got)
	}
	info, err := os.Stat(filepath.Join(home, "data", "pgdata"))
	if err != nil {
		t.Fatal(err)
	}
	c.end(t)
	if owner := ordinaryOwner(filepath.Join(home, "data", "pgdata")); owner == nil || owner.name != "nobody" {
		t.Errorf("owner %v of %v", owner, info)
	}
	if left := listFolder(t, temp); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
	// Root goes on with the data as the user whose it is.
	pg := startPostgres(t, PostgresConfig{DataDir: filepath.Join(home, "data"), CacheDir: sharedCache()})
	if pg.starter.account.name != "nobody" {
		t.Errorf("runs as %s", pg.starter.account.name)
	}
}
