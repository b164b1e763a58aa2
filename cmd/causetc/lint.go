package main

import (
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/analyzer/report"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

func lintCommand() *cli.Command {
	return &cli.Command{
		Name:      "lint",
		Usage:     "check a spec; without arguments the one in this folder",
		ArgsUsage: "[SPEC|DIR|FILE...|-]",
		Flags: []cli.Flag{
			formatFlag("text", "json"),
			&cli.StringFlag{Name: "fail-on", Usage: "least `SEVERITY` that makes the exit code 1: hint, info, warning, error or never", Value: "warning"},
			targetFlag("hosted"),
			&cli.StringFlag{Name: "stdin-filename", Usage: "standard input stands in for this `FILE` of the program"},
			&cli.StringFlag{Name: "only", Usage: "print the findings of this `FILE` only"},
			allowOutsideFlag(),
		},
		Action: lintAction,
	}
}

func lintAction(c *cli.Context) error {
	format, err := formatOf(c, "text", "json")
	if err != nil {
		return err
	}
	threshold, err := failOn(c.String("fail-on"))
	if err != nil {
		return err
	}
	target, err := targetOf(c)
	if err != nil {
		return err
	}
	if err := noEmptyArguments(c); err != nil {
		return err
	}
	loaded, err := load(c.Context, lintInput(c))
	if err != nil {
		return err
	}
	_, found, err := judge(c.Context, loaded, analyzer.Options{Target: target}, "app")
	if err != nil {
		return err
	}
	if only := c.String("only"); only != "" {
		if found, err = onlyIn(found, loaded.Program, only); err != nil {
			return err
		}
	}
	if err := printFindings(c.App.Writer, format, loaded.Program, found); err != nil {
		return err
	}
	for _, d := range found {
		if threshold != 0 && d.Severity >= threshold {
			return errFindings
		}
	}
	return nil
}

func lintInput(c *cli.Context) parser.Options {
	opts := parser.Options{
		Args: c.Args().Slice(), StdinFilename: c.String("stdin-filename"), AllowOutside: c.Bool("allow-outside"),
	}
	for _, arg := range opts.Args {
		if arg == "-" {
			opts.Stdin = c.App.Reader
		}
	}
	if opts.StdinFilename != "" {
		opts.Stdin = c.App.Reader
	}
	return opts
}

func printFindings(w io.Writer, format string, p *spec.Program, found []spec.Diagnostic) error {
	if format == "json" {
		return report.JSON(w, p.Set, found)
	}
	return report.Text(w, p.Set, found, report.TextOptions{Color: isTerminal(w)})
}

// failOn reads the threshold; 0 is never.
func failOn(text string) (spec.Severity, error) {
	switch strings.ToLower(text) {
	case "never":
		return 0, nil
	case "hint":
		return spec.Hint, nil
	case "info":
		return spec.Info, nil
	case "warning":
		return spec.Warning, nil
	case "error":
		return spec.Error, nil
	}
	return 0, usagef("--fail-on %q: use hint, info, warning, error or never", text)
}

// onlyIn keeps the findings of one file of the program.
func onlyIn(found []spec.Diagnostic, p *spec.Program, name string) ([]spec.Diagnostic, error) {
	var wanted *spec.File
	for _, f := range p.Set.Files() {
		if sameFile(f.Path, name) {
			wanted = f
		}
	}
	if wanted == nil {
		return nil, usagef("--only %s: the program has no such file", name)
	}
	kept := []spec.Diagnostic{}
	for _, d := range found {
		if p.Set.File(d.Span.Start) == wanted {
			kept = append(kept, d)
		}
	}
	return kept, nil
}
