// Package postgres keeps groups in a Postgres database: the rows as package sql lays them out, the cursors, the ids and
// the dead letters, each batch in one transaction. It executes what package fold says and adds nothing of its own.
package postgres

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/runtime/fold"
)

// Config says which database is used, and where in it.
type Config struct {
	// DSN is a URL (postgres://, also jdbc:postgresql:// and r2dbc:postgresql://) or a list of key=value pairs.
	DSN string
	// User and Password win over those of the DSN.
	User, Password string
	// Schema is the schema of ours; empty: causetc. ViewSchema is where the views are; empty: the connection's current one.
	Schema, ViewSchema string
	// MaxConns bounds the connections, unless the DSN does (pool_max_conns); 0: pgx's default.
	MaxConns int32
	// Window is how many event ids of a partition are remembered; 0: fold.WindowSize, below 0: none.
	Window int

	dial        pgconn.DialFunc // nil: the usual one
	lockTimeout time.Duration   // 0: the usual one
}

// DB is a database that groups are kept in. It is safe for use by many goroutines.
type DB struct {
	pool        *pgxpool.Pool
	schema      string
	viewSchema  string
	window      int
	lockTimeout time.Duration    // of transactions that write rows
	now         func() time.Time // which rows a retention keeps; a test has a clock of its own
}

// connectTimeout bounds one attempt to connect where the URL has no connect_timeout: a server that takes connections and
// says nothing is as good as none.
const connectTimeout = 10 * time.Second

// Open prepares connections to the database; none is made yet. An error means that the configuration can't be read.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	dsn, err := normalizeDSN(cfg.DSN)
	if err != nil {
		return nil, err
	}
	pc, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("the database URL can't be read: %w", err)
	}
	if cfg.User != "" {
		pc.ConnConfig.User = cfg.User
	}
	if cfg.Password != "" {
		pc.ConnConfig.Password = cfg.Password
	}
	if pc.ConnConfig.ConnectTimeout == 0 {
		pc.ConnConfig.ConnectTimeout = connectTimeout
	}
	if cfg.MaxConns > 0 && !boundsPool(dsn) {
		pc.MaxConns = cfg.MaxConns
	}
	if cfg.dial != nil {
		pc.ConnConfig.DialFunc = cfg.dial
	}
	pc.AfterConnect = settle
	pool, err := pgxpool.NewWithConfig(ctx, pc)
	if err != nil {
		return nil, fmt.Errorf("the database can't be used: %w", err)
	}
	db := &DB{pool: pool, schema: cfg.Schema, viewSchema: cfg.ViewSchema, window: max(cfg.Window, 0), lockTimeout: cmp.Or(cfg.lockTimeout, lockTimeout), now: time.Now}
	if db.schema == "" {
		db.schema = sql.DefaultSchema
	}
	if cfg.Window == 0 {
		db.window = fold.WindowSize
	}
	return db, nil
}

// boundsPool reports whether a DSN says how many connections there may be.
func boundsPool(dsn string) bool {
	c, err := pgconn.ParseConfig(dsn) // to which it is a parameter like any other
	return err == nil && c.RuntimeParams["pool_max_conns"] != ""
}

// settle makes a session print values in the one form that is read back, whatever the server's settings are.
func settle(ctx context.Context, conn *pgx.Conn) error {
	types := conn.TypeMap()
	types.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{planEncoded}, types.TryWrapEncodePlanFuncs...)
	_, err := conn.Exec(ctx, `SELECT set_config('TimeZone', 'UTC', false), set_config('DateStyle', 'ISO, YMD', false),
		set_config('bytea_output', 'hex', false), set_config('extra_float_digits', '1', false)`, pgx.QueryExecModeSimpleProtocol)
	return err
}

// Close ends all connections, after the work that is under way.
func (db *DB) Close() { db.pool.Close() }

// Ping reports whether the database answers. Errors are as those of Commit.
func (db *DB) Ping(ctx context.Context) error { return classify(ctx, db.pool.Ping(ctx)) }

func (db *DB) options(fork string) sql.Options {
	return sql.Options{Schema: db.schema, ViewSchema: db.viewSchema, Fork: fork}
}

// table names one of our control tables in SQL.
func (db *DB) table(name string) string { return sql.Qualified(db.schema, name) }

// inTx runs f in a transaction, which is committed if f returns nil. Errors of the database are classified.
func (db *DB) inTx(ctx context.Context, f func(tx pgx.Tx) error) error {
	return db.transact(ctx, "", f)
}

// lockTimeout is how long a transaction that writes rows waits for a lock. It is longer than its own kind holds one, and long enough
// for what locks a table for a moment; who locks it for hours is to be told of, and not to be waited for with a connection.
const lockTimeout = 15 * time.Second

// inRowsTx is inTx for what writes rows of a group.
func (db *DB) inRowsTx(ctx context.Context, f func(tx pgx.Tx) error) error {
	return db.transact(ctx, fmt.Sprintf("; SET LOCAL lock_timeout = %d", db.lockTimeout.Milliseconds()), f)
}

func (db *DB) transact(ctx context.Context, setting string, f func(tx pgx.Tx) error) error {
	options := pgx.TxOptions{BeginQuery: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE" + setting}
	return classify(ctx, afterCommit(pgx.BeginTxFunc(ctx, db.pool, options, beforeCommit(f))))
}
