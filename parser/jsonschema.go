package parser

import (
	"encoding/json"

	"github.com/causetc/causetc/spec"
)

// schema is a node of a JSON Schema, draft-07.
type schema struct {
	Schema      string             `json:"$schema,omitempty"`
	ID          string             `json:"$id,omitempty"`
	Title       string             `json:"title,omitempty"`
	Description string             `json:"description,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	Type        types              `json:"type,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Pattern     string             `json:"pattern,omitempty"`
	MinLength   int                `json:"minLength,omitempty"`
	Minimum     *int64             `json:"minimum,omitempty"`
	Properties  map[string]*schema `json:"properties,omitempty"`
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
	never       bool               // the schema false
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

// schemaWriter collects the definitions.
type schemaWriter struct {
	definitions map[string]*schema
}

func recordSchema[T any](w *schemaWriter, r *record[T]) *schema {
	return &schema{}
}

func opSchema(w *schemaWriter, r *record[spec.Op]) *schema { return &schema{} }
