package embedded

import (
	"errors"
	"fmt"
)

// ErrInUse says that a data folder is held by another live process. Errors that wrap it name the folder.
var ErrInUse = errors.New("in use by another process")

// ErrNoPostgres says that no usable Postgres server binaries were found and none could, or might, be fetched. Errors that
// wrap it list where they were looked for.
var ErrNoPostgres = errors.New("no usable Postgres server found")

// ErrNoJanitor says that the helper process that cleans up after a killed program could not be started, most likely because
// the program does not call RunJanitorIfAsked first thing in main (or TestMain).
var ErrNoJanitor = errors.New("the clean-up process did not start")

// UnreachableError says that the account which the server runs as (Postgres refuses to run as root) can't enter a folder.
type UnreachableError struct {
	Folder  string // the folder that the server needs
	Blocker string // the first folder on the way to it that shuts the account out
	Account string // the name of the account
}

// Error names the folders, the account and the ways out.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("the folder %s can't be reached by the user %s, which runs the Postgres server because Postgres refuses root: "+
		"choose another folder, run as an ordinary user, or let others pass (chmod o+x %s)", e.Folder, e.Account, e.Blocker)
}
