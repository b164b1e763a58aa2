package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/store"
)

// Conditions that are judged apart from their class.
const (
	insufficientPrivilege = "42501"
	undefinedDatabase     = "3D"
	undefinedSchema       = "3F"
	invalidAuthorization  = "28"
)

// dataClasses are the classes of SQLSTATE whose errors lie in what was written: retrying the same batch fails again.
var dataClasses = map[string]bool{
	"0A": true, // feature not supported
	"21": true, // cardinality violation
	"22": true, // data exception
	"23": true, // integrity constraint violation
	"2F": true, // SQL routine exception, of a trigger
	"38": true, // external routine exception
	"39": true, // external routine invocation exception
	"42": true, // syntax error or access rule violation: the schema is not what it was
	"44": true, // WITH CHECK OPTION violation
	"54": true, // program limit exceeded
	"P0": true, // PL/pgSQL error, of a trigger
}

// classify gives an error of the database its kind: *store.DataError, *store.DeploymentError or *store.EnvironmentError.
// Whatever it does not know is the environment's, so that no event is given up for it; so is a commit whose result is
// unknown. Errors that have a kind already, and those of the context, are passed on.
func classify(ctx context.Context, err error) error {
	if err == nil || classified(err) {
		return err
	}
	if ctxErr := ctx.Err(); ctxErr != nil {
		return ctxErr
	}
	var pgErr *pgconn.PgError
	var unreachable *pgconn.ConnectError
	switch {
	case errors.As(err, &pgErr) && len(pgErr.Code) == 5:
	case errors.As(err, &unreachable): // its text names the hosts and the user, never the password
		return &store.EnvironmentError{Err: fmt.Errorf("the database can't be reached; check --db-url: %w", err)}
	default:
		return &store.EnvironmentError{Err: err}
	}
	class := pgErr.Code[:2]
	switch {
	case class == invalidAuthorization || class == undefinedDatabase:
		return deploymentErrorf("the database refuses the connection; check --db-url, --db-user and the password in PROJECTION_DB_PASSWORD: %s", pgErr.Message)
	case class == undefinedSchema:
		return deploymentErrorf("the database has no such schema: %s", pgErr.Message)
	case pgErr.Code == insufficientPrivilege:
		return deploymentErrorf("the database user lacks a privilege: %s", pgErr.Message)
	case dataClasses[class]:
		return &store.DataError{SQLState: pgErr.Code, Message: message(pgErr), Err: err}
	case failpoint.Off(failpoint.ErrorKinds):
		return &store.DataError{SQLState: pgErr.Code, Message: message(pgErr), Err: err}
	default:
		return &store.EnvironmentError{Err: err}
	}
}

func classified(err error) bool {
	var data *store.DataError
	var environment *store.EnvironmentError
	var deployment *store.DeploymentError
	return errors.Is(err, store.ErrFenced) || errors.As(err, &data) || errors.As(err, &environment) ||
		errors.As(err, &deployment)
}

// message is Postgres's own, with the detail that names the value.
func message(err *pgconn.PgError) string {
	if err.Detail == "" {
		return err.Message
	}
	return err.Message + ": " + err.Detail
}
