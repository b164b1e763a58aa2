package fold

import (
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// Apply folds one write into a row of an ordered table, in place; the caller applies writes one by one in the order of
// its commits. A key without a row has NewRow. Of a bulk update it is the effect on one row, which Matches has chosen.
//
//   - A write older than the row's delete does nothing; a cell keeps the value of a later write.
//   - Update, soft_delete and bulk_update do nothing to an invisible row.
//   - A delete restarts the sums, unless the row was created again in the meantime: a sum cannot be split.
//
// The error is a *SumError; the row is unchanged then.
func (t *Table) Apply(row *Row, w *Write, o Order) error {
	if !o.After(row.Deleted) {
		return nil
	}
	if w.Op == ir.Delete {
		row.Deleted = o
		if !row.Visible() {
			row.Sums = t.NewRow().Sums
		}
		return nil
	}
	creates := w.Op == ir.Upsert || w.Op == ir.Replace
	if !creates && !row.Visible() {
		return nil
	}
	if err := t.applySums(row, w.Sums); err != nil {
		return err
	}
	if creates {
		row.create(t, o)
	}
	row.write(w.Cells, o)
	return nil
}

func (t *Table) applySums(row *Row, sums []SumWrite) error {
	if len(sums) == 0 {
		return nil
	}
	changed := append([]expr.Value(nil), row.Sums...)
	for i := range sums {
		w := &sums[i]
		sum := w.By
		if !w.Set {
			sum = addExact(changed[w.Column], w.By)
		}
		sum = clamp(sum, w.Floor, w.Ceil)
		if err := t.checkSum(w.Column, sum); err != nil {
			return err
		}
		changed[w.Column] = sum
	}
	row.Sums = changed
	return nil
}

// clamp raises a number to floor, then lowers it to ceil; so ceil wins where the two contradict each other.
func clamp(n expr.Value, floor, ceil *expr.Value) expr.Value {
	if n.IsNull() {
		return n
	}
	if floor != nil && expr.Order(n, *floor) < 0 {
		n = *floor
	}
	if ceil != nil && expr.Order(n, *ceil) > 0 {
		n = *ceil
	}
	return n
}
