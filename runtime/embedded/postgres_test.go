package embedded

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func startPostgres(t *testing.T, cfg PostgresConfig) *Postgres {
	t.Helper()
	needPostgres(t)
	cfg.NoDownload = true
	pg, err := StartPostgres(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := pg.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return pg
}

func TestPrivateServerLeavesNothing(t *testing.T) {
	temp, cache := openFolder(t), openFolder(t)
	t.Setenv("TMPDIR", temp)
	for _, source := range []string{"initdb", "template"} {
		began := time.Now()
		pg := startPostgres(t, PostgresConfig{CacheDir: cache})
		t.Logf("start from %s: %v", source, time.Since(began))
		if got := queryText(t, pg.DSN(), "select current_user || ' ' || current_setting('fsync') || ' ' || current_setting('TimeZone')"); got != "postgres off UTC" {
			t.Errorf("got %q", got)
		}
		if pg.starter.copied != (source == "template") {
			t.Errorf("%s: copied is %v", source, pg.starter.copied)
		}
		if err := pg.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := pg.Stop(t.Context()); err != nil {
			t.Errorf("second stop: %v", err)
		}
		if left := listFolder(t, temp); len(left) != 0 {
			t.Errorf("left in the temporary folder: %q", left)
		}
		if left := processesNaming(t, temp); len(left) != 0 {
			t.Errorf("left running: %q", left)
		}
	}
}

func TestDataDirKeepsData(t *testing.T) {
	data := filepath.Join(openFolder(t), "deep", "data folder")
	cache := sharedCache()
	pg := startPostgres(t, PostgresConfig{DataDir: data, CacheDir: cache})
	if _, err := connect(t, pg.DSN()).Exec(t.Context(), "create table kept as select 'yes'::text as a"); err != nil {
		t.Fatal(err)
	}
	if err := pg.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := startPostgres(t, PostgresConfig{DataDir: data, CacheDir: cache})
	if got := queryText(t, again.DSN(), "select a from kept"); got != "yes" {
		t.Errorf("got %q", got)
	}
}

func TestDataDirInUse(t *testing.T) {
	data, cache := openFolder(t), sharedCache()
	first := startPostgres(t, PostgresConfig{DataDir: data, CacheDir: cache})
	_, err := StartPostgres(t.Context(), PostgresConfig{DataDir: data, CacheDir: cache, NoDownload: true})
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), data) {
		t.Fatalf("got %v", err)
	}
	if got := queryText(t, first.DSN(), "select current_setting('fsync')"); got != "on" {
		t.Errorf("the first server is disturbed: fsync %q", got)
	}
}

