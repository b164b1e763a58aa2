//go:build unix

package main

import (
	"context"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/embedded"
)

func TestMain(m *testing.M) {
	embedded.RunJanitorIfAsked()
	os.Exit(m.Run())
}

// TestLostAnswers: the commit is done, and its answer does not come; the next connection works.
func TestLostAnswers(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	for _, d := range []string{dir, dir + "/.."} { // the server may run as another user
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	db, err := startDatabase(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.stop(context.Background()) })
	if err := db.exec(ctx, "CREATE TABLE notes (n int)"); err != nil {
		t.Fatal(err)
	}
	p, err := startProxy(db.socket)
	if err != nil {
		t.Fatal(err)
	}
	p.loseAnswers(1)
	for n := range 3 {
		conn, err := pgx.Connect(ctx, p.dsn())
		if err != nil {
			t.Fatal(err)
		}
		err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "INSERT INTO notes VALUES ($1)", n)
			return err
		})
		if lost := n == 0; lost != (err != nil) {
			t.Errorf("commit %d: %v", n, err)
		}
		_ = conn.Close(ctx)
	}
	var rows int
	if err := db.query(ctx, "SELECT count(*) FROM notes", &rows); err != nil || rows != 3 || p.cut.Load() != 1 {
		t.Errorf("%d rows, %d answers lost, %v", rows, p.cut.Load(), err)
	}
	if err := db.crash(ctx); err != nil {
		t.Fatal(err)
	}
	if err := db.launch(ctx); err != nil {
		t.Fatal(err)
	}
	if err := db.query(ctx, "SELECT count(*) FROM notes", &rows); err != nil || rows != 3 {
		t.Errorf("%d rows after a crash, %v", rows, err)
	}
}
