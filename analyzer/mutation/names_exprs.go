package mutation

import (
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// expressions lists the names in expressions.
func (n *namer) expressions() {
	for i := range n.p.sites {
		s := &n.p.sites[i]
		w := pathWalker{visit: func(path spec.Node) { n.reference(s, path) }, call: func(c *spec.Call) { n.call(s, c) }}
		w.walk(s.Expr.Root)
	}
}

// pathWalker finds whole paths, such as event.payload.seat, and calls.
type pathWalker struct {
	visit func(spec.Node)
	call  func(*spec.Call)
}

func (w *pathWalker) walk(n spec.Node) {
	if _, ok := sites.PathRoot(n); ok {
		w.visit(n)
		w.indexes(n)
		return
	}
	if c, ok := n.(*spec.Call); ok {
		w.call(c)
		for i, a := range c.Args {
			if i > 0 || c.Name != "lookup" && c.Name != "LOOKUP_FIELD" {
				w.walk(a)
			}
		}
		return
	}
	for _, c := range spec.Children(n) {
		w.walk(c)
	}
}

func (w *pathWalker) indexes(n spec.Node) {
	switch n := n.(type) {
	case *spec.Member:
		w.indexes(n.X)
	case *spec.Index:
		w.indexes(n.X)
		w.walk(n.I)
	}
}

func (n *namer) call(s *sites.Site, c *spec.Call) {
	if c.Fn != nil && c.Name != "" {
		n.useAt("function", c.Name, s.Expr.Span(c.Fn))
	}
	if (c.Name == "lookup" || c.Name == "LOOKUP_FIELD") && len(c.Args) > 0 {
		at := c.Args[0].Range()
		if lit, ok := c.Args[0].(*spec.Lit); ok && lit.Kind == spec.LitString {
			at.From, at.To = at.From+1, at.To-1
		}
		n.useAt("stream", sites.StreamName(c.Args[0]), s.Expr.At(at))
	}
}

// last returns the last name of a path and where it stands.
func last(n spec.Node) (string, spec.Range, bool) {
	switch n := n.(type) {
	case *spec.Member:
		return n.Name, n.NameAt, true
	case *spec.Ident:
		return n.Name, n.Where, true
	}
	return "", spec.Range{}, false
}

func (n *namer) reference(s *sites.Site, path spec.Node) {
	root, _ := sites.PathRoot(path)
	ref, _ := s.Resolve(n.p.table, path)
	name, at, named := last(path)
	first := sites.FirstSegment(ref.Path)
	if root != path && ref.Kind != sites.RefLocal {
		n.useAt("namespace", root.Name, s.Expr.Span(root))
	}
	switch ref.Kind {
	case sites.RefInput:
		n.input(s, ref, first)
	case sites.RefQuery:
		n.useAt("input", first, s.Expr.At(ref.Field), "query "+s.Query.Name.Value)
	case sites.RefPayload:
		n.payload(s, ref, first)
	case sites.RefDerived:
		n.useAt("derived column", first, s.Expr.At(ref.Field), symbols.TableName(s.Projection))
	case sites.RefEntity:
		if named && root != path && n.declaresPath(ref.State, ref.Path) {
			n.useAt("entity path in an expression", ref.Path, s.Expr.At(at), ref.State.Name.Value)
		}
	case sites.RefDecision:
		n.useAt("decision", ref.Name, s.Expr.At(ref.Field))
		if named && ref.Path == name {
			n.useAt("decision output", name, s.Expr.At(at), ref.Name)
		}
	case sites.RefLocal:
		n.local(s, ref, root, path)
	case sites.RefNone:
		if root.Name == "resources" {
			n.resource(s, path)
		}
	}
}

func (n *namer) input(s *sites.Site, ref sites.Ref, field string) {
	if s.Envelope == nil && sites.HasField(s.Action.Input, field) {
		n.useAt("input", field, s.Expr.At(ref.Field), "action "+s.Action.Name.Value)
	}
}

func (n *namer) payload(s *sites.Site, ref sites.Ref, field string) {
	var scope []string
	for _, e := range s.Sources {
		if sites.HasField(e.Payload, field) {
			scope = append(scope, e.Name.Value)
		}
	}
	if len(scope) > 0 {
		n.useAt("payload field", field, s.Expr.At(ref.Field), scope...)
	}
}

func (n *namer) declaresPath(state *spec.State, path string) bool {
	if state == nil {
		return false
	}
	for _, f := range state.Fields {
		if sites.SlashPath(f.Name.Value) == path {
			return true
		}
	}
	return false
}

// local is a bound name, item or it, and perhaps a field of the item.
func (n *namer) local(s *sites.Site, ref sites.Ref, root *spec.Ident, path spec.Node) {
	if ref.Name != "item" && ref.Name != "it" {
		if s.Action != nil {
			n.useAt("bound name", ref.Name, s.Expr.Span(root), s.Action.Name.Value)
		}
		return
	}
	name, at, ok := last(path)
	if !ok || name != ref.Path || s.State == nil {
		return
	}
	for _, f := range s.State.Fields {
		if sites.HasField(f.ItemFields, name) {
			n.useAt("item field", name, s.Expr.At(at), s.State.Name.Value)
			return
		}
	}
}

// resource is a path such as resources.grades[x].limit.
func (n *namer) resource(s *sites.Site, path spec.Node) {
	name, at, ok := last(path)
	for x := path; ; {
		switch m := x.(type) {
		case *spec.Member:
			if _, isRoot := m.X.(*spec.Ident); isRoot {
				n.useAt("resource", m.Name, s.Expr.At(m.NameAt))
				if ok && m != path {
					n.useAt("resource field", name, s.Expr.At(at), m.Name)
				}
				return
			}
			x = m.X
		case *spec.Index:
			x = m.X
		default:
			return
		}
	}
}
