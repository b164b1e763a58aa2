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
	moments := make([]*time.Time, len(letters))
	for i := range letters {
		moments[i] = moment(letters[i].PublishedAt)
	}
	_, err := g.db.pool.Exec(ctx, "UPDATE "+g.db.table("dead_letters")+` AS l SET published_at = coalesce(u.at, now())
		FROM unnest(`+letterArrays+`, $7::timestamptz[]) AS u(`+letterNames+`, at) WHERE `+letterMatch,
		append(g.letterArgs(letters), moments)...)
	return classify(ctx, err)
}

// letterMatch joins the dead letters l with the arrays u, letterArrays and more, which say which they are and how they were.
// They are sought by the whole primary key: where Postgres knows nothing of the table yet, it would read all of the group's for
// each of them.
const (
	letterArrays = "$3::text[], $4::integer[], $5::bigint[], $6::integer[]"
	letterNames  = "topic, partition, o, attempts"
	letterMatch  = `l.group_name = $1 AND l.version = $2 AND l.topic = u.topic AND l.partition = u.partition AND l."offset" = u.o
		AND l.attempts = u.attempts`
)

// letterArgs are the parameters that letterMatch and letterArrays take.
func (g *Group) letterArgs(letters []store.DeadLetter) []any {
	n := len(letters)
	topics, partitions, offsets, attempts := make([]string, n), make([]int32, n), make([]int64, n), make([]int32, n)
	for i := range letters {
		at := letters[i].Position
		topics[i], partitions[i], offsets[i], attempts[i] = at.Topic, at.Partition, at.Offset, int32(letters[i].Attempts)
	}
	return []any{planAnew, g.fold.Name, g.version, topics, partitions, offsets, attempts}
}
