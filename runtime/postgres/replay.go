package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/store"
)

// Replay implements store.Group.
func (g *Group) Replay(ctx context.Context, letters []store.DeadLetter, entries []store.Entry) (store.Counts, error) {
	if len(letters) != len(entries) {
		return store.Counts{}, errors.New("a replay does not say of each dead letter what became of it")
	}
	if err := g.makePartitions(ctx, entries); err != nil {
		return store.Counts{}, err
	}
	if err := g.db.inRowsTx(ctx, func(tx pgx.Tx) error { return g.replay(ctx, tx, letters, entries) }); err != nil {
		return store.Counts{}, err
	}
	return store.Count(entries), nil
}

// replay marks or changes the letters first: that is the fence of what follows.
func (g *Group) replay(ctx context.Context, tx pgx.Tx, letters []store.DeadLetter, entries []store.Entry) error {
	var applied, again, after []store.DeadLetter
	var effects []store.Entry
	for i := range entries {
		if entries[i].Outcome == store.Dead {
			again, after = append(again, letters[i]), append(after, *entries[i].Dead)
		} else {
			applied, effects = append(applied, letters[i]), append(effects, entries[i])
		}
	}
	if err := g.markReplayed(ctx, tx, applied); err != nil {
		return err
	}
	if err := g.failAgain(ctx, tx, again, after); err != nil {
		return err
	}
	return g.write(ctx, tx, effects)
}

// openLetter is letterMatch for those that wait for somebody.
const openLetter = letterMatch + " AND l.replayed_at IS NULL AND l.dropped_at IS NULL"

func (g *Group) markReplayed(ctx context.Context, tx pgx.Tx, letters []store.DeadLetter) error {
	return g.changeLetters(ctx, tx, letters, "UPDATE "+g.db.table("dead_letters")+` AS l SET replayed_at = now()
		FROM unnest(`+letterArrays+`) AS u(`+letterNames+`) WHERE `+openLetter)
}

func (g *Group) failAgain(ctx context.Context, tx pgx.Tx, before, after []store.DeadLetter) error {
	n := len(after)
	attempts, moments := make([]int32, n), make([]*time.Time, n)
	projection, class, state, message := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	for i := range after {
		l := &after[i]
		attempts[i], moments[i] = int32(l.Attempts), moment(l.LastAt)
		projection[i], class[i] = storable(l.Projection), storable(l.ErrorClass)
		state[i], message[i] = storable(l.SQLState), storable(l.Message)
	}
	return g.changeLetters(ctx, tx, before, "UPDATE "+g.db.table("dead_letters")+` AS l SET attempts = u.after,
			first_at = coalesce(l.first_at, u.at), last_at = u.at, projection = u.projection, error_class = u.class,
			sql_state = u.state, message = u.message, published_at = NULL
		FROM unnest(`+letterArrays+`, $7::integer[], $8::timestamptz[], $9::text[], $10::text[], $11::text[], $12::text[])
			AS u(`+letterNames+`, after, at, projection, class, state, message)
		WHERE `+openLetter, attempts, moments, projection, class, state, message)
}

// changeLetters runs a statement that must meet each of the letters.
func (g *Group) changeLetters(ctx context.Context, tx pgx.Tx, letters []store.DeadLetter, text string, arrays ...any) error {
	if len(letters) == 0 {
		return nil
	}
	tag, err := tx.Exec(ctx, text, append(g.letterArgs(letters), arrays...)...)
	if err == nil && tag.RowsAffected() != int64(len(letters)) && !failpoint.Off(failpoint.ReplayFence) {
		return store.ErrFenced
	}
	return err
}
