package types

import (
	"fmt"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// runColumns reports values that a column's type does not hold.
func runColumns(p *analysis.Pass) error {
	for _, pr := range p.Program.Projections {
		c := columnChecker{p: p, table: p.Symbols.Tables[symbols.TableName(pr)]}
		for _, e := range pr.Derive {
			c.entry(e)
		}
		for _, m := range pr.Mutations {
			switch symbols.Text(m.Op) {
			case "increment":
				continue
			case "soft_delete":
				c.moment("deleted_at", "soft_delete writes event.ts into")
			}
			for _, e := range m.Set {
				c.entry(e)
			}
			for _, w := range m.Where {
				c.where(w)
			}
		}
		if column := symbols.BucketColumn(pr); column != "" {
			c.moment(column, "the bucket writes the start of its interval into")
		}
		bucket(p, pr)
	}
	return nil
}

// moment reports a column that can't hold the moment which the runtime writes into it.
func (c columnChecker) moment(column, what string) {
	col, ok := c.p.Types.Column(c.table, column)
	if ok && !types.Holds(expr.Int(1_700_000_000_000), col.SQL) {
		c.p.ReportCause(c.table.Name+" "+column, "it is written here too", spec.Diagnostic{Span: col.At.Span(), Message: fmt.Sprintf(
			"%s column %s, which is %s and can't hold a moment; declare it TIMESTAMPTZ, or BIGINT for milliseconds", what, column, col.SQL)})
	}
}

// bucket reports a bucket over what is no moment.
func bucket(p *analysis.Pass, pr *spec.Projection) {
	if pr.Bucket == nil || pr.Bucket.Field == nil {
		return
	}
	e := pr.Bucket.Field
	if t := p.Types.Of(e); t.Kind == expr.TypeBool || t.Kind == expr.TypeArray || t.Kind == expr.TypeObject {
		p.Reportf(e.Span(e.Root), "%s is %s, and a bucket needs a moment; write event.ts, or a field with milliseconds or RFC 3339 text", types.Text(e, e.Root), t.A())
	}
}

// columnChecker holds values to the columns of a table.
type columnChecker struct {
	p     *analysis.Pass
	table *symbols.TableInfo
}

func (c columnChecker) entry(e spec.ValueEntry) {
	if col, ok := c.p.Types.Column(c.table, symbols.Text(e.Key)); ok && e.Value != nil {
		c.value(symbols.Text(e.Key), col.SQL, e.Value)
	}
}

// where checks the values that a bulk_update compares a column with.
func (c columnChecker) where(w *spec.Condition) {
	col, ok := c.p.Types.Column(c.table, symbols.Text(w.Column))
	if !ok {
		return
	}
	for _, t := range w.Tests {
		op := symbols.Text(t.Op)
		switch {
		case t.Value == nil || op == "like" || op == "ilike":
		case op == "in" || op == "nin":
			for _, item := range t.Value.Items {
				c.value(symbols.Text(w.Column), col.SQL, item)
			}
		default:
			c.value(symbols.Text(w.Column), col.SQL, t.Value)
		}
	}
}

func (c columnChecker) value(column string, sql ir.SQLType, v *spec.Value) {
	switch v.Kind {
	case spec.ValueMap, spec.ValueList:
		if !types.IsJSON(sql) {
			word := "a map"
			if v.Kind == spec.ValueList {
				word = "a list"
			}
			c.p.Reportf(v.Span(), "column %s is %s, which holds no %s; declare it JSONB", column, sql, word[2:])
		}
	case spec.ValueConst:
		if value, ok := types.ConstantValue(v); ok && v.Src != nil {
			c.constant(column, sql, value, v.Src.Span())
		}
	case spec.ValueExpr:
		for _, r := range c.p.Types.Results(v.Expr) {
			at := v.Expr.Span(r.Node)
			if value, ok := types.ConstantOf(r.Node); ok {
				c.constant(column, sql, value, at)
			} else {
				c.result(column, sql, r, v.Expr)
			}
		}
	}
}

func (c columnChecker) constant(column string, sql ir.SQLType, v expr.Value, at spec.Span) {
	if !types.Holds(v, sql) {
		c.p.Reportf(at, "column %s is %s, which can't hold %s; %s", column, sql, textOf(v), constantHint(v, sql))
	}
}

// constantHint says what to write instead of a constant that a column can't hold.
func constantHint(v expr.Value, sql ir.SQLType) string {
	switch {
	case types.IsInteger(sql) && v.IsNumber():
		if _, whole := v.AsInt(); whole {
			return "it is out of range; declare it BIGINT or NUMERIC"
		}
		return "write a whole number, or declare the column NUMERIC"
	case sql.IsNumber() && v.IsNumber():
		return "it has too many digits; declare the column NUMERIC"
	case types.IsText(sql) && sql.Length > 0:
		return "it is too long; declare the column TEXT"
	case types.IsText(sql):
		return "declare the column JSONB"
	}
	name := "TEXT"
	if v.IsNumber() {
		name = "NUMERIC"
	} else if _, ok := v.AsBool(); ok {
		name = "BOOLEAN"
	}
	return valueHint(sql) + ", or declare the column " + name
}

// textOf shows a constant, shortened.
func textOf(v expr.Value) string {
	text := []rune(v.Text())
	if len(text) > 40 {
		text = append(text[:37], '.', '.', '.')
	}
	if _, ok := v.AsString(); ok {
		return "the text '" + string(text) + "'"
	}
	return string(text)
}

func (c columnChecker) result(column string, sql ir.SQLType, r types.Result, e *spec.Expr) {
	for _, of := range c.p.Types.ByEvent(e, r.Node) {
		if of.Type.Fits(sql) == types.Refused {
			c.p.Reportf(e.Span(r.Node), "column %s is %s, and %s is %s in %s, so no value of that fits; give the field one type in all events, or set the column for each event",
				column, sql, types.Text(e, r.Node), of.Type.A(), called("event", of.Event.Name))
			return
		}
	}
	switch r.Type.Fits(sql) {
	case types.Refused:
		c.p.Reportf(e.Span(r.Node), "column %s is %s, and %s is %s, so no value fits; %s", column, sql, types.Text(e, r.Node), r.Type.A(), columnHint(r.Type))
	case types.Unsure:
		c.p.Report(spec.Diagnostic{Span: e.Span(r.Node), Severity: spec.Warning, Message: fmt.Sprintf(
			"column %s is %s, and %s is %s, which fits only where the text spells such a value; declare the column TEXT, or the field with the type that it has",
			column, sql, types.Text(e, r.Node), r.Type.A())})
	}
}

// columnHint says which column type holds values of a type.
func columnHint(t types.Type) string {
	name := "TEXT"
	switch {
	case t.Kind == expr.TypeBool:
		name = "BOOLEAN"
	case t.Kind == expr.TypeInt:
		name = "BIGINT"
	case t.Kind == expr.TypeDecimal:
		name = "NUMERIC"
	case t.Kind == expr.TypeArray || t.Kind == expr.TypeObject:
		name = "JSONB"
	case t.Format == types.Moment:
		name = "TIMESTAMPTZ"
	case t.Format == types.UUID:
		name = "UUID"
	}
	return "declare it " + name + ", or derive it from something else"
}

// runAggregates reports aggregates of what is no number.
func runAggregates(p *analysis.Pass) error {
	seen := map[*spec.Scalar]bool{}
	for _, pr := range p.Program.Projections {
		c := columnChecker{p: p, table: p.Symbols.Tables[symbols.TableName(pr)]}
		for _, ea := range pr.Aggregates {
			for _, a := range ea.Columns {
				c.sum(a.Column, a.By, seen)
				c.bounds(a)
			}
		}
		for _, m := range pr.Mutations {
			if symbols.Text(m.Op) == "increment" {
				for _, e := range m.Set {
					c.sum(e.Key, e.Value, seen)
				}
			}
		}
	}
	return nil
}

// sum checks an aggregated column and the amount by which it changes. seen are the declarations that have been reported.
func (c columnChecker) sum(column *spec.Scalar, by *spec.Value, seen map[*spec.Scalar]bool) {
	name := symbols.Text(column)
	col, declared := c.p.Types.Column(c.table, name)
	if declared && !col.SQL.IsNumber() {
		if !seen[col.At] {
			seen[col.At] = true
			c.p.Report(spec.Diagnostic{Span: col.At.Span(),
				Message: fmt.Sprintf("column %s is %s, and an aggregate of it needs a number; declare it BIGINT or NUMERIC", name, col.SQL),
				Related: []spec.Related{{Span: column.Span(), Message: "the aggregate"}}})
		}
		return
	}
	if by == nil || by.Kind == spec.ValueConst && by.Const == nil {
		return
	}
	if c.number(by, "an aggregate of column "+name) && declared {
		if v, ok := types.ConstantValue(by); ok && types.IsInteger(col.SQL) && !types.Holds(v, col.SQL) {
			c.p.Reportf(by.Span(), "column %s is %s, and %s does not fit; declare it NUMERIC, or write a whole number", name, col.SQL, textOf(v))
		}
	}
}

// number reports a value that is no number.
func (c columnChecker) number(v *spec.Value, what string) bool {
	ok := true
	refuse := func(at spec.Span, have string) {
		c.p.Reportf(at, "%s needs a number, not %s; give it a number, or an expression that is one", what, have)
		ok = false
	}
	switch v.Kind {
	case spec.ValueMap, spec.ValueList:
		refuse(v.Span(), "a map or a list")
	case spec.ValueConst:
		if v.Const != nil && v.Src != nil && !types.Literal(v.Const).MayBeNumber() {
			refuse(v.Src.Span(), describe(v.Const))
		}
	case spec.ValueExpr:
		for _, r := range c.p.Types.Results(v.Expr) {
			if !r.Type.MayBeNumber() {
				refuse(v.Expr.Span(r.Node), types.Text(v.Expr, r.Node)+", "+r.Type.A())
			}
		}
	}
	return ok
}

// bounds checks floor and ceil.
func (c columnChecker) bounds(a *spec.Aggregate) {
	what := " of column " + symbols.Text(a.Column)
	if a.Floor != nil {
		c.number(a.Floor, "the floor"+what)
	}
	if a.Ceil != nil {
		c.number(a.Ceil, "the ceil"+what)
	}
	floor, ok := types.ConstantValue(a.Floor)
	ceil, both := types.ConstantValue(a.Ceil)
	if ok && both && floor.IsNumber() && ceil.IsNumber() && expr.Order(floor, ceil) > 0 {
		c.p.Reportf(a.Floor.Span(), "the floor%s, %s, is above its ceil, %s; swap the two", what, floor.Text(), ceil.Text())
	}
}
