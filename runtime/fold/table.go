package fold

import (
	"errors"
	"fmt"
	"slices"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// Table is a compiled read table. It is immutable.
type Table struct {
	Name    string
	Class   ir.Class
	Columns []Column
	Key     []int   // the primary key's columns in order, as indexes into Columns
	Plain   []int   // last-write-wins columns, as indexes into Columns
	Sums    []int   // aggregate columns, as indexes into Columns
	Unique  [][]int // unique secondary indexes, as indexes into Columns; they cover visible rows
	Deletes bool    // a handler deletes rows
	Updates bool    // a handler updates existing rows only: Row.First is kept
}

// Column is a compiled column.
type Column struct {
	Name    string
	Type    ir.SQLType
	Role    ir.Role
	Slot    int        // index into Table.Key, Table.Plain or Table.Sums, as Role says
	Default expr.Value // of a plain column, coerced to Type; null where the table has none
	// KeepOnReplace marks a plain column that a replace leaves alone.
	KeepOnReplace bool
	// Hidden marks a plain column whose value shows only from the row's first creation on.
	Hidden bool

	bounds *[2]expr.Value // of an aggregate that is shown as a binary float: see floatBounds
}

// Ordered reports whether the table's rows are folded write by write by Apply; otherwise they are merged.
func (t *Table) Ordered() bool { return t.Class == ir.Ordered }

// ColumnIndex returns the index of the named column in Columns, or -1.
func (t *Table) ColumnIndex(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
}

func compileTable(src *ir.Table) (*Table, error) {
	t := &Table{Name: src.Name, Class: src.Class, Deletes: src.Deletes, Updates: src.Updates}
	if src.Class != ir.Convergent && src.Class != ir.Ordered {
		return nil, fmt.Errorf("unknown class %q", src.Class)
	}
	for i := range src.Columns {
		if err := t.addColumn(&src.Columns[i]); err != nil {
			return nil, fmt.Errorf("column %s: %w", src.Columns[i].Name, err)
		}
	}
	if err := t.setKey(src.Key); err != nil {
		return nil, err
	}
	return t, t.setUnique(src.Indexes)
}

func (t *Table) addColumn(src *ir.Column) error {
	if src.Name == "" || t.ColumnIndex(src.Name) >= 0 {
		return errors.New("no name, or declared twice")
	}
	if problem := src.Type.Problem(); problem != "" {
		return errors.New(problem)
	}
	c := Column{Name: src.Name, Type: src.Type, Role: src.Role, Default: expr.Null(),
		KeepOnReplace: src.KeepOnReplace, Hidden: src.Hidden}
	index := len(t.Columns)
	switch src.Role {
	case ir.RoleKey:
	case ir.RolePlain:
		value, err := parseDefault(src.Default, src.Type)
		if err != nil {
			return fmt.Errorf("default: %w", err)
		}
		c.Default, c.Slot = value, len(t.Plain)
		t.Plain = append(t.Plain, index)
	case ir.RoleSum:
		if !src.Type.IsNumber() {
			return fmt.Errorf("an aggregate of type %s", src.Type.Name)
		}
		c.Slot, c.bounds = len(t.Sums), floatBounds(src.Type.Name)
		t.Sums = append(t.Sums, index)
	default:
		return fmt.Errorf("unknown role %q", src.Role)
	}
	t.Columns = append(t.Columns, c)
	return nil
}

// floatBounds returns the absolute values between which Postgres casts a NUMERIC that is not 0 to the binary type without
// an error; nil for every other type.
func floatBounds(name ir.TypeName) *[2]expr.Value {
	var least, most string
	switch name {
	case ir.Double:
		least, most = "1e-307", "1.7976931348623157e308"
	case ir.Real:
		least, most = "1e-37", "3.4028234e38"
	default:
		return nil
	}
	a, _ := expr.ParseDecimal(least)
	b, _ := expr.ParseDecimal(most)
	return &[2]expr.Value{a, b}
}

// parseDefault reads the text of a default; there is none where it is empty.
func parseDefault(text string, typ ir.SQLType) (expr.Value, error) {
	if text == "" {
		return expr.Null(), nil
	}
	return expr.Coerce(expr.String(text), typ)
}

func (t *Table) setKey(names []string) error {
	if len(names) == 0 {
		return errors.New("no primary key")
	}
	for _, name := range names {
		index := t.ColumnIndex(name)
		if index < 0 || t.Columns[index].Role != ir.RoleKey || slices.Contains(t.Key, index) {
			return fmt.Errorf("%s is not a column of the primary key, or stands in it twice", name)
		}
		t.Columns[index].Slot = len(t.Key)
		t.Key = append(t.Key, index)
	}
	if keys := len(t.Columns) - len(t.Plain) - len(t.Sums); keys != len(t.Key) {
		return fmt.Errorf("the primary key lists %d of %d key columns", len(t.Key), keys)
	}
	return nil
}

func (t *Table) setUnique(indexes []ir.Index) error {
	for _, index := range indexes {
		var columns []int
		for _, name := range index.Columns {
			column := t.ColumnIndex(name)
			if column < 0 {
				return fmt.Errorf("index over the unknown column %s", name)
			}
			columns = append(columns, column)
		}
		if index.Unique {
			t.Unique = append(t.Unique, columns)
		}
	}
	if len(t.Unique) > 0 && !t.Ordered() {
		return errors.New("a convergent table with a unique secondary index")
	}
	return nil
}
