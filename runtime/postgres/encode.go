package postgres

import (
	"fmt"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/fold"
)

// keyedRow is a row with its key.
type keyedRow struct {
	id  string // fold.Write.KeyID
	key []expr.Value
	row fold.Row
}

// table is a table of a group with all that reading and writing its rows takes.
type table struct {
	fold       *fold.Table
	physical   *sql.Physical
	statements *statements
	dated      *datedPartitions
}

func newTable(t *fold.Table, p *sql.Physical, schema string) *table {
	return &table{fold: t, physical: p, statements: newStatements(p, schema), dated: newDatedPartitions(p)}
}

// arrays collects rows by column, for unnest.
type arrays []arrayColumn

// arrayColumn is the array of one column, as Postgres reads it.
type arrayColumn struct {
	array
	null   bool // only NULLs so far
	unread bool // nobody wants it: it stays empty
}

func newArrays(columns []column, rows int) arrays {
	a := make(arrays, len(columns))
	for i, c := range columns {
		a[i] = arrayColumn{array: newArray(c.cast != "", rows*usualItem), null: true}
	}
	return a
}

// usualItem is about how many bytes an item takes.
const usualItem = 16

// cell adds a value of the type to a column.
func (a arrays) cell(column int, v expr.Value, t ir.SQLType) {
	c := &a[column]
	if c.unread {
		return
	}
	if v.IsNull() {
		c.addNull()
		return
	}
	c.null = false
	c.begin()
	c.bytes = expr.AppendSQLText(c.bytes, v, t)
	c.end()
}

func (a arrays) order(column int, o []byte) {
	c := &a[column]
	if c.unread {
		return
	}
	if o == nil {
		c.addNull()
		return
	}
	c.null = false
	c.add(o)
}

// args are the arrays as parameters. One of NULLs alone is left empty: unnest fills it up.
func (a arrays) args() []any {
	args := make([]any, len(a))
	room := 0
	for i := len(a) - 1; i >= 0; i-- {
		if a[i].null {
			a[i].clear()
		}
		arg := a[i].arg()
		room += arg.room
		arg.room = room
		args[i] = arg
	}
	return args
}

// never is the order that no write has, as a column holds it.
var never = []byte{}

func orderBytes(o *fold.Order) []byte {
	if o.IsZero() {
		return never
	}
	return o[:]
}

// encodeKeys returns the arrays of the rows' keys.
func (t *table) encodeKeys(rows []*keyedRow) []any {
	a := newArrays(keyColumns(t.physical), len(rows))
	for _, r := range rows {
		t.addKey(a, r)
	}
	return a.args()
}

func (t *table) addKey(a arrays, r *keyedRow) int {
	for i, value := range r.key {
		a.cell(i, value, t.fold.Columns[t.fold.Key[i]].Type)
	}
	return len(r.key)
}

// encodeRows returns the arrays of whole rows, in the order of rowColumns. An error means that a sum has more digits than
// any column holds.
func (t *table) encodeRows(rows []*keyedRow) ([]any, error) {
	a := newArrays(rowColumns(t.physical), len(rows))
	if err := t.addRows(a, rows); err != nil {
		return nil, err
	}
	return a.args(), nil
}

