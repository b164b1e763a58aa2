package ir

import (
	"regexp"
	"slices"
	"strings"
)

func (v *validator) checkQueries() {
	checkSorted(v, "/queries", v.program.Queries, func(q *Query) string { return q.Name })
	for i := range v.program.Queries {
		if v.hopeless() {
			return
		}
		c := &queryChecker{v: v, q: &v.program.Queries[i], path: item("/queries", i), inputs: map[string]bool{}, aggregates: map[string]bool{}}
		c.check()
	}
}

// queryChecker checks one query.
type queryChecker struct {
	v          *validator
	q          *Query
	path       string
	from       []*Table // the tables that it reads
	inputs     map[string]bool
	aggregates map[string]bool
}

func (c *queryChecker) add(path, format string, args ...any) { c.v.add(c.path+path, format, args...) }

func (c *queryChecker) check() {
	if len(c.q.Joins) > MaxJoins {
		c.add("/joins", "has more than %d joins", MaxJoins)
		return
	}
	c.table("/from", c.q.From)
	for i, j := range c.q.Joins {
		c.join(item("/joins", i), j)
	}
	c.checkInputs()
	c.checkAggregates()
	c.columns()
	for i := range c.q.Where {
		c.predicate(item("/where", i), &c.q.Where[i])
	}
	for i, o := range c.q.OrderBy {
		if !c.aggregates[o.Column] {
			c.column(item("/order_by", i), o.Column)
		}
	}
	if c.q.Limit < 0 {
		c.add("/limit", "is negative")
	}
	for i, w := range c.q.Window {
		if !windowText.MatchString(w) {
			c.add(item("/window", i), "%q is not a window such as 24h", w)
		}
	}
}

var windowText = regexp.MustCompile(`^ *[0-9]+ *[A-Za-z]+ *$`)

func (c *queryChecker) table(path, name string) {
	t := c.v.tables[name]
	if t == nil {
		c.add(path, "%q is not a table", name)
		return
	}
	if slices.Contains(c.from, t) {
		c.add(path, "%q is read twice", name)
	}
	c.from = append(c.from, t)
}

func (c *queryChecker) join(path string, j Join) {
	c.table(path+"/table", j.Table)
	switch j.Type {
	case "left", "right", "inner":
		if len(j.On) == 0 {
			c.add(path, "a %s join needs pairs of columns", j.Type)
		}
	case "cross":
		if len(j.On) > 0 {
			c.add(path, "a cross join has no pairs of columns")
		}
	default:
		c.add(path+"/type", "%q is not a kind of join", j.Type)
	}
	for i, p := range j.On {
		c.column(item(path+"/on", i)+"/left", p.Left)
		c.column(item(path+"/on", i)+"/right", p.Right)
	}
}

func (c *queryChecker) checkInputs() {
	for i, in := range c.q.Inputs {
		at := item("/inputs", i)
		if in.Name == "" || c.inputs[in.Name] {
			c.add(at, "%q is no name of an input, or there twice", in.Name)
		}
		c.inputs[in.Name] = true
		c.v.checkType(c.path+at+"/type", in.Type)
		if in.Default != nil {
			c.v.checkExpr(c.path+at+"/default", in.Default, exprScope{literal: true})
		}
	}
}

func (c *queryChecker) columns() {
	names := map[string]bool{}
	for i, f := range c.q.Fields {
		at := item("/fields", i)
		if f.Name == "" || names[f.Name] {
			c.add(at, "%q is no name of a result column, or there twice", f.Name)
		}
		names[f.Name] = true
		c.column(at+"/column", f.Column)
	}
	for i, name := range c.q.GroupBy {
		c.column(item("/group_by", i), name)
	}
	for i, name := range c.q.ZeroFields {
		if !names[name] && !c.aggregates[name] && (len(c.q.Fields) > 0 || !c.reads(name)) {
			c.add(item("/coalesce_zero", i), "%q is not a column of the result", name)
		}
	}
}

// column requires a qualified column of a table that the query reads.
func (c *queryChecker) column(path, qualified string) {
	if !c.reads(qualified) {
		c.add(path, "%q is not a table and column that the query reads", qualified)
	}
}

func (c *queryChecker) reads(qualified string) bool {
	table, name, _ := strings.Cut(qualified, ".")
	return slices.ContainsFunc(c.from, func(t *Table) bool { return t.Name == table && c.v.column(t, name) != nil })
}

func (c *queryChecker) predicate(path string, p *Predicate) {
	c.column(path+"/column", p.Column)
	c.v.checkOperand(c.path+path, p, exprScope{literal: true})
	if p.Op == "gte_window" && p.Input != "" && len(c.q.Window) == 0 {
		c.add(path, "gte_window of an input needs the allowed windows")
	}
	if p.Input != "" && !c.inputs[p.Input] {
		c.add(path+"/input", "%q is not an input", p.Input)
	}
}

func (c *queryChecker) checkAggregates() {
	if len(c.q.GroupBy) > 0 && len(c.q.Aggregates) == 0 {
		c.add("/group_by", "needs an aggregate")
	}
	for i, a := range c.q.Aggregates {
		at := item("/aggregates", i)
		if a.Name == "" || c.aggregates[a.Name] {
			c.add(at, "%q is no name of an aggregate, or there twice", a.Name)
		}
		c.aggregates[a.Name] = true
		c.aggregate(at, a)
	}
}

func (c *queryChecker) aggregate(path string, a Aggregate) {
	switch a.Func {
	case "first", "last":
		if len(c.q.OrderBy) == 0 {
			c.add(path, "%s needs order_by", a.Func)
		}
	case "sum", "count", "avg", "min", "max":
	default:
		c.add(path+"/func", "%q is not an aggregate function", a.Func)
	}
	if a.Column != "" {
		c.column(path+"/column", a.Column)
	} else if a.Func != "count" {
		c.add(path, "%s needs a column", a.Func)
	}
}
