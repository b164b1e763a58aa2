// Package parser reads the YAML files of a Causet program into the typed tree of package spec. It finds the files,
// checks their structure against one table of the language, and reports every problem of every file in one run.
package parser

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causetc/causetc/parser/expr"
	"github.com/causetc/causetc/parser/watch"
	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// Options says what to load.
type Options struct {
	// Args names the input: files, folders, and - for Stdin. A folder with an app.causet, and a file with includes, stand
	// for the program that they list. Without any, it is Stdin if there is one, else the working directory.
	Args []string
	// Stdin is read for the argument - and for StdinFilename.
	Stdin io.Reader
	// StdinFilename is a file that Stdin stands in for. Without Args its program is that of the nearest app.causet above.
	StdinFilename string
	// Texts holds what files contain instead of what is on the disk, by path as spec.File has it.
	Texts map[string][]byte
	// Exclude, if not nil, tells of the absolute path of a file that a folder or a glob finds whether it is left out.
	Exclude func(path string) bool
	// AllowOutside allows files outside of the manifest's folder.
	AllowOutside bool
	// Limits bounds the input; zero fields mean the defaults.
	Limits Limits
	// Cache, if not nil, has what an earlier Load with the same Limits made of files; those whose text is the same are not
	// parsed again. Programs loaded with one cache share parts, so none may be changed.
	Cache *Cache
	// Watcher, if not nil, is told of all files and folders whose change may change what Load returns, also where it fails.
	Watcher *watch.Watcher
}

// Limits bounds the input.
type Limits struct {
	FileBytes int // bytes of a file: 4 MiB
	Files     int // files of a program: 10,000
	Depth     int // nesting of YAML maps and lists: 100
	Entries   int // lines, separators and brackets of a file: 600,000
	Aliased   int // YAML nodes of a file that aliases stand for: 250,000
}

func (l Limits) withDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.FileBytes, 4<<20)
	def(&l.Files, 10_000)
	def(&l.Depth, 100)
	def(&l.Entries, 600_000)
	def(&l.Aliased, 250_000)
	return l
}

// Result is a loaded program, and what is wrong with it so far, in the order of places.
type Result struct {
	Program     *spec.Program
	Diagnostics []spec.Diagnostic
}

// InputError is the error of input that can't be read at all, such as a path that does not exist.
type InputError struct {
	Path string
	Err  error
}

// Error says which input could not be read, and why.
func (e *InputError) Error() string {
	if e.Path == "" {
		return e.Err.Error()
	}
	err := e.Err
	if p, ok := err.(*os.PathError); ok {
		err = p.Err
	}
	return e.Path + ": " + err.Error()
}

// Unwrap returns the cause.
func (e *InputError) Unwrap() error { return e.Err }

// Load reads a program. What is wrong in a file is a diagnostic; only input that can't be read at all is an *InputError,
// and a cancelled context is its own error.
func Load(ctx context.Context, opts Options) (*Result, error) {
	l, err := newLoader(ctx, opts)
	if err != nil {
		return nil, err
	}
	if err := l.discover(); err != nil {
		return nil, err
	}
	return l.decode()
}

// loader is the state of one Load.
type loader struct {
	ctx     context.Context
	opts    Options
	limits  Limits
	cwd     string
	sources []*source
	known   map[string]*source // by real path
	reals   map[string]string  // real paths of folders
	walked  map[string][]found
	overlay *overlay
	texts   map[string][]byte // by real path
	pending []pending
	partial bool
	full    bool // the limit on files has been reported
}

// overlay is a file that standard input stands in for.
type overlay struct {
	path, real string
	text       []byte
}

// pending is a diagnostic whose place is not known before all files are.
type pending struct {
	rule    string
	scalar  *spec.Scalar // the place, or else
	src     *source      // the start of this file
	message string
}

func (l *loader) report(rule string, scalar *spec.Scalar, src *source, format string, args ...any) {
	l.pending = append(l.pending, pending{rule, scalar, src, fmt.Sprintf(format, args...)})
	if severityOf(rule) == spec.Error {
		l.partial = true
	}
}

