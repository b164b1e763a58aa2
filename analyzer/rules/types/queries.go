package types

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// queryChecker knows the columns of a query's tables.
type queryChecker struct {
	columnChecker
	q    *spec.Query
	uses []symbols.ColumnUse
	at   map[*spec.Scalar]int // the places of uses, where there are many
}

// fewUses is up to how many columns a search beats a map.
const fewUses = 32

func eachQuery(p *analysis.Pass, visit func(*queryChecker)) {
	for _, q := range p.Program.Queries {
		c := &queryChecker{columnChecker: columnChecker{p: p}, q: q, uses: p.Symbols.ColumnUses(q)}
		if len(c.uses) > fewUses {
			c.at = make(map[*spec.Scalar]int, len(c.uses))
			for i, u := range c.uses {
				c.at[u.At] = i
			}
		}
		visit(c)
	}
}

func (c *queryChecker) find(at *spec.Scalar) (int, bool) {
	if c.at != nil {
		i, ok := c.at[at]
		return i, ok
	}
	i := slices.IndexFunc(c.uses, func(u symbols.ColumnUse) bool { return u.At == at })
	return i, i >= 0
}

// column returns the name and the declared type of the column that the query names at a place.
func (c *queryChecker) column(at *spec.Scalar) (name string, column types.Column, ok bool) {
	i, ok := c.find(at)
	if !ok {
		return "", types.Column{}, false
	}
	column, ok = c.p.Types.Column(c.uses[i].Table, c.uses[i].Column)
	return c.uses[i].Column, column, ok
}

// runQueryValues reports conditions of queries that compare a column with what it can't hold.
func runQueryValues(p *analysis.Pass) error {
	eachQuery(p, func(c *queryChecker) {
		for _, w := range c.q.Where {
			if name, col, ok := c.column(w.Column); ok {
				for _, t := range w.Tests {
					c.test(name, col.SQL, t)
				}
			} else {
				for _, t := range w.Tests {
					c.list(symbols.Text(t.Op), t.Value)
				}
			}
		}
	})
	return nil
}

func (c *queryChecker) test(column string, sql ir.SQLType, t spec.Test) {
	op := symbols.Text(t.Op)
	switch {
	case t.Value == nil || t.Op == nil:
	case (op == "like" || op == "ilike") && !types.IsText(sql):
		c.p.Report(spec.Diagnostic{Span: t.Op.Span(), Severity: spec.Warning, Message: fmt.Sprintf(
			"%s compares texts, and column %s is %s; use eq, or gte and lte for a range", op, column, sql)})
	case op == "like" || op == "ilike":
		if c.list(op, t.Value) {
			c.pattern(op, t.Value)
		}
	case op == "gte_window" && !types.IsTime(sql):
		c.p.Reportf(t.Op.Span(), "gte_window needs a moment, and column %s is %s; declare it TIMESTAMPTZ", column, sql)
	case op == "gte_window":
		c.list(op, t.Value)
	case !c.list(op, t.Value):
	case t.Value.Kind == spec.ValueList:
		for _, item := range t.Value.Items {
			c.compared(column, sql, item)
		}
	default:
		c.compared(column, sql, t.Value)
	}
}

// list reports a list where one value is compared, and one value where a list is needed.
func (c *queryChecker) list(op string, v *spec.Value) bool {
	if v == nil {
		return true
	}
	many := op == "in" || op == "nin"
	switch {
	case many && v.Kind == spec.ValueConst && v.Src != nil:
		c.p.Reportf(v.Src.Span(), "%s takes a list; write [%s], or eq for one value", op, v.Src.Value)
		return false
	case op == "gte_window" && v.Kind == spec.ValueList:
		c.p.Reportf(v.Span(), "gte_window takes one length of time, not a list; write input.window, which is one of those that the query allows")
		return false
	case !many && v.Kind == spec.ValueList:
		c.p.Reportf(v.Span(), "%s compares with one value, not with a list; use in", op)
		return false
	case v.Kind == spec.ValueMap:
		c.p.Reportf(v.Span(), "%s compares with a value, not with a map; write a constant, or input.NAME", op)
		return false
	case many && !c.constants(op, v):
		return false
	}
	input, ok := c.input(v)
	if ok && !many && input.typ.Kind == expr.TypeArray {
		c.p.Reportf(v.Src.Span(), "%s compares with one value, and input %s is an array; use in", op, input.name)
		return false
	}
	return true
}

// constants reports an item of a list that is no constant.
func (c *queryChecker) constants(op string, list *spec.Value) bool {
	for _, item := range list.Items {
		if item != nil && item.Kind == spec.ValueExpr {
			c.p.Reportf(item.Src.Span(), "the list of %s holds constants, and %s is an expression; declare one input as an array and write { %s: input.NAME }", op, item.Src.Value, op)
			return false
		}
	}
	return true
}

// pattern reports a pattern that is no text.
func (c *queryChecker) pattern(op string, v *spec.Value) {
	if input, ok := c.input(v); ok && input.typ.Kind != expr.TypeString && !input.typ.IsAny() {
		c.p.Reportf(v.Src.Span(), "%s takes a text, and input %s is %s; declare it string", op, input.name, input.typ.A())
	}
}

// parameter is an input that a condition reads.
type parameter struct {
	name string
	typ  types.Type
}

