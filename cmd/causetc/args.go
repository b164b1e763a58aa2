package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst moves a command's flags before its arguments, since the flag parser stops at the first argument and would
// take every later flag for one. What follows "--" stays as it is.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	cmd, at := findCommand(app, args)
	if cmd == nil {
		return args
	}
	if cmd, at = subcommand(cmd, args, at); cmd == nil {
		return args
	}
	takesValue := valueFlags(cmd.Flags)
	flags, rest := []string{}, []string{}
	for i := at + 1; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			rest = append(rest, arg)
			continue
		}
		flags = append(flags, arg)
		if !takesValue[strings.TrimLeft(arg, "-")] {
			continue
		}
		if i++; i == len(args) { // the parser complains, if nothing follows that it could take for the value
			return append(slices.Clone(args[:at+1]), flags...)
		}
		flags = append(flags, args[i])
	}
	out := append(slices.Clone(args[:at+1]), flags...)
	return append(append(out, "--"), rest...)
}

// findCommand returns the command that the arguments name and where its name stands.
func findCommand(app *cli.App, args []string) (*cli.Command, int) {
	takesValue := valueFlags(app.Flags)
	for i := 1; i < len(args); i++ {
		arg := args[i]
		if !strings.HasPrefix(arg, "-") {
			return app.Command(arg), i
		}
		if takesValue[strings.TrimLeft(arg, "-")] {
			i++
		}
	}
	return nil, 0
}

// subcommand goes on from a command to the one below it that is named next, and so on, and returns that and where its name
// stands; nil where a command needs one and none is named, of which the library then tells.
func subcommand(cmd *cli.Command, args []string, at int) (*cli.Command, int) {
	for len(cmd.Subcommands) > 0 {
		if at++; at >= len(args) {
			return nil, at
		}
		i := slices.IndexFunc(cmd.Subcommands, func(c *cli.Command) bool { return c.HasName(args[at]) })
		if i < 0 {
			return nil, at
		}
		cmd = cmd.Subcommands[i]
	}
	return cmd, at
}

// valueFlags returns the names of the flags that are followed by a value, as they stand without "=".
func valueFlags(flags []cli.Flag) map[string]bool {
	names := map[string]bool{}
	for _, f := range flags {
		if _, isBool := f.(*cli.BoolFlag); isBool {
			continue
		}
		for _, name := range f.Names() {
			names[name] = true
		}
	}
	return names
}
