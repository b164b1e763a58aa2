package fold

import (
	"fmt"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// NewRow returns the row of a key that nothing has written yet: invisible, no orders, sums of 0.
func (t *Table) NewRow() Row {
	row := Row{}
	if len(t.Plain) > 0 {
		row.Plain = make([]Cell, len(t.Plain))
	}
	if len(t.Sums) > 0 {
		row.Sums = make([]expr.Value, len(t.Sums))
		for i := range row.Sums {
			row.Sums[i] = expr.Int(0)
		}
	}
	return row
}

// NewRows returns so many rows of NewRow at the price of a few allocations.
func (t *Table) NewRows(n int) []Row {
	rows, cells, sums := make([]Row, n), make([]Cell, n*len(t.Plain)), make([]expr.Value, n*len(t.Sums))
	for i := range sums {
		sums[i] = expr.Int(0)
	}
	for i := range rows {
		p, s := i*len(t.Plain), i*len(t.Sums)
		rows[i].Plain = cells[p : p+len(t.Plain) : p+len(t.Plain)]
		rows[i].Sums = sums[s : s+len(t.Sums) : s+len(t.Sums)]
	}
	return rows
}

// Clone returns a copy that shares nothing that Apply or Absorb change.
func (r Row) Clone() Row {
	r.Plain = append([]Cell(nil), r.Plain...)
	r.Sums = append([]expr.Value(nil), r.Sums...)
	return r
}

// Delta returns a single write to a convergent table as the row that it alone gives.
func (t *Table) Delta(w *Write, o Order) Row {
	row := t.NewRow()
	t.Absorb(&row, w, o)
	return row
}

// Absorb merges a write into a row of a convergent table, in place: row becomes Merge(row, Delta(w, o)). The order in
// which writes are absorbed does not matter, but each must be absorbed once, since sums add.
func (t *Table) Absorb(row *Row, w *Write, o Order) {
	switch w.Op {
	case ir.Delete:
		row.Deleted = latest(row.Deleted, o)
		return
	case ir.Upsert, ir.Replace:
		row.create(t, o)
	}
	row.write(w.Cells, o)
	for i := range w.Sums {
		sum := &row.Sums[w.Sums[i].Column]
		*sum = addExact(*sum, w.Sums[i].By)
	}
}

// create notes a creating write.
func (r *Row) create(t *Table, o Order) {
	r.Created = latest(r.Created, o)
	if t.Updates {
		r.First = earliest(r.First, o)
	}
}

// write gives each cell its value unless a later write did.
func (r *Row) write(cells []CellWrite, o Order) {
	for i := range cells {
		if cell := &r.Plain[cells[i].Column]; o.After(cell.Order) {
			cell.Value, cell.Order = cells[i].Value, o
		}
	}
}

// Merge returns the row that all writes of a and of b together give in a convergent table. It is commutative and
// associative, the row of NewRow is its neutral element, and it is idempotent but for the sums, which add.
func (t *Table) Merge(a, b Row) Row {
	merged := a.Clone()
	merged.Created = latest(a.Created, b.Created)
	merged.First = earliest(a.First, b.First)
	merged.Deleted = latest(a.Deleted, b.Deleted)
	for i := range merged.Plain {
		if b.Plain[i].Order.After(merged.Plain[i].Order) {
			merged.Plain[i] = b.Plain[i]
		}
	}
	for i := range merged.Sums {
		merged.Sums[i] = addExact(merged.Sums[i], b.Sums[i])
	}
	return merged
}

// Newest returns the order of the newest write that the row knows of.
func (r *Row) Newest() Order {
	newest := latest(r.Created, r.Deleted)
	for i := range r.Plain {
		newest = latest(newest, r.Plain[i].Order)
	}
	return newest
}

func latest(o, p Order) Order {
	if p.After(o) {
		return p
	}
	return o
}

// earliest returns the smaller order; a zero order is none.
func earliest(o, p Order) Order {
	if o.IsZero() || (!p.IsZero() && o.After(p)) {
		return p
	}
	return o
}

// addExact returns the exact sum of two numbers. Beyond the digits that a number can have it is null, and stays null;
// CheckSums reports it.
func addExact(a, b expr.Value) expr.Value {
	if a.IsNull() || b.IsNull() {
		return expr.Null()
	}
	sum, err := expr.Add(a, b)
	if err != nil {
		if sum, err = expr.Add(a.ToDecimal(), b.ToDecimal()); err != nil {
			return expr.Null()
		}
	}
	return sum
}

// Visible reports whether the row is live: its newest creation is after its delete.
func (r *Row) Visible() bool { return r.Created.After(r.Deleted) }

// View returns what a reader sees: the values by Table.Columns, and whether the row is there at all. Every value is of
// its column's type; a sum that does not fit it, which CheckSums refuses, is null.
func (t *Table) View(key []expr.Value, row *Row) (values []expr.Value, visible bool) {
	if !row.Visible() {
		return nil, false
	}
	values = make([]expr.Value, len(t.Columns))
	for i := range t.Columns {
		values[i] = t.value(key, row, i)
	}
	return values, true
}

// value returns the visible value of the column with that index, for a visible row.
func (t *Table) value(key []expr.Value, row *Row, index int) expr.Value {
	c := &t.Columns[index]
	switch c.Role {
	case ir.RoleKey:
		return key[c.Slot]
	case ir.RoleSum:
		value, err := expr.Coerce(row.Sums[c.Slot], c.Type)
		if err != nil {
			return expr.Null()
		}
		return value
	default:
		cell := &row.Plain[c.Slot]
		if !cell.Order.After(row.Deleted) || (c.Hidden && row.First.After(cell.Order)) {
			return c.Default
		}
		return cell.Value
	}
}

// SumError says that an aggregate column does not hold the sum that it should: it is beyond the column's type.
type SumError struct {
	Table  string
	Column string
	Err    error
}

// Error names the column.
func (e *SumError) Error() string {
	return fmt.Sprintf("aggregate %s.%s: %s", e.Table, e.Column, e.Err)
}

// Unwrap returns the cause.
func (e *SumError) Unwrap() error { return e.Err }

// CheckSums returns a *SumError if a sum does not fit its column's type. A store calls it on every row that a batch has
// merged; Apply does it by itself.
func (t *Table) CheckSums(row *Row) error {
	for i, sum := range row.Sums {
		if err := t.checkSum(i, sum); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) checkSum(slot int, sum expr.Value) error {
	c := &t.Columns[t.Sums[slot]]
	if err := c.holds(sum); err != nil {
		return &SumError{t.Name, c.Name, err}
	}
	return nil
}

// holds returns an error unless an aggregate column can show the number.
func (c *Column) holds(sum expr.Value) error {
	if sum.IsNull() {
		return &expr.EvalError{Code: expr.CodeRange, Message: "the sum has too many digits"}
	}
	if _, err := expr.Coerce(sum, c.Type); err != nil {
		return err
	}
	if c.bounds == nil || expr.Order(sum, expr.Int(0)) == 0 {
		return nil
	}
	size := sum
	if expr.Order(sum, expr.Int(0)) < 0 {
		negated, err := expr.Neg(sum.ToDecimal())
		if err != nil {
			return err
		}
		size = negated
	}
	if expr.Order(size, c.bounds[0]) < 0 || expr.Order(size, c.bounds[1]) > 0 {
		return &expr.EvalError{Code: expr.CodeRange, Message: "a " + string(c.Type.Name) + " column cannot show the sum: out of range"}
	}
	return nil
}
