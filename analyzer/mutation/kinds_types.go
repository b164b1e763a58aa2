package mutation

import (
	"strings"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// kindOfType is what values of a declared type are: text, number, truth, list or map; "" where several may be.
func kindOfType(name string) string {
	switch strings.ToLower(name) {
	case "string", "uuid":
		return "text"
	case "number", "int", "integer", "decimal", "float", "double":
		return "number"
	case "boolean", "bool":
		return "truth"
	case "array":
		return "list"
	case "object":
		return "map"
	}
	return ""
}

// kindOfColumn is what values a SQL type holds.
func kindOfColumn(c *spec.Column) string {
	switch c.TypeName {
	case "TEXT", "VARCHAR", "CHAR":
		return "text"
	case "SMALLINT", "TINYINT", "INT", "INTEGER", "BIGINT", "DECIMAL", "NUMERIC", "DOUBLE", "DOUBLE PRECISION", "FLOAT", "REAL":
		return "number"
	case "BOOLEAN":
		return "truth"
	}
	return ""
}

// kindOf is what values an expression has, where that is plain from declarations and literals; else "".
func (p *program) kindOf(s *sites.Site, n spec.Node) string {
	switch n := n.(type) {
	case *spec.Lit:
		switch n.Kind {
		case spec.LitInt, spec.LitDecimal:
			return "number"
		case spec.LitString:
			return "text"
		case spec.LitBool:
			return "truth"
		}
		return ""
	case *spec.Call:
		switch n.Name {
		case "concat", "format_date":
			return "text"
		case "size", "floor", "ceil", "sum", "shard":
			return "number"
		case "contains", "is_prev_day":
			return "truth"
		}
	case *spec.Binary:
		if strings.Contains("-*/", n.Op) {
			return "number"
		}
	}
	if f := p.fieldOf(s, n); f != nil && f.Type != nil {
		return kindOfType(f.Type.Name)
	}
	return ""
}

// fieldOf is the declared field that an expression reads as a whole, or nil.
func (p *program) fieldOf(s *sites.Site, n spec.Node) *spec.Field {
	if _, ok := sites.PathRoot(n); !ok {
		return nil
	}
	ref, _ := s.Resolve(p.table, n)
	switch {
	case ref.Kind == sites.RefInput && s.Action != nil && s.Envelope == nil:
		return sites.FindField(s.Action.Input, ref.Path)
	case ref.Kind == sites.RefQuery:
		return sites.FindField(s.Query.Input, ref.Path)
	case ref.Kind == sites.RefPayload && len(s.Sources) > 0:
		var found *spec.Field
		for _, e := range s.Sources {
			f := sites.FindField(e.Payload, ref.Path)
			if f == nil || f.Type == nil || found != nil && found.Type.Name != f.Type.Name {
				return nil
			}
			found = f
		}
		return found
	case ref.Kind == sites.RefEntity && ref.State != nil:
		for _, f := range ref.State.Fields {
			if sites.SlashPath(f.Name.Value) == ref.Path {
				return f
			}
		}
	}
	return nil
}

// otherType is a type of another kind.
func otherType(kind string) string {
	return map[string]string{"text": "integer", "number": "boolean", "truth": "integer", "list": "boolean", "map": "integer"}[kind]
}

func typeKinds() []*Kind {
	return []*Kind{
		{Name: "change type of a payload field", Rule: "the value of an emit has the type that the event declares", make: changePayloadType},
		{Name: "change type of an input", Rule: "the value of a submit or an emit has the declared type", make: changeInputType},
		{Name: "change type of a state field", Rule: "what is written to a path has the type of the field", make: changeStateType},
		{Name: "change type of a column", Rule: "a value fits the type of its column", make: changeColumnType},
		{Name: "change type of a query input", Rule: "a parameter has the type of the column that it is compared with", make: changeQueryInput},
		{Name: "wrong default", Rule: "a default has the type of its field", make: wrongDefault},
		{Name: "wrong item type", Rule: "items have the declared type", make: wrongItemType},
		{Name: "no item type", Rule: "an array says what its items are", Hint: true, make: noItemType},
		{Name: "aggregate of a text column", Rule: "sum and avg take numbers", make: textAggregate},
		{Name: "aggregated column of text", Rule: "a column with aggregates is a number", make: textSum},
		{Name: "column type in conflict", Rule: "projections of one table agree on the types of its columns", make: conflict},
		{Name: "payload field of the envelope", Rule: "no payload field is called type, ts or entity_id", make: reservedField},
		{Name: "condition on another kind", Rule: "a where compares a column with values of its kind", make: whereKind},
	}
}

// retype is a mutant in which a field has a type of another kind. Findings may stand where the field is used.
func (p *program) retype(f *spec.Field, places []spec.Span) Mutant {
	at := f.Type.Sub(0, len(f.Type.Name))
	wrong := otherType(kindOfType(f.Type.Name))
	m := p.replace(at, wrong, append(places, f.Name.Span())...)
	m.Label = f.Name.Value + ": " + f.Type.Name + " -> " + wrong
	return m
}

// known reports whether a field's type can be changed to one of another kind.
func known(f *spec.Field) bool { return f.Type != nil && otherType(kindOfType(f.Type.Name)) != "" }

// payloadSites are the emits that give a payload field a value of known kind.
func (p *program) payloadSites(event, field string) (places []spec.Span, typed bool) {
	for i := range p.sites {
		s := &p.sites[i]
		if s.Place == sites.EmitPayload && symbols.Text(s.Op.EventType) == event && s.Path == field {
			places = append(places, s.Expr.Src.Span())
			typed = typed || p.kindOf(s, s.Expr.Root) != ""
		}
	}
	return places, typed
}

func changePayloadType(p *program, out func(Mutant)) {
	for _, e := range p.spec.Events {
		for _, f := range e.Payload {
			places, typed := p.payloadSites(e.Name.Value, symbols.Text(f.Name))
			if known(f) && typed {
				out(p.retype(f, append(places, p.readers(f)...)))
			}
		}
	}
}

// readers are the expressions that read a field.
func (p *program) readers(f *spec.Field) []spec.Span {
	var list []spec.Span
	for i := range p.sites {
		s := &p.sites[i]
		spec.Walk(s.Expr.Root, func(n spec.Node) bool {
			if p.reads(s, n, f) {
				list = append(list, s.Expr.Src.Span())
			}
			return true
		})
	}
	return list
}

// reads reports whether an expression is a path to a field.
func (p *program) reads(s *sites.Site, n spec.Node, f *spec.Field) bool {
	if p.fieldOf(s, n) == f {
		return true
	}
	if _, ok := sites.PathRoot(n); !ok {
		return false
	}
	ref, _ := s.Resolve(p.table, n)
	if ref.Kind != sites.RefPayload {
		return false
	}
	for _, e := range s.Sources {
		if sites.FindField(e.Payload, ref.Path) == f {
			return true
		}
	}
	return false
}

func changeInputType(p *program, out func(Mutant)) {
	for _, a := range p.spec.Actions {
		for _, f := range a.Input {
			if !known(f) {
				continue
			}
			places := p.submitPlaces(a, f)
			typed := len(places) > 0
			for i := range p.sites {
				s := &p.sites[i]
				if s.Action != a || p.fieldOf(s, s.Expr.Root) != f {
					continue
				}
				if s.Place == sites.EmitPayload {
					e := p.table.Events[symbols.Text(s.Op.EventType)]
					if e != nil {
						to := sites.FindField(e.Payload, s.Path)
						typed = typed || to != nil && known(to)
					}
				}
			}
			if typed {
				out(p.retype(f, append(places, p.readers(f)...)))
			}
		}
	}
}

// submitPlaces are the values that submits give to an input, where their kind is known.
func (p *program) submitPlaces(a *spec.Action, f *spec.Field) []spec.Span {
	var list []spec.Span
	for i := range p.sites {
		s := &p.sites[i]
		if s.Place == sites.SubmitPayload && symbols.Text(s.Op.Action) == a.Name.Value && s.Path == f.Name.Value &&
			p.kindOf(s, s.Expr.Root) != "" && p.fieldOf(s, s.Expr.Root) != f {
			list = append(list, s.Expr.Src.Span())
		}
	}
	return list
}

func changeStateType(p *program, out func(Mutant)) {
	for _, st := range p.spec.States {
		for _, f := range st.Fields {
			if !known(f) || f.Default != nil {
				continue
			}
			var places []spec.Span
			typed := false
			for _, a := range p.spec.Actions {
				if p.table.StreamState(symbols.Text(a.State)) != st {
					continue
				}
				symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
					if op.Path != nil && sites.SlashPath(op.Path.Value) == sites.SlashPath(f.Name.Value) {
						places = append(places, op.Path.Span())
						if op.Value != nil {
							places = append(places, op.Value.Span())
						}
						typed = typed || symbols.Text(op.Kind) == "set" && op.Value != nil && p.kindOfValue(op.Value) != ""
					}
				})
			}
			if typed {
				out(p.retype(f, append(places, p.readers(f)...)))
			}
		}
	}
}

