package main

import (
	"flag"
	"slices"

	"github.com/urfave/cli/v2"
)

// The library shares one help flag and one help command between all apps of a process and writes into them at each run. Ours
// are written to by nobody, so that command lines can run beside each other.
func init() {
	cli.HelpFlag = helpFlag{&cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "show help", DisableDefaultText: true}}
}

// helpFlag is a switch that stays as it is when it is applied.
type helpFlag struct{ *cli.BoolFlag }

// Apply adds the switch to the flags of one command line.
func (f helpFlag) Apply(set *flag.FlagSet) error {
	applied := *f.BoolFlag
	return applied.Apply(set)
}

// helpCommand shows the help of the command that its argument names, or the overview of where it stands.
func helpCommand() *cli.Command {
	return &cli.Command{
		Name:      "help",
		Aliases:   []string{"h"},
		Usage:     "show the commands, or the help of one of them",
		ArgsUsage: "[COMMAND]",
		Action: func(c *cli.Context) error {
			parent := c.Lineage()[1]
			commands := parent.Command.Subcommands
			name := c.Args().First()
			switch {
			case name != "" && slices.ContainsFunc(commands, func(c *cli.Command) bool { return c.HasName(name) }):
				return cli.ShowCommandHelp(parent, name)
			case name != "":
				return usagef("no help for %q; `%s help` lists the commands", name, parent.Command.HelpName)
			case len(c.Lineage()) > 3: // below another command
				return cli.ShowSubcommandHelp(parent)
			}
			return cli.ShowAppHelp(parent)
		},
	}
}
