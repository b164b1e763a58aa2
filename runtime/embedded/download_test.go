package embedded

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// fakeArchive is an archive of server binaries as the repository has them; its programs can only tell their version.
func fakeArchive(t *testing.T) []byte {
	t.Helper()
	xz, err := exec.LookPath("xz")
	if err != nil {
		t.Skip("needs xz")
	}
	var tarball bytes.Buffer
	w := tar.NewWriter(&tarball)
	script := "#!/bin/sh\n[ \"$1\" = --version ] && echo 'postgres (PostgreSQL) 18.3' && exit\necho 'no cluster today' >&2\nexit 3\n"
	for _, name := range []string{"postgres", "initdb", "pg_ctl"} {
		if err := w.WriteHeader(&tar.Header{Name: "bin/" + name, Mode: 0o755, Size: int64(len(script)), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(script)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(xz, "-c")
	cmd.Stdin = &tarball
	packed, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var jar bytes.Buffer
	z := zip.NewWriter(&jar)
	entry, err := z.Create("postgres.txz")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := entry.Write(packed); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return jar.Bytes()
}

func fakeRepository(t *testing.T, jar []byte, fetched *atomic.Int32) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, ".jar"):
			fetched.Add(1)
			_, _ = w.Write(jar)
		case strings.HasSuffix(r.URL.Path, ".jar.sha256"):
			_, _ = fmt.Fprintf(w, "%x", sha256.Sum256(jar))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestFetchOnce(t *testing.T) {
	jar := fakeArchive(t)
	var fetched, noticed atomic.Int32
	t.Setenv(BinDirVariable, "")
	cfg := PostgresConfig{
		CacheDir: openFolder(t), places: &places{}, repository: fakeRepository(t, jar, &fetched),
		Notice: func(line string) {
			noticed.Add(1)
			if strings.Contains(line, "\n") {
				t.Errorf("more than a line: %q", line)
			}
		},
	}
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			_, err := StartPostgres(t.Context(), cfg)
			if err == nil || !strings.Contains(err.Error(), "no cluster today") {
				t.Errorf("the fetched programs do not run: %v", err)
			}
		})
	}
	all.Wait()
	if fetched.Load() != 1 || noticed.Load() != 1 {
		t.Errorf("fetched %d times, announced %d times", fetched.Load(), noticed.Load())
	}
	for _, left := range listFolder(t, cfg.CacheDir) {
		if strings.HasPrefix(left, "fetch-") {
			t.Errorf("in the cache: %q", left)
		}
	}
	cfg.NoDownload = true // what is in the cache already may be used
	if _, err := StartPostgres(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "no cluster today") {
		t.Errorf("got %v", err)
	}
}

func TestFetchFails(t *testing.T) {
	t.Setenv(BinDirVariable, "")
	missing := httptest.NewServer(http.NotFoundHandler())
	defer missing.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	garbage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("no archive")) }))
	defer garbage.Close()
	for name, url := range map[string]string{"not there": missing.URL, "no server": gone.URL, "garbage": garbage.URL} {
		cache := openFolder(t)
		_, err := StartPostgres(t.Context(), PostgresConfig{CacheDir: cache, places: &places{}, repository: url})
		if !errors.Is(err, ErrNoPostgres) || !strings.Contains(err.Error(), BinDirVariable) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		if left := listFolder(t, cache); len(left) > 1 {
			t.Errorf("%s: in the cache: %q", name, left)
		}
	}
}

func TestFetchIsCancelled(t *testing.T) {
	t.Setenv(BinDirVariable, "")
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		cancel()
		<-release
	}))
	defer slow.Close()
	defer close(release)
	cache := openFolder(t)
	if _, err := StartPostgres(ctx, PostgresConfig{CacheDir: cache, places: &places{}, repository: slow.URL}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if left := listFolder(t, cache); len(left) > 1 {
		t.Errorf("in the cache: %q", left)
	}
}

// TestFetchForReal fetches Postgres from Maven Central; it runs only when asked, since it needs the internet.
func TestFetchForReal(t *testing.T) {
	if os.Getenv("CAUSETC_TEST_FETCH") == "" {
		t.Skip("set CAUSETC_TEST_FETCH to fetch Postgres")
	}
	t.Setenv(BinDirVariable, "")
	pg, err := StartPostgres(t.Context(), PostgresConfig{CacheDir: openFolder(t), places: &places{}, Notice: func(line string) { t.Log(line) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(queryText(t, pg.DSN(), "select version()"))
	if err := pg.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
}
