package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/codegen/sql"
)

// due reports whether rows from before the horizon may still be there.
func (d *datedPartitions) due(horizon time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.swept.Before(horizon)
}

func (d *datedPartitions) sweptTo(horizon time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.swept = horizon
}

// removeExpired drops the partitions that end at the horizon or before and deletes older rows from the default partition. A
// partition that somebody reads for long stays until the next interval begins or a worker starts.
func (g *Group) removeExpired(ctx context.Context, p *sql.Physical, horizon time.Time) error {
	names, err := g.partitionsOf(ctx, p)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !p.Expired(name, horizon) {
			continue
		}
		if err := g.dropPartition(ctx, p, name); err != nil {
			return err
		}
	}
	return g.db.inTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM "+g.db.table(p.DefaultPartition())+" WHERE "+sql.Ident(p.Table.Partition.Field)+" < $1", horizon)
		return err
	})
}

// partitionsOf lists the partitions of a table in the order of their names.
func (g *Group) partitionsOf(ctx context.Context, p *sql.Physical) ([]string, error) {
	rows, err := g.db.pool.Query(ctx, "SELECT c.relname FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid "+
		"WHERE i.inhparent = $1::regclass ORDER BY c.relname", g.db.table(p.Name))
	if err != nil {
		return nil, classify(ctx, err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return names, classify(ctx, err)
}

// dropPartition drops a partition, if it can be had soon: readers of the table queue up behind a lock that waits.
func (g *Group) dropPartition(ctx context.Context, p *sql.Physical, name string) error {
	err := g.db.inTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "SELECT set_config('lock_timeout', '2s', true), pg_advisory_xact_lock(hashtextextended($1, 1))", g.db.table(p.Name))
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "DROP TABLE IF EXISTS "+g.db.table(name))
		return err
	})
	if isSQLState(err, lockNotAvailable) {
		return nil
	}
	return err
}
