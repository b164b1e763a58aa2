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
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/runtime/embedded"
)

func main() {
	embedded.RunJanitorIfAsked()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
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
	out := &output{to: stdout}
	app := newApp(stdin, out, stderr)
	err := app.RunContext(ctx, flagsFirst(app, args))
	if out.err != nil {
		err = out.err
	}
	switch {
	case err == nil, errors.Is(err, errFindings):
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "causetc: stopped by a signal before the work was done")
	default:
		fmt.Fprintf(stderr, "causetc: %v\n", err)
	}
	return exitCode(err)
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *cli.App {
	app := &cli.App{
		Name:                      "causetc",
		Usage:                     "lint, compile and run Causet specs",
		UsageText:                 "causetc COMMAND [FLAGS] [ARGUMENTS]",
		Description:               exitCodesHelp,
		Reader:                    stdin,
		Writer:                    stdout,
		ErrWriter:                 stderr,
		HideVersion:               true, // the library's prints through a global function
		HideHelpCommand:           true, // ours is in the list
		Flags:                     []cli.Flag{cli.HelpFlag, &cli.BoolFlag{Name: "version", Usage: "print the version", DisableDefaultText: true}},
		DisableSliceFlagSeparator: true, // values may hold commas
		Commands: []*cli.Command{
			lintCommand(), buildCommand(), runCommand(), queryCommand(), schemaCommand(),
			dlqCommand(), statusCommand(), migrateCommand(),
			rulesCommand(), explainCommand(), versionCommand(), helpCommand(),
		},
		Action:         noCommand,
		ExitErrHandler: func(*cli.Context, error) {}, // execute decides
		OnUsageError:   usageProblem,
	}
	for _, c := range app.Commands {
		prepareCommand(c)
	}
	return app
}

// prepareCommand gives a command, and those below it, what all have.
func prepareCommand(c *cli.Command) {
	c.OnUsageError = usageProblem
	c.Before = noEmptyFlags
	c.HideHelpCommand = true
	if len(c.Subcommands) > 0 {
		c.Subcommands = append(c.Subcommands, helpCommand())
	}
	plainFlags(c.Flags)
	for _, sub := range c.Subcommands {
		prepareCommand(sub)
	}
}

// plainFlags keeps the help from saying of each switch that it is off by default.
func plainFlags(flags []cli.Flag) {
	for _, f := range flags {
		if b, ok := f.(*cli.BoolFlag); ok {
			b.DisableDefaultText = true
		}
	}
}

// noCommand answers a command line without a known command.
func noCommand(c *cli.Context) error {
	if c.Bool("version") {
		return printVersion(c)
	}
	if c.Args().Present() {
		return usagef("unknown command %q; `causetc help` lists the commands", c.Args().First())
	}
	return cli.ShowAppHelp(c)
}

// usageProblem is a command line that the flag parser refuses.
func usageProblem(c *cli.Context, err error, inCommand bool) error {
	if !inCommand {
		return usagef("%w; `causetc help` lists the commands", err)
	}
	if strings.Count(c.Command.HelpName, " ") > 1 { // below another command
		return usagef("%w; `%s --help` lists the flags", err, c.Command.HelpName)
	}
	return usagef("%w; `causetc help %s` lists the flags", err, c.Command.Name)
}
