package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/store"
)

// PartitionStatus is how the live version of a group stands in one partition, as the database has it.
type PartitionStatus struct {
	Group           string
	Version         int
	Cursor          store.Cursor // with Next -1 where there is none yet
	Parked, Waiting int
	Dead            int // dead letters that wait for somebody
	Unpublished     int // dead letters that are not on their topic yet
}

// Status returns how the live versions of all groups stand in the partitions of a topic that they have to do with, in the
// order of groups and partitions. Errors are as those of Check.
func (db *DB) Status(ctx context.Context, topic string) ([]PartitionStatus, error) {
	if err := db.requireControl(ctx); err != nil {
		return nil, err
	}
	rows, err := db.pool.Query(ctx, fmt.Sprintf(statusQuery, db.table("cursors"), db.table("parked"), db.table("dead_letters"), db.table("groups")), topic)
	if err != nil {
		return nil, classify(ctx, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (PartitionStatus, error) {
		s := PartitionStatus{Cursor: store.Cursor{Topic: topic}}
		var id []byte
		err := row.Scan(&s.Group, &s.Version, &s.Cursor.Partition, &id, &s.Cursor.Next, &s.Cursor.Clock, &s.Parked, &s.Waiting, &s.Dead, &s.Unpublished)
		copy(s.Cursor.TopicID[:], id)
		return s, err
	})
	return list, classify(ctx, err)
}

const statusQuery = `WITH stand AS (
	SELECT * FROM (SELECT group_name, version, partition, topic_id, next, clock FROM %s WHERE topic = $1) AS cursor
	FULL JOIN (SELECT group_name, version, partition, count(*) FILTER (WHERE NOT waiting) AS parked, count(*) FILTER (WHERE waiting) AS waiting
		FROM %s WHERE topic = $1 GROUP BY 1, 2, 3) AS parked USING (group_name, version, partition)
	FULL JOIN (SELECT group_name, version, partition, count(*) FILTER (WHERE replayed_at IS NULL AND dropped_at IS NULL) AS dead,
		count(*) FILTER (WHERE published_at IS NULL) AS unpublished
		FROM %s WHERE topic = $1 GROUP BY 1, 2, 3) AS dead USING (group_name, version, partition))
SELECT s.group_name, s.version, s.partition, coalesce(s.topic_id, ''), coalesce(s.next, -1), coalesce(s.clock, 0), coalesce(s.parked, 0),
	coalesce(s.waiting, 0), coalesce(s.dead, 0), coalesce(s.unpublished, 0)
FROM stand AS s JOIN %s AS g ON g.name = s.group_name AND g.version = s.version AND g.state = 'live'
ORDER BY s.group_name, s.partition`
