package names

import (
	"slices"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// loopName reports it and item where there is no list whose items they could be.
func loopName(p *analysis.Pass, s *sites.Site, id *spec.Ident, at spec.Span) {
	if id.Name == "item" {
		if !s.Loop {
			hint := "move this into a for_each or an emit_each, which go through a list"
			if hasIt(s) {
				hint = "in this op the item is called it"
			}
			p.Reportf(at, "\"item\" means nothing outside of a loop; %s", hint)
		}
		return
	}
	if hasIt(s) || inMap(s.Expr, id) {
		return
	}
	hint := "it is the item at hand in where, in by and in the second argument of map"
	if s.Loop {
		hint = "in a loop the item is called item"
	}
	p.Reportf(at, "\"it\" means nothing here; %s", hint)
}

// hasIt reports whether an op gives its expressions the items of a list, one by one.
func hasIt(s *sites.Site) bool {
	if s.Op == nil {
		return false
	}
	switch symbols.Text(s.Op.Kind) {
	case "remove", "filter", "find", "map", "sort", "clone":
		return true
	}
	return s.Place == sites.OpWhere || s.Place == sites.OpBy
}

// longText bounds the expressions that are walked for every name in them.
const longText = 10_000

// inMap reports whether a node stands in the second argument of map.
func inMap(e *spec.Expr, n spec.Node) bool {
	root := e.Root
	found := len(e.Src.Value) > longText
	spec.Walk(root, func(x spec.Node) bool {
		call, ok := x.(*spec.Call)
		if ok && call.Name == "map" && len(call.Args) > 1 && within(call.Args[1], n) {
			found = true
		}
		return !found
	})
	return found
}

func within(outer, n spec.Node) bool {
	o, i := outer.Range(), n.Range()
	return o.From <= i.From && i.To <= o.To
}

// divided returns the path with dots that an author may have meant who wrote a slash between a path and a name.
func divided(s *sites.Site, name string) string {
	dotted := ""
	if len(s.Expr.Src.Value) > longText {
		return ""
	}
	spec.Walk(s.Expr.Root, func(n spec.Node) bool {
		b, ok := n.(*spec.Binary)
		if !ok || b.Op != "/" {
			return true
		}
		left, isPath := sites.PathRoot(b.X)
		right, isName := sites.PathRoot(b.Y)
		if isPath && isName && right.Name == name && left != b.X && slices.Contains([]string{"entity", "state", "event", "intent", "input", "resources"}, left.Name) {
			l, r := b.X.Range(), b.Y.Range()
			text := s.Expr.Src.Value
			if int(r.To) <= len(text) {
				dotted = text[l.From:l.To] + "." + text[r.From:r.To]
			}
		}
		return dotted == ""
	})
	return dotted
}

// runDerived finds columns that are read as derived.NAME and that the projection does not derive.
func runDerived(p *analysis.Pass) error {
	eachPath(p, func(s *sites.Site, ref sites.Ref) {
		if ref.Kind != sites.RefDerived || s.Projection == nil {
			return
		}
		column := sites.FirstSegment(ref.Path)
		if column == "*" || slices.ContainsFunc(s.Projection.Derive, func(d spec.ValueEntry) bool { return symbols.Text(d.Key) == column }) {
			return
		}
		var derived []string
		for _, d := range s.Projection.Derive {
			derived = append(derived, symbols.Text(d.Key))
		}
		at := s.Expr.At(ref.Field)
		hint, fixes := p.Suggest(column, derived, at, "derive it, or write what it is made of")
		p.ReportCause(symbols.Text(s.Projection.Name)+" "+column, readToo, spec.Diagnostic{Span: at, Fixes: fixes,
			Message: called("projection", s.Projection.Name) + " derives no column " + column + "; " + hint})
	})
	return nil
}