func (t *table) addRows(a arrays, rows []*keyedRow) error {
	for _, r := range rows {
		if err := t.addRow(a, r); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) addRow(a arrays, r *keyedRow) error {
	i := t.addKey(a, r)
	a.order(i, orderBytes(&r.row.Created))
	i++
	if t.physical.First != "" {
		if r.row.First.IsZero() {
			a.order(i, nil)
		} else {
			a.order(i, r.row.First[:])
		}
		i++
	}
	if t.physical.Deleted != "" {
		a.order(i, orderBytes(&r.row.Deleted))
		i++
	}
	for j := range r.row.Plain {
		t.addCell(a, i, j, &r.row)
		i += 2
	}
	for j, sum := range r.row.Sums {
		if sum.IsNull() {
			return &fold.SumError{Table: t.fold.Name, Column: t.fold.Columns[t.fold.Sums[j]].Name,
				Err: fmt.Errorf("the sum has too many digits")}
		}
		a.cell(i, sum, t.physical.Sums[j].Type)
		i++
	}
	return nil
}

// addCell adds a plain column and its order, reset where the row's delete is newer.
func (t *table) addCell(a arrays, column, slot int, row *fold.Row) {
	cell := &row.Plain[slot]
	switch {
	case cell.Order.IsZero() || !cell.Order.After(row.Deleted):
		c := &t.fold.Columns[t.fold.Plain[slot]]
		a.cell(column, c.Default, c.Type)
		if row.Created.IsZero() {
			a.order(column+1, nil)
		} else {
			a.order(column+1, never)
		}
	default:
		a.cell(column, cell.Value, t.physical.Plain[slot].Type)
		if cell.Order == row.Created {
			a.order(column+1, nil)
		} else {
			a.order(column+1, cell.Order[:])
		}
	}
}

// decodeKey reads the key columns of a row.
func (t *table) decodeKey(texts []pgtype.Text) ([]expr.Value, error) {
	key := make([]expr.Value, len(texts))
	for i, text := range texts {
		value, err := t.decodeText(t.fold.Columns[t.fold.Key[i]].Name, text, t.physical.Keys[i].Type)
		if err != nil {
			return nil, err
		}
		key[i] = value
	}
	return key, nil
}

// scanTargets is what one row is read into: the columns of rowColumns without the keys.
type scanTargets struct {
	created, first, deleted []byte
	values                  []pgtype.Text // of plain columns
	orders                  [][]byte      // of plain columns
	sums                    []pgtype.Text
}

func (t *table) newTargets() *scanTargets {
	return &scanTargets{values: make([]pgtype.Text, len(t.physical.Plain)), orders: make([][]byte, len(t.physical.Plain)),
		sums: make([]pgtype.Text, len(t.physical.Sums))}
}

// pointers lists where the columns go.
func (s *scanTargets) pointers(p *sql.Physical) []any {
	list := []any{&s.created}
	if p.First != "" {
		list = append(list, &s.first)
	}
	if p.Deleted != "" {
		list = append(list, &s.deleted)
	}
	for i := range s.values {
		list = append(list, &s.values[i], &s.orders[i])
	}
	for i := range s.sums {
		list = append(list, &s.sums[i])
	}
	return list
}

// decodeRow turns what was read into a row.
func (t *table) decodeRow(s *scanTargets) (fold.Row, error) {
	row := t.fold.NewRow()
	copy(row.Created[:], s.created)
	copy(row.First[:], s.first)
	copy(row.Deleted[:], s.deleted)
	for i := range s.values {
		cell := &row.Plain[i]
		if s.orders[i] == nil {
			cell.Order = row.Created
		} else {
			copy(cell.Order[:], s.orders[i])
		}
		if cell.Order.IsZero() {
			continue
		}
		value, err := t.decodeText(t.physical.Plain[i].Column.Name, s.values[i], t.physical.Plain[i].Type)
		if err != nil {
			return fold.Row{}, err
		}
		cell.Value = value
	}
	for i := range s.sums {
		value, err := t.decodeText(t.physical.Sums[i].Column.Name, s.sums[i], t.physical.Sums[i].Type)
		if err != nil {
			return fold.Row{}, err
		}
		row.Sums[i] = value
	}
	return row, nil
}

func (t *table) decodeText(column string, text pgtype.Text, typ ir.SQLType) (expr.Value, error) {
	if !text.Valid {
		return expr.Null(), nil
	}
	value, err := expr.FromSQLText(text.String, typ)
	if err != nil {
		return expr.Value{}, fmt.Errorf("table %s, column %s: %w", t.fold.Name, column, err)
	}
	return value, nil
}
