package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/causetc/causetc/analyzer/analysis"
)

func getenv(name string) string { return os.Getenv(name) }

func formatFlag(formats ...string) cli.Flag {
	return &cli.StringFlag{Name: "format", Aliases: []string{"f"}, Usage: "output `FORMAT`: " + alternatives(formats), Value: formats[0]}
}

func formatOf(c *cli.Context, formats ...string) (string, error) {
	f := c.String("format")
	if !slices.Contains(formats, f) {
		return "", usagef("--format %q: use %s", f, alternatives(formats))
	}
	return f, nil
}

// alternatives joins words with commas and a last "or".
func alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// pathError tells what is wrong with the file of a flag, which it names once.
func pathError(flag, path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return usagef("--%s %s: %w", flag, path, p.Err)
	}
	return usagef("--%s: %w", flag, err)
}

func targetFlag(value string) cli.Flag {
	return &cli.StringFlag{Name: "target", Usage: "the `WORKER` that will run the spec: hosted or causetc", Value: value}
}

func targetOf(c *cli.Context) (analysis.Target, error) { return targetNamed(c.String("target")) }

func targetNamed(name string) (analysis.Target, error) {
	switch t := analysis.Target(name); t {
	case analysis.Hosted, analysis.Causetc:
		return t, nil
	}
	return "", usagef("--target %q: use hosted or causetc", name)
}

// oneArgument returns the command's only argument.
func oneArgument(c *cli.Context, what string) (string, error) {
	if c.NArg() != 1 {
		return "", usagef("%s needs %s as its one argument, got %s", c.Command.Name, what, countOf(c.NArg(), "argument"))
	}
	if err := noEmptyArguments(c); err != nil {
		return "", err
	}
	return c.Args().First(), nil
}

// noEmptyArguments refuses what an unset shell variable leaves behind, since an empty path would mean the working directory.
func noEmptyArguments(c *cli.Context) error {
	if slices.Contains(c.Args().Slice(), "") {
		return usagef("an argument of %s is empty", c.Command.Name)
	}
	return nil
}

// noEmptyFlags refuses flags that are given without a text. A variable that is set to nothing counts as not set.
func noEmptyFlags(c *cli.Context) error {
	for _, flag := range c.Command.Flags {
		switch f := flag.(type) {
		case *cli.StringFlag:
			if c.IsSet(f.Name) && c.String(f.Name) == "" && !inEnvironment(f.EnvVars) {
				return usagef("--%s is empty; leave it out, or give it a value", f.Name)
			}
		case *cli.StringSliceFlag:
			if slices.Contains(c.StringSlice(f.Name), "") {
				return usagef("--%s is empty; leave it out, or give it a value", f.Name)
			}
		}
	}
	return nil
}

func inEnvironment(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, ok := os.LookupEnv(name)
		return ok
	})
}

// rowsOf returns how many rows are printed at most; 0 is all.
func rowsOf(c *cli.Context) (int, error) {
	n := c.Int("rows")
	if n < 0 {
		return 0, usagef("--rows %d: use 0 for all rows, or a positive number", n)
	}
	return n, nil
}

func allowOutsideFlag() cli.Flag {
	return &cli.BoolFlag{Name: "allow-outside", Usage: "read files outside of the manifest's folder"}
}

// isTerminal reports whether colour may be used: on a terminal, unless NO_COLOR is set.
func isTerminal(w io.Writer) bool {
	if o, ok := w.(*output); ok {
		w = o.to
	}
	f, ok := w.(*os.File)
	return ok && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// sameFile reports whether two paths name one file, as far as their text tells.
func sameFile(a, b string) bool {
	absA, errA := filepath.Abs(filepath.FromSlash(a))
	absB, errB := filepath.Abs(filepath.FromSlash(b))
	return errA == nil && errB == nil && absA == absB
}
