package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/ir"
)

// version is set by the linker in releases.
var version = "devel"

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version",
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return printVersion(c)
		},
	}
}

func printVersion(c *cli.Context) error {
	_, err := fmt.Fprintf(c.App.Writer, "causetc %s (IR format %d, %s, %s/%s)\n",
		versionText(), ir.FormatVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// versionText is the released version, or what the Go tool knows of the source.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if version != "devel" || !ok {
		return version
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	return version
}

func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("%s takes no arguments, got %q", c.Command.Name, c.Args().First())
	}
	return nil
}
