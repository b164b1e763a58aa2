package invariant

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/event"
)

// stored is what the database holds beside the tables.
type stored struct {
	cursors  []cursor
	failures []failure
	moves    []move
	unfenced int // transactions that wrote rows without moving a cursor or changing a parked event or a dead letter
	growths  []growth
}

// growth is where a partition begins that the topic has not had from the start: behind what its parent had up to an offset.
type growth struct {
	Parent, Partition int32
	Next, Clock       int64
}

type cursor struct {
	Group     string
	Partition int32
	TopicID   []byte
	Next      int64
}

// failure is a parked event, a waiting one, or a dead letter.
type failure struct {
	Group                          string
	At                             event.Position
	Dead, Waiting, Done, Published bool // Done: it was replayed
	ID, Class, SQLState, Message   string
}

// move is a change of a cursor; Before is nil where it was made, After where it was removed.
type move struct {
	Kind, Group   string
	Partition     int32
	Before, After *int64
}

// readDatabase reads everything in one snapshot.
func (d *Deployment) readDatabase(ctx context.Context) (*stored, error) {
	conn, err := pgx.Connect(ctx, d.DSN)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	s := &stored{}
	err = pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error { return d.readTx(ctx, tx, s) })
	return s, err
}

func (d *Deployment) readTx(ctx context.Context, tx pgx.Tx, s *stored) (err error) {
	if s.cursors, err = collect[cursor](ctx, tx, "SELECT group_name, partition, topic_id, next FROM "+d.table("cursors")); err != nil {
		return err
	}
	if s.failures, err = d.readFailures(ctx, tx); err != nil {
		return err
	}
	s.moves, err = collect[move](ctx, tx, "SELECT kind, group_name, partition, before, after FROM "+d.table(auditTable)+
		" WHERE kind IN ('cursor', 'gone') ORDER BY seq")
	if err != nil {
		return err
	}
	err = tx.QueryRow(ctx, "SELECT count(*) FROM (SELECT tx FROM "+d.table(auditTable)+" WHERE kind = 'write' EXCEPT SELECT tx FROM "+
		d.table(auditTable)+" WHERE kind IN ('cursor', 'fence')) AS bare").Scan(&s.unfenced)
	if err != nil {
		return err
	}
	s.growths, err = collect[growth](ctx, tx, "SELECT partition, partition + n * partitions_before, next, clock FROM "+d.table("barriers")+
		", generate_series(1, partitions_after / partitions_before - 1) AS n ORDER BY partitions_before")
	return err
}

func collect[T any](ctx context.Context, tx pgx.Tx, text string) ([]T, error) {
	rows, err := tx.Query(ctx, text)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[T])
}

func (d *Deployment) readFailures(ctx context.Context, tx pgx.Tx) ([]failure, error) {
	rows, err := tx.Query(ctx, `SELECT group_name, topic, partition, "offset", false, waiting, false, false, '', error_class, sql_state, message FROM `+
		d.table("parked")+` UNION ALL SELECT group_name, topic, partition, "offset", true, false, replayed_at IS NOT NULL,
		published_at IS NOT NULL, id, error_class, sql_state, message FROM `+d.table("dead_letters")+" ORDER BY 1, 3, 4")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (f failure, err error) {
		err = row.Scan(&f.Group, &f.At.Topic, &f.At.Partition, &f.At.Offset, &f.Dead, &f.Waiting, &f.Done, &f.Published, &f.ID,
			&f.Class, &f.SQLState, &f.Message)
		return f, err
	})
}