func (c *queryChecker) input(v *spec.Value) (parameter, bool) {
	if v == nil || v.Kind != spec.ValueExpr || v.Expr == nil {
		return parameter{}, false
	}
	m, ok := v.Expr.Root.(*spec.Member)
	if !ok {
		return parameter{}, false
	}
	return parameter{m.Name, c.p.Types.Of(v.Expr)}, true
}

// compared checks the value that a column is compared with.
func (c *queryChecker) compared(column string, sql ir.SQLType, v *spec.Value) {
	if input, ok := c.input(v); ok {
		c.comparedInput(column, sql, input, v)
		return
	}
	if v != nil && (v.Kind == spec.ValueList || v.Kind == spec.ValueMap) && sql.Name != ir.JSON && sql.Name != ir.JSONB {
		c.p.Reportf(v.Span(), "column %s is %s, and never equals a list or a map; write one value, or several as in [a, b]", column, sql)
		return
	}
	value, ok := types.ConstantValue(v)
	if !ok || v.Src == nil || value.IsNull() || types.IsText(sql) || value.IsNumber() && sql.IsNumber() {
		return
	}
	if !types.Holds(value, sql) {
		c.p.Reportf(v.Src.Span(), "column %s is %s, and never equals %s; %s", column, sql, textOf(value), valueHint(sql))
	}
}

func (c *queryChecker) comparedInput(column string, sql ir.SQLType, input parameter, v *spec.Value) {
	t := input.typ
	if t.Kind == expr.TypeArray {
		t = t.ItemType()
	}
	severity := spec.Error
	fit := t.Fits(sql)
	if fit == types.Unsure || types.IsText(sql) && (t.IsNumber() || t.Kind == expr.TypeBool) || t.Kind == expr.TypeString && sql.IsNumber() {
		severity = spec.Warning // some values of the one spell values of the other
	} else if fit == types.Fits {
		return
	}
	c.p.Report(spec.Diagnostic{Span: v.Expr.Span(v.Expr.Root), Severity: severity, Message: fmt.Sprintf(
		"column %s is %s, and input %s is %s; declare the input %s", column, sql, input.name, t.A(), inputType(sql))})
}

func valueHint(sql ir.SQLType) string {
	switch {
	case sql.IsNumber():
		return "write a number"
	case types.IsTime(sql):
		return "write a moment such as 2024-05-31T10:00:00Z"
	case sql.Name == ir.Boolean:
		return "write true or false"
	case sql.Name == ir.UUID:
		return "write a UUID"
	}
	return "write a value that it can hold"
}

// inputType names the type of an input that is compared with a column.
func inputType(sql ir.SQLType) string {
	switch {
	case types.IsInteger(sql):
		return "int"
	case sql.IsNumber():
		return "number"
	case types.IsTime(sql):
		return "timestamp"
	case sql.Name == ir.Boolean:
		return "boolean"
	case sql.Name == ir.UUID:
		return "uuid"
	}
	return "string"
}

// runQueryNumbers reports sums and zeros of columns that hold no numbers.
func runQueryNumbers(p *analysis.Pass) error {
	eachQuery(p, func(c *queryChecker) {
		for _, a := range c.q.Aggregate {
			f := symbols.Text(a.Func)
			if name, col, ok := c.column(a.Column); ok && (f == "sum" || f == "avg") && !col.SQL.IsNumber() {
				p.Reportf(a.Column.Span(), "%s adds numbers, and column %s is %s; use count, or name a column with numbers", f, name, col.SQL)
			}
		}
		for _, z := range c.q.CoalesceZero {
			if name, col, ok := c.column(z); ok && !col.SQL.IsNumber() {
				p.Reportf(z.Span(), "coalesce_zero shows null as 0, and column %s is %s; leave it out", name, col.SQL)
			}
		}
	})
	return nil
}

// runJoins reports joins of columns that Postgres can't compare.
func runJoins(p *analysis.Pass) error {
	eachQuery(p, func(c *queryChecker) {
		for _, j := range c.q.Joins {
			for _, pair := range j.Pairs {
				left, ok := c.joined(pair.Left, nil)
				right, both := c.joined(pair.Right, j.Projection)
				if ok && both && family(left) != family(right) {
					p.Report(spec.Diagnostic{Span: pair.Right.Span(), Message: fmt.Sprintf("%s is %s and %s is %s, which Postgres does not compare; join columns of one type",
						symbols.Text(pair.Left), left, symbols.Text(pair.Right), right)})
				}
			}
		}
	})
	return nil
}

// joined returns the type of a column in a pair. A lone name is one of the joined table where that has it.
func (c *queryChecker) joined(s *spec.Scalar, own *spec.Scalar) (ir.SQLType, bool) {
	if s == nil {
		return ir.SQLType{}, false
	}
	if own != nil && !strings.Contains(s.Value, ".") {
		if t := c.p.Symbols.Table(own.Value); t != nil && t.Has(s.Value) {
			col, ok := c.p.Types.Column(t, s.Value)
			return col.SQL, ok
		}
	}
	if own == nil && !strings.Contains(s.Value, ".") {
		if t := c.p.Symbols.Table(symbols.Text(c.q.From)); t != nil && t.Has(s.Value) {
			col, ok := c.p.Types.Column(t, s.Value)
			return col.SQL, ok
		}
	}
	_, col, ok := c.column(s)
	return col.SQL, ok
}

// family groups the column types that Postgres compares with each other.
func family(t ir.SQLType) string {
	switch {
	case t.IsNumber():
		return "number"
	case types.IsText(t):
		return "text"
	case types.IsTime(t):
		return "time"
	}
	return string(t.Name)
}
