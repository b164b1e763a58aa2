package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/store"
)

// Settle implements store.Group.
func (g *Group) Settle(ctx context.Context, s store.Settlement) (store.Counts, error) {
	if len(s.Rows) != len(s.Entries) {
		return store.Counts{}, errors.New("a settlement does not say of each event what became of it")
	}
	if err := g.makePartitions(ctx, s.Entries); err != nil {
		return store.Counts{}, err
	}
	if err := g.watched(ctx, s.Entries); err != nil {
		return store.Counts{}, err
	}
	counts := store.Count(s.Entries)
	if err := g.db.inRowsTx(ctx, func(tx pgx.Tx) (err error) {
		counts.Stale, err = g.settle(ctx, tx, &s)
		return err
	}); err != nil {
		return store.Counts{}, g.blamed(ctx, err, s.Entries)
	}
	return counts, nil
}

// settle changes or deletes the rows first: that is the fence of what follows.
func (g *Group) settle(ctx context.Context, tx pgx.Tx, s *store.Settlement) (stale int, err error) {
	var again, gone, after []store.ParkedEvent
	var ended []store.Entry
	for i := range s.Rows {
		if s.Entries[i].Outcome == store.Parked {
			again, after = append(again, s.Rows[i]), append(after, *s.Entries[i].Parked)
		} else {
			gone, ended = append(gone, s.Rows[i]), append(ended, s.Entries[i])
		}
	}
	if err := g.parkAgain(ctx, tx, again, after); err != nil {
		return 0, err
	}
	if err := g.unpark(ctx, tx, gone); err != nil {
		return 0, err
	}
	return g.writeCounting(ctx, tx, ended)
}

func (g *Group) parkAgain(ctx context.Context, tx pgx.Tx, before, after []store.ParkedEvent) error {
	if len(before) == 0 {
		return nil
	}
	b, a := newParkedColumns(before), newParkedColumns(after)
	return g.changeParked(ctx, tx, before, "UPDATE "+g.db.table("parked")+` AS p SET attempts = u.attempts, waiting = u.waiting,
			first_at = u.first_at, last_at = u.last_at, next_at = u.next_at, projection = u.projection,
			error_class = u.error_class, sql_state = u.sql_state, message = u.message
		FROM unnest($5::bigint[], $6::integer[], $7::boolean[], $8::integer[], $9::boolean[], $10::timestamptz[], $11::timestamptz[],
			$12::timestamptz[], $13::text[], $14::text[], $15::text[], $16::text[])
			AS u(o, attempts_before, waiting_before, attempts, waiting, first_at, last_at, next_at, projection, error_class, sql_state, message)
		WHERE `+parkedMatch+` AND p.attempts = u.attempts_before AND p.waiting = u.waiting_before`,
		b.offsets, b.attempts, b.waiting, a.attempts, a.waiting, a.firstAt, a.lastAt, a.nextAt, a.projection, a.errorClass,
		a.sqlState, a.message)
}

func (g *Group) unpark(ctx context.Context, tx pgx.Tx, rows []store.ParkedEvent) error {
	if len(rows) == 0 {
		return nil
	}
	c := newParkedColumns(rows)
	return g.changeParked(ctx, tx, rows, "DELETE FROM "+g.db.table("parked")+` AS p
		USING unnest($5::bigint[], $6::integer[], $7::boolean[]) AS u(o, attempts, waiting)
		WHERE `+parkedMatch+" AND p.attempts = u.attempts AND p.waiting = u.waiting", c.offsets, c.attempts, c.waiting)
}
