// Package codegen lowers a checked program to the form that a worker runs: it resolves names, gives every column its role
// and type and every event its handler, puts tables that must move together into groups, and classifies the tables. What
// it can't lower is a diagnostic at the exact place; it never panics, whatever the program is.
package codegen

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// Options tell how to compile.
type Options struct {
	// App is the application's name where no manifest gives one; empty: "app".
	App string
	// CheckOnly looks for problems only: the program is nil, and the work of its hashes is saved.
	CheckOnly bool
}

// Compile lowers a program. The result depends on what the program says only, not on the order of its files. With an
// error among the diagnostics, which are in the order of the text, the program is nil, as it is with CheckOnly.
func Compile(prog *spec.Program, opts Options) (*ir.Program, []spec.Diagnostic) {
	c := newCompiler(prog)
	c.collect()
	c.readColumns()
	c.lowerHandlers()
	c.settleColumns()
	out := &ir.Program{Format: ir.FormatVersion, App: appName(prog, opts)}
	if len(c.diagnostics) == 0 {
		out.Groups = c.groups()
		out.Queries = c.queries(out)
		out.Resources = c.usedResources(out)
	}
	c.seal(out, opts)
	switch {
	case len(c.diagnostics) > 0:
		return nil, c.sorted()
	case opts.CheckOnly:
		return nil, nil
	}
	return out, nil
}

func appName(prog *spec.Program, opts Options) string {
	if prog.Manifest != nil && prog.Manifest.App != nil && prog.Manifest.App.Value != "" {
		return prog.Manifest.App.Value
	}
	return cmp.Or(opts.App, "app")
}

// seal adds the hashes and holds the result to the contract of ir. A failure is a bug of this package, told as a
// diagnostic, since the author can still report it or write it otherwise.
func (c *compiler) seal(out *ir.Program, opts Options) {
	if len(c.diagnostics) > 0 {
		return
	}
	var err error
	if !opts.CheckOnly {
		err = ir.Seal(out)
	}
	if err == nil {
		err = ir.Validate(out)
	}
	if err != nil {
		c.report(ruleInternal, c.anywhere(), "internal error: the compiled program is not well-formed: %s", err)
	}
}

// anywhere is a place for what concerns the program as a whole.
func (c *compiler) anywhere() spec.Span {
	if m := c.prog.Manifest; m != nil && m.App != nil {
		return m.App.Span()
	}
	if len(c.projections) > 0 {
		return c.projections[0].src.Name.Span()
	}
	return spec.Span{}
}

// compiler holds the program's names and what has been lowered so far.
type compiler struct {
	prog        *spec.Program
	events      map[string]*spec.Event
	states      map[string]bool
	resources   map[string]*spec.Resource
	projections []*projection // by name
	byName      map[string]*projection
	tables      []*table // by name
	byTable     map[string]*table
	diagnostics []spec.Diagnostic
}

// projection is one projection and what its events do.
type projection struct {
	src      *spec.Projection
	name     string
	table    *table
	events   []string // source events, sorted
	bucket   string   // the bucket's column, or empty
	handlers []ir.Handler
}

// table is one table and all that its projections say of it.
type table struct {
	name        string
	projections []*projection // by name
	columns     []*column     // by first appearance
	byName      map[string]*column
	key         []*spec.Scalar
}

func newCompiler(prog *spec.Program) *compiler {
	return &compiler{
		prog: prog, events: map[string]*spec.Event{}, states: map[string]bool{}, resources: map[string]*spec.Resource{},
		byName: map[string]*projection{}, byTable: map[string]*table{},
	}
}

func (c *compiler) report(rule string, at spec.Span, format string, args ...any) {
	c.diagnostics = append(c.diagnostics, spec.Diagnostic{
		Rule: rule, Severity: spec.Error, Span: at, Message: fmt.Sprintf(format, args...),
	})
}

