package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/store"
)

// blamed adds to an error of the data which of the entries are at fault, as far as that can be told.
func (g *Group) blamed(ctx context.Context, err error, entries []store.Entry) error {
	var data *store.DataError
	if !errors.As(err, &data) || len(data.Refused) > 0 {
		return err
	}
	applied := appliedOf(entries)
	if len(applied) < 2 {
		return err // the caller knows
	}
	refused, searchErr := g.violations(ctx, entries, applied)
	if searchErr != nil || len(refused) == 0 {
		refused, searchErr = g.search(ctx, entries, applied)
	}
	if searchErr == nil {
		data.Refused = refused
	}
	return err
}

// appliedOf returns the indexes of the entries that write something.
func appliedOf(entries []store.Entry) []int {
	var applied []int
	for i := range entries {
		if entries[i].Outcome == store.Applied {
			applied = append(applied, i)
		}
	}
	return applied
}

// search finds the entries that the database refuses, which has refused them together, in a transaction that is rolled back: by halves, each folded anew
// under a savepoint, what comes first in the log being kept while the rest is tried.
func (g *Group) search(ctx context.Context, entries []store.Entry, applied []int) (refused []store.Refusal, err error) {
	tx, err := g.db.pool.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	err = g.searchHalves(ctx, tx, entries, applied, &refused)
	return refused, err
}

func (g *Group) searchIn(ctx context.Context, tx pgx.Tx, entries []store.Entry, applied []int, refused *[]store.Refusal) error {
	tried := make([]store.Entry, len(applied))
	for i, index := range applied {
		tried[i] = entries[index]
	}
	err := classify(ctx, pgx.BeginFunc(ctx, tx, func(part pgx.Tx) error { return g.write(ctx, part, tried) }))
	var data *store.DataError
	if !errors.As(err, &data) {
		return err
	}
	if len(applied) == 1 {
		*refused = append(*refused, store.Refusal{Index: applied[0], Err: data})
		return nil
	}
	return g.searchHalves(ctx, tx, entries, applied, refused)
}

func (g *Group) searchHalves(ctx context.Context, tx pgx.Tx, entries []store.Entry, applied []int, refused *[]store.Refusal) error {
	half := len(applied) / 2
	if err := g.searchIn(ctx, tx, entries, applied[:half], refused); err != nil {
		return err
	}
	return g.searchIn(ctx, tx, entries, applied[half:], refused)
}
