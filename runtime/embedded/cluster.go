package embedded

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// superuser is the only role of a cluster that we make, and postgres its database.
const superuser = "postgres"

// passwordFile is the file in a cluster with the superuser's password, where the server listens on TCP.
const passwordFile = "causetc.password"

// clusterMajor is the version that made a cluster, 0 if there is none.
func clusterMajor(cluster string) (int, error) {
	text, err := os.ReadFile(filepath.Join(cluster, "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("data folder: %w", err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("data folder: %s holds no version of Postgres 10 or newer", filepath.Join(cluster, "PG_VERSION"))
	}
	return major, nil
}

// initOptions are those of initdb. The C collation orders texts by their bytes, the same on every machine.
func initOptions(kept bool) []string {
	options := []string{"--username=" + superuser, "--encoding=UTF8", "--locale=C"}
	if tcpOnly {
		options = append(options, "--auth=scram-sha-256")
	} else {
		options = append(options, "--auth=trust") // only the owner of the socket's folder gets that far
	}
	if !kept {
		options = append(options, "--no-sync")
	}
	return options
}

// tcpOnly says that the server is reached through loopback TCP with a password instead of a Unix socket.
const tcpOnly = runtime.GOOS == "windows"

// initCluster makes a cluster in a new folder.
func (s *starter) initCluster(ctx context.Context, cluster string) error {
	if err := os.Mkdir(cluster, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if err := s.account.own(cluster); err != nil {
		return err
	}
	options := append(initOptions(s.kept()), "-D", cluster)
	password := ""
	if tcpOnly {
		password = rand.Text()
		file := filepath.Join(s.run, "password")
		if err := os.WriteFile(file, []byte(password), 0o600); err != nil {
			return err
		}
		defer func() { _ = os.Remove(file) }()
		options = append(options, "--pwfile="+file)
	}
	cmd := s.command("initdb", options, stopKill)
	if err := s.runHelper(ctx, cmd, cluster); err != nil {
		return s.explain("initdb", err)
	}
	if password != "" {
		return os.WriteFile(filepath.Join(cluster, passwordFile), []byte(password), 0o600)
	}
	return nil
}

// keptCluster makes the cluster of a data folder, unless it is there.
func (s *starter) keptCluster(ctx context.Context) error {
	major, err := clusterMajor(s.cluster)
	if err != nil {
		return err
	}
	if major != 0 {
		return awaitPreviousServer(ctx, s.cluster)
	}
	// What a killed start left behind; we hold the folder's lock.
	made := s.cluster + ".new"
	if err := os.RemoveAll(made); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if err := s.janitor.tell(order{Remove: made}); err != nil {
		return err
	}
	if err := s.initCluster(ctx, made); err != nil {
		removeFolder(made)
		return err
	}
	if err := os.Rename(made, s.cluster); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	return nil
}

// privateCluster makes a cluster that nothing outlives, from the template where there is one.
func (s *starter) privateCluster(ctx context.Context, mayCopy bool) error {
	t, ok := templateOf(s.cache, s.binaries)
	if !ok {
		return s.initCluster(ctx, s.cluster)
	}
	if s.copied = mayCopy && t.copyTo(s.cluster, s.account); s.copied {
		return nil
	}
	t.discard(s)
	if err := s.initCluster(ctx, s.cluster); err != nil {
		return err
	}
	t.store(s.cluster, s)
	return nil
}

// command prepares one of the server's programs.
func (s *starter) command(program string, args []string, onParentDeath stopMode) *exec.Cmd {
	cmd := exec.Command(s.binaries.program(program), args...)
	cmd.Env = serverEnvironment()
	cmd.Dir = s.run
	cmd.Stdout, cmd.Stderr = s.log, s.log
	confine(cmd, s.account, onParentDeath)
	return cmd
}

// runHelper runs a program to its end under the janitor's eyes.
func (s *starter) runHelper(ctx context.Context, cmd *exec.Cmd, cluster string) error {
	if err := s.janitor.tell(order{Watch: &watch{DataDir: cluster, BinDir: s.binaries.dir}}); err != nil {
		return err
	}
	p, err := startProcess(cmd)
	if err != nil {
		return err
	}
	if err := s.janitor.tell(order{PID: p.os.Pid}); err != nil {
		killGroup(p.os)
		<-p.exited
		return err
	}
	if err := p.wait(ctx); err != nil {
		return err
	}
	return s.janitor.tell(order{Gone: true})
}

// readPID reads the number of the process that works on a cluster.
func readPID(cluster string) (int, bool) {
	lines, ok := readPIDFile(cluster)
	if !ok {
		return 0, false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(lines[0]))
	if pid < 0 { // a server in single-user mode, as initdb runs it
		pid = -pid
	}
	return pid, err == nil && pid != 0
}

func readPIDFile(cluster string) ([]string, bool) {
	text, err := os.ReadFile(pidFile(cluster))
	if err != nil {
		return nil, false
	}
	return strings.Split(string(text), "\n"), true
}

func pidFile(cluster string) string { return filepath.Join(cluster, "postmaster.pid") }

// previousPatience is how long a start waits for the janitor of a program that died, and for the server if that is gone too.
const previousPatience = time.Minute

// awaitPreviousServer waits until no server of an earlier program works on the cluster, and removes a note of one whose
// number meanwhile belongs to another program (Postgres would refuse to start). We hold the folder's lock, so a server that is
// still there belongs to a program that died.
func awaitPreviousServer(ctx context.Context, cluster string) error {
	for end := time.Now().Add(previousPatience); ; {
		pid, noted := readPID(cluster)
		if !noted {
			return nil
		}
		if !serverOf(pid, cluster) {
			_ = os.Remove(pidFile(cluster))
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("data folder %s is %w: a Postgres server, process %d, still works on it", cluster, ErrInUse, pid)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}
