package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/store"
)

// errDryRun undoes the transaction of a dry run.
var errDryRun = errors.New("dry run")

// Migrate makes what the program needs and the database lacks, in one transaction; nothing that is not ours is touched.
// Run twice, it does nothing the second time; run by several workers at once, one does it. With dryRun it only tells.
// What it can't help with (rules that changed, names that are taken) is in Plan.Refused; the other groups are served.
// Errors are as those of Check.
func (db *DB) Migrate(ctx context.Context, p *ir.Program, fork string, dryRun bool) (Plan, error) {
	var done Plan
	err := db.inTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", "causetc migrate "+db.schema); err != nil {
			return err
		}
		base, groups, err := db.plan(ctx, tx, p, fork)
		if err != nil {
			return err
		}
		steps := base
		for i := range groups {
			if groups[i].Err != nil {
				done.Refused = append(done.Refused, groups[i].GroupDeployment)
				continue
			}
			steps = append(steps, groups[i].steps...)
		}
		for _, step := range steps {
			done.Statements = append(done.Statements, step.SQL)
			if dryRun {
				continue
			}
			if _, err := tx.Exec(ctx, step.SQL); err != nil {
				return stepError(ctx, &step, err)
			}
		}
		if dryRun {
			return errDryRun
		}
		return nil
	})
	if dryRun && errors.Is(err, errDryRun) {
		err = nil
	}
	if err != nil {
		return Plan{}, err
	}
	return done, nil
}

// stepError makes a refusal of Postgres one of the deployment: no event is to blame.
func stepError(ctx context.Context, step *sql.Object, err error) error {
	err = classify(ctx, err)
	var data *store.DataError
	if errors.As(err, &data) {
		return deploymentErrorf("the %s %q can't be made: %s", step.Kind, step.Name, data.Message)
	}
	return err
}
