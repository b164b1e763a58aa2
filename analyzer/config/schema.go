package config

import (
	"bytes"
	"encoding/json"

	"github.com/causetc/causetc/spec"
)

// node is the part of JSON Schema that is needed here.
type node struct {
	Schema      string           `json:"$schema,omitempty"`
	Title       string           `json:"title,omitempty"`
	Description string           `json:"description,omitempty"`
	Ref         string           `json:"$ref,omitempty"`
	Type        []string         `json:"type,omitempty"`
	Enum        []string         `json:"enum,omitempty"`
	MinLength   int              `json:"minLength,omitempty"`
	Items       *node            `json:"items,omitempty"`
	Properties  map[string]*node `json:"properties,omitempty"`
	Required    []string         `json:"required,omitempty"`
	AnyOf       []*node          `json:"anyOf,omitempty"`
	Additional  *bool            `json:"additionalProperties,omitempty"`
	Definitions map[string]*node `json:"definitions,omitempty"`
}

// Schema returns the JSON Schema (draft-07, which YAML editors read) of the configuration, with a word on each rule.
func Schema(rules []spec.RuleDoc) []byte {
	closed := false
	top := &node{
		Schema: "http://json-schema.org/draft-07/schema#", Title: "Configuration of causetc lint",
		Type: []string{"object", "null"}, Additional: &closed,
		Properties: map[string]*node{
			"target":  {Description: "The worker that will run the spec; hosted unless said otherwise.", Enum: targets},
			"fail-on": {Description: "The least severity that makes the exit code 1; warning unless said otherwise.", Enum: thresholds},
			"exclude": {Description: "Files that are left out where a folder or a glob finds them.", Ref: "#/definitions/globs"},
			"rules":   {Description: "What becomes of the findings of a rule.", Ref: "#/definitions/rules"},
			"overrides": {Description: "Rules for some files; of those that match a file, a later one wins.", Type: []string{"array"}, Items: &node{
				Type: []string{"object"}, Additional: &closed, Required: overrideKeys, Properties: map[string]*node{
					"paths": {Ref: "#/definitions/globs"},
					"rules": {Ref: "#/definitions/rules"},
				},
			}},
		},
		Definitions: map[string]*node{
			"globs": {
				Description: "A glob, or a list of them, relative to the folder of this file; ** crosses folders, a folder means all below it.",
				AnyOf:       []*node{{Ref: "#/definitions/glob"}, {Type: []string{"array"}, Items: &node{Ref: "#/definitions/glob"}}},
			},
			"glob":  {Type: []string{"string", "number", "boolean"}, MinLength: 1},
			"level": {Description: "off, on (with the severity that the rule gives), or a severity.", Enum: levelWords},
			"rules": {Type: []string{"object"}, Additional: &closed, Properties: map[string]*node{}},
		},
	}
	for _, d := range rules {
		top.Definitions["rules"].Properties[d.ID] = &node{Description: d.Name + ": " + d.Title, AnyOf: []*node{{Ref: "#/definitions/level"}}}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(top) // plain data into memory
	return b.Bytes()
}
