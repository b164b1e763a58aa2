package sql

import (
	"fmt"

	"github.com/causetc/causetc/ir"
)

// TypeSQL prints a column type as DDL writes it, modifiers included.
func TypeSQL(t ir.SQLType) string {
	switch {
	case (t.Name == ir.Varchar || t.Name == ir.Char) && t.Length > 0:
		return fmt.Sprintf("%s(%d)", t.Name, t.Length)
	case t.Name == ir.Numeric && t.Precision > 0 && t.Scale != 0:
		return fmt.Sprintf("%s(%d, %d)", t.Name, t.Precision, t.Scale)
	case t.Name == ir.Numeric && t.Precision > 0:
		return fmt.Sprintf("%s(%d)", t.Name, t.Precision)
	default:
		return string(t.Name)
	}
}

// CastSQL prints a type for a cast of a value that is known to fit: without the modifiers, since a cast to them would
// cut or round silently, while storing into the column refuses.
func CastSQL(t ir.SQLType) string {
	switch t.Name {
	case ir.Varchar:
		return string(ir.Text)
	case ir.Char:
		return "BPCHAR"
	default:
		return string(t.Name)
	}
}

// catalogNames are the types as Postgres's catalog prints them, where that differs from the lower-case DDL name.
var catalogNames = map[ir.TypeName]string{
	ir.Varchar:     "character varying",
	ir.Char:        "character",
	ir.Timestamp:   "timestamp without time zone",
	ir.TimestampTZ: "timestamp with time zone",
}

// CatalogType prints a type as the function format_type of Postgres does.
func CatalogType(t ir.SQLType) string {
	base, ok := catalogNames[t.Name]
	if !ok {
		base = lowerASCII(string(t.Name))
	}
	switch {
	case t.Name == ir.Char:
		return fmt.Sprintf("%s(%d)", base, max(1, t.Length))
	case t.Name == ir.Varchar && t.Length > 0:
		return fmt.Sprintf("%s(%d)", base, t.Length)
	case t.Name == ir.Numeric && t.Precision > 0:
		return fmt.Sprintf("%s(%d,%d)", base, t.Precision, t.Scale)
	default:
		return base
	}
}

// physicalType is the type that a column has in the physical table. Sums of binary floats are kept exactly, since adding
// doubles depends on the order.
func physicalType(c *ir.Column) ir.SQLType {
	if c.Role == ir.RoleSum && isFloat(c.Type) {
		return ir.SQLType{Name: ir.Numeric}
	}
	return c.Type
}

func isFloat(t ir.SQLType) bool { return t.Name == ir.Real || t.Name == ir.Double }

func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
