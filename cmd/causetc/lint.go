package main

import (
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/spec"
)

// lintFormats are the forms of a report.
var lintFormats = []string{"text", "json", "sarif", "github", "gitlab"}

func lintCommand() *cli.Command {
	return &cli.Command{
		Name:      "lint",
		Usage:     "check a spec; without arguments the one in this folder",
		ArgsUsage: "[SPEC|DIR|FILE...|-]",
		Flags: []cli.Flag{
			formatFlag(lintFormats...),
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "also write the report to this `[FORMAT=]FILE`: in its own format, or in that of --format beside a text on standard output"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print one line for each finding, and no notes"},
			&cli.BoolFlag{Name: "statistics", Usage: "print how many findings each rule has instead of the findings"},
			&cli.BoolFlag{Name: "suppressions", Usage: "list what comments suppress, with the reasons, instead of the findings"},
			&cli.StringFlag{Name: "fail-on", Usage: "least `SEVERITY` that makes the exit code 1: hint, info, warning, error or never", Value: "warning"},
			targetFlag("hosted"),
			&cli.StringSliceFlag{Name: "rule", Usage: "report only this `RULE` (may be repeated); RULE=off, on or a severity sets what becomes of its findings"},
			&cli.StringFlag{Name: "severity", Usage: "report only findings of this `SEVERITY` and above", Value: "hint"},
			&cli.StringFlag{Name: "config", Usage: "use this `FILE` instead of the nearest .causetc.yaml in the program's folder or above"},
			&cli.StringFlag{Name: "baseline", Usage: "report only findings that this `FILE` does not hold"},
			&cli.StringFlag{Name: "write-baseline", Usage: "write the findings to this `FILE`, and report none"},
			&cli.BoolFlag{Name: "fix", Usage: "mend what has one right answer, and report what is left"},
			&cli.BoolFlag{Name: "diff", Usage: "print what --fix would change, and change nothing"},
			&cli.BoolFlag{Name: "unsafe-fixes", Usage: "with --fix or --diff: also make changes that may change what the program means"},
			&cli.BoolFlag{Name: "watch", Aliases: []string{"w"}, Usage: "lint again whenever a file changes, and print what is new and what is gone; text or json, an object a line"},
			&cli.StringFlag{Name: "stdin-filename", Usage: "standard input stands in for this `FILE` of the program"},
			&cli.StringFlag{Name: "only", Usage: "print the findings of this `FILE` only"},
			allowOutsideFlag(),
		},
		Action: lintAction,
	}
}

// lintGC is how much the heap may grow until garbage is collected, in percent: a process as short as lint gives memory for
// time.
const lintGC = 400

func lintAction(c *cli.Context) error {
	defer debug.SetGCPercent(debug.SetGCPercent(lintGC))
	if err := noEmptyArguments(c); err != nil {
		return err
	}
	if c.Bool("watch") {
		return watchLint(c)
	}
	l, err := newLinter(c, nil)
	if err != nil {
		return err
	}
	switch {
	case c.Bool("suppressions"):
		return l.suppressions()
	case l.fixes:
		return l.fix(c.Bool("diff"))
	}
	v, err := l.judge(c.Context, nil)
	if err != nil {
		return err
	}
	if path := c.String("write-baseline"); path != "" {
		return l.writeBaseline(path, v)
	}
	return l.report(v)
}

// severityNames are the severities by name.
var severityNames = map[string]spec.Severity{"hint": spec.Hint, "info": spec.Info, "warning": spec.Warning, "error": spec.Error}

// failOn reads the threshold; 0 is never.
func failOn(text string) (spec.Severity, error) {
	if strings.EqualFold(text, "never") {
		return 0, nil
	}
	if s, ok := severityNames[strings.ToLower(text)]; ok {
		return s, nil
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
