package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// Diff describes the first difference between two contents of a table, or is empty.
func Diff(t *ir.Table, want, got [][]expr.Value) string {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(want):
			return fmt.Sprintf("table %s: unexpected row %s", t.Name, RowText(t, got[i]))
		case i >= len(got):
			return fmt.Sprintf("table %s: missing row %s", t.Name, RowText(t, want[i]))
		case !slices.EqualFunc(want[i], got[i], equal):
			return fmt.Sprintf("table %s: row %d\nwant %s\ngot  %s", t.Name, i, RowText(t, want[i]), RowText(t, got[i]))
		}
	}
	return ""
}

func equal(a, b expr.Value) bool { return !a.IsMissing() && !b.IsMissing() && expr.Order(a, b) == 0 }

// RowText prints a row for messages.
func RowText(t *ir.Table, row []expr.Value) string {
	cells := make([]string, len(row))
	for i, v := range row {
		text := "NULL"
		if !v.IsNull() {
			text = expr.SQLText(v, t.Columns[i].Type)
		}
		cells[i] = t.Columns[i].Name + "=" + text
	}
	return "(" + strings.Join(cells, ", ") + ")"
}
