package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// keep stores the parked events and the dead letters of a transaction.
func (g *Group) keep(ctx context.Context, tx pgx.Tx, entries []store.Entry) error {
	var batch pgx.Batch
	for i := range entries {
		switch e := &entries[i]; {
		case e.Outcome == store.Dead && e.Dead != nil:
			g.queueLetter(&batch, e.Dead)
		case e.Outcome == store.Parked || e.Outcome == store.Waiting:
			g.queueParked(&batch, e.Parked)
		}
	}
	if batch.Len() == 0 {
		return nil
	}
	return tx.SendBatch(ctx, &batch).Close()
}

func (g *Group) queueParked(batch *pgx.Batch, p *store.ParkedEvent) {
	keys := make([][]byte, len(p.Keys))
	for i := range p.Keys {
		keys[i] = p.Keys[i][:]
	}
	batch.Queue(g.insertFailure("parked", "next_at", "waiting", "keys"), g.failureArgs(&p.Failure, moment(p.NextAt), p.Waiting, keys)...)
}

// LoadParked implements store.Group.
func (g *Group) LoadParked(ctx context.Context, topic string, partition int32) ([]store.ParkedEvent, error) {
	return g.loadParked(ctx, lightColumns, "", topic, partition)
}

// LoadFailures implements store.Group.
func (g *Group) LoadFailures(ctx context.Context, topic string, partition int32, offsets []int64) ([]store.ParkedEvent, error) {
	return g.loadParked(ctx, failureColumns, ` AND "offset" = ANY ($5)`, topic, partition, offsets)
}

func (g *Group) loadParked(ctx context.Context, columns, where string, args ...any) ([]store.ParkedEvent, error) {
	rows, err := g.db.pool.Query(ctx, "SELECT "+columns+", next_at, waiting, keys FROM "+g.db.table("parked")+
		" WHERE group_name = $1 AND version = $2 AND topic = $3 AND partition = $4"+where+` ORDER BY "offset"`,
		append([]any{planAnew, g.fold.Name, g.version}, args...)...)
	if err != nil {
		return nil, classify(ctx, err)
	}
	list, err := pgx.CollectRows(rows, scanParked)
	return list, classify(ctx, err)
}

func scanParked(row pgx.CollectableRow) (store.ParkedEvent, error) {
	var p store.ParkedEvent
	var f failureRow
	var next *time.Time
	var keys [][]byte
	if err := row.Scan(f.targets(&next, &p.Waiting, &keys)...); err != nil {
		return p, err
	}
	p.Failure, p.NextAt = f.done(), momentOf(next)
	for _, k := range keys {
		var key fold.Key
		copy(key[:], k)
		p.Keys = append(p.Keys, key)
	}
	return p, nil
}

// BeginAttempts implements store.Group.
func (g *Group) BeginAttempts(ctx context.Context, rows []store.ParkedEvent) error {
	if len(rows) == 0 {
		return nil
	}
	c := newParkedColumns(rows)
	return g.db.inTx(ctx, func(tx pgx.Tx) error {
		return g.changeParked(ctx, tx, rows, "UPDATE "+g.db.table("parked")+` AS p SET attempts = u.attempts, next_at = u.next_at, waiting = false
			FROM unnest($5::bigint[], $6::integer[], $7::timestamptz[]) AS u(o, attempts, next_at)
			WHERE `+parkedMatch+` AND p.attempts = u.attempts - 1`, c.offsets, c.attempts, c.nextAt)
	})
}

// planAnew makes a statement be planned at each execution. A plan that is kept may have been made while there were no parked
// events or dead letters, and then reads the whole table when there are thousands.
const planAnew = pgx.QueryExecModeCacheDescribe

// parkedMatch joins the arrays u with the parked events p of one partition.
const parkedMatch = `p.group_name = $1 AND p.version = $2 AND p.topic = $3 AND p.partition = $4 AND p."offset" = u.o`

// changeParked runs a statement that must meet each of the rows, which are of one partition.
func (g *Group) changeParked(ctx context.Context, tx pgx.Tx, rows []store.ParkedEvent, text string, arrays ...any) error {
	at := rows[0].Position
	tag, err := tx.Exec(ctx, text, append([]any{planAnew, g.fold.Name, g.version, at.Topic, at.Partition}, arrays...)...)
	if err == nil && tag.RowsAffected() != int64(len(rows)) && !failpoint.Off(failpoint.RetryFence) {
		return store.ErrFenced
	}
	return err
}

// parkedColumns are the parts of parked events that change, by column.
type parkedColumns struct {
	offsets                                   []int64
	attempts                                  []int32
	waiting                                   []bool
	firstAt, lastAt, nextAt                   []*time.Time
	projection, errorClass, sqlState, message []string
}

func newParkedColumns(rows []store.ParkedEvent) (c parkedColumns) {
	for i := range rows {
		p := &rows[i]
		c.offsets = append(c.offsets, p.Position.Offset)
		c.attempts = append(c.attempts, int32(p.Attempts))
		c.waiting = append(c.waiting, p.Waiting)
		c.firstAt = append(c.firstAt, moment(p.FirstAt))
		c.lastAt = append(c.lastAt, moment(p.LastAt))
		c.nextAt = append(c.nextAt, moment(p.NextAt))
		c.projection = append(c.projection, storable(p.Projection))
		c.errorClass = append(c.errorClass, storable(p.ErrorClass))
		c.sqlState = append(c.sqlState, storable(p.SQLState))
		c.message = append(c.message, storable(p.Message))
	}
	return c
}
