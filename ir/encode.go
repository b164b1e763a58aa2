package ir

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// Encode returns the canonical encoding of a program: JSON with the fields in the order of the types, nothing escaped
// that need not be, indented by one space, and a final newline. The hashes in it are computed; those in p are ignored
// and p is not changed. Equal programs have equal bytes, on every machine and day.
func Encode(p *Program) ([]byte, error) {
	sealed := *p
	sealed.Groups = slices.Clone(p.Groups)
	if err := Seal(&sealed); err != nil {
		return nil, err
	}
	return encodeIndented(&sealed)
}

// Seal fills in the format version and the hashes of a program and of its groups.
func Seal(p *Program) error {
	p.Format = FormatVersion
	if p.Groups == nil {
		p.Groups = []Group{} // written as [], not as null
	}
	resources := resourcesByName(p)
	for i := range p.Groups {
		h, err := groupHash(resources, &p.Groups[i])
		if err != nil {
			return err
		}
		p.Groups[i].Hash = h
	}
	h, err := programHash(p)
	p.Hash = h
	return err
}

// programHash is the hash of everything but itself.
func programHash(p *Program) (string, error) {
	unsealed := *p
	unsealed.Hash = ""
	return hashOf(&unsealed)
}

// groupRows is what decides the rows of a group: the input of its semantic hash.
type groupRows struct {
	Tables      []tableRows  `json:"tables"`
	Projections []Projection `json:"projections"`
	ExactIDs    []ExactIDs   `json:"exact_ids,omitempty"`
	Resources   []Resource   `json:"resources,omitempty"`
}

// tableRows is Table without what people read, and without what only makes reading faster.
type tableRows struct {
	Name      string     `json:"name"`
	Class     Class      `json:"class"`
	Columns   []Column   `json:"columns"`
	Key       []string   `json:"key"`
	Deletes   bool       `json:"deletes,omitempty"`
	Updates   bool       `json:"updates,omitempty"`
	Unique    [][]string `json:"unique,omitempty"`
	Partition *Partition `json:"partition,omitempty"`
}

func resourcesByName(p *Program) map[string]Resource {
	out := make(map[string]Resource, len(p.Resources))
	for _, r := range p.Resources {
		out[r.Name] = r
	}
	return out
}

func groupHash(resources map[string]Resource, g *Group) (string, error) {
	rows := groupRows{Projections: g.Projections, ExactIDs: g.ExactIDs, Resources: usedResources(resources, g)}
	for i := range g.Tables {
		rows.Tables = append(rows.Tables, rowsOf(&g.Tables[i]))
	}
	return hashOf(&rows)
}

func rowsOf(t *Table) tableRows {
	rows := tableRows{
		Name: t.Name, Class: t.Class, Columns: t.Columns, Key: t.Key, Deletes: t.Deletes, Updates: t.Updates,
	}
	for _, index := range t.Indexes {
		if index.Unique {
			rows.Unique = append(rows.Unique, index.Columns)
		}
	}
	if t.Partition != nil {
		part := *t.Partition
		part.Precreate = 0 // how far ahead empty partitions are made decides no row
		rows.Partition = &part
	}
	return rows
}

// usedResources returns the resources that the group's expressions read, by name.
func usedResources(resources map[string]Resource, g *Group) []Resource {
	used := map[string]bool{}
	for i := range g.Projections {
		g.Projections[i].Exprs(func(root *Expr) {
			root.Walk(func(e *Expr) {
				if e.Op == OpResource {
					used[e.Name] = true
				}
			})
		})
	}
	var out []Resource
	for _, name := range sortedNames(used) {
		if r, ok := resources[name]; ok {
			out = append(out, r)
		}
	}
	return out
}

func hashOf(v any) (string, error) {
	text, err := encodeJSON(v, "")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

func encodeIndented(p *Program) ([]byte, error) { return encodeJSON(p, " ") }

func encodeJSON(v any, indent string) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode the program: %w", err)
	}
	return buf.Bytes(), nil
}
