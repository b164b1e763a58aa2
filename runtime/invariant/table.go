package invariant

import (
	"strings"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/oracle"
)

// compare holds a table's visible rows to the oracle's. A difference breaks I1, and what it is about besides: a counter I4,
// a value that another order of arrival would give I5, a row that was deleted I6, an event that left no trace I3.
func (gc *groupCheck) compare(t *ir.Table, want, got [][]expr.Value) {
	place := "table " + t.Name
	wanted := rowsByKey(t, want)
	for key, row := range rowsByKey(t, got) {
		truth, found := wanted[key]
		delete(wanted, key)
		if !found {
			gc.broken("I1", place, "there should be no row %s", oracle.RowText(t, row))
			if t.Deletes {
				gc.broken("I6", place, "the row %s came back", oracle.RowText(t, row))
			} else {
				gc.broken("I3", place, "no event of the log made the row %s", oracle.RowText(t, row))
			}
			continue
		}
		gc.compareRow(t, place, truth, row)
	}
	for _, row := range wanted {
		gc.broken("I1", place, "the row %s is missing", oracle.RowText(t, row))
		gc.broken("I3", place, "what made the row %s is lost", oracle.RowText(t, row))
	}
}

func (gc *groupCheck) compareRow(t *ir.Table, place string, want, got []expr.Value) {
	for i := range t.Columns {
		if expr.Order(want[i], got[i]) == 0 {
			continue
		}
		gc.broken("I1", place, "%s is wrong in %s; want %s", t.Columns[i].Name, oracle.RowText(t, got), oracle.RowText(t, want))
		switch {
		case t.Columns[i].Role == ir.RoleSum:
			gc.broken("I4", place, "%s is wrong in %s; want %s", t.Columns[i].Name, oracle.RowText(t, got), oracle.RowText(t, want))
		case t.Class == ir.Convergent:
			gc.broken("I5", place, "%s is not the newest in %s; want %s", t.Columns[i].Name, oracle.RowText(t, got), oracle.RowText(t, want))
		}
	}
}

func rowsByKey(t *ir.Table, rows [][]expr.Value) map[string][]expr.Value {
	isKey := map[string]bool{}
	for _, name := range t.Key {
		isKey[name] = true
	}
	byKey := make(map[string][]expr.Value, len(rows))
	for _, row := range rows {
		var key strings.Builder
		for i, v := range row {
			if isKey[t.Columns[i].Name] {
				key.WriteString(expr.SQLText(v, t.Columns[i].Type))
				key.WriteByte(0)
			}
		}
		byKey[key.String()] = row
	}
	return byKey
}
