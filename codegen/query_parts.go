package codegen

import (
	"math"
	"slices"
	"strconv"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

func (q *queryLowering) lowerAggregates() {
	for _, a := range q.src.Aggregate {
		out := ir.Aggregate{Name: a.Alias.Value, Func: valueOr(a.Func, "count")}
		if a.Column != nil && !(out.Func == "count" && a.Column.Value == "*") {
			if out.Column = q.column(a.Column); out.Column == "" {
				continue
			}
		}
		if q.isAggregate(out.Name) {
			q.report(ruleQuery, a.Alias.Span(), "the aggregate %s is there twice", out.Name)
			continue
		}
		q.out.Aggregates = append(q.out.Aggregates, out)
	}
}

func (q *queryLowering) isAggregate(name string) bool {
	return slices.ContainsFunc(q.out.Aggregates, func(a ir.Aggregate) bool { return a.Name == name })
}

// lowerFields lowers the fields of the query and of its joins. Without fields of its own, the query has every column of
// its table; a join without fields adds its columns only where the query lists none.
func (q *queryLowering) lowerFields() {
	listed := len(q.src.Fields) > 0
	for _, j := range q.src.Joins {
		listed = listed || len(j.Fields) > 0
	}
	if !listed {
		return // the absence of fields says the same
	}
	if len(q.src.Fields) == 0 && len(q.src.Aggregate) == 0 {
		q.allColumns(q.from[0], false)
	}
	for _, s := range q.src.Fields {
		q.addField(s, q.column)
	}
	for _, j := range q.src.Joins {
		i := slices.IndexFunc(q.from, func(f source) bool { return f.name == j.Projection.Value })
		switch {
		case i < 0: // reported
		case len(j.Fields) == 0 && len(q.src.Fields) == 0 && len(q.src.Aggregate) == 0:
			q.allColumns(q.from[i], true)
		default:
			for _, s := range j.Fields {
				q.addField(s, func(s *spec.Scalar) string { return q.columnOf(q.from[i].table, s) })
			}
		}
	}
}

func (q *queryLowering) allColumns(from source, qualify bool) {
	for _, col := range from.table.columns {
		f := ir.Field{Name: col.name, Column: from.table.name + "." + col.name}
		if qualify {
			f.Name = f.Column
		}
		q.out.Fields = append(q.out.Fields, f)
	}
}

// columnOf resolves a field of a join: a lone name is a column of its table.
func (q *queryLowering) columnOf(t *table, s *spec.Scalar) string {
	if t.byName[s.Value] != nil {
		return t.name + "." + s.Value
	}
	return q.column(s)
}

func (q *queryLowering) addField(s *spec.Scalar, resolve func(*spec.Scalar) string) {
	if q.isAggregate(s.Value) {
		return // aggregates are in the result anyway
	}
	column := resolve(s)
	if column == "" {
		return
	}
	if slices.ContainsFunc(q.out.Fields, func(f ir.Field) bool { return f.Name == s.Value }) {
		q.report(ruleQuery, s.Span(), "the result has a column %s already", s.Value)
		return
	}
	q.out.Fields = append(q.out.Fields, ir.Field{Name: s.Value, Column: column})
}

func (q *queryLowering) lowerWhere() {
	for _, cond := range q.src.Where {
		column := q.column(cond.Column)
		if column == "" {
			continue
		}
		for _, test := range cond.Tests {
			p := ir.Predicate{Column: column, Op: "eq"}
			if test.Op != nil {
				p.Op = test.Op.Value
			}
			if q.operand(&p, test.Value) {
				q.out.Where = append(q.out.Where, p)
			}
		}
	}
}

// operand lowers the value of a condition: an input, or a constant.
func (q *queryLowering) operand(p *ir.Predicate, v *spec.Value) bool {
	name, at, ok := inputOf(v)
	switch {
	case !ok:
		p.Value = q.constant(v)
		return p.Value != nil
	case !q.hasInput(name):
		q.report(ruleQuery, at, "there is no input %s", name)
		return false
	}
	p.Input = name
	return true
}

func (q *queryLowering) hasInput(name string) bool {
	return slices.ContainsFunc(q.out.Inputs, func(in ir.Input) bool { return in.Name == name })
}

// inputOf recognises input.NAME.
func inputOf(v *spec.Value) (name string, at spec.Span, ok bool) {
	if v == nil || v.Kind != spec.ValueExpr || v.Expr == nil {
		return "", spec.Span{}, false
	}
	m, ok := v.Expr.Root.(*spec.Member)
	if !ok {
		return "", spec.Span{}, false
	}
	root, ok := m.X.(*spec.Ident)
	if !ok || root.Name != "input" {
		return "", spec.Span{}, false
	}
	return m.Name, v.Expr.At(m.NameAt), true
}

func (q *queryLowering) lowerOrder(o *spec.OrderTerm) {
	term := ir.OrderTerm{Column: o.Column.Value, Desc: o.Direction != nil && o.Direction.Value == "desc"}
	if !q.isAggregate(term.Column) {
		if term.Column = q.column(o.Column); term.Column == "" {
			return
		}
	}
	q.out.OrderBy = append(q.out.OrderBy, term)
}

// limitInput is the input that sets the limit.
const limitInput = "limit"

func (q *queryLowering) lowerLimit() {
	v := q.src.Limit
	if v == nil || isNull(v) {
		return
	}
	if name, at, ok := inputOf(v); ok {
		if name != limitInput || !q.hasInput(name) {
			q.report(ruleQuery, at, "the limit is a whole number, or input.%s with that input declared; no other input can set it", limitInput)
		}
		return
	}
	value := q.constant(v)
	if value == nil {
		return
	}
	n, err := strconv.ParseInt(value.Text, 10, 64)
	if value.Op != ir.OpInt || err != nil || n < 1 || n > math.MaxInt32 {
		q.report(ruleQuery, v.Span(), "the limit is a whole number from 1 to %d", math.MaxInt32)
		return
	}
	q.out.Limit = n
}

// lowerZeroFields names the result's columns as the result does.
func (q *queryLowering) lowerZeroFields() {
	for _, s := range q.src.CoalesceZero {
		name := s.Value
		if !q.isAggregate(name) {
			column := q.column(s)
			if column == "" {
				continue
			}
			name = q.resultName(s, column)
		}
		if name != "" && !slices.Contains(q.out.ZeroFields, name) {
			q.out.ZeroFields = append(q.out.ZeroFields, name)
		}
	}
}

func (q *queryLowering) resultName(s *spec.Scalar, column string) string {
	for _, f := range q.out.Fields {
		if f.Column == column {
			return f.Name
		}
	}
	if len(q.out.Fields) > 0 {
		q.report(ruleQuery, s.Span(), "%s is not in the result", s.Value)
		return ""
	}
	return column
}
