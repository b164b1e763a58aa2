package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/report"
	"github.com/causetc/causetc/codegen"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// loadProgram reads a compiled program, or compiles a spec. Errors of lint go to standard error and stop it.
func loadProgram(c *cli.Context, path string) (*ir.Program, error) {
	if strings.EqualFold(filepath.Ext(path), ".json") {
		return readIR(path)
	}
	return compileSpec(c, path, analysis.Causetc)
}

// readIR reads and checks an IR file.
func readIR(path string) (*ir.Program, error) {
	data, err := readRegular(path, ir.MaxSize)
	if err != nil {
		return nil, &usageError{err: err}
	}
	p, err := ir.Decode(data)
	if err != nil {
		return nil, usagef("%s: %w", path, err)
	}
	return p, nil
}

// readRegular reads a file of at most so many bytes. What is no regular file, such as a pipe, might never end.
func readRegular(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is not a regular file", path)
	case info.Size() > limit:
		return nil, fmt.Errorf("%s: has %d bytes, more than %d", path, info.Size(), limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: has more than %d bytes", path, limit)
	}
	return data, err
}

// compileSpec lints and lowers a spec.
func compileSpec(c *cli.Context, path string, target analysis.Target) (*ir.Program, error) {
	loaded, err := load(c.Context, parser.Options{Args: []string{path}, Stdin: c.App.Reader, AllowOutside: c.Bool("allow-outside")})
	if err != nil {
		return nil, err
	}
	p, found, err := judge(c.Context, loaded, analyzer.Options{Target: target, Binding: true}, codegen.Options{App: appNameOf(path)})
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, refuse(c.App.ErrWriter, loaded.Program, found)
	}
	return p, nil
}

// judge lints a program and, if that finds no error, compiles it, so that what lints clean also compiles. The program is
// nil where there are errors.
func judge(ctx context.Context, loaded *parser.Result, opts analyzer.Options, how codegen.Options) (*ir.Program, []spec.Diagnostic, error) {
	p, outcome, err := judgeFully(ctx, loaded, opts, how)
	if err != nil {
		return nil, nil, err
	}
	return p, analyzer.Cap(loaded.Program.Set, outcome.Findings, opts.PerRule), nil
}

// judgeFully is judge for those who want all findings, and the suppressed ones.
func judgeFully(ctx context.Context, loaded *parser.Result, opts analyzer.Options, how codegen.Options) (*ir.Program, *analyzer.Outcome, error) {
	compiled := startCompiling(loaded, how)
	outcome, err := analyzer.Judge(ctx, loaded, opts)
	c := <-compiled
	if err != nil || hasErrors(outcome.Findings) {
		return nil, outcome, err
	}
	if c.panicked != "" {
		panic(c.panicked)
	}
	outcome.Findings = analyzer.InOrder(loaded.Program.Set, append(outcome.Findings, c.problems...))
	return c.program, outcome, nil
}

// compilation is what comes of compiling a program. It counts only where the program has no errors.
type compilation struct {
	program  *ir.Program
	problems []spec.Diagnostic
	panicked string // with the stack
}

// startCompiling compiles a program while it is judged, unless it has errors already.
func startCompiling(loaded *parser.Result, how codegen.Options) <-chan compilation {
	done := make(chan compilation, 1)
	if hasErrors(loaded.Diagnostics) {
		done <- compilation{}
		return done
	}
	go func() {
		c := compilation{}
		defer func() {
			if p := recover(); p != nil {
				c.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
			done <- c
		}()
		c.program, c.problems = codegen.Compile(loaded.Program, how)
	}()
	return done
}

// appNameOf is the app's name where no manifest gives one: that of the folder or file.
func appNameOf(path string) string {
	if path == "-" {
		path = "."
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	base := filepath.Base(abs)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// load reads a spec; input that can't be read at all is a fault of the user's.
func load(ctx context.Context, opts parser.Options) (*parser.Result, error) {
	loaded, err := parser.Load(ctx, opts)
	var input *parser.InputError
	if errors.As(err, &input) {
		return nil, &usageError{err: err}
	}
	return loaded, err
}

func hasErrors(found []spec.Diagnostic) bool {
	for _, d := range found {
		if d.Severity == spec.Error {
			return true
		}
	}
	return false
}

// refuse prints the errors that stop a build.
func refuse(w io.Writer, p *spec.Program, found []spec.Diagnostic) error {
	var errs []spec.Diagnostic
	for _, d := range found {
		if d.Severity == spec.Error {
			errs = append(errs, d)
		}
	}
	if err := report.Text(w, p.Set, errs, report.TextOptions{Color: isTerminal(w)}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "causetc: nothing was compiled: %s\n", countOf(len(errs), "error"))
	return errors.Join(errFindings, err)
}
