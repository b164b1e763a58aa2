package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/store"
)

// The exit codes.
const (
	exitClean    = 0
	exitFindings = 1
	exitUsage    = 2 // wrong use, input that can't be read, a service that can't be reached
	exitInternal = 3
)

// exitCodesHelp is the part of the help about them.
const exitCodesHelp = `Flags may stand before and after the arguments; what follows "--" is an argument.

Exit codes: 0 done, and nothing to tell; 1 findings, or events that became dead letters; 2 wrong use, input that
can't be read, or a service that can't be reached; 3 a fault of causetc.`

// errFindings ends a command whose output already tells of findings or dead letters.
var errFindings = errors.New("there are findings")

// usageError is a fault of the command line or of the input.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &usageError{err: fmt.Errorf(format, args...)}
}

// exitCode classifies what a command returned.
func exitCode(err error) int {
	var (
		usage *usageError
		env   *store.EnvironmentError
		dep   *store.DeploymentError
		path  *fs.PathError
		link  *os.LinkError
		sys   *os.SyscallError
	)
	switch {
	case err == nil:
		return exitClean
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &usage), errors.As(err, &env), errors.As(err, &dep), errors.As(err, &path), errors.As(err, &link),
		errors.As(err, &sys), errors.Is(err, kafka.ErrConfig), errors.Is(err, context.Canceled):
		return exitUsage
	}
	return exitInternal
}
