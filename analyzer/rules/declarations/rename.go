package declarations

import (
	"slices"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// renameField renames a payload field of an event where it is declared, given and read. What is outside of the program may know
// the field too, so the fix is unsafe. There is none where the field comes from elsewhere than emits, or where a projection
// reads it of several events.
func renameField(p *analysis.Pass, e *spec.Event, f *spec.Field) []spec.Fix {
	event, name, to := symbols.Text(e.Name), f.Name.Value, renamed(e.State, f.Name.Value)
	outside := len(p.Symbols.Deciders(event)) > 0 || p.Symbols.PlatformEmits(event) ||
		slices.ContainsFunc(p.Program.Memories, func(m *spec.Memory) bool { return lists(m.SourceEvents, event) })
	if outside || sites.HasField(e.Payload, to) {
		return nil
	}
	r := &renaming{name: name, to: to}
	r.place(f.Name.Span())
	for _, emit := range p.Symbols.Emits(event) {
		for _, given := range emit.Op.Payload {
			if symbols.Text(given.Key) == name {
				r.place(given.Key.Span())
			}
		}
	}
	for _, path := range p.Paths {
		s := path.Site
		if path.Ref.Kind != sites.RefPayload || sites.FirstSegment(path.Ref.Path) != name {
			continue
		}
		switch {
		case s.EventName != nil && s.EventName.Value == event:
			r.place(s.Expr.At(path.Ref.Field))
		case s.EventName == nil && slices.Contains(s.Sources, e):
			if len(s.Sources) > 1 {
				return nil
			}
			r.place(s.Expr.At(path.Ref.Field))
		}
	}
	return r.fixes(p)
}

func lists(names []*spec.Scalar, name string) bool {
	return slices.ContainsFunc(names, func(s *spec.Scalar) bool { return s.Value == name })
}

// renaming collects the places of a name.
type renaming struct {
	name, to string
	edits    []spec.Edit
}

func (r *renaming) place(at spec.Span) {
	if !slices.ContainsFunc(r.edits, func(e spec.Edit) bool { return e.Span == at }) {
		r.edits = append(r.edits, spec.Edit{Span: at, New: r.to})
	}
}

// fixes returns the fix, or nothing where one of the places does not hold the name as it is.
func (r *renaming) fixes(p *analysis.Pass) []spec.Fix {
	for _, e := range r.edits {
		f := p.Program.Set.File(e.Span.Start)
		if f == nil || string(f.TextOf(e.Span)) != r.name {
			return nil
		}
	}
	return []spec.Fix{{Message: "rename it to " + r.to, Unsafe: true, Edits: r.edits}}
}
