package ir_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/causetc/causetc/ir"
)

// definition is what the test reads of a type in the schema.
type definition struct {
	Properties           map[string]property `json:"properties"`
	Required             []string            `json:"required"`
	AdditionalProperties *bool               `json:"additionalProperties"`
}

type property struct {
	Type  any       `json:"type"`
	Ref   string    `json:"$ref"`
	Items *property `json:"items"`
	Enum  []any     `json:"enum"`
	Const any       `json:"const"`
}

// The schema and the Go types describe one format: every field is in both, with the same need and the same shape.
func TestSchemaAndTypesAgree(t *testing.T) {
	var schema struct {
		Defs map[string]definition `json:"$defs"`
	}
	if err := json.Unmarshal(ir.JSONSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{"Hash": true, "Name": true, "Names": true}
	var compare func(typ reflect.Type)
	compare = func(typ reflect.Type) {
		if seen[typ.Name()] {
			return
		}
		seen[typ.Name()] = true
		def, ok := schema.Defs[typ.Name()]
		if !ok {
			t.Errorf("the schema lacks %s", typ.Name())
			return
		}
		if def.AdditionalProperties == nil || *def.AdditionalProperties {
			t.Errorf("%s takes unknown keys", typ.Name())
		}
		fields := map[string]bool{}
		for i := range typ.NumField() {
			field := typ.Field(i)
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			fields[name] = true
			where := typ.Name() + "." + name
			prop, ok := def.Properties[name]
			if !ok {
				t.Errorf("the schema lacks %s", where)
				continue
			}
			if required := slices.Contains(def.Required, name); required == (options == "omitempty") {
				t.Errorf("%s: required is %t in the schema", where, required)
			}
			compareField(t, where, field.Type, prop, compare)
		}
		for _, name := range slices.Sorted(maps.Keys(def.Properties)) {
			if !fields[name] {
				t.Errorf("the type %s lacks %s", typ.Name(), name)
			}
		}
	}
	compare(reflect.TypeFor[ir.Program]())
	for _, name := range slices.Sorted(maps.Keys(schema.Defs)) {
		if !seen[name] {
			t.Errorf("no type %s", name)
		}
	}
}

func compareField(t *testing.T, where string, typ reflect.Type, prop property, compare func(reflect.Type)) {
	t.Helper()
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	scalars := map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Int64: "integer"}
	switch kind := typ.Kind(); {
	case kind == reflect.Struct:
		if prop.Ref != "#/$defs/"+typ.Name() {
			t.Errorf("%s is %q in the schema", where, prop.Ref)
		}
		compare(typ)
	case kind == reflect.Slice && prop.Ref == "#/$defs/Names":
		if typ.Elem().Kind() != reflect.String {
			t.Errorf("%s is a list of names in the schema", where)
		}
	case kind == reflect.Slice:
		if prop.Type != "array" || prop.Items == nil {
			t.Errorf("%s is no array in the schema", where)
			return
		}
		compareField(t, where+"[]", typ.Elem(), *prop.Items, compare)
	case kind == reflect.String && (prop.Ref == "#/$defs/Name" || prop.Ref == "#/$defs/Hash" || prop.Enum != nil):
	case kind == reflect.Int && prop.Const != nil:
	case prop.Type != scalars[kind]:
		t.Errorf("%s is %v in the schema, not %s", where, prop.Type, scalars[kind])
	}
}
