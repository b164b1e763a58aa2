package fold_test

import (
	"errors"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/fold"
)

// step is a write at a clock.
type step struct {
	at int64
	w  fold.Write
}

func upsert(cells ...fold.CellWrite) fold.Write { return fold.Write{Op: ir.Upsert, Cells: cells} }

func update(cells ...fold.CellWrite) fold.Write { return fold.Write{Op: ir.Update, Cells: cells} }

func name(s string) fold.CellWrite { return fold.CellWrite{Column: nameSlot, Value: expr.String(s)} }

var remove = fold.Write{Op: ir.Delete}

func add(n int64) fold.Write {
	return fold.Write{Op: ir.Upsert, Sums: []fold.SumWrite{{Column: countSlot, By: expr.Int(n)}}}
}

func clamped(set bool, by int64, floor, ceil *int64) fold.Write {
	s := fold.SumWrite{Column: countSlot, Set: set, By: expr.Int(by)}
	if floor != nil {
		v := expr.Int(*floor)
		s.Floor = &v
	}
	if ceil != nil {
		v := expr.Int(*ceil)
		s.Ceil = &v
	}
	return fold.Write{Op: ir.Upsert, Sums: []fold.SumWrite{s}}
}

// show prints what a reader sees of a stock row: name, level and count.
func show(t *fold.Table, row *fold.Row) string {
	values, visible := t.View([]expr.Value{expr.Int(1)}, row)
	if !visible {
		return "no row"
	}
	text := func(column string) string {
		if v := values[t.ColumnIndex(column)]; !v.IsNull() {
			return v.Text()
		}
		return "NULL"
	}
	return text("name") + " " + text("level") + " " + text("count")
}

func stockTable(t *testing.T, class ir.Class) *fold.Table {
	t.Helper()
	return compile(t, oneHandler(stock(class), ir.Handler{Op: ir.Upsert})).Tables[0]
}

func TestApplyInOrderOfCommits(t *testing.T) {
	two, nine := int64(2), int64(9)
	for _, test := range []struct {
		what, want string
		steps      []step
	}{
		{"nothing was written", "no row", nil},
		{"a created row has defaults", "NULL 0 0", []step{{1, upsert()}}},
		{"the later write wins", "b 0 0", []step{{1, upsert(name("a"))}, {2, upsert(name("b"))}}},
		{"an older write of the column is dropped", "b 0 0", []step{{2, upsert(name("b"))}, {1, upsert(name("a"))}}},
		{"null is a value", "NULL 0 0", []step{{1, upsert(name("a"))}, {2, upsert(fold.CellWrite{Column: nameSlot, Value: expr.Null()})}}},
		{"a delete", "no row", []step{{1, upsert(name("a"))}, {2, remove}}},
		{"a write older than the delete is dropped", "no row", []step{{2, remove}, {1, upsert(name("a"))}}},
		{"a sum older than the delete is dropped", "NULL 0 1", []step{{2, remove}, {1, add(5)}, {3, add(1)}}},
		{"nothing survives a delete", "NULL 0 2", []step{{1, upsert(name("a"))}, {1, add(7)}, {2, remove}, {3, add(2)}}},
		{"a late delete takes what is older", "b 0 0", []step{{3, upsert(name("b"))}, {2, remove}}},
		{"a late delete hides older cells", "NULL 0 3", []step{{1, upsert(name("a"))}, {3, add(3)}, {2, remove}}},
		{"an update without a row", "no row", []step{{1, update(name("a"))}}},
		{"an update before its row is lost", "NULL 0 0", []step{{1, update(name("a"))}, {2, upsert()}}},
		{"an update of a row", "b 0 0", []step{{1, upsert(name("a"))}, {2, update(name("b"))}}},
		{"an update of a deleted row", "NULL 0 0", []step{{1, upsert(name("a"))}, {2, remove}, {3, update(name("b"))}, {4, upsert()}}},
		{"an aggregate beside an update without a row", "NULL 0 0", []step{
			{1, fold.Write{Op: ir.Update, Sums: add(4).Sums}}, {2, upsert()}}},
		{"an aggregate beside an update", "NULL 0 4", []step{{1, upsert()}, {2, fold.Write{Op: ir.Update, Sums: add(4).Sums}}}},
		{"a soft delete keeps the row", "gone 0 0", []step{{1, upsert(name("a"))}, {2, fold.Write{Op: ir.SoftDelete, Cells: []fold.CellWrite{name("gone")}}}}},
		{"floor", "NULL 0 3", []step{{1, add(4)}, {2, clamped(false, -9, &two, nil)}, {3, add(1)}}},
		{"ceil", "NULL 0 8", []step{{1, clamped(false, 50, nil, &nine)}, {2, add(-1)}}},
		{"ceil wins over floor", "NULL 0 2", []step{{1, clamped(false, 5, &nine, &two)}}},
		{"set", "NULL 0 8", []step{{1, add(4)}, {2, clamped(true, 7, nil, nil)}, {3, add(1)}}},
		{"set and ceil", "NULL 0 2", []step{{1, clamped(true, 7, nil, &two)}}},
		{"sums add whatever their order", "NULL 0 5", []step{{3, add(4)}, {1, add(1)}}},
	} {
		t.Run(test.what, func(t *testing.T) {
			table := stockTable(t, ir.Ordered)
			row := table.NewRow()
			for i := range test.steps {
				s := &test.steps[i]
				if err := table.Apply(&row, &s.w, fold.MakeOrder(s.at, 0, int64(i), 0)); err != nil {
					t.Fatal(err)
				}
			}
			if got := show(table, &row); got != test.want {
				t.Errorf("the row is %q, want %q", got, test.want)
			}
		})
	}
}

