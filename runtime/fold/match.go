package fold

import (
	"strings"
	"unicode/utf8"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

func knownMatch(op string) bool {
	switch op {
	case "eq", "neq", "gt", "gte", "lt", "lte", "in", "nin", "like", "ilike":
		return true
	default:
		return false
	}
}

// coerceMatch turns the value of a condition into what rows are compared with. Patterns stay text, whatever the column.
func coerceMatch(op string, value expr.Value, typ ir.SQLType) (expr.Value, error) {
	switch op {
	case "in", "nin":
		return coerceList(value, typ)
	case "like", "ilike":
		pattern, err := expr.Coerce(value, ir.SQLType{Name: ir.Text})
		if err != nil {
			return expr.Value{}, err
		}
		if text, _ := pattern.AsString(); danglingEscape(text) {
			return expr.Value{}, &expr.EvalError{Code: expr.CodeFormat, Message: "a pattern must not end with its escape character"}
		}
		return pattern, nil
	default:
		return expr.Coerce(value, typ)
	}
}

func coerceList(list expr.Value, typ ir.SQLType) (expr.Value, error) {
	if list.IsNull() {
		return list, nil
	}
	if list.Kind() != expr.KindArray {
		return expr.Value{}, &expr.EvalError{Code: expr.CodeType, Message: "in and nin take a list, not " + list.Kind().String()}
	}
	items := make([]expr.Value, 0, list.Len())
	for item := range list.Items() {
		cell, err := expr.Coerce(item, typ)
		if err != nil {
			return expr.Value{}, err
		}
		items = append(items, cell)
	}
	return expr.Array(items), nil
}

// Matches reports whether a bulk update of an ordered table is meant for a row: it is visible and all conditions hold.
// They compare as queries do: eq with null holds where the column is null, and neq with null where it is not. Otherwise,
// where the column or the value is null, no operator holds, neq and nin included; nor does nin where the list has a null.
// Text is compared by code points. like and ilike are for text: they see any other
// column's value as Postgres prints it.
func (t *Table) Matches(key []expr.Value, row *Row, w *Write) bool {
	if !row.Visible() {
		return false
	}
	for i := range w.Bulk {
		m := &w.Bulk[i]
		if !m.holds(t.value(key, row, m.Column), t.Columns[m.Column].Type) {
			return false
		}
	}
	return true
}

func (m *Match) holds(cell expr.Value, typ ir.SQLType) bool {
	switch {
	case m.Value.IsNull() && m.Op == "eq":
		return cell.IsNull()
	case m.Value.IsNull() && m.Op == "neq":
		return !cell.IsNull()
	case cell.IsNull(), m.Value.IsNull():
		return false
	}
	switch m.Op {
	case "in":
		return m.listed(cell)
	case "nin":
		return !m.listed(cell) && !listsNull(m.Value)
	case "like":
		return like(expr.SQLText(cell, typ), m.Value.Text())
	case "ilike":
		return like(strings.ToLower(expr.SQLText(cell, typ)), strings.ToLower(m.Value.Text()))
	default:
		return ordered(m.Op, expr.Order(cell, m.Value))
	}
}

func ordered(op string, c int) bool {
	switch op {
	case "eq":
		return c == 0
	case "neq":
		return c != 0
	case "gt":
		return c > 0
	case "gte":
		return c >= 0
	case "lt":
		return c < 0
	case "lte":
		return c <= 0
	default:
		return false
	}
}

func (m *Match) listed(cell expr.Value) bool {
	for item := range m.Value.Items() {
		if cell.Equal(item) {
			return true
		}
	}
	return false
}

func listsNull(list expr.Value) bool {
	for item := range list.Items() {
		if item.IsNull() {
			return true
		}
	}
	return false
}

func danglingEscape(pattern string) bool {
	trailing := len(pattern) - len(strings.TrimRight(pattern, `\`))
	return trailing%2 == 1
}

// like reports whether text matches a pattern of SQL's LIKE: % is any text, _ one character, \ takes the next character
// literally. It goes back only to the last %, so its time is at most the product of the lengths.
func like(text, pattern string) bool {
	retryText, retryPattern := "", ""
	retry := false
	for text != "" || pattern != "" {
		if strings.HasPrefix(pattern, "%") {
			pattern = pattern[1:]
			retryText, retryPattern, retry = text, pattern, true
			continue
		}
		if n, m, ok := likeOne(text, pattern); ok {
			text, pattern = text[n:], pattern[m:]
			continue
		}
		if !retry || retryText == "" {
			return false
		}
		_, size := utf8.DecodeRuneInString(retryText)
		retryText = retryText[size:]
		text, pattern = retryText, retryPattern
	}
	return true
}

// likeOne matches the first character of text with the first element of the pattern, which is not %.
func likeOne(text, pattern string) (textLen, patternLen int, ok bool) {
	if text == "" || pattern == "" {
		return 0, 0, false
	}
	_, size := utf8.DecodeRuneInString(text)
	if pattern[0] == '_' {
		return size, 1, true
	}
	escape := 0
	if pattern[0] == '\\' {
		escape = 1
	}
	if !strings.HasPrefix(pattern[escape:], text[:size]) {
		return 0, 0, false
	}
	return size, escape + size, true
}
