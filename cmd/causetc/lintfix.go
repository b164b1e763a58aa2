package main

import (
	"context"
	"io"

	"github.com/causetc/causetc/analyzer/fix"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// fix mends what it can and reports the rest, or prints what it would change.
func (l *linter) fix(onlyDiff bool) error {
	var last *verdict
	unsafe := l.c.Bool("unsafe-fixes")
	l.input.Cache = &parser.Cache{} // most files are the same from round to round
	judge := func(ctx context.Context, texts map[string][]byte) (*spec.FileSet, []spec.Diagnostic, error) {
		v, err := l.judge(ctx, texts)
		if err != nil {
			return nil, nil, err
		}
		last = v
		return v.program.Set, v.findings, nil
	}
	r, err := fix.Run(l.c.Context, judge, unsafe)
	if err != nil {
		return err
	}
	if onlyDiff {
		return l.printDiff(r.Changes)
	}
	if err := fix.Write(r.Changes); err != nil {
		return &usageError{err: err}
	}
	if err := l.noteFixes(r, unsafe); err != nil {
		return err
	}
	return l.report(last)
}

// printDiff prints what would change; something to change counts as a finding.
func (l *linter) printDiff(changes []fix.Change) error {
	for _, c := range changes {
		if _, err := io.WriteString(l.c.App.Writer, fix.Diff(c)); err != nil {
			return err
		}
	}
	if len(changes) > 0 {
		return errFindings
	}
	return nil
}

func (l *linter) noteFixes(r *fix.Result, unsafe bool) error {
	if len(r.Changes) > 0 {
		if err := l.note("fixed %s in %s", countOf(r.Fixed, "finding"), countOf(len(r.Changes), "file")); err != nil {
			return err
		}
	}
	if !r.Finished {
		if err := l.note("the fixes come to no end: some undo each other"); err != nil {
			return err
		}
	}
	more := 0
	for i := range r.Left {
		if !unsafe && fix.Offered(&r.Left[i], true) {
			more++
		}
	}
	if more > 0 {
		return l.note("%s can be fixed with --unsafe-fixes, which may change what the program means", countOf(more, "more finding"))
	}
	return nil
}
