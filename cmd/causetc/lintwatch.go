package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/analyzer/baseline"
	"github.com/causetc/causetc/analyzer/config"
	"github.com/causetc/causetc/analyzer/report"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/parser/watch"
	"github.com/causetc/causetc/spec"
)

// watchSession lints a program again and again.
type watchSession struct {
	c       *cli.Context
	watcher *watch.Watcher
	cache   *parser.Cache
	last    *watched
	failure string // that was told last
}

// watched is one look at a program: what a verdict depends on, and the verdict.
type watched struct {
	files    []*spec.File
	problems []spec.Diagnostic
	config   *config.Config
	baseline *baseline.Baseline
	verdict  *verdict
}

// watchLint lints, and lints again whenever something has changed, until the context ends, which is a success.
func watchLint(c *cli.Context) error {
	w, err := watch.New()
	if err != nil {
		return &usageError{err: err}
	}
	s := &watchSession{c: c, watcher: w, cache: &parser.Cache{}}
	err = s.run(c.Context)
	if c.Context.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil
	}
	return errors.Join(err, w.Close())
}

func (s *watchSession) run(ctx context.Context) error {
	if err := s.round(); err != nil { // what is wrong from the start is probably a mistyped command
		return err
	}
	for {
		if err := s.watcher.Wait(ctx); err != nil {
			return err
		}
		var usage *usageError
		err := s.round()
		if err != nil && !errors.As(err, &usage) {
			return err
		}
		if err := s.tellFailure(err); err != nil {
			return err
		}
	}
}

// tellFailure prints why there is nothing to lint for the moment, once.
func (s *watchSession) tellFailure(err error) error {
	if err == nil {
		s.failure = ""
		return nil
	}
	if err.Error() == s.failure {
		return nil
	}
	s.failure = err.Error()
	_, err = fmt.Fprintf(s.c.App.ErrWriter, "causetc: %s\n", s.failure)
	return err
}

// round looks at the program, and prints what has changed if it is not as it was.
func (s *watchSession) round() error {
	l, err := newLinter(s.c, s.watcher)
	if err != nil {
		return err
	}
	l.input.Cache = s.cache
	loaded, err := load(s.c.Context, l.input)
	if err != nil {
		return err
	}
	now := &watched{files: loaded.Program.Set.Files(), problems: loaded.Diagnostics, config: l.config, baseline: l.baseline}
	if s.last != nil && s.failure == "" && now.sameInput(s.last) {
		return nil
	}
	if now.verdict, err = l.judgeLoaded(s.c.Context, loaded); err != nil {
		return err
	}
	err = s.print(l, now.verdict)
	s.last = now
	return err
}

// sameInput reports whether nothing that decides a verdict has changed. Files that are the same are shared by both.
func (w *watched) sameInput(other *watched) bool {
	return slices.Equal(w.files, other.files) && reflect.DeepEqual(w.problems, other.problems) &&
		reflect.DeepEqual(w.config, other.config) && reflect.DeepEqual(w.baseline, other.baseline)
}

// print tells which findings are new and which are gone, at first all.
func (s *watchSession) print(l *linter, now *verdict) error {
	before := report.Judged{Set: &spec.FileSet{}}
	if s.last != nil {
		before = s.last.verdict.judged()
	}
	c := report.Compare(before, now.judged())
	fresh, gone := countOf(len(c.New.Findings), "new finding"), len(c.Gone.Findings)
	c.New.Findings = analyzer.Cap(c.New.Set, c.New.Findings, 0)
	c.Gone.Findings = analyzer.Cap(c.Gone.Set, c.Gone.Findings, 0)
	out := s.c.App.Writer
	var err error
	if l.format == "json" {
		err = report.ChangesJSON(out, c)
	} else {
		err = report.ChangesText(out, c, report.TextOptions{Color: isTerminal(out), Brief: s.c.Bool("quiet")})
	}
	if err != nil {
		return err
	}
	total := countOf(len(now.findings), "finding")
	if s.last == nil {
		return l.note("%s in %s; watching", total, countOf(c.Total.Files, "file"))
	}
	return l.note("%s, %d gone; %s in %s", fresh, gone, total, countOf(c.Total.Files, "file"))
}

func (v *verdict) judged() report.Judged {
	return report.Judged{Set: v.program.Set, Findings: v.findings}
}