func TestBrokenTemplateIsReplaced(t *testing.T) {
	cache := openFolder(t)
	if err := startPostgres(t, PostgresConfig{CacheDir: cache}).Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	templates, err := filepath.Glob(filepath.Join(cache, "templates", "*"))
	if err != nil || len(templates) != 1 {
		t.Fatalf("%q, %v", templates, err)
	}
	for name, damage := range map[string]func(path string) error{
		"a lost file":    os.Remove,
		"a damaged file": func(path string) error { return os.WriteFile(path, make([]byte, 8192), 0o600) },
	} {
		if err := damage(filepath.Join(templates[0], "data", "global", "pg_control")); err != nil {
			t.Fatal(err)
		}
		pg := startPostgres(t, PostgresConfig{CacheDir: cache})
		if pg.starter.copied {
			t.Errorf("%s: the template was used", name)
		}
		queryText(t, pg.DSN(), "select 'up'")
		again := startPostgres(t, PostgresConfig{CacheDir: cache})
		if !again.starter.copied {
			t.Errorf("%s: the template was not replaced", name)
		}
		for _, pg := range []*Postgres{pg, again} {
			if err := pg.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestStartersShareOneTemplateCache(t *testing.T) {
	needPostgres(t)
	cache := openFolder(t)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			pg, err := StartPostgres(t.Context(), PostgresConfig{CacheDir: cache, NoDownload: true})
			if err != nil {
				t.Error(err)
				return
			}
			queryText(t, pg.DSN(), "select 'up'")
			if err := pg.Stop(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if left := listFolder(t, filepath.Join(cache, "templates")); len(left) != 1 {
		t.Errorf("in the cache: %q", left)
	}
}

func TestCancelledStartCleansUp(t *testing.T) {
	needPostgres(t)
	temp := openFolder(t)
	for name, reached := range map[string]func() bool{
		"at once":           func() bool { return true },
		"temporary folder":  func() bool { return len(listFolder(t, temp)) > 0 },
		"initdb runs":       func() bool { return running(t, temp, "initdb") },
		"the server starts": func() bool { return running(t, temp, "unix_socket_directories") },
	} {
		cache := openFolder(t)
		t.Setenv("TMPDIR", temp)
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error, 1)
		go func() {
			pg, err := StartPostgres(ctx, PostgresConfig{CacheDir: cache, NoDownload: true})
			if err == nil {
				err = pg.Stop(context.Background())
			}
			failed <- err
		}()
		eventually(t, name, reached)
		cancel()
		// The server may have won the race; only then is there no error.
		if err := <-failed; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		} else if err == nil && name != "the server starts" {
			t.Errorf("%s: started although cancelled", name)
		}
		if left := listFolder(t, temp); len(left) != 0 {
			t.Errorf("%s: left in the temporary folder: %q", name, left)
		}
		if left := processesNaming(t, temp); len(left) != 0 {
			t.Errorf("%s: left running: %q", name, left)
		}
		t.Setenv("TMPDIR", "")
	}
}

func TestNoBinaries(t *testing.T) {
	cfg := PostgresConfig{NoDownload: true, CacheDir: openFolder(t), places: &places{path: openFolder(t)}}
	t.Setenv(BinDirVariable, "")
	_, err := StartPostgres(t.Context(), cfg)
	if !errors.Is(err, ErrNoPostgres) || !strings.Contains(err.Error(), BinDirVariable) {
		t.Errorf("got %v", err)
	}
	empty := openFolder(t)
	_, err = StartPostgres(t.Context(), PostgresConfig{BinDir: empty})
	if !errors.Is(err, ErrNoPostgres) || !strings.Contains(err.Error(), empty) {
		t.Errorf("got %v", err)
	}
	t.Setenv(BinDirVariable, empty)
	_, err = StartPostgres(t.Context(), PostgresConfig{})
	if !errors.Is(err, ErrNoPostgres) || !strings.Contains(err.Error(), empty) {
		t.Errorf("got %v", err)
	}
}

func TestBinariesBehindLinksOnPath(t *testing.T) {
	needPostgres(t)
	real := usualPlaces().candidates()[0]
	links := openFolder(t)
	if err := os.Symlink(filepath.Join(real, "postgres"), filepath.Join(links, "postgres")); err != nil {
		t.Fatal(err)
	}
	resolved, err := filepath.EvalSymlinks(real)
	if err != nil {
		t.Fatal(err)
	}
	if got := (places{path: links}).candidates(); len(got) != 1 || got[0] != resolved {
		t.Errorf("got %q, want %q", got, resolved)
	}
}

func TestNewestFolderFirst(t *testing.T) {
	root := openFolder(t)
	for _, version := range []string{"9.6", "15", "10"} {
		bin := filepath.Join(root, version, "bin")
		if err := os.MkdirAll(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"postgres", "initdb"} {
			if err := os.WriteFile(filepath.Join(bin, programFile(name)), nil, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := places{folders: []string{filepath.Join(root, "*", "bin")}}.candidates()
	want := []string{"15", "10", "9.6"}
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i := range want {
		if got[i] != filepath.Join(root, want[i], "bin") {
			t.Errorf("place %d: %s", i, got[i])
		}
	}
}

func TestOtherVersionsDataIsRefused(t *testing.T) {
	needPostgres(t)
	data := openFolder(t)
	if err := os.Mkdir(filepath.Join(data, "pgdata"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "pgdata", "PG_VERSION"), []byte("12\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := StartPostgres(t.Context(), PostgresConfig{DataDir: data, CacheDir: sharedCache(), NoDownload: true})
	if !errors.Is(err, ErrNoPostgres) || !strings.Contains(err.Error(), "made by Postgres 12") {
		t.Errorf("got %v", err)
	}
}

// BenchmarkStart measures a start and stop with a prepared template.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		pg, err := StartPostgres(b.Context(), PostgresConfig{CacheDir: sharedCache(), NoDownload: true})
		if err != nil {
			b.Skip(err)
		}
		if err := pg.Stop(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLongTemporaryFolder(t *testing.T) {
	needPostgres(t)
	long := filepath.Join(openFolder(t), strings.Repeat("long", 25))
	if err := os.Mkdir(long, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	queryText(t, startPostgres(t, PostgresConfig{CacheDir: sharedCache()}).DSN(), "select 'up'")
}
