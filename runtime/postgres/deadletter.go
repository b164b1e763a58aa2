package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/store"
)

func (g *Group) queueLetter(batch *pgx.Batch, l *store.DeadLetter) {
	batch.Queue(g.insertFailure("dead_letters", "id", "published_at"), g.failureArgs(&l.Failure, storable(l.ID), moment(l.PublishedAt))...)
}

// UnpublishedDeadLetters implements store.Group.
func (g *Group) UnpublishedDeadLetters(ctx context.Context, limit int) ([]store.DeadLetter, error) {
	rows, err := g.db.pool.Query(ctx, "SELECT "+failureColumns+", id FROM "+g.db.table("dead_letters")+`
		WHERE group_name = $1 AND version = $2 AND published_at IS NULL ORDER BY seq LIMIT $3`, planAnew, g.fold.Name, g.version, limit)
	if err != nil {
		return nil, classify(ctx, err)
	}
	letters, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (store.DeadLetter, error) {
		l := store.DeadLetter{Group: g.fold.Name, Version: g.version}
		var f failureRow
		err := row.Scan(f.targets(&l.ID)...)
		l.Failure = f.done()
		return l, err
	})
	return letters, classify(ctx, err)
}

// MarkPublished implements store.Group. The moments are those of the letters given, now where they have none.
func (g *Group) MarkPublished(ctx context.Context, letters []store.DeadLetter) error {
	ids, moments, attempts := make([]string, len(letters)), make([]*time.Time, len(letters)), make([]int32, len(letters))
	for i := range letters {
		ids[i], moments[i], attempts[i] = storable(letters[i].ID), moment(letters[i].PublishedAt), int32(letters[i].Attempts)
	}
	_, err := g.db.pool.Exec(ctx, "UPDATE "+g.db.table("dead_letters")+` AS l SET published_at = coalesce(u.at, now())
		FROM unnest($3::text[], $4::timestamptz[], $5::integer[]) AS u(id, at, attempts)
		WHERE l.group_name = $1 AND l.version = $2 AND l.id = u.id AND l.attempts = u.attempts`, planAnew, g.fold.Name, g.version, ids, moments, attempts)
	return classify(ctx, err)
}