// kindOfValue is what a value is, where that is plain.
func (p *program) kindOfValue(v *spec.Value) string {
	switch v.Kind {
	case spec.ValueMap:
		return "map"
	case spec.ValueList:
		return "list"
	case spec.ValueConst:
		return p.kindOf(nil, v.Const)
	}
	for i := range p.sites {
		if s := &p.sites[i]; s.Expr == v.Expr {
			return p.kindOf(s, v.Expr.Root)
		}
	}
	return ""
}

func wrongDefault(p *program, out func(Mutant)) {
	p.eachType(func(t *spec.TypeRef, f *spec.Field, _ string) {
		if t == nil || t != f.Type || f.Default == nil || f.Default.Src == nil {
			return
		}
		wrong := map[string]string{"text": "[1]", "number": "'few'", "truth": "5", "list": "7", "map": "7"}[kindOfType(t.Name)]
		if wrong != "" {
			m := p.replace(f.Default.Src.Span(), wrong, f.Name.Span())
			m.Label = f.Name.Value + ": default " + wrong + " for " + t.Name
			out(m)
		}
	})
}

func wrongItemType(p *program, out func(Mutant)) {
	for _, st := range p.spec.States {
		for _, f := range st.Fields {
			if f.ItemType == nil {
				continue
			}
			places, legal := p.pushes(st, f)
			wrong := otherType(kindOfType(f.ItemType.Name))
			if wrong == "" {
				continue
			}
			m := p.replace(f.ItemType.Sub(0, len(f.ItemType.Name)), wrong, append(places, f.Name.Span())...)
			m.Label = f.Name.Value + ": item_type " + f.ItemType.Name + " -> " + wrong
			if legal && len(f.ItemFields) == 0 {
				m.Legal = "nothing says what the items are"
			}
			if len(f.ItemFields) > 0 {
				for _, it := range f.ItemFields {
					m.At = append(append(m.At, it.Name.Span()), p.members(it.Name.Value)...)
				}
			}
			out(m)
		}
	}
}

