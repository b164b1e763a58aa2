package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/baseline"
	"github.com/causetc/causetc/analyzer/config"
	"github.com/causetc/causetc/codegen"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/parser/watch"
	"github.com/causetc/causetc/spec"
)

// linter is one run of lint: what the command line and the configuration ask for.
type linter struct {
	c         *cli.Context
	format    string
	output    *reportFile // nil where no file is asked for
	threshold spec.Severity
	least     spec.Severity
	target    analysis.Target
	config    *config.Config
	only      []string // the rules that are reported; empty for all
	baseline  *baseline.Baseline
	fixes     bool
	input     parser.Options
	watcher   *watch.Watcher // nil where lint runs once
}

// verdict is what a run finds.
type verdict struct {
	program    *spec.Program
	findings   []spec.Diagnostic // that are reported; not capped
	suppressed []analyzer.Suppressed
	gone       []baseline.Entry
}

func newLinter(c *cli.Context, w *watch.Watcher) (*linter, error) {
	l := &linter{c: c, fixes: c.Bool("fix") || c.Bool("diff"), input: lintInput(c), watcher: w}
	l.input.Watcher = w
	if err := l.checkFlags(); err != nil {
		return nil, err
	}
	var err error
	if l.format, err = formatOf(c, lintFormats...); err != nil {
		return nil, err
	}
	if l.output, err = l.reportFile(c.String("output")); err != nil {
		return nil, err
	}
	if err := l.configure(); err != nil {
		return nil, err
	}
	if path := c.String("baseline"); path != "" && c.String("write-baseline") == "" { // which writes all findings anew
		w.File(absolute(path))
		if l.baseline, err = baseline.Read(path); err != nil {
			return nil, pathError("baseline", path, err)
		}
	}
	return l, nil
}

// checkFlags refuses flags that can't stand beside each other.
func (l *linter) checkFlags() error {
	instead := []string{}
	for _, name := range []string{"statistics", "suppressions", "write-baseline", "fix", "diff", "watch"} {
		if l.c.IsSet(name) && (name != "diff" || !l.c.Bool("fix")) {
			instead = append(instead, "--"+name)
		}
	}
	switch {
	case len(instead) > 1:
		return usagef("%s and %s can't be used together", instead[0], instead[1])
	case l.c.Bool("unsafe-fixes") && !l.fixes:
		return usagef("--unsafe-fixes says which fixes --fix makes; add --fix or --diff")
	case l.fixes && l.input.Stdin != nil:
		return usagef("--fix changes files, and standard input is none")
	case (l.c.Bool("statistics") || l.c.Bool("diff")) && l.c.String("format") != "text":
		return usagef("%s prints text; leave --format out", instead[0])
	case l.c.IsSet("write-baseline") && l.c.IsSet("format"):
		return usagef("--write-baseline reports nothing; leave --format out")
	case l.c.IsSet("output") && (l.c.Bool("diff") || l.c.Bool("suppressions") || l.c.IsSet("write-baseline")):
		return usagef("%s makes no report; leave --output out", instead[0])
	case l.c.Bool("watch"):
		return l.checkWatch()
	}
	return nil
}

// checkWatch refuses what makes no sense beside --watch.
func (l *linter) checkWatch() error {
	switch format := l.c.String("format"); {
	case l.input.Stdin != nil:
		return usagef("--watch looks at files, and standard input is none")
	case format != "text" && format != "json":
		return usagef("--watch prints text or json, not %s, which is a form of whole reports", format)
	case l.c.IsSet("output"):
		return usagef("--watch prints what has changed, which makes no report; leave --output out")
	case l.c.IsSet("fail-on"):
		return usagef("--watch ends when it is stopped, with exit code 0; leave --fail-on out")
	}
	return nil
}

func lintInput(c *cli.Context) parser.Options {
	opts := parser.Options{
		Args: c.Args().Slice(), StdinFilename: c.String("stdin-filename"), AllowOutside: c.Bool("allow-outside"),
	}
	if slices.Contains(opts.Args, "-") || opts.StdinFilename != "" {
		opts.Stdin = c.App.Reader
	}
	return opts
}

// configure reads the configuration and lets the flags win over it.
func (l *linter) configure() error {
	if err := l.readConfig(); err != nil {
		return err
	}
	setting := func(flag, fromFile string) string {
		if fromFile != "" && !l.c.IsSet(flag) {
			return fromFile
		}
		return l.c.String(flag)
	}
	var err error
	if l.threshold, err = failOn(setting("fail-on", l.config.FailOn)); err != nil {
		return err
	}
	if l.target, err = targetNamed(setting("target", l.config.Target)); err != nil {
		return err
	}
	var ok bool
	if l.least, ok = severityNames[strings.ToLower(l.c.String("severity"))]; !ok {
		return usagef("--severity %q: use hint, info, warning or error", l.c.String("severity"))
	}
	l.input.Exclude = l.config.Excludes
	return l.ruleFlags()
}

