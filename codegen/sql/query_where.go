package sql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// condition is one condition of WHERE: text with a place for each parameter. It applies only where its inputs are given.
type condition struct {
	parts  []string // one more than there are params
	params []Param
}

// constant is a condition without parameters.
func constant(text string) condition { return condition{parts: []string{text}} }

var comparisons = map[string]string{"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}

func (c *queryCompiler) condition(p *ir.Predicate) (condition, error) {
	column, reference, err := c.column(p.Column)
	if err != nil {
		return condition{}, err
	}
	if column.Type.Name == ir.JSON && p.Op != "like" && p.Op != "ilike" {
		return condition{}, fmt.Errorf("JSON has no equality or order in Postgres; declare the column JSONB")
	}
	switch p.Op {
	case "eq", "neq", "gt", "gte", "lt", "lte":
		return c.comparison(p, column, reference)
	case "in", "nin":
		return c.membership(p, column, reference)
	case "like", "ilike":
		return c.pattern(p, column, reference)
	case "gte_window":
		return c.window(p, column, reference)
	default:
		return condition{}, fmt.Errorf("unknown operator %q", p.Op)
	}
}

func (c *queryCompiler) comparison(p *ir.Predicate, column *ir.Column, reference string) (condition, error) {
	operator := comparisons[p.Op]
	if p.Input != "" {
		t, cast, err := c.paramType(p.Input, column)
		if err != nil {
			return condition{}, err
		}
		return condition{parts: []string{fmt.Sprintf("%s %s ", reference, operator), "::" + cast},
			params: []Param{{Input: p.Input, Type: t}}}, nil
	}
	value, err := constantValue(p.Value)
	if err != nil {
		return condition{}, err
	}
	switch {
	case value.IsNull() && p.Op == "eq":
		return constant(reference + " IS NULL"), nil
	case value.IsNull() && p.Op == "neq":
		return constant(reference + " IS NOT NULL"), nil
	}
	text, err := comparedLiteral(value, column)
	return constant(fmt.Sprintf("%s %s %s", reference, operator, text)), err
}

func (c *queryCompiler) membership(p *ir.Predicate, column *ir.Column, reference string) (condition, error) {
	if p.Input != "" {
		t, cast, err := c.paramType(p.Input, column)
		if err != nil {
			return condition{}, err
		}
		test := " = ANY ("
		if p.Op == "nin" {
			test = " <> ALL ("
		}
		return condition{parts: []string{reference + test, fmt.Sprintf("::text[]::%s[])", cast)},
			params: []Param{{Input: p.Input, Type: t, List: true}}}, nil
	}
	list, err := constantValue(p.Value)
	if err != nil {
		return condition{}, err
	}
	if list.Kind() != expr.KindArray {
		return condition{}, fmt.Errorf("%s takes a list", p.Op)
	}
	var items []string
	for item := range list.Items() {
		text, err := comparedLiteral(item, column)
		if err != nil {
			return condition{}, err
		}
		items = append(items, text)
	}
	switch {
	case len(items) == 0 && p.Op == "in":
		return constant("false"), nil
	case len(items) == 0:
		return constant(reference + " IS NOT NULL"), nil
	case p.Op == "in":
		return constant(fmt.Sprintf("%s IN (%s)", reference, strings.Join(items, ", "))), nil
	default:
		return constant(fmt.Sprintf("%s NOT IN (%s)", reference, strings.Join(items, ", "))), nil
	}
}

func (c *queryCompiler) pattern(p *ir.Predicate, column *ir.Column, reference string) (condition, error) {
	if !isText(column.Type) {
		reference += "::text"
	}
	operator := strings.ToUpper(p.Op)
	text := ir.SQLType{Name: ir.Text}
	if p.Input != "" {
		if c.input(p.Input) == nil {
			return condition{}, fmt.Errorf("no input %s", p.Input)
		}
		return condition{parts: []string{reference + " " + operator + " ", "::TEXT"},
			params: []Param{{Input: p.Input, Type: text}}}, nil
	}
	value, err := constantValue(p.Value)
	if err != nil {
		return condition{}, err
	}
	literal, err := literalOf(value, text, "TEXT")
	return constant(reference + " " + operator + " " + literal), err
}

// window compares a moment with the given moment minus a length of time.
func (c *queryCompiler) window(p *ir.Predicate, column *ir.Column, reference string) (condition, error) {
	moment := ir.SQLType{Name: ir.TimestampTZ}
	switch column.Type.Name {
	case ir.TimestampTZ:
	case ir.Timestamp, ir.Date:
		moment.Name = ir.Timestamp
	default:
		return condition{}, fmt.Errorf("gte_window needs a moment, and the column is %s", column.Type.Name)
	}
	start := fmt.Sprintf("%s >= (", reference)
	end := Param{Moment: true, Type: moment}
	if p.Input != "" {
		if c.input(p.Input) == nil {
			return condition{}, fmt.Errorf("no input %s", p.Input)
		}
		if len(c.query.Window) == 0 {
			return condition{}, fmt.Errorf("gte_window needs the list of allowed windows")
		}
		for _, allowed := range c.query.Window {
			if _, err := parseWindow(allowed); err != nil {
				return condition{}, err
			}
		}
		return condition{parts: []string{start, "::" + string(moment.Name) + " - ", "::interval)"},
			params: []Param{end, {Input: p.Input, Window: c.query.Window, Type: ir.SQLType{Name: ir.Text}}}}, nil
	}
	value, err := constantValue(p.Value)
	if err != nil {
		return condition{}, err
	}
	length, err := parseWindow(value.Text())
	if err != nil {
		return condition{}, err
	}
	return condition{parts: []string{start, fmt.Sprintf("::%s - %s::interval)", moment.Name, Literal(length))},
		params: []Param{end}}, nil
}

// paramType is what an input is converted to, and cast to, when it is compared with a column. Numbers keep their own type,
// so that 1.5 can be compared with an integer column; everything else is turned into what the column holds. A text may be
// longer than the column: then it is just not equal.
func (c *queryCompiler) paramType(input string, column *ir.Column) (t ir.SQLType, cast string, err error) {
	in := c.input(input)
	switch {
	case in == nil:
		return t, "", fmt.Errorf("no input %s", input)
	case isNumeric(in.Type) && isNumeric(column.Type):
		return in.Type, CastSQL(in.Type), nil
	case column.Type.Name == ir.Date && in.Type.Name != ir.Date:
		return ir.SQLType{Name: ir.Timestamp}, string(ir.Timestamp), nil
	case isText(column.Type):
		return ir.SQLType{Name: ir.Text}, CastSQL(column.Type), nil
	default:
		return column.Type, CastSQL(column.Type), nil
	}
}

// comparedLiteral is a constant in the form in which it is compared with a column.
func comparedLiteral(value expr.Value, column *ir.Column) (string, error) {
	switch {
	case value.IsNumber() && isNumeric(column.Type):
		if _, err := expr.Coerce(value, column.Type); err != nil {
			return literalOf(value, ir.SQLType{Name: ir.Numeric}, "NUMERIC")
		}
	case isText(column.Type):
		return literalOf(value, ir.SQLType{Name: ir.Text}, CastSQL(column.Type))
	}
	return literalOf(value, column.Type, CastSQL(column.Type))
}

func isText(t ir.SQLType) bool {
	return slices.Contains([]ir.TypeName{ir.Text, ir.Varchar, ir.Char}, t.Name)
}

// constantValue evaluates a constant of a query.
func constantValue(e *ir.Expr) (expr.Value, error) {
	if e == nil {
		return expr.Null(), nil
	}
	f, err := expr.Compile(e)
	if err != nil {
		return expr.Value{}, err
	}
	return f.Eval(&expr.Env{})
}

// literalOf quotes a value, converted to a type, as a constant that is cast.
func literalOf(value expr.Value, t ir.SQLType, cast string) (string, error) {
	cell, err := expr.Coerce(value, t)
	if err != nil {
		return "", err
	}
	if cell.IsNull() {
		return "NULL::" + cast, nil
	}
	return Literal(expr.SQLText(cell, t)) + "::" + cast, nil
}
