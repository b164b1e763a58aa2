package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/store"
)

// What tests can do to the store; see package failpoint.

// unlessOff returns a condition, or one that holds always where its mechanism is taken out.
func unlessOff(m failpoint.Mechanism, condition string) string {
	if failpoint.Off(m) {
		return "(" + condition + ") IS NOT NULL"
	}
	return condition
}

// beforeCommit adds the point before the commit to the work of a transaction.
func beforeCommit(f func(pgx.Tx) error) func(pgx.Tx) error {
	if !failpoint.Enabled {
		return f
	}
	return func(tx pgx.Tx) error {
		if err := f(tx); err != nil {
			return err
		}
		failpoint.Reach(failpoint.BeforeCommit)
		if state := failpoint.Refusal(failpoint.BeforeCommit); state != "" {
			return &pgconn.PgError{Code: state, Message: "refused by a test"}
		}
		return nil
	}
}

// afterCommit adds the point after a successful commit.
func afterCommit(err error) error {
	if err == nil {
		failpoint.Reach(failpoint.AfterCommit)
	}
	return err
}

// forgotten says that an entry's id is not to be recorded.
func forgotten(e *store.Entry) bool {
	failed := e.Outcome == store.Parked || e.Outcome == store.Waiting || e.Outcome == store.Dead
	return failed && failpoint.Off(failpoint.FailedIDs)
}

// bury removes rows that are deleted, as if nobody remembered them.
func (t *table) bury(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, t.statements.bury)
	return err
}
