// Command causetc lints, compiles and runs Causet specs.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/runtime/embedded"
)

func main() {
	embedded.RunJanitorIfAsked()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(execute(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// execute runs one command line and returns its exit code. Output and messages go to the given streams only.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "causetc: internal error: %v\n%s\nPlease report this with the input that caused it.\n", p, debug.Stack())
			code = exitInternal
		}
	}()
	app := newApp(stdin, stdout, stderr)
	err := app.RunContext(ctx, flagsFirst(app, args))
	if err != nil && !errors.Is(err, errFindings) {
		fmt.Fprintf(stderr, "causetc: %v\n", err)
	}
	return exitCode(err)
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	app := &cli.App{
		Name:                      "causetc",
		Usage:                     "lint, compile and run Causet specs",
		UsageText:                 "causetc COMMAND [FLAGS] [ARGUMENTS]",
		Reader:                    stdin,
		Writer:                    stdout,
		ErrWriter:                 stderr,
		HideVersion:               true,
		DisableSliceFlagSeparator: true, // values may hold commas
		Commands: []*cli.Command{
			lintCommand(), buildCommand(), runCommand(), queryCommand(), schemaCommand(),
			rulesCommand(), explainCommand(), versionCommand(),
		},
		Action:         noCommand,
		ExitErrHandler: func(*cli.Context, error) {}, // execute decides
		OnUsageError:   usageProblem,
	}
	for _, c := range app.Commands {
		c.OnUsageError = usageProblem
	}
	return app
}

// noCommand answers a command line without a known command.
func noCommand(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("unknown command %q; `causetc help` lists the commands", c.Args().First())
	}
	return cli.ShowAppHelp(c)
}

func usageProblem(_ *cli.Context, err error, _ bool) error {
	return &usageError{err: err}
}