func TestApplyRefusesASumBeyondItsColumn(t *testing.T) {
	table := stockTable(t, ir.Ordered)
	row := table.NewRow()
	first, over, back := add(32000), add(1000), add(-1)
	first.Cells = []fold.CellWrite{name("a")}
	over.Cells = []fold.CellWrite{name("b")}
	over.Sums = append([]fold.SumWrite{{Column: weightSlot, By: expr.Int(1)}}, over.Sums...)
	if err := table.Apply(&row, &first, fold.MakeOrder(1, 0, 0, 0)); err != nil {
		t.Fatal(err)
	}
	err := table.Apply(&row, &over, fold.MakeOrder(2, 0, 1, 0))
	wantSumError(t, err, "count")
	if got := show(table, &row); got != "a 0 32000" {
		t.Errorf("after the error the row is %q", got)
	}
	if !row.Sums[weightSlot].Equal(expr.Int(0)) {
		t.Error("after the error another sum has changed")
	}
	if err := table.Apply(&row, &back, fold.MakeOrder(3, 0, 2, 0)); err != nil || show(table, &row) != "a 0 31999" {
		t.Errorf("error %v, row %q", err, show(table, &row))
	}
}

func wantSumError(t *testing.T, err error, column string) {
	t.Helper()
	var sum *fold.SumError
	var cause *expr.EvalError
	if !errors.As(err, &sum) || !errors.As(err, &cause) || sum.Column != column || cause.Code != expr.CodeRange {
		t.Fatalf("error %v, want a SumError of %s for its range", err, column)
	}
}

func TestMergedSumsAreChecked(t *testing.T) {
	table := stockTable(t, ir.Convergent)
	row := table.NewRow()
	for i, by := range []string{"9223372036854775807", "9223372036854775807", "-9223372036854775807", "-9223372036854775800"} {
		n, err := expr.ParseNumber(by)
		if err != nil {
			t.Fatal(err)
		}
		w := fold.Write{Op: ir.Upsert, Sums: []fold.SumWrite{{Column: countSlot, By: n}}}
		table.Absorb(&row, &w, fold.MakeOrder(1, 0, int64(i), 0))
		if i == 1 {
			wantSumError(t, table.CheckSums(&row), "count")
		}
	}
	if err := table.CheckSums(&row); err != nil || show(table, &row) != "NULL 0 7" {
		t.Errorf("error %v, row %q: a sum of 64-bit numbers is not exact", err, show(table, &row))
	}
	const parts = "9e999"
	n, err := expr.ParseNumber(parts)
	if err != nil {
		t.Fatal(err)
	}
	huge := fold.Write{Op: ir.Upsert, Sums: []fold.SumWrite{{Column: weightSlot, By: n}}}
	table.Absorb(&row, &huge, fold.MakeOrder(2, 0, 0, 0))
	table.Absorb(&row, &huge, fold.MakeOrder(3, 0, 0, 0))
	wantSumError(t, table.CheckSums(&row), "weight")
}

func TestUpdatesWaitForTheirRow(t *testing.T) {
	for _, test := range []struct {
		what, want string
		steps      []step
	}{
		{"an update that arrives before its row", "b 0 0", []step{{2, update(name("b"))}, {1, upsert(name("a"))}}},
		{"an update older than the row", "NULL 0 0", []step{{2, upsert()}, {1, update(name("a"))}}},
		{"an update older than a newer creation", "a 0 0", []step{{3, upsert()}, {2, update(name("a"))}, {1, upsert()}}},
		{"an update without a row", "no row", []step{{2, update(name("b"))}}},
	} {
		table := stockTable(t, ir.Convergent)
		row := table.NewRow()
		for i := range test.steps {
			table.Absorb(&row, &test.steps[i].w, fold.MakeOrder(test.steps[i].at, 0, 0, 0))
		}
		if got := show(table, &row); got != test.want {
			t.Errorf("%s: the row is %q, want %q", test.what, got, test.want)
		}
	}
}

func TestOrderOfOrders(t *testing.T) {
	var list []fold.Order
	for _, clock := range []int64{-5, 1, 1 << 40} {
		for _, partition := range []int32{0, 1, 300} {
			for _, offset := range []int64{0, 255, 1 << 33} {
				for _, ordinal := range []int{0, 7, 1000} {
					list = append(list, fold.MakeOrder(clock, partition, offset, ordinal))
				}
			}
		}
	}
	for i := range list {
		if list[i].IsZero() || !list[i].After(fold.Order{}) {
			t.Fatalf("order %d is not after never", i)
		}
		for j := range list {
			if list[i].After(list[j]) != (i > j) {
				t.Fatalf("orders %d and %d compare wrongly", i, j)
			}
		}
	}
}
