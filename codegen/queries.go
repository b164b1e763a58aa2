package codegen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// queries lowers all queries, by name, and holds each to what SQL can say.
func (c *compiler) queries(out *ir.Program) []ir.Query {
	list := slices.Grow([]ir.Query(nil), len(c.prog.Queries))
	seen, tables := map[string]bool{}, sql.TablesOf(out)
	for _, src := range c.prog.Queries {
		if seen[src.Name.Value] {
			c.report(ruleName, src.Name.Span(), "the query %s is defined twice", src.Name.Value)
			continue
		}
		seen[src.Name.Value] = true
		before := len(c.diagnostics)
		q := &queryLowering{compiler: c, src: src}
		q.lower()
		if len(c.diagnostics) > before {
			continue
		}
		if _, err := sql.Query(tables, &q.out, sql.Options{}); err != nil {
			c.report(ruleQuery, src.Name.Span(), "%s", err)
		}
		list = append(list, q.out)
	}
	slices.SortFunc(list, func(a, b ir.Query) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// queryLowering lowers one query.
type queryLowering struct {
	*compiler
	src  *spec.Query
	out  ir.Query
	from []source
}

// source is a table that a query reads, and the name by which it does.
type source struct {
	name  string
	table *table
}

func (q *queryLowering) lower() {
	q.out.Name = q.src.Name.Value
	q.out.Description = valueOr(q.src.Description, "")
	if q.src.From == nil {
		q.report(ruleQuery, q.src.Name.Span(), "the query %s lacks from: the projection that it reads", q.out.Name)
		return
	}
	if q.out.From = q.open(q.src.From); q.out.From == "" {
		return
	}
	for _, f := range q.src.Input {
		q.lowerInput(f)
	}
	for i, j := range q.src.Joins {
		if i == ir.MaxJoins {
			q.report(ruleQuery, j.Projection.Span(), "a query joins at most %d projections", ir.MaxJoins)
			return
		}
		q.lowerJoin(j)
	}
	q.lowerAggregates()
	q.lowerFields()
	q.lowerWhere()
	q.out.GroupBy = q.columns(q.src.GroupBy)
	for _, o := range q.src.OrderBy {
		q.lowerOrder(o)
	}
	q.lowerLimit()
	q.out.Distinct = q.src.Distinct != nil && q.src.Distinct.V
	q.lowerZeroFields()
	for _, s := range q.src.Windows {
		q.out.Window = append(q.out.Window, s.Value)
	}
}

// open resolves the name of a projection, or of a table that several share, and reads its table from here on.
func (q *queryLowering) open(s *spec.Scalar) string {
	var t *table
	if p := q.byName[s.Value]; p != nil {
		t = p.table
	} else {
		t = q.byTable[s.Value]
	}
	if t == nil {
		q.report(ruleQuery, s.Span(), "%s is neither a projection nor a table", s.Value)
		return ""
	}
	if slices.ContainsFunc(q.from, func(f source) bool { return f.table == t }) {
		q.report(ruleQuery, s.Span(), "the query reads the table %s already", t.name)
		return ""
	}
	q.from = append(q.from, source{s.Value, t})
	return t.name
}

func (q *queryLowering) lowerInput(f *spec.Field) {
	in := ir.Input{Name: f.Name.Value, Type: fieldType(f.Type), Required: f.Required != nil && f.Required.V}
	if slices.ContainsFunc(q.out.Inputs, func(other ir.Input) bool { return other.Name == in.Name }) {
		q.report(ruleQuery, f.Name.Span(), "the input %s is declared twice", in.Name)
		return
	}
	if f.Default != nil && !isNull(f.Default) {
		in.Default = q.constant(f.Default)
	}
	q.out.Inputs = append(q.out.Inputs, in)
}

func (q *queryLowering) lowerJoin(j *spec.Join) {
	join := ir.Join{Table: q.open(j.Projection), Type: valueOr(j.Type, "left")}
	if join.Table == "" {
		return
	}
	for _, p := range j.Pairs {
		if p.Left == nil || p.Right == nil {
			continue
		}
		left, right := q.column(p.Left), q.joinColumn(p.Right)
		if left != "" && right != "" {
			join.On = append(join.On, ir.Pair{Left: left, Right: right})
		}
	}
	q.out.Joins = append(q.out.Joins, join)
}

// joinColumn resolves the right side of a pair: a lone name is a column of the joined table.
func (q *queryLowering) joinColumn(s *spec.Scalar) string {
	joined := q.from[len(q.from)-1].table
	if joined.byName[s.Value] != nil {
		return joined.name + "." + s.Value
	}
	return q.column(s)
}

// column resolves `column`, which is one of the query's own table or of just one that it joins, or `table.column`, where
// the table may be given by its own name or by the projection's. It returns the qualified name, or "" after a report.
func (q *queryLowering) column(s *spec.Scalar) string {
	name, problem := q.resolve(s.Value)
	if problem != "" {
		q.report(ruleQuery, s.Span(), "%s", problem)
	}
	return name
}

func (q *queryLowering) resolve(text string) (qualified, problem string) {
	owner, name, dotted := strings.Cut(text, ".")
	if !dotted {
		name = owner
	}
	var found []string
	for i, f := range q.from {
		if f.table.byName[name] == nil || dotted && owner != f.table.name && owner != f.name && q.byName[owner].tableOrNil() != f.table {
			continue
		}
		found = append(found, f.table.name+"."+name)
		if i == 0 && !dotted {
			break
		}
	}
	switch len(found) {
	case 0:
		return "", "there is no column " + text + " in what the query reads"
	case 1:
		return found[0], ""
	}
	return "", text + " may be " + strings.Join(found, " or ") + ": write which"
}

func (p *projection) tableOrNil() *table {
	if p == nil {
		return nil
	}
	return p.table
}

func (q *queryLowering) columns(list []*spec.Scalar) []string {
	var out []string
	for _, s := range list {
		if name := q.column(s); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
