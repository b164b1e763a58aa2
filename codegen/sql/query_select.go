package sql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/ir"
)

// selectColumns decides the result's columns: the fields, or what grouping leaves, or all columns, then the aggregates.
func (c *queryCompiler) selectColumns() error {
	fields := c.query.Fields
	if len(fields) == 0 {
		fields = c.defaultFields()
	}
	for _, field := range fields {
		if err := c.addField(field); err != nil {
			return err
		}
	}
	for _, aggregate := range c.query.Aggregates {
		if err := c.addAggregate(aggregate); err != nil {
			return fmt.Errorf("aggregate %s: %w", aggregate.Name, err)
		}
	}
	for _, name := range c.query.ZeroFields {
		if err := c.coalesceZero(name); err != nil {
			return fmt.Errorf("coalesce_zero %s: %w", name, err)
		}
	}
	if len(c.results) == 0 {
		return fmt.Errorf("selects nothing")
	}
	return nil
}

func (c *queryCompiler) defaultFields() []ir.Field {
	var fields []ir.Field
	if len(c.query.Aggregates) > 0 {
		for _, column := range c.query.GroupBy {
			fields = append(fields, ir.Field{Name: column, Column: column})
		}
		return fields
	}
	for _, table := range c.order {
		for _, column := range c.tables[table].Columns {
			qualified := table + "." + column.Name
			name := qualified
			if table == c.query.From {
				name = column.Name
			}
			fields = append(fields, ir.Field{Name: name, Column: qualified})
		}
	}
	return fields
}

func (c *queryCompiler) addField(field ir.Field) error {
	_, reference, err := c.column(field.Column)
	if err != nil {
		return err
	}
	if len(c.query.Aggregates) > 0 && !slices.Contains(c.query.GroupBy, field.Column) {
		return fmt.Errorf("field %s is neither grouped nor an aggregate", field.Name)
	}
	c.results = append(c.results, result{name: field.Name, sql: reference, source: field.Column})
	return nil
}

func (c *queryCompiler) addAggregate(a ir.Aggregate) error {
	text := "count(*)"
	if a.Column != "" || a.Func != "count" {
		_, reference, err := c.column(a.Column)
		if err != nil {
			return err
		}
		switch a.Func {
		case "sum", "count", "avg", "min", "max":
			text = a.Func + "(" + reference + ")"
		case "first", "last":
			if text, err = c.firstOrLast(reference, a.Func == "last"); err != nil {
				return err
			}
		default:
			return fmt.Errorf("unknown function %q", a.Func)
		}
	}
	c.results = append(c.results, result{name: a.Name, sql: text, aggregate: true})
	return nil
}

// firstOrLast takes the value of the first or last row of a group, in the query's order.
func (c *queryCompiler) firstOrLast(reference string, last bool) (string, error) {
	var terms []string
	for _, term := range c.query.OrderBy {
		if c.isAggregate(term.Column) {
			continue
		}
		_, column, err := c.column(term.Column)
		if err != nil {
			return "", fmt.Errorf("order_by: %w", err)
		}
		terms = append(terms, column+direction(term.Desc != last))
	}
	if len(terms) == 0 {
		return "", fmt.Errorf("first and last need an order_by over a column")
	}
	return fmt.Sprintf("(array_agg(%s ORDER BY %s))[1]", reference, strings.Join(terms, ", ")), nil
}

func (c *queryCompiler) isAggregate(name string) bool {
	return slices.ContainsFunc(c.query.Aggregates, func(a ir.Aggregate) bool { return a.Name == name })
}

func (c *queryCompiler) hasFirstOrLast() bool {
	return slices.ContainsFunc(c.query.Aggregates, func(a ir.Aggregate) bool { return a.Func == "first" || a.Func == "last" })
}

func direction(desc bool) string {
	if desc {
		return " DESC"
	}
	return ""
}

// coalesceZero makes a result column 0 where it is null. The name is the column's as written, or qualified.
func (c *queryCompiler) coalesceZero(name string) error {
	found := false
	for i := range c.results {
		r := &c.results[i]
		if r.name != name && r.source != name && !strings.HasSuffix(r.source, "."+name) {
			continue
		}
		if r.source != "" {
			if column, _, err := c.column(r.source); err != nil || !isNumeric(column.Type) {
				return fmt.Errorf("is not a number")
			}
		}
		r.sql, found = "coalesce("+r.sql+", 0)", true
	}
	if !found {
		return fmt.Errorf("is not a column of the result")
	}
	return nil
}

func isNumeric(t ir.SQLType) bool {
	switch t.Name {
	case ir.SmallInt, ir.Integer, ir.BigInt, ir.Numeric, ir.Real, ir.Double:
		return true
	default:
		return false
	}
}

func (c *queryCompiler) selectClause() string {
	columns := make([]string, len(c.results))
	for i, r := range c.results {
		columns[i] = r.sql + " AS " + Ident(r.name)
	}
	distinct := ""
	if c.query.Distinct {
		distinct = "DISTINCT "
	}
	return "SELECT " + distinct + strings.Join(columns, ",\n  ")
}

// tailClauses are GROUP BY and ORDER BY.
func (c *queryCompiler) tailClauses() (string, error) {
	var b strings.Builder
	if len(c.query.GroupBy) > 0 {
		if len(c.query.Aggregates) == 0 {
			return "", fmt.Errorf("group_by needs an aggregate")
		}
		groups := make([]string, len(c.query.GroupBy))
		for i, name := range c.query.GroupBy {
			_, reference, err := c.column(name)
			if err != nil {
				return "", fmt.Errorf("group_by: %w", err)
			}
			groups[i] = reference
		}
		b.WriteString("\nGROUP BY " + strings.Join(groups, ", "))
	}
	var terms []string
	for _, term := range c.query.OrderBy {
		reference, err := c.orderTerm(term.Column)
		if err != nil {
			return "", fmt.Errorf("order_by %s: %w", term.Column, err)
		}
		if reference != "" {
			terms = append(terms, reference+direction(term.Desc))
		}
	}
	if len(terms) > 0 {
		b.WriteString("\nORDER BY " + strings.Join(terms, ", "))
	}
	return b.String(), nil
}

// orderTerm is what a term orders by: a result column by its number, else the column itself; empty where the term only
// says what first and last mean.
func (c *queryCompiler) orderTerm(name string) (string, error) {
	for i, r := range c.results {
		if (r.aggregate && r.name == name) || (!r.aggregate && r.source == name) {
			return fmt.Sprint(i + 1), nil
		}
	}
	_, reference, err := c.column(name)
	switch {
	case err != nil:
		return "", err
	case len(c.query.Aggregates) > 0 && !slices.Contains(c.query.GroupBy, name):
		if c.hasFirstOrLast() {
			return "", nil
		}
		return "", fmt.Errorf("is neither grouped nor an aggregate")
	case c.query.Distinct:
		return "", fmt.Errorf("a distinct result can be ordered only by its own columns")
	default:
		return reference, nil
	}
}
