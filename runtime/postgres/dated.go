package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/runtime/store"
)

// maxDated bounds the dated partitions of a table: events may hold any moment, and rows beyond the bound are kept in the
// default partition.
const maxDated = 1000

// maxAhead bounds how many partitions are made ahead of the events.
const maxAhead = 100

const (
	// checkViolation is what attaching a partition gives where the default partition holds rows of its interval.
	checkViolation = "23514"
	// lockNotAvailable is what a statement gives that waited for a lock as long as it may.
	lockNotAvailable = "55P03"
)

// datedPartitions knows the partitions of one table that need not be made any more.
type datedPartitions struct {
	physical *sql.Physical
	column   int // of the key

	mu      sync.Mutex
	settled map[string]bool // those that exist, or can't be made
	swept   time.Time       // the horizon up to which rows were removed
}

func newDatedPartitions(p *sql.Physical) *datedPartitions {
	return &datedPartitions{physical: p, column: p.DatedColumn(), settled: make(map[string]bool)}
}

// missing lists the partitions that a batch's rows of the table fall into and that are not settled. Rows from before the
// horizon get none; they are about to be removed.
func (d *datedPartitions) missing(table int, entries []store.Entry, horizon time.Time, o sql.Options) []sql.Dated {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []sql.Dated
	listed := make(map[string]bool)
	for i := range entries {
		for j := range entries[i].Effect.Writes {
			w := &entries[i].Effect.Writes[j]
			if w.Table != table || len(w.Key) == 0 || entries[i].Outcome != store.Applied {
				continue
			}
			moment, ok := w.Key[d.column].AsMoment()
			if !ok || moment.Before(horizon) {
				continue
			}
			if part := d.physical.Dated(moment, o); !d.settled[part.Name] && !listed[part.Name] {
				listed[part.Name] = true
				list = append(list, part)
			}
		}
	}
	return list
}

func (d *datedPartitions) settle(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.settled[name] = true
}

// makePartitions makes the dated partitions that a batch needs, each in a transaction of its own and before that of the
// batch, so that nobody waits for a lock while holding rows. What a table's retention keeps no longer is removed first.
func (g *Group) makePartitions(ctx context.Context, entries []store.Entry) error {
	for i, t := range g.tables {
		if t.dated.column < 0 {
			continue
		}
		horizon, limited := t.physical.Horizon(g.db.now())
		if limited && t.dated.due(horizon) {
			if err := g.removeExpired(ctx, t.physical, horizon); err != nil {
				return err
			}
			t.dated.sweptTo(horizon)
		}
		for _, part := range t.dated.missing(i, entries, horizon, g.db.options("")) {
			if err := g.makePartition(ctx, t.physical, part); err != nil {
				return err
			}
			if err := g.makeAhead(ctx, t.physical, part); err != nil {
				return err
			}
			t.dated.settle(part.Name)
		}
	}
	return nil
}

// makeAhead makes as many of the partitions after part as the spec wants, or as can be had without waiting for readers.
func (g *Group) makeAhead(ctx context.Context, p *sql.Physical, part sql.Dated) error {
	for range min(p.Table.Partition.Precreate, maxAhead) {
		part = p.Dated(part.To, g.db.options(""))
		if err := g.makePartition(ctx, p, part); isSQLState(err, lockNotAvailable) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// makePartition makes a partition unless it is there, there are too many, or the default partition holds its rows.
func (g *Group) makePartition(ctx context.Context, p *sql.Physical, part sql.Dated) error {
	parent := g.db.table(p.Name)
	err := g.db.inTx(ctx, func(tx pgx.Tx) error {
		// Readers queue up behind a lock that waits, so it must not wait long.
		if _, err := tx.Exec(ctx, "SELECT set_config('lock_timeout', '5s', true), pg_advisory_xact_lock(hashtextextended($1, 1))", parent); err != nil {
			return err
		}
		var there bool
		var count int
		err := tx.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL, (SELECT count(*) FROM pg_inherits WHERE inhparent = to_regclass($2))",
			g.db.table(part.Name), parent).Scan(&there, &count)
		if err != nil || there || count > maxDated {
			return err
		}
		if _, err := tx.Exec(ctx, part.Create); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, part.Attach)
		return err
	})
	if isSQLState(err, checkViolation) {
		return nil
	}
	return err
}

func isSQLState(err error, code string) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == code
}
