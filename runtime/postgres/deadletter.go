package postgres

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/store"
)

// bury stores the dead letters of a batch.
func (g *Group) bury(ctx context.Context, tx pgx.Tx, entries []store.Entry) error {
	var batch pgx.Batch
	for i := range entries {
		if entries[i].Outcome == store.Dead && entries[i].Dead != nil {
			g.queueLetter(&batch, entries[i].Dead)
		}
	}
	if batch.Len() == 0 {
		return nil
	}
	return tx.SendBatch(ctx, &batch).Close()
}

func (g *Group) queueLetter(batch *pgx.Batch, l *store.DeadLetter) {
	keys, values := make([][]byte, len(l.Headers)), make([][]byte, len(l.Headers))
	for i, h := range l.Headers {
		keys[i], values[i] = []byte(h.Key), h.Value
	}
	batch.Queue("INSERT INTO "+g.db.table("dead_letters")+` (group_name, version, topic, partition, "offset", clock, projection,
		event_id, event_type, entity_id, fork_id, attempts, first_at, last_at, error_class, sql_state, message, key, value,
		header_keys, header_values, id, published_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
		g.fold.Name, g.version, l.Position.Topic, l.Position.Partition, l.Position.Offset, l.Clock, storable(l.Projection),
		storable(l.EventID), storable(l.EventType), storable(l.EntityID), storable(l.ForkID), l.Attempts, moment(l.FirstAt),
		moment(l.LastAt), storable(l.ErrorClass), storable(l.SQLState), storable(l.Message), l.Key, l.Value, keys, values,
		storable(l.ID), moment(l.PublishedAt))
}

// storable makes a text one that Postgres takes; the record's own bytes are kept beside it.
func storable(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", "\uFFFD"), "\uFFFD")
}

// moment is NULL for the zero time.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func momentOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

// UnpublishedDeadLetters implements store.Group.
func (g *Group) UnpublishedDeadLetters(ctx context.Context, limit int) ([]store.DeadLetter, error) {
	rows, err := g.db.pool.Query(ctx, `SELECT topic, partition, "offset", clock, projection, event_id, event_type, entity_id, fork_id,
		attempts, first_at, last_at, error_class, sql_state, message, key, value, header_keys, header_values, id
		FROM `+g.db.table("dead_letters")+`
		WHERE group_name = $1 AND version = $2 AND published_at IS NULL ORDER BY seq LIMIT $3`, g.fold.Name, g.version, limit)
	if err != nil {
		return nil, classify(ctx, err)
	}
	letters, err := pgx.CollectRows(rows, g.scanLetter)
	return letters, classify(ctx, err)
}

func (g *Group) scanLetter(row pgx.CollectableRow) (store.DeadLetter, error) {
	l := store.DeadLetter{Group: g.fold.Name, Version: g.version}
	var first, last *time.Time
	var keys, values [][]byte
	err := row.Scan(&l.Position.Topic, &l.Position.Partition, &l.Position.Offset, &l.Clock, &l.Projection, &l.EventID,
		&l.EventType, &l.EntityID, &l.ForkID, &l.Attempts, &first, &last, &l.ErrorClass, &l.SQLState, &l.Message, &l.Key,
		&l.Value, &keys, &values, &l.ID)
	l.FirstAt, l.LastAt = momentOf(first), momentOf(last)
	for i := range keys {
		l.Headers = append(l.Headers, store.Header{Key: string(keys[i]), Value: values[i]})
	}
	return l, err
}

// MarkPublished implements store.Group. The moments are those of the letters given, now where they have none.
func (g *Group) MarkPublished(ctx context.Context, letters []store.DeadLetter) error {
	ids, moments := make([]string, len(letters)), make([]*time.Time, len(letters))
	for i := range letters {
		ids[i], moments[i] = storable(letters[i].ID), moment(letters[i].PublishedAt)
	}
	_, err := g.db.pool.Exec(ctx, "UPDATE "+g.db.table("dead_letters")+` AS l SET published_at = coalesce(u.at, now())
		FROM unnest($3::text[], $4::timestamptz[]) AS u(id, at)
		WHERE l.group_name = $1 AND l.version = $2 AND l.id = u.id`, g.fold.Name, g.version, ids, moments)
	return classify(ctx, err)
}
