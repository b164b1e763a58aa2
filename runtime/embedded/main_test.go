package embedded

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// childMarker makes the test binary run as a program that starts a server.
const childMarker = "CAUSETC_TEST_CHILD"

func TestMain(m *testing.M) {
	RunJanitorIfAsked()
	switch os.Getenv(childMarker) {
	case "":
		os.Exit(runTests(m))
	case "postgres":
		childPostgres()
	case "publish":
		childPublish()
	}
}

// cacheVariable names the folder of the template that all tests share which are not about templates.
const cacheVariable = "CAUSETC_TEST_CACHE"

func runTests(m *testing.M) int {
	cache, err := os.MkdirTemp("", "cpg-cache")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(cache) }()
	if err := os.Setenv(cacheVariable, cache); err != nil {
		panic(err)
	}
	return m.Run()
}

func sharedCache() string { return os.Getenv(cacheVariable) }

// childPostgres starts a server, says so, and lives until its standard input ends.
func childPostgres() {
	cfg := PostgresConfig{DataDir: os.Getenv("CHILD_DATA"), CacheDir: os.Getenv("CHILD_CACHE"), NoDownload: true}
	pg, err := StartPostgres(context.Background(), cfg)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("ready", pg.DSN())
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := pg.Stop(context.Background()); err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
}

// needPostgres makes sure that there are Postgres binaries. On a machine without any they are fetched once into the user's
// cache, as the program itself would do.
func needPostgres(t *testing.T) {
	t.Helper()
	if err := havePostgres(); err != nil {
		t.Fatal(err)
	}
}

var havePostgres = sync.OnceValue(func() error {
	if os.Getenv(BinDirVariable) != "" || len(usualPlaces().candidates()) > 0 {
		return nil
	}
	pg, err := StartPostgres(context.Background(), PostgresConfig{})
	if err != nil {
		return err
	}
	if err := os.Setenv(BinDirVariable, pg.starter.binaries.dir); err != nil {
		return err
	}
	return pg.Stop(context.Background())
})

// openFolder is a temporary folder that every user can reach, unlike the one of t.TempDir.
func openFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "cpg")
	if err != nil {
		t.Fatal(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// eventually polls for a condition and fails the test when it does not come true.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if condition() {
			return
		}
	}
	t.Fatalf("did not happen within a minute: %s", what)
}

// processesNaming lists the live processes whose command line holds a text.
func processesNaming(t *testing.T, text string) []string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, name := range lines {
		line, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(line), text) {
			found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return found
}

// running reports whether a process that works below a folder has a text in its command line.
func running(t *testing.T, folder, text string) bool {
	t.Helper()
	return slices.ContainsFunc(processesNaming(t, folder), func(line string) bool { return strings.Contains(line, text) })
}

func listFolder(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func queryText(t *testing.T, dsn, query string) string {
	t.Helper()
	var text string
	conn := connect(t, dsn)
	if err := conn.QueryRow(t.Context(), query).Scan(&text); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return text
}
