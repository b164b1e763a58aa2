package parser

import (
	"slices"
	"strings"

	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// whereOps are the operators of a where map.
var whereOps = []string{"eq", "neq", "gt", "gte", "lt", "lte", "in", "nin", "like", "ilike", "gte_window"}

// queryAggregates are the functions of a query's aggregate.
var queryAggregates = []string{"sum", "count", "avg", "min", "max", "first", "last"}

func (g *grammar) queries() {
	type q = spec.Query
	joins := mapOf(asKind(&g.join), func(v *spec.Join, n *spec.Scalar) { v.Projection = n })
	g.query = record[q]{def: "query", title: "a query", doc: "A named query.", keys: []key[q]{
		one("description", "A word about it.", aText, func(t *q) **spec.Scalar { return &t.Description }),
		one("from", "The projection, or a table that several share.", aName, func(t *q) **spec.Scalar { return &t.From }).must(),
		many("input", "Its parameters, by name.", g.fields(), func(t *q) *[]*spec.Field { return &t.Input }),
		many("fields", "The columns of the result: column or table.column.", names, func(t *q) *[]*spec.Scalar { return &t.Fields }),
		many("where", "Which rows: column to {operator: value}.", conditions(true), func(t *q) *[]*spec.Condition { return &t.Where }),
		many("order_by", "Column to asc or desc.", orderBy, func(t *q) *[]*spec.OrderTerm { return &t.OrderBy }),
		many("joins", "Other projections, by name.", joins, func(t *q) *[]*spec.Join { return &t.Joins }),
		many("group_by", "The columns to group by.", names, func(t *q) *[]*spec.Scalar { return &t.GroupBy }),
		many("aggregate", "Result columns: alias to {function: column}, or count.", aggregateMap, func(t *q) *[]*spec.QueryAggregate { return &t.Aggregate }).
			with(func(t *q) **spec.Scalar { return &t.AggregateAt }),
		one("limit", "The most rows.", aValue, func(t *q) **spec.Value { return &t.Limit }),
		one("distinct", "Whether equal rows count once.", aBool, func(t *q) **spec.Bool { return &t.Distinct }),
		many("coalesce_zero", "Columns in which null is shown as 0.", names, func(t *q) *[]*spec.Scalar { return &t.CoalesceZero }),
		part("window", "Windows that gte_window may use.", &g.window),
	}}
	g.window = record[q]{def: "window", title: "window", doc: "Windows of a query.", keys: []key[q]{
		many("allowed", "Durations such as 24h.", names, func(t *q) *[]*spec.Scalar { return &t.Windows }).must(),
	}}
}

func (g *grammar) joins() {
	type j = spec.Join
	g.join = record[j]{def: "join", title: "a join", doc: "A join with another projection.", keys: []key[j]{
		one("type", "left if absent.", choice("a kind of join", "left", "right", "inner", "cross"), func(t *j) **spec.Scalar { return &t.Type }),
		g.joinPairs(),
		many("fields", "The columns to add.", names, func(t *j) *[]*spec.Scalar { return &t.Fields }),
	}}
	g.joinOn = record[j]{def: "join_on", title: "on", doc: "The columns that must agree."}
	pair := asKind(&g.joinPair)
	g.joinOn.keys = []key[j]{
		many("pairs", "Pairs of columns.", listOf(kind[spec.JoinPair]{schema: pair.schema, read: func(d *decoder, n *yamltree.Node) (spec.JoinPair, bool) {
			p, ok := pair.read(d, n)
			if !ok {
				return spec.JoinPair{}, false
			}
			return *p, p.Left != nil && p.Right != nil
		}}), func(t *j) *[]spec.JoinPair { return &t.Pairs }).must(),
	}
	g.joinPair = record[spec.JoinPair]{def: "join_pair", title: "a pair", doc: "Two columns.", keys: []key[spec.JoinPair]{
		one("left", "A column of the query.", aName, func(t *spec.JoinPair) **spec.Scalar { return &t.Left }).must(),
		one("right", "A column of the joined projection.", aName, func(t *spec.JoinPair) **spec.Scalar { return &t.Right }).must(),
	}}
}

// joinPairs is {pairs: [...]}, or a map of left to right column.
func (g *grammar) joinPairs() key[spec.Join] {
	columns := mapOf(kind[*spec.JoinPair]{schema: aName.schema, read: func(d *decoder, n *yamltree.Node) (*spec.JoinPair, bool) {
		s, ok := aName.read(d, n)
		return &spec.JoinPair{Right: s}, ok
	}}, func(p *spec.JoinPair, n *spec.Scalar) { p.Left = n })
	return key[spec.Join]{name: "on", doc: "The columns that must agree: {pairs: [{left, right}]}, or left: right.", empty: true,
		schema: func(w *schemaWriter) *schema {
			return &schema{AnyOf: []*schema{asKind(&g.joinOn).schema(w), columns.schema(w)}}
		},
		read: func(d *decoder, t *spec.Join, _ *spec.Scalar, n *yamltree.Node) {
			isList := func(e yamltree.Entry) bool { return e.Key.Value == "pairs" && e.Value.Kind != yamltree.Scalar }
			if n.Kind == yamltree.Map && slices.ContainsFunc(n.Entries, isList) {
				g.joinOn.fill(d, t, n, nil)
				return
			}
			pairs, _ := columns.read(d, n)
			for _, p := range pairs {
				t.Pairs = append(t.Pairs, *p)
			}
		}}
}

// orderBy is a map of columns to directions.
var orderBy = mapOf(kind[*spec.OrderTerm]{
	schema: choice("a direction", "asc", "desc").schema,
	read: func(d *decoder, n *yamltree.Node) (*spec.OrderTerm, bool) {
		s, ok := choice("a direction", "asc", "desc").read(d, n)
		return &spec.OrderTerm{Direction: s}, ok
	},
}, func(v *spec.OrderTerm, n *spec.Scalar) { v.Column = n })

// conditions is a map of columns to {operator: value}. Where strict is false, a value may stand without an operator.
func conditions(strict bool) kind[[]*spec.Condition] {
	return mapOf(kind[*spec.Condition]{
		schema: func(*schemaWriter) *schema {
			ops := &schema{Type: types{"object"}, Properties: map[string]*schema{}, Additional: &schema{never: true}, MinProps: 1, MaxProps: 1}
			for _, op := range whereOps {
				ops.Properties[op] = &schema{}
			}
			if strict {
				return ops
			}
			return &schema{AnyOf: []*schema{ops, {Type: types{"string", "number", "boolean", "null", "array"}}}}
		},
		read: func(d *decoder, n *yamltree.Node) (*spec.Condition, bool) { return d.condition(n, strict) },
	}, func(v *spec.Condition, n *spec.Scalar) { v.Column = n })
}

func (d *decoder) condition(n *yamltree.Node, strict bool) (*spec.Condition, bool) {
	c := &spec.Condition{}
	switch {
	case n.Kind == yamltree.Bad:
		return nil, false
	case n.Kind != yamltree.Map && strict:
		diag := d.report(ruleOperator, n.Span(d.file), "expected an operator, as in {eq: %s}; got %s", conditionValue(n), describe(n))
		d.wrapCondition(diag, n)
		return nil, false
	case n.Kind != yamltree.Map:
		v := d.value(n)
		c.Tests = append(c.Tests, spec.Test{Value: v})
		return c, v != nil
	}
	for _, e := range n.Entries {
		if !slices.Contains(whereOps, e.Key.Value) {
			d.unknownWord(ruleOperator, "unknown operator", e.Key, whereOps)
			continue
		}
		if v := d.value(e.Value); v != nil && !e.Duplicate {
			c.Tests = append(c.Tests, spec.Test{Op: e.Key, Value: v})
		}
	}
	switch {
	case len(n.Entries) == 0:
		d.report(ruleOperator, n.Span(d.file), "a condition needs an operator, as in {eq: value}")
	case len(n.Entries) > 1 && len(c.Tests) > 1:
		d.report(ruleOperator, c.Tests[1].Op.Span(), "a condition has exactly one operator, and %q stands before; keep one of the two", c.Tests[0].Op.Value)
	}
	return c, true
}

func conditionValue(n *yamltree.Node) string {
	if n.Kind == yamltree.Scalar && n.Scalar.Style == spec.Plain && !strings.ContainsAny(n.Scalar.Value, "\n,{}[]") {
		return shorten(n.Scalar.Value)
	}
	return "value"
}

// aggregateMap is a map of aliases to {function: column}, or count.
var aggregateMap = mapOf(kind[*spec.QueryAggregate]{
	schema: func(w *schemaWriter) *schema {
		form := &schema{Type: types{"object"}, Properties: map[string]*schema{}, Additional: &schema{never: true}, MinProps: 1, MaxProps: 1}
		for _, f := range queryAggregates {
			form.Properties[f] = aName.schema(w)
		}
		return &schema{AnyOf: []*schema{{Enum: []string{"count"}}, form}}
	},
	read: readQueryAggregate,
}, func(v *spec.QueryAggregate, n *spec.Scalar) { v.Alias = n })

func readQueryAggregate(d *decoder, n *yamltree.Node) (*spec.QueryAggregate, bool) {
	switch {
	case n.Kind == yamltree.Scalar && n.Scalar.Value != "count" && slices.Contains(queryAggregates, n.Scalar.Value):
		d.report(ruleOperator, n.Scalar.Span(), "%s needs a column, as in {%[1]s: amount}", n.Scalar.Value)
		return nil, false
	case n.Kind == yamltree.Scalar:
		s, ok := choice("an aggregate", "count").read(d, n)
		return &spec.QueryAggregate{Func: s}, ok
	case n.Kind != yamltree.Map:
		d.wrongShape("{function: column}, or count", n)
		return nil, false
	case len(n.Entries) != 1:
		d.report(ruleOperator, n.Span(d.file), "an aggregate has exactly one function, as in {sum: amount}")
		return nil, false
	}
	e := n.Entries[0]
	if !slices.Contains(queryAggregates, e.Key.Value) {
		d.unknownWord(ruleOperator, "unknown aggregate", e.Key, queryAggregates)
		return nil, false
	}
	column, ok := aName.read(d, e.Value)
	return &spec.QueryAggregate{Func: e.Key, Column: column}, ok
}
