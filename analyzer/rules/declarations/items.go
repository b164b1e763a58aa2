package declarations

import (
	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/spec"
)

// runItems finds fields that say what their items are, and have none.
func runItems(p *analysis.Pass) error {
	for _, s := range p.Program.States {
		items(p, s.Fields)
	}
	for _, e := range p.Program.Events {
		items(p, e.Payload)
	}
	for _, a := range p.Program.Actions {
		items(p, a.Input)
	}
	for _, q := range p.Program.Queries {
		items(p, q.Input)
	}
	for _, d := range p.Program.Decisions {
		items(p, d.Input)
		items(p, d.Output)
	}
	return nil
}

func items(p *analysis.Pass, fields []*spec.Field) {
	for _, f := range fields {
		switch {
		case f.Name == nil || f.Type == nil:
		case f.Type.Name != "array" && !holdsFields(f.Type):
			withoutItems(p, f)
		case f.ItemType != nil && len(f.ItemFields) > 0 && !holdsFields(f.ItemType):
			p.Reportf(f.ItemType.Span(), "the items of %s are declared %s, which has no fields, so its item_fields mean nothing; write item_type: object, or remove item_fields",
				f.Name.Value, types.WithArticle(f.ItemType.Name))
		}
		items(p, f.ItemFields)
	}
}

// holdsFields reports whether values of a type can have fields of their own.
func holdsFields(t *spec.TypeRef) bool {
	return t.Name == "object" || t.Name == "any" || t.Name == "json"
}

// withoutItems reports the keys that describe the items of a field that has none.
func withoutItems(p *analysis.Pass, f *spec.Field) {
	const message = "%s is %s, which has no items, so its %s means nothing; write type: array, or remove the %[3]s"
	switch is := types.WithArticle(f.Type.Name); {
	case f.ItemType != nil:
		p.Reportf(f.ItemType.Span(), message, f.Name.Value, is, "item_type")
	case len(f.ItemFields) > 0 && f.ItemFields[0].Name != nil:
		p.Reportf(f.ItemFields[0].Name.Span(), message, symbols.Text(f.Name), is, "item_fields")
	}
}
