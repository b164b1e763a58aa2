package postgres

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/embedded"
	"github.com/causetc/causetc/runtime/fold"
)

// dsnVariable names a server to test against instead of a private one. The user must be able to make schemas and databases.
const dsnVariable = "CAUSETC_TEST_DB_URL"

// cluster is the server that all tests share, each with schemas of its own.
var cluster struct {
	dsn     string
	admin   *pgxpool.Pool // connects beside the code under test
	schemas atomic.Int64
}

func TestMain(m *testing.M) {
	embedded.RunJanitorIfAsked()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	ctx := context.Background()
	if cluster.dsn = os.Getenv(dsnVariable); cluster.dsn == "" {
		server, err := embedded.StartPostgres(ctx, embedded.PostgresConfig{})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		cluster.dsn = server.DSN()
		defer func() { _ = server.Stop(ctx) }()
	}
	cluster.dsn = withoutSync(cluster.dsn)
	var err error
	if cluster.admin, err = pgxpool.New(ctx, cluster.dsn); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer cluster.admin.Close()
	return m.Run()
}

// withoutSync makes commits not wait for the disk: no test here pulls the plug.
func withoutSync(dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme == "" {
		return dsn
	}
	options := u.Query()
	options.Set("synchronous_commit", "off")
	u.RawQuery = options.Encode()
	return u.String()
}

// exec runs SQL beside the code under test.
func exec(t testing.TB, text string) {
	t.Helper()
	if _, err := cluster.admin.Exec(context.Background(), text); err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
}

// newConfig returns a configuration with schemas of its own: one for us, which does not exist yet, one for the views.
func newConfig(t testing.TB) Config {
	t.Helper()
	n := cluster.schemas.Add(1)
	cfg := Config{DSN: cluster.dsn, Schema: fmt.Sprintf("own %d %d", os.Getpid(), n), ViewSchema: fmt.Sprintf("views %d %d", os.Getpid(), n)}
	exec(t, "CREATE SCHEMA "+sql.Ident(cfg.ViewSchema))
	t.Cleanup(func() {
		exec(t, "DROP SCHEMA "+sql.Ident(cfg.ViewSchema)+" CASCADE; DROP SCHEMA IF EXISTS "+sql.Ident(cfg.Schema)+" CASCADE")
	})
	return cfg
}

func open(t testing.TB, cfg Config) *DB {
	t.Helper()
	db, err := Open(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// deploy migrates a program and returns the store of its first group.
func deploy(t testing.TB, db *DB, p *ir.Program) *Group {
	t.Helper()
	plan, err := db.Migrate(context.Background(), p, "main", false)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Refused) > 0 {
		t.Fatal(plan.Refused[0].Err)
	}
	compiled, err := fold.Compile(p, &p.Groups[0])
	if err != nil {
		t.Fatal(err)
	}
	g, err := db.Group(&p.Groups[0], compiled, 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
