package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// startPatience bounds a start; a kept cluster may have to recover first.
const startPatience = 5 * time.Minute

// socketPort is part of the socket's name; the folder is private, so any will do.
const socketPort = 5432

// longestSocket is what the name of a Unix socket may take on every system.
const longestSocket = 103

// serverOptions are the settings of the server's command line.
func (s *starter) serverOptions(port int) []string {
	options := []string{"-D", s.cluster, "-p", strconv.Itoa(port)}
	set := func(name, value string) { options = append(options, "-c", name+"="+value) }
	if tcpOnly {
		set("listen_addresses", "127.0.0.1")
	} else {
		set("listen_addresses", "")
		set("unix_socket_directories", `"`+strings.ReplaceAll(s.run, `"`, `""`)+`"`)
		set("unix_socket_permissions", "0700")
	}
	set("timezone", "UTC")
	set("logging_collector", "off")
	set("log_destination", "stderr")
	set("log_min_messages", "fatal") // the program reports its own errors, and nobody trims this log
	set("log_checkpoints", "off")
	set("wal_level", "minimal")
	set("max_wal_senders", "0")
	if !s.kept() {
		set("fsync", "off")
		set("synchronous_commit", "off")
		set("full_page_writes", "off")
		if !tcpOnly {
			set("dynamic_shared_memory_type", "mmap") // inside the folder, so that nothing outlives it
		}
	}
	return options
}

// launch starts the server and waits until it takes connections.
func (s *starter) launch(ctx context.Context) error {
	port, err := choosePort()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startPatience, errors.New("the server was not ready in time"))
	defer cancel()
	if err := s.janitor.tell(order{Watch: &watch{DataDir: s.cluster, BinDir: s.binaries.dir, Kept: s.kept(), Server: true}}); err != nil {
		return err
	}
	onParentDeath := stopImmediate
	if s.kept() {
		onParentDeath = stopFast
	}
	s.server, err = s.spawn(ctx, port, onParentDeath)
	if err != nil {
		return s.explain("the Postgres server", err)
	}
	if err := s.janitor.tell(order{PID: s.server.os.Pid}); err != nil {
		return err
	}
	if err := s.awaitServer(ctx); err != nil {
		return s.explain("the Postgres server", err)
	}
	s.dsn, err = s.makeDSN(port)
	return err
}

// awaitServer waits until the server says in its note that it is ready.
func (s *starter) awaitServer(ctx context.Context) error {
	const statusLine = 7
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		lines, ok := readPIDFile(s.cluster)
		if ok && len(lines) > statusLine && lines[0] == strconv.Itoa(s.server.os.Pid) && strings.TrimSpace(lines[statusLine]) == "ready" {
			return nil
		}
		select {
		case <-s.server.exited:
			return fmt.Errorf("it ended: %w", errors.Join(errors.New("it was not ready yet"), s.server.err))
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// stopStarted stops the server if it runs; an error says that it still does.
func (s *starter) stopStarted(ctx context.Context) error {
	if s.server == nil {
		return nil
	}
	request := stopRequest{process: s.server.os, exited: s.server.exited, binDir: s.binaries.dir, dataDir: s.cluster, kept: s.kept()}
	if !stopServer(request, ctx.Done()) {
		return fmt.Errorf("the Postgres server, process %d, does not end", s.server.os.Pid)
	}
	s.server = nil
	_ = s.janitor.tell(order{Gone: true}) // a janitor that died has nothing to forget
	return nil
}

// choosePort is a free port of the loopback interface, or the one that names the socket.
func choosePort() (int, error) {
	if !tcpOnly {
		return socketPort, nil
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("no free port: %w", err)
	}
	defer func() { _ = listener.Close() }()
	address, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		return 0, fmt.Errorf("no free port: %s", listener.Addr())
	}
	return address.Port, nil
}

// makeDSN is the URL that pgx, psql and libpq understand.
func (s *starter) makeDSN(port int) (string, error) {
	dsn := url.URL{Scheme: "postgres", User: url.User(superuser), Path: "/postgres"}
	query := url.Values{"sslmode": {"disable"}}
	if tcpOnly {
		password, err := os.ReadFile(filepath.Join(s.cluster, passwordFile))
		if err != nil {
			return "", fmt.Errorf("the cluster's password: %w", err)
		}
		dsn.User = url.UserPassword(superuser, string(password))
		dsn.Host = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	} else {
		query.Set("host", s.run)
		query.Set("port", strconv.Itoa(port))
	}
	dsn.RawQuery = query.Encode()
	return dsn.String(), nil
}

// explain adds the last lines of the log to an error, unless the caller gave up.
func (s *starter) explain(what string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s: %w", what, err)
	}
	const tail = 1000
	var text []byte
	if info, statErr := s.log.Stat(); statErr == nil {
		from := max(0, info.Size()-tail)
		text, _ = io.ReadAll(io.NewSectionReader(s.log, from, tail))
	}
	return fmt.Errorf("%s: %w: %s", what, err, strings.TrimSpace(string(text)))
}
