package postgres

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/store"
)

// LoadPartitions implements store.Group.
func (g *Group) LoadPartitions(ctx context.Context, topic string, id [16]byte) ([]int32, error) {
	rows, err := g.db.pool.Query(ctx, "SELECT partition FROM "+g.db.table("cursors")+
		" WHERE group_name = $1 AND version = $2 AND topic = $3 AND topic_id = $4 ORDER BY 1", g.fold.Name, g.version, topic, id[:])
	if err != nil {
		return nil, classify(ctx, err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[int32])
	return list, classify(ctx, err)
}

// Begin implements store.Group.
func (g *Group) Begin(ctx context.Context, topic string, cursors []store.Cursor) error {
	var c cursorColumns
	for i := range cursors {
		c.add(&cursors[i])
	}
	return g.db.inTx(ctx, func(tx pgx.Tx) error {
		// Two workers that begin at once may have seen the topic before and after it grew.
		if _, err := tx.Exec(ctx, "SELECT FROM "+g.db.table("groups")+" WHERE name = $1 AND version = $2 FOR UPDATE", g.fold.Name, g.version); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO "+g.db.table("cursors")+` (group_name, version, topic, partition, topic_id, next, clock, ids)
			SELECT g.name, g.version, $3, u.partition, u.topic_id, u.next, u.clock, 0
			FROM `+g.db.table("groups")+` AS g, unnest($4::integer[], $5::bytea[], $6::bigint[], $7::bigint[]) AS u(partition, topic_id, next, clock)
			WHERE g.name = $1 AND g.version = $2 AND g.state <> 'retired' AND NOT EXISTS (SELECT FROM `+g.db.table("cursors")+` AS c
				WHERE c.group_name = $1 AND c.version = $2 AND c.topic = $3)`,
			g.fold.Name, g.version, topic, c.partitions, c.topicIDs, c.nexts, c.clocks)
		return err
	})
}

// cursorColumns are cursors, or barriers, by column.
type cursorColumns struct {
	partitions    []int32
	topicIDs      [][]byte
	nexts, clocks []int64
}

func (c *cursorColumns) add(x *store.Cursor) {
	c.partitions = append(c.partitions, x.Partition)
	c.topicIDs = append(c.topicIDs, x.TopicID[:])
	c.nexts = append(c.nexts, x.Next)
	c.clocks = append(c.clocks, x.Clock)
}

// LoadBarriers implements store.Group.
func (g *Group) LoadBarriers(ctx context.Context, topic string, id [16]byte) ([]store.Barrier, error) {
	rows, err := g.db.pool.Query(ctx, "SELECT partitions_before, partitions_after, partition, next, clock FROM "+g.db.table("barriers")+
		" WHERE topic = $1 AND topic_id = $2 ORDER BY partitions_before, partition", topic, id[:])
	if err != nil {
		return nil, classify(ctx, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (store.Barrier, error) {
		b := store.Barrier{Topic: topic, TopicID: id}
		err := row.Scan(&b.Before, &b.After, &b.Partition, &b.Next, &b.Clock)
		return b, err
	})
	return list, classify(ctx, err)
}

// Grow implements store.Group.
func (g *Group) Grow(ctx context.Context, barriers []store.Barrier) error {
	first := &barriers[0]
	at := []any{first.Topic, first.TopicID[:], first.Before}
	var c cursorColumns
	for i := range barriers {
		c.add(&store.Cursor{Partition: barriers[i].Partition, Next: barriers[i].Next, Clock: barriers[i].Clock})
	}
	return g.db.inTx(ctx, func(tx pgx.Tx) error {
		// No cursor moves while its barrier is put up: whoever moves it afterwards sees the barrier.
		if _, err := tx.Exec(ctx, "LOCK TABLE "+g.db.table("cursors")+" IN SHARE ROW EXCLUSIVE MODE"); err != nil {
			return err
		}
		var known, beyond bool
		err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM "+g.db.table("barriers")+` WHERE topic = $1 AND topic_id = $2 AND partitions_before = $3),
			EXISTS (SELECT FROM `+g.db.table("cursors")+` AS c JOIN unnest($4::integer[], $5::bigint[]) AS u(partition, next) USING (partition)
			WHERE c.topic = $1 AND c.topic_id = $2 AND c.next > u.next AND NOT EXISTS (SELECT FROM `+g.db.table("cursors")+` AS q
			WHERE q.group_name = c.group_name AND q.version = c.version AND q.topic = $1 AND q.partition = c.partition + $3))`,
			append(slices.Clip(at), c.partitions, c.nexts)...).Scan(&known, &beyond)
		switch {
		case err != nil || known:
			return err
		case beyond:
			return store.ErrFenced
		}
		_, err = tx.Exec(ctx, "INSERT INTO "+g.db.table("barriers")+` (topic, topic_id, partitions_before, partitions_after, partition, next, clock)
			SELECT $1, $2, $3, $4, u.* FROM unnest($5::integer[], $6::bigint[], $7::bigint[]) AS u`,
			append(slices.Clip(at), first.After, c.partitions, c.nexts, c.clocks)...)
		return err
	})
}

// barred finds the barriers that a batch would go beyond although nothing has begun behind them. $1 to $5 are the parts of
// the cursor.
func (g *Group) barred(next string) string {
	return "SELECT FROM " + g.db.table("barriers") + ` AS b WHERE b.topic = $3 AND b.topic_id = $5 AND b.partition = $4 AND b.next < ` + next +
		" AND NOT EXISTS (SELECT FROM " + g.db.table("cursors") + ` AS q
			WHERE q.group_name = $1 AND q.version = $2 AND q.topic = $3 AND q.partition = b.partition + b.partitions_before)`
}

// Split implements store.Group.
func (g *Group) Split(ctx context.Context, from store.Cursor, b store.Barrier, starts map[int32]int64) error {
	at := []any{g.fold.Name, g.version, from.Topic, from.Partition}
	return g.db.inTx(ctx, func(tx pgx.Tx) error {
		var ids int64
		err := tx.QueryRow(ctx, "SELECT ids FROM "+g.db.table("cursors")+` AS c
			WHERE group_name = $1 AND version = $2 AND topic = $3 AND partition = $4 AND topic_id = $5 AND next = $6 AND clock = $7
			AND NOT ($8 AND EXISTS (SELECT FROM `+g.db.table("parked")+` AS p
				WHERE p.group_name = $1 AND p.version = $2 AND p.topic = $3 AND p.partition = $4)) FOR UPDATE OF c`,
			append(slices.Clip(at), from.TopicID[:], from.Next, from.Clock, g.fold.Ordered())...).Scan(&ids)
		if err == pgx.ErrNoRows {
			return store.ErrFenced
		}
		if err != nil {
			return err
		}
		var clock int64
		err = tx.QueryRow(ctx, "UPDATE "+g.db.table("barriers")+` SET clock = greatest(clock, $5)
			WHERE topic = $1 AND topic_id = $2 AND partitions_before = $3 AND partition = $4 RETURNING clock`,
			from.Topic, from.TopicID[:], b.Before, b.Partition, from.Clock).Scan(&clock)
		if err == pgx.ErrNoRows {
			return store.ErrFenced
		}
		if err != nil {
			return err
		}
		for _, q := range slices.Sorted(maps.Keys(starts)) {
			if err := g.startChild(ctx, tx, at, q, store.Cursor{TopicID: from.TopicID, Next: starts[q], Clock: clock}, ids); err != nil {
				return err
			}
		}
		return nil
	})
}

// startChild gives a new partition a cursor and its parent's window, unless it has one.
func (g *Group) startChild(ctx context.Context, tx pgx.Tx, parent []any, number int32, c store.Cursor, ids int64) error {
	tag, err := tx.Exec(ctx, "INSERT INTO "+g.db.table("cursors")+` (group_name, version, topic, partition, topic_id, next, clock, ids)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
		parent[0], parent[1], parent[2], number, c.TopicID[:], c.Next, c.Clock, ids)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	_, err = tx.Exec(ctx, "INSERT INTO "+g.db.table("recent_ids")+` (group_name, version, topic, partition, upto, ids)
		SELECT group_name, version, topic, $5, upto, ids FROM `+g.db.table("recent_ids")+`
		WHERE group_name = $1 AND version = $2 AND topic = $3 AND partition = $4`, append(slices.Clip(parent), number)...)
	return err
}
