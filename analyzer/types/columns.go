package types

import (
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// Column is the declared type of a column.
type Column struct {
	SQL ir.SQLType
	At  *spec.Scalar // where it is declared
}

// Column returns the declared type of a table's column; false where no projection declares one that is usable.
func (in *Info) Column(t *symbols.TableInfo, name string) (Column, bool) {
	if t == nil {
		return Column{}, false
	}
	columns, ok := in.tables[t]
	if !ok {
		columns = map[string]Column{}
		for _, p := range t.Projections {
			for _, f := range p.Fields {
				if _, twice := columns[symbols.Text(f.Name)]; !twice && f.Type != nil {
					columns[symbols.Text(f.Name)] = Column{SQL: sqlType(f), At: f.Type}
				}
			}
		}
		in.tables[t] = columns
	}
	c, ok := columns[name]
	return c, ok && c.SQL.Problem() == ""
}

// sqlType reads a declared column type, aliases included.
func sqlType(f *spec.Column) ir.SQLType {
	t := ir.SQLType{Name: ir.TypeName(f.TypeName)}
	switch f.TypeName {
	case "TINYINT":
		t.Name = ir.SmallInt
	case "INT", "SERIAL":
		t.Name = ir.Integer
	case "FLOAT", "DOUBLE":
		t.Name = ir.Double
	case "DECIMAL":
		t.Name = ir.Numeric
	}
	for i, mod := range f.Mods {
		switch {
		case mod < 0 || mod > 1<<30:
		case t.Name != ir.Numeric:
			t.Length = int(mod)
		case i == 0:
			t.Precision = int(mod)
		default:
			t.Scale = int(mod)
		}
	}
	return t
}

// IsText reports whether a column holds texts.
func IsText(t ir.SQLType) bool { return t.Name == ir.Text || t.Name == ir.Varchar || t.Name == ir.Char }

// IsTime reports whether a column holds moments.
func IsTime(t ir.SQLType) bool {
	return t.Name == ir.Timestamp || t.Name == ir.TimestampTZ || t.Name == ir.Date
}

// IsInteger reports whether a column holds whole numbers.
func IsInteger(t ir.SQLType) bool {
	return t.Name == ir.SmallInt || t.Name == ir.Integer || t.Name == ir.BigInt
}

// IsJSON reports whether a column holds every value.
func IsJSON(t ir.SQLType) bool { return t.Name == ir.JSON || t.Name == ir.JSONB }

// Fit says how well values of a type fit a column.
type Fit uint8

// The fits.
const (
	Fits    Fit = iota // nothing is wrong, or nothing is known
	Unsure             // only a text that spells such a value fits
	Refused            // no value fits but null
)

// Fits says whether a column holds values of a type.
func (t Type) Fits(sql ir.SQLType) Fit {
	switch {
	case t.IsAny() || IsJSON(sql):
		return Fits
	case t.Kind == expr.TypeArray || t.Kind == expr.TypeObject:
		return Refused
	case IsText(sql):
		return Fits
	case t.Kind == expr.TypeString:
		return t.textFits(sql)
	case t.IsNumber():
		return refusedUnless(sql.IsNumber() || IsTime(sql))
	case t.Format == Moment:
		return refusedUnless(sql.IsNumber() || IsTime(sql))
	case t.Kind == expr.TypeBool:
		return refusedUnless(sql.Name == ir.Boolean)
	}
	return Fits
}

func refusedUnless(ok bool) Fit {
	if ok {
		return Fits
	}
	return Refused
}

// textFits says whether a column that holds no texts takes one. Money as a text is common, so NUMERIC is fine.
func (t Type) textFits(sql ir.SQLType) Fit {
	switch {
	case t.Format == UUID:
		return refusedUnless(sql.Name == ir.UUID)
	case IsInteger(sql) || sql.Name == ir.Boolean:
		return Unsure
	}
	return Fits
}

// Holds reports whether a column can hold a constant.
func Holds(v expr.Value, sql ir.SQLType) bool {
	if v.IsNull() {
		return true
	}
	_, err := expr.Coerce(v, sql)
	return err == nil
}
