package codegen

import (
	"fmt"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// columnType reads a column's declared type, aliases included.
func columnType(f *spec.Column) (ir.SQLType, string) {
	if f.Type == nil {
		return ir.SQLType{Name: ir.Text}, ""
	}
	t := ir.SQLType{Name: typeName(f.TypeName)}
	if len(f.Mods) > 2 || len(f.Mods) == 2 && t.Name != ir.Numeric {
		return t, fmt.Sprintf("%s can't have %d modifiers", f.Type.Value, len(f.Mods))
	}
	for i, mod := range f.Mods {
		if mod < 0 || mod > 1<<30 || i == 0 && mod == 0 {
			return t, fmt.Sprintf("%d is no modifier of %s", mod, f.TypeName)
		}
		switch {
		case t.Name != ir.Numeric:
			t.Length = int(mod)
		case i == 0:
			t.Precision = int(mod)
		default:
			t.Scale = int(mod)
		}
	}
	return t, t.Problem()
}

// typeName resolves the aliases of the language.
func typeName(name string) ir.TypeName {
	switch name {
	case "TINYINT":
		return ir.SmallInt
	case "INT", "SERIAL":
		return ir.Integer
	case "FLOAT", "DOUBLE":
		return ir.Double
	case "DECIMAL":
		return ir.Numeric
	}
	return ir.TypeName(name)
}

// fieldType is the column type for values of a payload field or an input.
func fieldType(t *spec.TypeRef) ir.SQLType {
	if t == nil {
		return ir.SQLType{Name: ir.Text}
	}
	switch t.Name {
	case "int", "integer":
		return ir.SQLType{Name: ir.BigInt}
	case "number", "decimal":
		return ir.SQLType{Name: ir.Numeric}
	case "float", "double":
		return ir.SQLType{Name: ir.Double}
	case "boolean", "bool":
		return ir.SQLType{Name: ir.Boolean}
	case "timestamp", "datetime":
		return ir.SQLType{Name: ir.TimestampTZ}
	case "date":
		return ir.SQLType{Name: ir.Date}
	case "uuid":
		return ir.SQLType{Name: ir.UUID}
	case "object", "array", "any", "json":
		return ir.SQLType{Name: ir.JSONB}
	}
	return ir.SQLType{Name: ir.Text}
}
