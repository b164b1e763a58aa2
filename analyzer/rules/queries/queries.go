// Package queries holds the rules on queries that Postgres would refuse, or whose parts contradict each other.
package queries

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// Rules returns the rules of this package.
func Rules() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		{Doc: docJoins, Run: each(tooManyJoins)},
		{Doc: docGroup, Absent: analysis.InDefinition, Run: each(grouping)},
		{Doc: docFirst, Absent: analysis.InDefinition, Run: each(firstWithoutOrder)},
		{Doc: docWindow, Absent: analysis.InDefinition, Run: each(windows)},
		{Doc: docIndex, Absent: analysis.InProgram, Names: true, Run: runUnindexed},
		{Doc: docJoinOn, Absent: analysis.InDefinition, Run: each(joinColumns)},
	}
}

// each runs a check on every query.
func each(check func(*analysis.Pass, *spec.Query)) func(*analysis.Pass) error {
	return func(p *analysis.Pass) error {
		for _, q := range p.Program.Queries {
			check(p, q)
		}
		return nil
	}
}

// maxJoins is the most projections that the language lets a query join.
const maxJoins = 5

func nameOf(q *spec.Query) string { return symbols.Text(q.Name) }

func tooManyJoins(p *analysis.Pass, q *spec.Query) {
	if len(q.Joins) > maxJoins && q.Joins[maxJoins].Projection != nil {
		p.Reportf(q.Joins[maxJoins].Projection.Span(), "query %s joins %d projections, and %d is the most; let a projection hold what is needed together",
			nameOf(q), len(q.Joins), maxJoins)
	}
}

// grouping reports groups without aggregates, and plain columns beside aggregates.
func grouping(p *analysis.Pass, q *spec.Query) {
	if len(q.GroupBy) > 0 && len(q.Aggregate) == 0 {
		p.Reportf(q.GroupBy[0].Span(), "query %s groups by %s but computes nothing of a group; add aggregate, or write distinct: true for each value once",
			nameOf(q), q.GroupBy[0].Value)
		return
	}
	if len(q.Aggregate) == 0 {
		return
	}
	aliases, grouped := map[string]bool{}, map[string]bool{}
	for _, a := range q.Aggregate {
		aliases[symbols.Text(a.Alias)] = true
	}
	for _, g := range q.GroupBy {
		grouped[bare(g.Value)] = true
	}
	for _, a := range q.Aggregate {
		if a.Alias != nil && grouped[a.Alias.Value] {
			p.Reportf(a.Alias.Span(), "query %s groups by %s, so its result has a column of that name already; give the aggregate another name, such as %[2]s_%s",
				nameOf(q), a.Alias.Value, symbols.Text(a.Func))
		}
	}
	beside := func(c *spec.Scalar) {
		if c == nil || aliases[c.Value] || grouped[bare(c.Value)] {
			return
		}
		p.Reportf(c.Span(), "query %s has one row for many of its table's, so %s has many values there; add it to group_by, or aggregate it", nameOf(q), c.Value)
	}
	for _, f := range q.Fields {
		beside(f)
	}
	for _, j := range q.Joins {
		for _, f := range j.Fields {
			beside(f)
		}
	}
	if slices.ContainsFunc(q.Aggregate, func(a *spec.QueryAggregate) bool { return ordered(a) }) {
		return // order_by then says which row is the first
	}
	for _, o := range q.OrderBy {
		beside(o.Column)
	}
}

// bare returns a column without its table.
func bare(column string) string { return column[strings.LastIndexByte(column, '.')+1:] }

// ordered reports whether an aggregate picks a row by the order.
func ordered(a *spec.QueryAggregate) bool {
	f := symbols.Text(a.Func)
	return f == "first" || f == "last"
}

func firstWithoutOrder(p *analysis.Pass, q *spec.Query) {
	if len(q.OrderBy) > 0 {
		return
	}
	for _, a := range q.Aggregate {
		if ordered(a) {
			p.Reportf(a.Func.Span(), "query %s asks for the %s %s of a group, but not in which order; add order_by: { COLUMN: asc }", nameOf(q), a.Func.Value, symbols.Text(a.Column))
		}
	}
}

var duration = regexp.MustCompile(`^[1-9][0-9]* ?(s|m|h|d|w|(second|minute|hour|day|week)s?)$`)

// windows reports conditions on a window that the query does not declare, and the other way round.
func windows(p *analysis.Pass, q *spec.Query) {
	var used *spec.Scalar
	for _, c := range q.Where {
		for _, t := range c.Tests {
			if symbols.Text(t.Op) == "gte_window" && used == nil {
				used = t.Op
			}
		}
	}
	switch {
	case used != nil && len(q.Windows) == 0:
		p.Reportf(used.Span(), "gte_window takes one of the windows that the query allows, and query %s allows none; add window: { allowed: [1h, 24h] }", nameOf(q))
	case used == nil && len(q.Windows) > 0:
		p.Report(spec.Diagnostic{Span: q.Windows[0].Span(), Severity: spec.Warning, Message: fmt.Sprintf(
			"query %s allows windows, but no condition uses one; write { gte_window: input.window } on the column of the moment, or remove window", nameOf(q))})
	}
	if used != nil {
		allowedWindow(p, q)
	}
	for _, w := range q.Windows {
		if !duration.MatchString(w.Value) {
			p.Reportf(w.Span(), "%q is no length of time; write a number and s, m, h or d, such as 24h", w.Value)
		}
	}
}

// allowedWindow reports a constant window, or the default of an input that is one, which is not among those that the query allows.
func allowedWindow(p *analysis.Pass, q *spec.Query) {
	if len(q.Windows) == 0 {
		return
	}
	var names []string
	for _, w := range q.Windows {
		names = append(names, w.Value)
	}
	check := func(s *spec.Scalar) {
		if s == nil || slices.Contains(names, s.Value) {
			return
		}
		p.Reportf(s.Span(), "the window %s is not among those that query %s allows; write %s, or add it to allowed", s.Value, nameOf(q), strings.Join(names, " or "))
	}
	for _, c := range q.Where {
		for _, t := range c.Tests {
			if symbols.Text(t.Op) != "gte_window" || t.Value == nil {
				continue
			}
			if t.Value.Kind == spec.ValueConst {
				check(t.Value.Src)
				continue
			}
			for _, f := range q.Input {
				if f.Default != nil && t.Value.Src != nil && t.Value.Src.Value == "input."+symbols.Text(f.Name) {
					check(f.Default.Src)
				}
			}
		}
	}
}

// joinColumns reports joins without columns to join by, and cross joins with some.
func joinColumns(p *analysis.Pass, q *spec.Query) {
	for _, j := range q.Joins {
		if j.Projection == nil {
			continue
		}
		cross := symbols.Text(j.Type) == "cross"
		switch {
		case !cross && len(j.Pairs) == 0:
			p.Reportf(j.Projection.Span(), "query %s joins %s without saying by which columns; add on: { left_column: right_column }, or type: cross for all pairs of rows",
				nameOf(q), j.Projection.Value)
		case cross && len(j.Pairs) > 0:
			p.Report(spec.Diagnostic{Span: j.Type.Span(), Severity: spec.Warning, Message: fmt.Sprintf(
				"a cross join pairs every row with every other, so on has no effect for %s; write type: inner", j.Projection.Value)})
		}
	}
}