// pushes are the values pushed to an array; none is true where nothing of a known kind is.
func (p *program) pushes(st *spec.State, f *spec.Field) (places []spec.Span, none bool) {
	none = true
	for _, a := range p.spec.Actions {
		if p.table.StreamState(symbols.Text(a.State)) != st {
			continue
		}
		symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
			if symbols.Text(op.Kind) == "push" && op.Path != nil && sites.SlashPath(op.Path.Value) == sites.SlashPath(f.Name.Value) {
				places = append(places, op.Path.Span(), op.Value.Span())
				none = none && p.kindOfValue(op.Value) == ""
			}
		})
	}
	return places, none
}

func noItemType(p *program, out func(Mutant)) {
	for _, e := range p.matching("state/*/fields/[]/item_type", "state/*/fields/*/item_type") {
		m := e.without()
		m.Label = "no item_type of " + strings.Join(e.path[:len(e.path)-1], "/")
		if child(e.in, "item_fields") != nil {
			m.Legal = "item_fields say it"
		}
		out(m)
	}
}

func reservedField(p *program, out func(Mutant)) {
	for _, e := range p.spec.Events {
		for i, f := range e.Payload {
			name := []string{"type", "ts", "entity_id"}[i%3]
			m := p.replace(bare(f.Name), name)
			m.Label = e.Name.Value + ": " + f.Name.Value + " -> " + name
			out(m)
		}
	}
}
