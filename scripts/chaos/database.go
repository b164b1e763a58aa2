//go:build unix

package main

import (
	"context"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/embedded"
)

// database is a Postgres server that may be crashed and started again with its data.
type database struct {
	dir    string
	mu     sync.Mutex
	server *embedded.Postgres
}

func startDatabase(ctx context.Context, dir string) (*database, error) {
	d := &database{dir: filepath.Join(dir, "postgres")}
	if err := os.Mkdir(d.dir, 0o755); err != nil {
		return nil, err
	}
	return d, d.launch(ctx)
}

func (d *database) launch(ctx context.Context) error {
	server, err := embedded.StartPostgres(ctx, embedded.PostgresConfig{DataDir: d.dir})
	d.mu.Lock()
	defer d.mu.Unlock()
	d.server = server
	return err
}

// crash stops the server at once, as an immediate shutdown does: the next start recovers.
func (d *database) crash(ctx context.Context) error {
	pid, err := d.pid()
	if err != nil {
		return err
	}
	if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil {
		return err
	}
	return d.stop(ctx)
}

func (d *database) stop(ctx context.Context) error {
	d.mu.Lock()
	server := d.server
	d.server = nil
	d.mu.Unlock()
	if server == nil {
		return nil
	}
	return server.Stop(ctx)
}

// pid is that of the server.
func (d *database) pid() (pid int, err error) {
	err = filepath.WalkDir(d.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "postmaster.pid" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		line, _, _ := strings.Cut(string(text), "\n")
		pid, err = strconv.Atoi(line)
		return err
	})
	if err == nil && pid == 0 {
		err = fmt.Errorf("no server runs in %s", d.dir)
	}
	return pid, err
}

// dsn is the server's own address, empty while there is none.
func (d *database) dsn() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.server == nil {
		return ""
	}
	return d.server.DSN()
}

// socket is the path of the server's Unix socket, empty while there is none.
func (d *database) socket() string {
	u, err := url.Parse(d.dsn())
	if err != nil || u.Query().Get("host") == "" {
		return ""
	}
	return filepath.Join(u.Query().Get("host"), ".s.PGSQL."+u.Query().Get("port"))
}

func (d *database) exec(ctx context.Context, text string) error {
	conn, err := pgx.Connect(ctx, d.dsn())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.Exec(ctx, text)
	return err
}

// query reads one row.
func (d *database) query(ctx context.Context, text string, into ...any) error {
	conn, err := pgx.Connect(ctx, d.dsn())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return conn.QueryRow(ctx, text).Scan(into...)
}
