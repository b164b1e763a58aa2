package oracle

import (
	"regexp"
	"slices"
	"strings"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// condition is one condition of a bulk update, with its value of the column's type.
type condition struct {
	column  string
	op      string
	value   expr.Value
	list    []expr.Value   // of in and nin
	null    bool           // the value is null
	pattern *regexp.Regexp // of like and ilike
}

func (s *scope) where(p ir.Predicate, typ ir.SQLType) condition {
	value := s.raw(p.Value)
	c := condition{column: p.Column, op: p.Op, null: value.IsNull()}
	switch {
	case c.null:
	case p.Op == "in" || p.Op == "nin":
		for item := range value.Items() {
			cell, err := expr.Coerce(item, typ)
			s.fail(err)
			c.list = append(c.list, cell)
		}
	case p.Op == "like":
		c.pattern = regexp.MustCompile(likeRegexp("(?s)", value.Text()))
	case p.Op == "ilike":
		c.pattern = regexp.MustCompile(likeRegexp("(?is)", value.Text()))
	default:
		cell, err := expr.Coerce(value, typ)
		s.fail(err)
		c.value = cell
	}
	return c
}

// likeRegexp translates a pattern without escapes.
func likeRegexp(flags, pattern string) string {
	text := regexp.QuoteMeta(pattern)
	text = strings.ReplaceAll(text, "%", ".*")
	text = strings.ReplaceAll(text, "_", ".")
	return flags + "^" + text + "$"
}

func (row *naiveRow) matches(t *ir.Table, where []condition) bool {
	for _, c := range where {
		column := columnOf(t, c.column)
		value := row.values[c.column]
		if column.Role == ir.RoleSum {
			exact, err := decimal(row.sums[c.column])
			if err != nil {
				return false
			}
			if value, err = expr.Coerce(exact, column.Type); err != nil {
				return false
			}
		}
		if !c.meets(value, column.Type) {
			return false
		}
	}
	return true
}

// meets decides for nulls: only eq and neq with null know them.
func (c *condition) meets(value expr.Value, typ ir.SQLType) bool {
	switch {
	case c.null && c.op == "eq":
		return value.IsNull()
	case c.null && c.op == "neq":
		return !value.IsNull()
	default:
		return !c.null && !value.IsNull() && c.holds(value, typ)
	}
}

func (c *condition) holds(value expr.Value, typ ir.SQLType) bool {
	equals := func(item expr.Value) bool { return !item.IsNull() && expr.Order(item, value) == 0 }
	switch c.op {
	case "in":
		return slices.ContainsFunc(c.list, equals)
	case "nin":
		return !slices.ContainsFunc(c.list, equals) && !slices.ContainsFunc(c.list, expr.Value.IsNull)
	case "like", "ilike":
		return c.pattern.MatchString(expr.SQLText(value, typ))
	}
	order := expr.Order(value, c.value)
	switch c.op {
	case "eq":
		return order == 0
	case "neq":
		return order != 0
	case "gt":
		return order > 0
	case "gte":
		return order >= 0
	case "lt":
		return order < 0
	default:
		return order <= 0
	}
}
