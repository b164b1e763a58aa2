package parser

import (
	"encoding/json"
	"slices"
)

// JSONSchema returns the JSON Schema (draft-07) of a spec file, for editors that know YAML by schemas. It accepts what
// the decoder accepts, but for what stands inside of texts.
func JSONSchema() []byte {
	w := &schemaWriter{definitions: map[string]*schema{}}
	recordSchema(w, &language.root)
	root := w.definitions[language.root.def]
	delete(w.definitions, language.root.def)
	root.Schema = "http://json-schema.org/draft-07/schema#"
	root.Title = "Causet spec file"
	root.Type = types{"object", "null"}
	root.Definitions = w.definitions
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // the schema holds nothing but texts and numbers
	}
	return append(text, '\n')
}

// schema is a node of a JSON Schema, draft-07.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Type        types              `json:"type,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	MinLength   int                `json:"minLength,omitempty"`
	Minimum     *int64             `json:"minimum,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
	Names       *schema            `json:"propertyNames,omitempty"`
	Additional  *schema            `json:"additionalProperties,omitempty"`
	MinProps    int                `json:"minProperties,omitempty"`
	MaxProps    int                `json:"maxProperties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	AllOf       []*schema          `json:"allOf,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Not         *schema            `json:"not,omitempty"`
	If          *schema            `json:"if,omitempty"`
	Then        *schema            `json:"then,omitempty"`
	Definitions map[string]*schema `json:"definitions,omitempty"`

	never bool // the schema false
}

// types is one type, or several.
type types []string

// MarshalJSON writes a single type as a string.
func (t types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// MarshalJSON writes the schema false as such.
func (s *schema) MarshalJSON() ([]byte, error) {
	if s.never {
		return []byte("false"), nil
	}
	type plain schema
	return json.Marshal((*plain)(s))
}

// orNull also allows null.
func orNull(s *schema) *schema {
	if len(s.Type) > 0 && len(s.Enum) == 0 {
		c := *s
		c.Type = append(slices.Clone(s.Type), "null")
		return &c
	}
	return &schema{AnyOf: []*schema{s, {Type: types{"null"}}}}
}

// described adds a description; beside a reference none would be read.
func described(s *schema, doc string) *schema {
	if s.Ref != "" {
		s = &schema{AllOf: []*schema{s}}
	}
	s.Description = doc
	return s
}

// schemaWriter collects the definitions of records.
type schemaWriter struct {
	definitions map[string]*schema
}

func recordSchema[T any](w *schemaWriter, r *record[T]) *schema {
	ref := &schema{Ref: "#/definitions/" + r.def}
	if _, ok := w.definitions[r.def]; !ok {
		w.definitions[r.def] = nil // it may hold itself
		object := objectSchema(w, r)
		switch {
		case r.short != nil && r.demands():
			object = &schema{AnyOf: []*schema{r.short.schema(w), object}}
		case r.short != nil:
			object = &schema{AnyOf: []*schema{r.short.schema(w), orNull(object)}}
		case !r.demands():
			object = orNull(object)
		}
		object.Description = r.doc
		w.definitions[r.def] = object
	}
	return ref
}

func objectSchema[T any](w *schemaWriter, r *record[T]) *schema {
	s := &schema{Type: types{"object"}, Properties: map[string]*schema{}, Additional: &schema{never: true}}
	for i := range r.keys {
		k := &r.keys[i]
		for _, name := range append([]string{k.name}, k.aliases...) {
			value := k.schema(w)
			if k.empty {
				value = orNull(value)
			}
			s.Properties[name] = described(value, k.doc)
		}
		if k.required {
			r.require(s, k.name)
		}
		r.onlyOne(s, k)
	}
	for _, group := range r.oneOf {
		r.require(s, group...)
	}
	return s
}

// require makes one of some keys, in any spelling, required.
func (r *record[T]) require(s *schema, names ...string) {
	var spellings []string
	for _, name := range names {
		spellings = append(append(spellings, name), r.find(name).aliases...)
	}
	if len(spellings) == 1 {
		s.Required = append(s.Required, spellings[0])
		return
	}
	either := &schema{}
	for _, name := range spellings {
		either.AnyOf = append(either.AnyOf, &schema{Required: []string{name}})
	}
	s.AllOf = append(s.AllOf, either)
}

// onlyOne forbids two spellings of a key beside each other.
func (r *record[T]) onlyOne(s *schema, k *key[T]) {
	for _, alias := range k.aliases {
		s.AllOf = append(s.AllOf, &schema{Not: &schema{Required: []string{k.name, alias}}})
	}
}

// opSchema is the schema of an op: all keys of all ops, and which of them each op takes.
func opSchema[T any](w *schemaWriter, r *record[T]) *schema {
	if _, ok := w.definitions[r.def]; ok {
		return &schema{Ref: "#/definitions/" + r.def}
	}
	ref := recordSchema(w, r)
	op := w.definitions[r.def]
	for i := range opShapes {
		shape := &opShapes[i]
		if shape.keys == nil {
			continue
		}
		is := &schema{Properties: map[string]*schema{"op": {Enum: shape.names}}, Required: []string{"op"}}
		op.AllOf = append(op.AllOf, &schema{If: is, Then: shapeSchema(r, shape)})
	}
	return ref
}

func shapeSchema[T any](r *record[T], shape *opShape) *schema {
	s := &schema{Description: shape.doc, Names: &schema{}}
	for _, name := range shape.keys {
		s.Names.Enum = append(append(s.Names.Enum, name), r.find(name).aliases...)
	}
	for _, name := range shape.required {
		r.require(s, name)
		if r.find(name).empty {
			s.Properties = map[string]*schema{name: {Not: &schema{Type: types{"null"}}}}
		}
	}
	for _, group := range shape.oneOf {
		r.require(s, group...)
	}
	return s
}