func newLoader(ctx context.Context, opts Options) (*loader, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, &InputError{Err: err}
	}
	l := &loader{ctx: ctx, opts: opts, limits: opts.Limits.withDefaults(), cwd: cwd}
	l.known = map[string]*source{}
	l.reals = map[string]string{}
	l.walked = map[string][]found{}
	l.texts = map[string][]byte{}
	for path, text := range opts.Texts {
		l.texts[l.real(l.abs(filepath.FromSlash(path)))] = text
	}
	if opts.StdinFilename == "" {
		return l, nil
	}
	if opts.Stdin == nil {
		return nil, &InputError{Path: opts.StdinFilename, Err: fmt.Errorf("there is no standard input to read it from")}
	}
	text, err := l.readAll(opts.Stdin)
	if err != nil {
		return nil, &InputError{Path: "<stdin>", Err: err}
	}
	path := l.abs(opts.StdinFilename)
	l.overlay = &overlay{path: path, real: l.real(path), text: text}
	return l, nil
}

// decode turns the files, which have all been read, into a program.
func (l *loader) decode() (*Result, error) {
	slices.SortFunc(l.sources, func(a, b *source) int { return strings.Compare(a.shown, b.shown) })
	p := &spec.Program{Set: l.opts.Cache.fileSet(l.sources)}
	cache := &expr.Cache{}
	err := l.parallel(l.sources, func(s *source) { s.decode(cache) })
	if err != nil {
		return nil, err
	}
	l.opts.Cache.keep(p.Set, l.sources)
	r := &Result{Program: p}
	for _, d := range l.pending {
		r.Diagnostics = append(r.Diagnostics, d.diagnostic())
	}
	for _, s := range l.sources {
		r.Diagnostics = append(r.Diagnostics, s.diags...)
		l.partial = l.partial || s.tree != nil && s.tree.Broken
		r.merge(s)
	}
	p.Incomplete = l.partial
	for i := range r.Diagnostics {
		if d := &r.Diagnostics[i]; d.Key == "" {
			d.Key = d.Rule + " " + d.Message
		}
	}
	slices.SortStableFunc(r.Diagnostics, func(a, b spec.Diagnostic) int {
		if a.Span.Start != b.Span.Start {
			return int(a.Span.Start - b.Span.Start)
		}
		return cmp.Or(strings.Compare(a.Rule, b.Rule), strings.Compare(a.Message, b.Message))
	})
	r.Diagnostics = slices.CompactFunc(r.Diagnostics, func(a, b spec.Diagnostic) bool { // what an alias repeats
		return a.Rule == b.Rule && a.Span == b.Span && a.Message == b.Message
	})
	return r, nil
}

func (p *pending) diagnostic() spec.Diagnostic {
	d := spec.Diagnostic{Rule: p.rule, Severity: severityOf(p.rule), Message: p.message}
	if p.scalar != nil {
		d.Span = p.scalar.Span()
	} else {
		d.Span = p.src.file.Span(0, 1)
	}
	return d
}

// merge adds the sections of a file.
func (r *Result) merge(s *source) {
	p, f := r.Program, s.program
	if f == nil {
		return
	}
	switch {
	case f.Manifest == nil:
	case p.Manifest == nil:
		p.Manifest = f.Manifest
	default:
		r.secondManifest(f.Manifest)
	}
	p.States = append(p.States, f.States...)
	p.Events = append(p.Events, f.Events...)
	p.Actions = append(p.Actions, f.Actions...)
	p.Projections = append(p.Projections, f.Projections...)
	p.Queries = append(p.Queries, f.Queries...)
	p.Relationships = append(p.Relationships, f.Relationships...)
	p.Listeners = append(p.Listeners, f.Listeners...)
	p.Sagas = append(p.Sagas, f.Sagas...)
	p.Resources = append(p.Resources, f.Resources...)
	p.Envelopes = append(p.Envelopes, f.Envelopes...)
	p.Providers = append(p.Providers, f.Providers...)
	p.Prompts = append(p.Prompts, f.Prompts...)
	p.Decisions = append(p.Decisions, f.Decisions...)
	p.Memories = append(p.Memories, f.Memories...)
	p.Suppressions = append(p.Suppressions, f.Suppressions...)
}

