//go:build unix

package embedded

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestKilledProgramLeavesNothing(t *testing.T) {
	needPostgres(t)
	temp := openFolder(t)
	points := map[string]func(*child) bool{
		"the janitor runs": func(c *child) bool {
			return len(processesNaming(t, fmt.Sprintf("janitor\x00parent=%d\x00", c.cmd.Process.Pid))) > 0
		},
		"a folder exists": func(*child) bool { return len(listFolder(t, temp)) > 0 },
		"initdb runs":     func(*child) bool { return running(t, temp, "initdb") },
		"the server runs": func(*child) bool { return running(t, temp, "unix_socket_directories") },
		"the server is ready": func(c *child) bool {
			c.awaitReady(t)
			return true
		},
	}
	for name, reached := range points {
		t.Run(name, func(t *testing.T) {
			cache := openFolder(t)
			c := startChild(t, childConfig{temp: temp, cache: cache})
			eventually(t, name, func() bool { return reached(c) })
			c.kill(t)
			c.awaitClean(t, temp)
			for _, left := range listFolder(t, cache) {
				if left != "templates" {
					t.Errorf("in the cache: %q", left)
				}
			}
			if folder := filepath.Join(cache, "templates"); exists(folder) {
				for _, left := range listFolder(t, folder) {
					if strings.HasPrefix(left, "new-") {
						t.Errorf("in the cache: %q", left)
					}
				}
			}
		})
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestKilledAtRandom kills programs that share a template and a data folder in turn at moments that no condition names.
func TestKilledAtRandom(t *testing.T) {
	needPostgres(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	temp, cache, data := openFolder(t), openFolder(t), filepath.Join(openFolder(t), "data")
	for i := range 12 {
		cfg := childConfig{temp: temp, cache: cache}
		if i%2 == 1 {
			cfg.data = data
		}
		c := startChild(t, cfg)
		select {
		case <-time.After(time.Duration(random.IntN(1200)) * time.Millisecond):
		case line := <-c.lines:
			if !strings.HasPrefix(line, "ready ") {
				t.Errorf("the child says %q", line)
			}
		}
		c.kill(t)
		if i%3 == 0 { // otherwise the next start meets the clean-up of this one
			c.awaitClean(t, temp)
		}
	}
	c := startChild(t, childConfig{temp: temp, cache: cache, data: data})
	queryText(t, c.awaitReady(t), "select 'up'")
	c.end(t)
	c.awaitClean(t, temp)
}

func TestDataSurvivesKill(t *testing.T) {
	needPostgres(t)
	temp, cache, data := openFolder(t), sharedCache(), openFolder(t)
	c := startChild(t, childConfig{temp: temp, cache: cache, data: data})
	conn := connect(t, c.awaitReady(t))
	if _, err := conn.Exec(t.Context(), "create table kept as select n from generate_series(1, 1000) n"); err != nil {
		t.Fatal(err)
	}
	c.kill(t)
	// At once: the dead program's janitor may still be stopping the server.
	began := time.Now()
	again := startChild(t, childConfig{temp: temp, cache: cache, data: data})
	if got := queryText(t, again.awaitReady(t), "select count(*)::text from kept"); got != "1000" {
		t.Errorf("rows: %s", got)
	}
	t.Logf("up again after %v", time.Since(began))
	again.end(t)
	c.awaitClean(t, temp)
}

// TestJanitorOfTheDeadEndsFirst starts on the data of a program that died between starting its server and telling its janitor:
// that one looks for a server on the folder, and must not find the new program's.
func TestJanitorOfTheDeadEndsFirst(t *testing.T) {
	needPostgres(t)
	data, cache := openFolder(t), sharedCache()
	first := startPostgres(t, PostgresConfig{DataDir: data, CacheDir: cache})
	cluster, bin := first.starter.cluster, first.starter.binaries.dir
	if err := first.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	dead, err := startJanitor(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	if err := dead.tell(order{Watch: &watch{DataDir: cluster, BinDir: bin, Kept: true, Server: true}}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		dead.dismiss(false)
	}()
	next := startPostgres(t, PostgresConfig{DataDir: data, CacheDir: cache})
	<-ended
	queryText(t, next.DSN(), "select 'up'")
}

// TestStaleNote starts on the data of a machine that went down: the note of the server's number is still there, and the number
// belongs to another program by now.
func TestStaleNote(t *testing.T) {
	needPostgres(t)
	data, cache := openFolder(t), sharedCache()
	if err := startPostgres(t, PostgresConfig{DataDir: data, CacheDir: cache}).Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := exec.Command("sleep", "60")
	if os.Geteuid() == 0 {
		owner := ordinaryOwner(filepath.Join(data, "pgdata"))
		other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: owner.uid, Gid: owner.gid}}
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = other.Process.Kill()
		_ = other.Wait()
	}()
	note := filepath.Join(data, "pgdata", "postmaster.pid")
	if err := os.WriteFile(note, fmt.Appendf(nil, "%d\n%s\n", other.Process.Pid, filepath.Dir(note)), 0o600); err != nil {
		t.Fatal(err)
	}
	queryText(t, startPostgres(t, PostgresConfig{DataDir: data, CacheDir: cache}).DSN(), "select 'up'")
}

// TestInterruptReachesOnlyTheProgram: the program decides what a terminal's interrupt means.
func TestInterruptReachesOnlyTheProgram(t *testing.T) {
	needPostgres(t)
	temp := openFolder(t)
	c := startChild(t, childConfig{temp: temp, cache: sharedCache()})
	dsn := c.awaitReady(t)
	groups := map[string]bool{}
	for _, name := range []string{"janitor\x00parent=" + strconv.Itoa(c.cmd.Process.Pid), temp} {
		for _, pid := range pidsNaming(t, name) {
			group, err := syscall.Getpgid(pid)
			if err != nil {
				t.Fatal(err)
			}
			groups[strconv.Itoa(group)] = true
		}
	}
	own, err := syscall.Getpgid(c.cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	if len(groups) < 2 || groups[strconv.Itoa(own)] {
		t.Errorf("process groups %v, the program's is %d: a terminal's interrupt would reach the server", groups, own)
	}
	queryText(t, dsn, "select 'up'")
	c.end(t)
}

func pidsNaming(t *testing.T, text string) []int {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, name := range lines {
		line, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(line), text) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestPublishSurvivesKills kills the program that holds broker and publisher again and again.
func TestPublishSurvivesKills(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 2))
	data, temp := t.TempDir(), t.TempDir()
	path := filepath.Join(t.TempDir(), "events.ndjson")
	lines := eventLines(100_000)
	for range 200 {
		lines[random.IntN(len(lines))] = []string{"", "broken", "\t"}[random.IntN(3)]
	}
	writeLines(t, path, lines)
	kills := 0
	for {
		start := logSize(data)
		c := startChild(t, childConfig{mode: "publish", temp: temp, data: data, env: []string{"CHILD_FILE=" + path}})
		goal := start + int64(random.IntN(1_500_000))
		said := ""
		eventually(t, "more in the log, or the end", func() bool {
			select {
			case said = <-c.lines:
			default:
			}
			return said != "" || logSize(data) > goal
		})
		c.kill(t)
		if said != "" {
			t.Logf("after %d kills: %s", kills, said)
			if !strings.HasPrefix(said, "published ") {
				t.Fatal(said)
			}
			break
		}
		kills++
	}
	if kills == 0 {
		t.Error("nothing was killed")
	}
	checkPublished(t, startKafka(t, data), path, lines)
}

// logSize is the size of the broker's log.
func logSize(data string) int64 {
	var size int64
	files, _ := filepath.Glob(filepath.Join(data, "kafka", "partitions", "*", "*.dat"))
	for _, name := range files {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return size
}
