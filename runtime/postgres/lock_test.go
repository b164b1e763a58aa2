package postgres

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/store"
)

// TestLockedTable: a transaction waits for somebody's lock for a while, and gives its connection back then; with the lock gone it
// passes.
func TestLockedTable(t *testing.T) {
	cfg := newConfig(t)
	cfg.lockTimeout = 50 * time.Millisecond
	g := deploy(t, open(t, cfg), ticketProgram(ir.Convergent))
	other, err := cluster.admin.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Rollback(context.Background()) }()
	if _, err := other.Exec(context.Background(), "LOCK TABLE "+sql.Qualified(cfg.Schema, g.tables[0].physical.Name)); err != nil {
		t.Fatal(err)
	}
	b := batchOf(t, g, 0, 10)
	_, err = g.Commit(context.Background(), b)
	var env *store.EnvironmentError
	if !errors.As(err, &env) {
		t.Errorf("a locked table: %v", err)
	}
	if err := other.Rollback(context.Background()); err != nil {
		t.Fatal(err)
	}
	commit(t, g, b)
}

// TestMaxConns: what the URL says of the number of connections takes precedence.
func TestMaxConns(t *testing.T) {
	cfg := newConfig(t)
	cfg.MaxConns = 7
	for suffix, want := range map[string]int32{"": 7, "&pool_max_conns=3": 3} {
		c := cfg
		c.DSN += suffix
		if got := open(t, c).pool.Config().MaxConns; got != want {
			t.Errorf("%q: %d connections, want %d", suffix, got, want)
		}
	}
}
