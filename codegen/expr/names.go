package expr

import (
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// ident lowers a lone name, which has a meaning only as the item of a map.
func (l *lowering) ident(n *spec.Ident) *ir.Expr {
	switch n.Name {
	case "it":
		return l.it(n)
	case "event", "derived", "resources":
		return l.bad(n.Where, "`%s` is not a value by itself: name a member, such as `%s.name`", n.Name, n.Name)
	}
	return l.unknownRoot(n)
}

func (l *lowering) it(n *spec.Ident) *ir.Expr {
	if l.maps == 0 {
		return l.bad(n.Where, "`it` has a meaning only in the second argument of map")
	}
	return &ir.Expr{Op: ir.OpIt}
}

// unknownRoot reports a name that has no meaning in a projection, and says why where it has one elsewhere.
func (l *lowering) unknownRoot(n *spec.Ident) *ir.Expr {
	switch n.Name {
	case "entity", "state", "project", "projection", "aggregate", "global", "platform":
		return l.bad(n.Where, "`%s` can't be read in a projection: its rows are a function of the events alone", n.Name)
	case "intent", "input":
		return l.bad(n.Where, "`%s` is known only to actions and queries, and there only as a value of its own; in a projection read `event`, in a query write input.NAME alone", n.Name)
	case "envelope", "item":
		return l.bad(n.Where, "`%s` has no meaning in a projection", n.Name)
	}
	return l.bad(n.Where, "unknown name `%s`", n.Name)
}

func (l *lowering) member(n *spec.Member) *ir.Expr {
	if root, ok := n.X.(*spec.Ident); ok {
		return l.rootMember(root, n.Name, n.NameAt)
	}
	return member(l.lower(n.X), n.Name)
}

// index lowers X[I]. What a namespace holds is also read by a key in quotes.
func (l *lowering) index(n *spec.Index) *ir.Expr {
	root, ok := n.X.(*spec.Ident)
	if !ok || root.Name == "it" {
		return &ir.Expr{Op: ir.OpIndex, Args: l.all(n.X, n.I)}
	}
	if key, ok := n.I.(*spec.Lit); ok && key.Kind == spec.LitString {
		return l.rootMember(root, key.Text, key.Where)
	}
	switch root.Name {
	case "event":
		return &ir.Expr{Op: ir.OpIndex, Args: []*ir.Expr{{Op: ir.OpPayload}, l.lower(n.I)}}
	case "derived", "resources":
		return l.bad(n.I.Range(), "the key of `%s` must be a text in quotes", root.Name)
	}
	l.lower(n.I)
	return l.unknownRoot(root)
}

// rootMember lowers root.name.
func (l *lowering) rootMember(root *spec.Ident, name string, at spec.Range) *ir.Expr {
	switch root.Name {
	case "event":
		return l.eventField(name)
	case "derived":
		if !l.env.derives(name) {
			return l.bad(at, "no column `%s` is derived before this one", name)
		}
		return &ir.Expr{Op: ir.OpDerived, Name: name}
	case "resources":
		if !l.env.hasResource(name) {
			return l.bad(at, "there is no resource `%s`", name)
		}
		return &ir.Expr{Op: ir.OpResource, Name: name}
	case "it":
		return member(l.it(root), name)
	}
	return l.unknownRoot(root)
}

// eventField lowers event.name: what the envelope always has, then what the event declares, then what the envelope has
// besides, then whatever the payload holds.
func (l *lowering) eventField(name string) *ir.Expr {
	switch name {
	case "payload":
		return &ir.Expr{Op: ir.OpPayload}
	case "type", "ts", "entity_id":
		return &ir.Expr{Op: ir.OpEnvelope, Name: name}
	}
	if !l.env.declares(name) {
		switch name {
		case "id":
			return &ir.Expr{Op: ir.OpEnvelope, Name: "event_id"}
		case "event_id", "stream_id", "fork_id", "version":
			return &ir.Expr{Op: ir.OpEnvelope, Name: name}
		}
	}
	return member(&ir.Expr{Op: ir.OpPayload}, name)
}