func (l *linter) readConfig() error {
	l.config = &config.Config{}
	path := l.c.String("config")
	if path == "" {
		l.watchConfig()
		var err error
		if path, err = config.Find(l.start()); err != nil || path == "" {
			return err
		}
	}
	l.watcher.File(absolute(path))
	read, err := config.Read(path, allRules())
	var missing *fs.PathError
	switch {
	case errors.As(err, &missing) && l.c.IsSet("config"):
		return pathError("config", path, err)
	case err != nil:
		return &usageError{err: err}
	}
	l.config = read
	return nil
}

// watchConfig has the places watched where a configuration could appear: the program's folder, and those above it up to the
// working directory.
func (l *linter) watchConfig() {
	dir := absolute(l.start())
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	l.watcher.File(filepath.Join(dir, config.FileName))
	cwd := absolute(".")
	for within := strings.HasPrefix(dir, cwd+string(filepath.Separator)); within && dir != cwd; {
		dir = filepath.Dir(dir)
		l.watcher.File(filepath.Join(dir, config.FileName))
	}
}

// absolute returns an absolute path, as far as the working directory is known.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// start is where the search for a configuration begins.
func (l *linter) start() string {
	switch args := l.input.Args; {
	case l.input.StdinFilename != "":
		return l.input.StdinFilename
	case len(args) > 0 && args[0] != "-":
		return args[0]
	}
	return "."
}

// ruleFlags reads --rule.
func (l *linter) ruleFlags() error {
	rules := allRules()
	l.config.Forced = map[string]config.Level{}
	for _, text := range l.c.StringSlice("rule") {
		id, word, hasLevel := strings.Cut(text, "=")
		if err := config.CheckRule(id, rules); err != nil {
			return usagef("--rule %s: %w", text, err)
		}
		level, ok := config.ParseLevel(word)
		switch {
		case !hasLevel:
			l.only = append(l.only, id)
		case !ok:
			return usagef("--rule %s: use one of: %s", text, strings.Join(config.Levels(), ", "))
		default:
			l.config.Forced[id] = level
		}
	}
	return nil
}

// judge lints the program, with texts instead of what some of its files hold.
func (l *linter) judge(ctx context.Context, texts map[string][]byte) (*verdict, error) {
	input := l.input
	input.Texts = texts
	loaded, err := load(ctx, input)
	if err != nil {
		return nil, err
	}
	return l.judgeLoaded(ctx, loaded)
}

// judgeLoaded lints a program that has been read.
func (l *linter) judgeLoaded(ctx context.Context, loaded *parser.Result) (*verdict, error) {
	_, outcome, err := judgeFully(ctx, loaded, analyzer.Options{Target: l.target}, codegen.Options{CheckOnly: true})
	if err != nil {
		return nil, err
	}
	v := &verdict{program: loaded.Program, findings: outcome.Findings, suppressed: outcome.Suppressed}
	if l.baseline != nil {
		v.findings, v.gone = l.baseline.Compare(v.program.Set, v.findings)
	}
	v.findings = l.config.Apply(v.program.Set, v.findings)
	v.findings = slices.DeleteFunc(slices.Clone(v.findings), func(d spec.Diagnostic) bool {
		return d.Severity < l.least || len(l.only) > 0 && !slices.Contains(l.only, d.Rule)
	})
	if only := l.c.String("only"); only != "" {
		v.findings, err = onlyIn(v.findings, v.program, only)
	}
	return v, err
}

// outcome is the error of a run with such findings.
func (l *linter) outcome(findings []spec.Diagnostic) error {
	for _, d := range findings {
		if l.threshold != 0 && d.Severity >= l.threshold {
			return errFindings
		}
	}
	return nil
}

// note tells people something on standard error, unless they want quiet.
func (l *linter) note(format string, args ...any) error {
	if l.c.Bool("quiet") {
		return nil
	}
	_, err := fmt.Fprintf(l.c.App.ErrWriter, "causetc: "+format+"\n", args...)
	return err
}

// writeBaseline writes the findings to a file.
func (l *linter) writeBaseline(path string, v *verdict) error {
	b, err := baseline.New(path, v.program.Set, v.findings)
	if err != nil {
		return err
	}
	text, err := b.Bytes()
	if err != nil {
		return err
	}
	if err := saveReport(path, text); err != nil {
		return pathError("write-baseline", path, err)
	}
	return l.note("%s in %s", countOf(b.Len(), "finding"), path)
}

// mostGone bounds the entries of a baseline that are listed as gone.
const mostGone = 20

// noteGone tells which entries of the baseline no longer occur.
func (l *linter) noteGone(gone []baseline.Entry) error {
	if len(gone) == 0 {
		return nil
	}
	total := 0
	for _, e := range gone {
		total += e.Count
	}
	path := l.c.String("baseline")
	errs := []error{l.note("%s: %s of the baseline no longer occur; write it again with --write-baseline %s", path, countOf(total, "finding"), path)}
	for i, e := range gone {
		if i == mostGone {
			errs = append(errs, l.note("  and %d more", len(gone)-mostGone))
			break
		}
		times := ""
		if e.Count > 1 {
			times = fmt.Sprintf(" (%d times)", e.Count)
		}
		errs = append(errs, l.note("  %s: %s [%s]%s", e.File, e.Message, e.Rule, times))
	}
	return errors.Join(errs...)
}
