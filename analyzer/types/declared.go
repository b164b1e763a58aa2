package types

import (
	"strings"

	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// Field returns the type that a field declares.
func Field(f *spec.Field) Type {
	if f == nil || f.Type == nil {
		return Any()
	}
	t := named(f.Type)
	switch {
	case t.Kind == expr.TypeArray && len(f.ItemFields) > 0 && isObject(f.ItemType):
		item := objectOf(recordOf(f.ItemFields, "an item of "+symbols.Text(f.Name)))
		t.Item = &item
	case t.Kind == expr.TypeArray && len(f.ItemFields) > 0: // declared in two ways, which has a rule of its own
	case t.Kind == expr.TypeArray && f.ItemType != nil:
		item := named(f.ItemType)
		t.Item = &item
	case t.Kind == expr.TypeObject && len(f.ItemFields) > 0:
		t.Record = recordOf(f.ItemFields, symbols.Text(f.Name))
		t.Record.Loose = true
	}
	return t
}

func isObject(t *spec.TypeRef) bool { return t == nil || t.Name == "object" }

// named returns the type that a word declares.
func named(t *spec.TypeRef) Type {
	switch t.Name {
	case "string":
		return Type{Kind: expr.TypeString, Word: t.Name}
	case "uuid":
		return Type{Kind: expr.TypeString, Format: UUID, Word: t.Name}
	case "int", "integer":
		return Type{Kind: expr.TypeInt, Word: t.Name}
	case "number", "decimal", "float", "double":
		return Type{Kind: expr.TypeDecimal, Word: t.Name}
	case "boolean", "bool":
		return Type{Kind: expr.TypeBool, Word: t.Name}
	case "timestamp", "datetime", "date":
		return Type{Format: Moment, Word: t.Name}
	case "array":
		return Type{Kind: expr.TypeArray, Word: t.Name}
	case "object":
		return Type{Kind: expr.TypeObject, Word: t.Name}
	}
	return Any()
}

// recordOf returns the record that fields declare. Of two fields with one name the first counts.
func recordOf(fields []*spec.Field, of string) *Record {
	r := &Record{Fields: make(map[string]Type, len(fields)), Of: of}
	for _, f := range fields {
		name := symbols.Text(f.Name)
		if _, twice := r.Fields[name]; !twice {
			r.Fields[name] = Field(f)
		}
	}
	return r
}

// stateFields is what is known of a state's entities.
type stateFields struct {
	root *Record
	// written are the paths that ops write although no field declares them, with all paths above them.
	written map[string]bool
}

// free reports whether a name at the top of an entity's state belongs to the platform.
func free(name string) bool {
	switch name {
	case "decisions", "pending_envelopes", "id", "entity_id", "version":
		return true
	}
	return strings.HasPrefix(name, "_")
}

// newStateFields reads the fields of a state. Slash paths make nested records.
func newStateFields(s *spec.State) *stateFields {
	f := &stateFields{written: map[string]bool{}}
	f.root = &Record{Fields: make(map[string]Type, len(s.Fields)+1), Of: "state " + symbols.Text(s.Name), state: f}
	f.root.Fields[symbols.Text(s.EntityKey)] = Any()
	for _, field := range s.Fields {
		f.declare(segments(symbols.Text(field.Name)), Field(field))
	}
	return f
}

// segments splits a path as ops write it.
func segments(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '.' })
}

// declare adds a field below the records of the path above it. An object that is declared itself stays open.
func (f *stateFields) declare(path []string, t Type) {
	r := f.root
	for i, name := range path {
		have, known := r.Fields[name]
		switch {
		case i == len(path)-1:
			if known && have.Record != nil && have.Record.state != nil {
				have.Record.Open = have.Record.Open || t.Record == nil
			} else if !known || have.IsAny() {
				r.Fields[name] = t
			}
			return
		case !known:
			have = objectOf(&Record{Fields: map[string]Type{}, Of: f.root.Of, state: f, path: strings.Join(path[:i+1], ".")})
		case have.Record == nil && have.Kind == expr.TypeObject:
			have.Record = &Record{Fields: map[string]Type{}, Open: true, Of: f.root.Of, state: f, path: strings.Join(path[:i+1], ".")}
		case have.Record == nil || have.Record.state == nil:
			return
		}
		r.Fields[name] = have
		r = have.Record
	}
}

// note remembers a path that the platform or an op writes.
func (f *stateFields) note(path []string) {
	for i := range path {
		f.written[strings.Join(path[:i+1], ".")] = true
	}
}

// resourceType returns the type of a resource: its rows by key.
func resourceType(res *spec.Resource) Type {
	r := &Record{Fields: make(map[string]Type, len(res.Rows)), Of: "resource " + symbols.Text(res.Name)}
	for _, row := range res.Rows {
		r.Fields[symbols.Text(row.Key)] = constantType(row.Value, r.Of)
	}
	return objectOf(r)
}

func constantType(v *spec.Value, of string) Type {
	switch {
	case v == nil:
		return Any()
	case v.Kind == spec.ValueConst && v.Const != nil:
		return Literal(v.Const)
	case v.Kind == spec.ValueMap:
		r := &Record{Fields: make(map[string]Type, len(v.Entries)), Of: of}
		for _, e := range v.Entries {
			r.Fields[symbols.Text(e.Key)] = constantType(e.Value, of)
		}
		return objectOf(r)
	case v.Kind == spec.ValueList:
		return arrayOf(joinAll(v.Items, func(item *spec.Value) Type { return constantType(item, of) }))
	}
	return Any()
}

// joinAll joins the types of some things; that of none is any.
func joinAll[T any](list []T, of func(T) Type) Type {
	joined := kind(expr.TypeNull)
	for _, item := range list {
		joined = Join(joined, of(item))
	}
	return joined
}

// Literal returns the type of a literal.
func Literal(l *spec.Lit) Type {
	switch l.Kind {
	case spec.LitBool:
		return kind(expr.TypeBool)
	case spec.LitInt:
		return kind(expr.TypeInt)
	case spec.LitDecimal:
		return kind(expr.TypeDecimal)
	case spec.LitString:
		return kind(expr.TypeString)
	}
	return kind(expr.TypeNull)
}

// anyField joins the types of all fields, as a computed key reads them.
func (r *Record) anyField() Type {
	if r == nil || r.Open || r.Loose || len(r.Fields) == 0 {
		return Any()
	}
	if r.any == nil {
		t := r.joined()
		r.any = &t
	}
	return *r.any
}

func (r *Record) joined() Type {
	joined := kind(expr.TypeNull)
	var rows []*Record
	for _, name := range r.Names() {
		t := r.Fields[name]
		if t.Record != nil {
			rows = append(rows, t.Record)
		}
		joined = Join(joined, t)
	}
	if len(rows) == len(r.Fields) && len(rows) > 1 {
		joined.Record = union(rows, r.Of)
	}
	return joined
}

// union is the record of objects each of which is one of some records: it has the fields of all.
func union(rows []*Record, of string) *Record {
	u := &Record{Fields: map[string]Type{}, Of: of}
	for _, row := range rows {
		u.Open = u.Open || row.Open
		u.Loose = u.Loose || row.Loose
		for name, t := range row.Fields {
			if have, ok := u.Fields[name]; ok {
				t = Join(have, t)
			}
			u.Fields[name] = t
		}
	}
	return u
}
