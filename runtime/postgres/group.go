package postgres

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// Group keeps one version of one group. It is a store.Group and safe for use by many goroutines.
type Group struct {
	db      *DB
	fold    *fold.Group
	version int
	tables  []*table     // by fold.Group.Tables
	exact   []string     // by fold.Group.Exact: the table of the identities, in SQL
	bulk    bool         // a handler is a bulk update
	watch   atomic.Int32 // how many batches more are looked at for violations before they are written
}

var _ store.Group = (*Group)(nil)

// Group returns the store of a deployed version of a group: g is source compiled. Nothing is checked against the
// database; Check does that.
func (db *DB) Group(source *ir.Group, g *fold.Group, version int) (*Group, error) {
	if len(source.Tables) != len(g.Tables) || source.Name != g.Name {
		return nil, fmt.Errorf("group %s is not %s compiled", g.Name, source.Name)
	}
	made := &Group{db: db, fold: g, version: version}
	for i, t := range g.Tables {
		physical := sql.NewPhysical(&source.Tables[i], version)
		made.tables = append(made.tables, newTable(t, physical, db.schema))
	}
	for _, set := range g.Exact {
		made.exact = append(made.exact, db.table(sql.ExactIDsTable(g.Name, set.Name, version)))
	}
	for i := range source.Projections {
		for _, h := range source.Projections[i].Handlers {
			made.bulk = made.bulk || h.Op == ir.BulkUpdate
		}
	}
	return made, nil
}

// LoadCursor implements store.Group.
func (g *Group) LoadCursor(ctx context.Context, topic string, partition int32) (store.Cursor, bool, error) {
	c := store.Cursor{Topic: topic, Partition: partition}
	var id []byte
	err := g.db.pool.QueryRow(ctx, "SELECT topic_id, next, clock FROM "+g.db.table("cursors")+
		" WHERE group_name = $1 AND version = $2 AND topic = $3 AND partition = $4",
		g.fold.Name, g.version, topic, partition).Scan(&id, &c.Next, &c.Clock)
	if err == pgx.ErrNoRows {
		return store.Cursor{}, false, nil
	}
	copy(c.TopicID[:], id)
	return c, err == nil, classify(ctx, err)
}

// Commit implements store.Group.
func (g *Group) Commit(ctx context.Context, b store.Batch) (store.Counts, error) {
	if b.To.Topic != b.From.Topic || b.To.Partition != b.From.Partition || b.To.Next < b.From.Next {
		return store.Counts{}, fmt.Errorf("a batch moves the cursor from %+v to %+v", b.From, b.To)
	}
	if err := g.makePartitions(ctx, b.Entries); err != nil {
		return store.Counts{}, err
	}
	if !b.Foretold {
		if err := g.watched(ctx, b.Entries); err != nil {
			return store.Counts{}, err
		}
	}
	counts := store.Count(b.Entries)
	err := g.db.inRowsTx(ctx, func(tx pgx.Tx) (err error) {
		counts.Stale, err = g.apply(ctx, tx, &b)
		return err
	})
	if err != nil {
		return store.Counts{}, g.blamed(ctx, err, b.Entries)
	}
	return counts, nil
}

// apply does a batch in a transaction. Locks are taken in one order by everyone (cursor or parked events, tables, exact ids, rows by table
// and key), so that partitions of a group never wait for each other in a circle.
func (g *Group) apply(ctx context.Context, tx pgx.Tx, b *store.Batch) (stale int, err error) {
	failpoint.Reach(failpoint.BatchBegun)
	ids := newIDs(b.Entries)
	total, err := g.moveCursor(ctx, tx, b, len(ids)/idSize)
	if err != nil {
		return 0, err
	}
	failpoint.Reach(failpoint.CursorMoved)
	if err := g.remember(ctx, tx, b, ids, total); err != nil {
		return 0, err
	}
	return g.writeCounting(ctx, tx, b.Entries)
}

// write does what the entries say, whether they come from the topic or were parked.
func (g *Group) write(ctx context.Context, tx pgx.Tx, entries []store.Entry) error {
	_, err := g.writeCounting(ctx, tx, entries)
	return err
}

// writeCounting is write; it returns what store.Counts.Stale says, of entries of one partition.
func (g *Group) writeCounting(ctx context.Context, tx pgx.Tx, entries []store.Entry) (stale int, err error) {
	if err := g.keep(ctx, tx, entries); err != nil {
		return 0, err
	}
	if err := g.lockTables(ctx, tx, entries); err != nil {
		return 0, err
	}
	writes, err := g.admitted(ctx, tx, entries)
	if err != nil {
		return 0, err
	}
	span := store.SpanOf(entries)
	for i, t := range g.tables {
		if len(writes[i]) == 0 {
			continue
		}
		var n int
		if t.fold.Ordered() {
			n, err = t.writeOrdered(ctx, tx, writes[i], span)
		} else {
			n, err = t.writeConvergent(ctx, tx, writes[i], span)
		}
		if err != nil {
			return 0, sumError(err)
		}
		stale += n
	}
	return stale, nil
}

// moveCursor moves the cursor if it is where the batch says, and returns how many ids were remembered after it. A
// partition without a cursor gets one, as long as the version is deployed.
func (g *Group) moveCursor(ctx context.Context, tx pgx.Tx, b *store.Batch, ids int) (total int64, err error) {
	from, to := &b.From, &b.To
	err = tx.QueryRow(ctx, "UPDATE "+g.db.table("cursors")+` SET topic_id = $8, next = $9, clock = $10, ids = ids + $11
		WHERE group_name = $1 AND version = $2 AND topic = $3 AND partition = $4 AND `+
		unlessOff(failpoint.CursorFence, "topic_id = $5 AND next = $6 AND clock = $7")+" AND "+
		unlessOff(failpoint.Barrier, "NOT EXISTS ("+g.barred("$9")+")")+" RETURNING ids",
		g.fold.Name, g.version, from.Topic, from.Partition, from.TopicID[:], from.Next, from.Clock, to.TopicID[:], to.Next, to.Clock, ids).Scan(&total)
	if err != pgx.ErrNoRows {
		return total, err
	}
	err = tx.QueryRow(ctx, "INSERT INTO "+g.db.table("cursors")+` (group_name, version, topic, partition, topic_id, next, clock, ids)
		SELECT name, version, $3, $4, $5, $6, $7, $8 FROM `+g.db.table("groups")+`
		WHERE name = $1 AND version = $2 AND state <> 'retired'
		ON CONFLICT DO NOTHING RETURNING ids`, g.fold.Name, g.version, from.Topic, from.Partition, to.TopicID[:], to.Next,
		to.Clock, ids).Scan(&total)
	if err == pgx.ErrNoRows {
		return 0, store.ErrFenced
	}
	return total, err
}

// lockTables keeps other partitions from writing the tables that the batch updates in bulk, whose rows are not known
// beforehand.
func (g *Group) lockTables(ctx context.Context, tx pgx.Tx, entries []store.Entry) error {
	if !g.bulk {
		return nil
	}
	frozen, touched := make([]bool, len(g.tables)), make([]bool, len(g.tables))
	for i := range entries {
		for j := range entries[i].Effect.Writes {
			w := &entries[i].Effect.Writes[j]
			touched[w.Table] = true
			frozen[w.Table] = frozen[w.Table] || w.Op == ir.BulkUpdate
		}
	}
	for i, t := range g.tables {
		text := t.statements.share
		if frozen[i] {
			text = t.statements.freeze
		}
		if !touched[i] {
			continue
		}
		if _, err := tx.Exec(ctx, text); err != nil {
			return err
		}
	}
	return nil
}