// sorted returns the diagnostics in the order of the text, each once: what several events have in common is found for
// each of them.
func (c *compiler) sorted() []spec.Diagnostic {
	slices.SortStableFunc(c.diagnostics, func(a, b spec.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	return slices.CompactFunc(c.diagnostics, func(a, b spec.Diagnostic) bool {
		return a.Span == b.Span && a.Rule == b.Rule && a.Message == b.Message
	})
}

// collect fills the maps of names, and makes the projections and tables in the order of their names.
func (c *compiler) collect() {
	for _, e := range c.prog.Events {
		if c.events[e.Name.Value] == nil {
			c.events[e.Name.Value] = e
		}
	}
	for _, s := range c.prog.States {
		c.states[s.Name.Value] = true
	}
	for _, r := range c.prog.Resources {
		if c.resources[r.Name.Value] == nil {
			c.resources[r.Name.Value] = r
		}
	}
	for _, p := range c.prog.Projections {
		c.addProjection(p)
	}
	slices.SortFunc(c.projections, func(a, b *projection) int { return cmp.Compare(a.name, b.name) })
	for _, p := range c.projections {
		c.joinTable(p)
	}
	slices.SortFunc(c.tables, func(a, b *table) int { return cmp.Compare(a.name, b.name) })
}

func (c *compiler) addProjection(src *spec.Projection) {
	name := src.Name.Value
	switch {
	case c.byName[name] != nil:
		c.report(ruleName, src.Name.Span(), "the projection %s is defined twice", name)
	case src.Table == nil || len(src.PrimaryKey) == 0 || len(src.SourceEvents) == 0:
		c.report(ruleIncomplete, src.Name.Span(), "the projection %s %s", name, lacking(src))
	case len(src.Mutations) == 0 && len(src.Aggregates) == 0:
		c.report(ruleIncomplete, src.Name.Span(), "the projection %s has neither mutations nor aggregates: its events would do nothing", name)
	case c.checkName(src.Table, "table"):
		p := &projection{src: src, name: name, events: sourceEvents(src)}
		c.byName[name] = p
		c.projections = append(c.projections, p)
	}
}

func sourceEvents(src *spec.Projection) []string {
	var names []string
	for _, s := range src.SourceEvents {
		names = append(names, s.Value)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (c *compiler) joinTable(p *projection) {
	name := p.src.Table.Value
	t := c.byTable[name]
	if t == nil {
		t = &table{name: name, byName: map[string]*column{}, key: p.src.PrimaryKey}
		c.byTable[name] = t
		c.tables = append(c.tables, t)
	}
	if !sameNames(t.key, p.src.PrimaryKey) {
		c.report(ruleKey, p.src.PrimaryKey[0].Span(), "the table %s has the key (%s) here, and (%s) in the projection %s",
			name, joinScalars(p.src.PrimaryKey), joinScalars(t.key), t.projections[0].name)
		p.events = nil // what they write can't be judged by a key that is not theirs
	}
	t.projections = append(t.projections, p)
	p.table = t
}

// lacking says what a projection needs to write a row, and does not have.
func lacking(src *spec.Projection) string {
	switch {
	case len(src.SourceEvents) == 0:
		return "lists no event, so it never writes; add source_events: [EVENT]"
	case src.Table == nil:
		return "names no table to write; add target: { table: NAME, primary_key: [COLUMN] }"
	}
	return "has no column in its primary key, so its rows can't be told apart; write primary_key: [COLUMN]"
}

// shortName shows a name that may be long.
func shortName(name string) string {
	if runes := []rune(name); len(runes) > 40 {
		return string(runes[:37]) + "..."
	}
	return name
}

// checkName reports whether a name can be that of a table or column.
func (c *compiler) checkName(s *spec.Scalar, what string) bool {
	problem := ir.NameProblem(s.Value)
	if problem != "" {
		c.report(ruleName, s.Span(), "the %s's name %s %s; choose a name of at most 63 letters, digits and _", what, shortName(s.Value), problem)
	}
	return problem == ""
}
