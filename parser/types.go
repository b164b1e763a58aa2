package parser

import (
	"slices"
	"strconv"
	"strings"

	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// scalarTypes are the types of state fields, payload fields and inputs.
var scalarTypes = []string{
	"string", "number", "int", "integer", "decimal", "boolean", "bool", "array", "object", "any", "json", "timestamp",
	"datetime", "date", "uuid", "float", "double",
}

// aType is the type of a field.
var aType = kind[*spec.TypeRef]{
	schema: func(*schemaWriter) *schema {
		s := &schema{Enum: slices.Clone(scalarTypes)}
		for _, t := range scalarTypes {
			s.Enum = append(s.Enum, t+"?")
		}
		return s
	},
	read: func(d *decoder, n *yamltree.Node) (*spec.TypeRef, bool) {
		s := d.scalarOf("a type", n)
		if s == nil {
			return nil, false
		}
		return d.typeRef(s), true
	},
}

// typeRef reads a type. An unknown one is reported, and kept.
func (d *decoder) typeRef(s *spec.Scalar) *spec.TypeRef {
	t := &spec.TypeRef{Scalar: s, Name: s.Value}
	t.Name, t.Nullable = strings.CutSuffix(s.Value, "?")
	if !slices.Contains(scalarTypes, t.Name) {
		d.unknownType(s, t.Name, scalarTypes)
	}
	return t
}

// otherNames are types of other languages that authors write, with ours.
var otherNames = map[string]string{
	"str": "string", "text": "string", "varchar": "string", "long": "integer", "bigint": "integer", "int64": "integer",
	"list": "array", "map": "object", "dict": "object", "real": "double", "money": "decimal", "numeric": "decimal",
}

// sqlNames are types of the other table that authors write as SQL types, with the SQL type.
var sqlNames = map[string]string{
	"STRING": "TEXT", "NUMBER": "NUMERIC", "BOOL": "BOOLEAN", "ANY": "JSONB", "OBJECT": "JSONB", "ARRAY": "JSONB",
	"DATETIME": "TIMESTAMPTZ", "LONG": "BIGINT", "INT8": "BIGINT", "INT4": "INTEGER", "BLOB": "BYTEA", "FLOAT8": "DOUBLE",
}

func (d *decoder) unknownType(s *spec.Scalar, word string, known []string) {
	near := otherNames[strings.ToLower(word)]
	if known[0] == sqlTypes[0].name {
		near = sqlNames[strings.ToUpper(word)]
	}
	translated := near != ""
	if !translated {
		near = d.nearest(word, known)
	}
	if near == "" {
		d.report(ruleType, s.Span(), "unknown type %q; it is one of: %s", shorten(s.Value), strings.Join(known, ", "))
		return
	}
	diag := d.report(ruleType, s.Span(), "unknown type %q; did you mean %q?", shorten(s.Value), near)
	if i := strings.Index(s.Value, word); i >= 0 {
		d.write(diag, word, near, known, s.Sub(i, i+len(word)))
		if translated {
			diag.Fixes[0].Unsafe = false
		}
	}
}

// sqlType is a column type with how many numbers it may have in parentheses.
type sqlType struct {
	name string
	mods int
}

var sqlTypes = []sqlType{
	{"TEXT", 0}, {"VARCHAR", 1}, {"CHAR", 1}, {"SMALLINT", 0}, {"TINYINT", 0}, {"INT", 0}, {"INTEGER", 0}, {"BIGINT", 0},
	{"SERIAL", 0}, {"BOOLEAN", 0}, {"FLOAT", 0}, {"DOUBLE", 0}, {"DOUBLE PRECISION", 0}, {"REAL", 0}, {"DECIMAL", 2},
	{"NUMERIC", 2}, {"JSON", 0}, {"JSONB", 0}, {"UUID", 0}, {"TIMESTAMP", 0}, {"TIMESTAMPTZ", 0}, {"DATE", 0}, {"BYTEA", 0},
}

// aColumn is the SQL type of a column.
var aColumn = kind[*spec.Column]{
	schema: func(*schemaWriter) *schema { return &schema{Type: types{"string"}, Pattern: sqlPattern()} },
	read: func(d *decoder, n *yamltree.Node) (*spec.Column, bool) {
		s := d.scalarOf("an SQL type", n)
		if s == nil {
			return nil, false
		}
		return d.column(s), true
	},
}

// column reads an SQL type. An unknown one is reported, and kept.
func (d *decoder) column(s *spec.Scalar) *spec.Column {
	c := &spec.Column{Type: s}
	word, rest, mods := strings.Cut(s.Value, "(")
	c.TypeName = strings.ToUpper(strings.TrimRight(word, " "))
	i := slices.IndexFunc(sqlTypes, func(t sqlType) bool { return t.name == c.TypeName })
	if i < 0 {
		known := make([]string, len(sqlTypes))
		for i, t := range sqlTypes {
			known[i] = t.name
		}
		d.unknownType(s, strings.TrimRight(word, " "), known)
		return c
	}
	if !mods {
		return c
	}
	list, ok := strings.CutSuffix(rest, ")")
	for part := range strings.SplitSeq(list, ",") {
		mod, err := strconv.ParseUint(strings.Trim(part, " "), 10, 31)
		if ok = ok && err == nil; ok {
			c.Mods = append(c.Mods, int64(mod))
		}
	}
	d.checkMods(c, sqlTypes[i], ok)
	return c
}

// checkMods checks the numbers behind a type.
func (d *decoder) checkMods(c *spec.Column, t sqlType, ok bool) {
	at := c.Type.Sub(strings.Index(c.Type.Value, "("), len(c.Type.Value))
	switch {
	case t.mods == 0:
		d.report(ruleType, at, "%s takes no numbers in parentheses", c.TypeName)
	case !ok || len(c.Mods) > t.mods:
		form := "(n)"
		if t.mods == 2 {
			form = "(precision) or (precision, scale)"
		}
		d.report(ruleType, at, "expected %s behind %s", form, c.TypeName)
	default:
		return
	}
	c.Mods = nil
}

// sqlPattern is a regular expression of the SQL types in any letter case, as JSON Schema has no such option.
func sqlPattern() string {
	var plain, one, two []string
	for _, t := range sqlTypes {
		p := anyCase(t.name)
		switch t.mods {
		case 0:
			plain = append(plain, p)
		case 1:
			one = append(one, p)
		default:
			two = append(two, p)
		}
	}
	return "^((" + strings.Join(plain, "|") + ") *|(" + strings.Join(one, "|") + `) *(\( *[0-9]+ *\))?|(` +
		strings.Join(two, "|") + `) *(\( *[0-9]+ *(, *[0-9]+ *)?\))?)$`
}

func anyCase(word string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(word) {
		if r < 'a' || r > 'z' {
			b.WriteRune(r)
			continue
		}
		b.WriteString("[" + string(r-'a'+'A') + string(r) + "]")
	}
	return b.String()
}