func (r *Result) secondManifest(m *spec.Manifest) {
	at := m.File.Span(0, 1)
	for _, s := range []*spec.Scalar{m.App, m.DSLVersion} {
		if s != nil {
			at = s.Span()
		}
	}
	first := r.Program.Manifest
	d := spec.Diagnostic{Rule: ruleManifest, Severity: severityOf(ruleManifest), Span: at,
		Message: fmt.Sprintf("a program has one manifest, and %s is one already; load them one at a time", first.File.Path)}
	if first.App != nil {
		d.Related = []spec.Related{{Span: first.App.Span(), Message: "the other manifest"}}
	}
	r.Diagnostics = append(r.Diagnostics, d)
}

// decode reads the sections of one file.
func (s *source) decode(cache *expr.Cache) {
	if s.tree == nil || s.program != nil && s.asManifest == s.manifest {
		return
	}
	d := &decoder{file: s.file, cache: cache}
	for _, p := range s.tree.Problems {
		d.diags = append(d.diags, yamlDiagnostic(s.file, p))
	}
	p := &spec.Program{}
	for _, root := range s.tree.Roots {
		switch root.Kind {
		case yamltree.Map:
			language.root.fill(d, p, root, nil)
		default:
			d.wrongShape("sections such as state, events, actions (a map)", root)
		}
	}
	if len(s.tree.Roots) == 0 && len(s.tree.Problems) == 0 {
		d.report(ruleEmptyFile, s.file.Span(0, 1), "the file holds nothing")
	}
	d.checkVersion(p.Manifest)
	if s.manifest && !s.tree.Broken {
		d.checkManifest(p.Manifest, s.tree)
	}
	p.Suppressions = d.suppressions(s.tree)
	s.program, s.diags, s.asManifest = p, d.diags, s.manifest
}

// checkVersion checks that this program knows the version of the language.
func (d *decoder) checkVersion(m *spec.Manifest) {
	if m != nil && m.DSLVersion != nil && m.DSLVersion.Value != "1" {
		d.report(ruleVersion, m.DSLVersion.Span(), "version %s of the language is not known; this program reads version 1", m.DSLVersion.Value)
	}
}

// checkManifest checks that a manifest has what it must have.
func (d *decoder) checkManifest(m *spec.Manifest, t *yamltree.Tree) {
	if m == nil {
		m = &spec.Manifest{}
	}
	at := d.file.Span(0, 1)
	for _, s := range []*spec.Scalar{m.DSLVersion, m.App} {
		if s != nil {
			at = s.Span()
		}
	}
	if d.has(ruleScalarType, ruleNoValue, ruleShape) {
		return // perhaps of these keys
	}
	if m.DSLVersion == nil {
		d.writeVersion(d.report(ruleMissingKey, at, "a manifest needs the key \"dsl_version\": write dsl_version: 1"), t)
	}
	if m.App == nil {
		d.report(ruleMissingKey, at, "a manifest needs the key \"app\", the name of the application")
	}
}

// has reports whether a finding of one of the rules has been made, which may be about the same thing.
func (d *decoder) has(rules ...string) bool {
	return slices.ContainsFunc(d.diags, func(f spec.Diagnostic) bool { return slices.Contains(rules, f.Rule) })
}

func (l *loader) abs(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.cwd, path)
	}
	return filepath.Clean(path)
}

// shown returns a path as people see it: relative to the working directory, with slashes.
func (l *loader) shown(path string) string {
	if rel, err := filepath.Rel(l.cwd, path); err == nil {
		path = rel
	}
	return filepath.ToSlash(path)
}
