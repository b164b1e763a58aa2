package embedded

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// childConfig says how a program under test runs.
type childConfig struct {
	mode              string // "postgres" if empty
	temp, cache, data string
	home, as          string
	env               []string
}

// child is a program under test: the test binary, started as another process.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
}

func startChild(t *testing.T, cfg childConfig) *child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	mode := cfg.mode
	if mode == "" {
		mode = "postgres"
	}
	if cfg.as != "" { // another user can't get at the folder of the test binary
		reachable := filepath.Join(openFolder(t), "program")
		if _, err := copyFile(exe, reachable); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(reachable, 0o755); err != nil {
			t.Fatal(err)
		}
		exe = reachable
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childMarker+"="+mode, "TMPDIR="+cfg.temp, "CHILD_CACHE="+cfg.cache, "CHILD_DATA="+cfg.data)
	cmd.Env = append(cmd.Env, cfg.env...)
	if cfg.as != "" {
		cmd.Env = append(cmd.Env, "HOME="+cfg.home)
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: credentialOf(t, cfg.as)}
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: cmd, in: in, lines: make(chan string, 100)}
	go func() {
		defer close(c.lines)
		for scanner := bufio.NewScanner(out); scanner.Scan(); {
			c.lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return c
}

func credentialOf(t *testing.T, name string) *syscall.Credential {
	t.Helper()
	found, err := user.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.ParseUint(found.Uid, 10, 32)
	gid, _ := strconv.ParseUint(found.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

// awaitReady waits for the child's server and returns its DSN.
func (c *child) awaitReady(t *testing.T) string {
	t.Helper()
	line := <-c.lines
	dsn, ok := strings.CutPrefix(line, "ready ")
	if !ok {
		t.Fatalf("the child says %q", line)
	}
	return dsn
}

// kill kills the child and waits until it is gone.
func (c *child) kill(t *testing.T) {
	t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.cmd.Wait()
}

// end lets the child stop by itself.
func (c *child) end(t *testing.T) {
	t.Helper()
	if err := c.in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// awaitClean waits until nothing is left of a killed child.
func (c *child) awaitClean(t *testing.T, temp string) {
	t.Helper()
	eventually(t, "no process is left", func() bool { return len(processesNaming(t, temp)) == 0 })
	eventually(t, "no folder is left", func() bool { return len(listFolder(t, temp)) == 0 })
	parent := fmt.Sprintf("parent=%d\x00", c.cmd.Process.Pid)
	eventually(t, "the janitor has ended", func() bool { return len(processesNaming(t, parent)) == 0 })
}

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
