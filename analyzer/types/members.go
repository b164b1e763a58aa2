package types

import (
	"fmt"
	"slices"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// step is one step of a path: .name or ['name'].
type step struct {
	n    spec.Node // the whole path up to here
	x    spec.Node
	name string
	at   spec.Range
}

func (c *checker) member(n *spec.Member) Type {
	return c.step(step{n: n, x: n.X, name: n.Name, at: n.NameAt})
}

func (c *checker) step(s step) Type {
	if root, ok := s.x.(*spec.Ident); ok && !c.site.Bound[root.Name] && root.Name != "it" && root.Name != "item" {
		return c.namespace(root.Name, s)
	}
	t := c.typeOf(s.x)
	if t.IsAny() {
		return Any()
	}
	if t.Kind == expr.TypeObject {
		return c.field(t.Record, s)
	}
	c.noMember(t, s)
	return Any()
}

// field reads a field of an object.
func (c *checker) field(r *Record, s step) Type {
	if r == nil {
		return Any()
	}
	if t, ok := r.Fields[s.name]; ok {
		return c.tmp(r, s, t)
	}
	if r.state != nil {
		path := sites.JoinPath(r.path, s.name)
		if r.path == "" && free(s.name) || r.state.written[path] {
			return c.tmp(r, s, Any())
		}
	}
	if r.Open || !c.report {
		return Any()
	}
	p := Problem{Kind: NoMember, Site: c.site, At: s.at, Name: s.name, Known: r.Names(), Of: r.Of, Loose: r.Loose}
	if r.state != nil {
		p.Kind = UnknownPath
		p.Name = sites.JoinPath(r.path, s.name)
	}
	c.in.Problems = append(c.in.Problems, p)
	return Any()
}

// tmp gives its type to a path below _tmp, which an op of the action has written.
func (c *checker) tmp(r *Record, s step, t Type) Type {
	if r.state == nil || r.path != "" || !t.IsAny() || s.name != "decisions" && !free(s.name) {
		return t
	}
	if s.name == "decisions" {
		return c.in.decisions
	}
	if c.site.Action == nil {
		return Any()
	}
	return c.scratch(s.name)
}

// scratch is the record of what ops of the action have written below a free name.
func (c *checker) scratch(name string) Type {
	n := c.in.namesOf(c.site.Action)
	r := &Record{Fields: map[string]Type{}, Open: true}
	for path := range n.binders {
		if names := segments(path); len(names) == 2 && names[0] == name {
			r.Fields[names[1]] = c.in.bound(c.site.Action, path)
		}
	}
	return objectOf(r)
}

// noMember reports a member of what has none.
func (c *checker) noMember(t Type, s step) {
	hint := fmt.Sprintf("%s has no parts", WithArticle(t.String()))
	switch {
	case slices.Contains([]string{"length", "size", "count", "len"}, s.name) && (t.Kind == expr.TypeArray || t.Kind == expr.TypeString):
		hint = "write size(" + c.text(s.x) + ")"
	case t.Kind == expr.TypeArray && t.ItemType().MayBeObject():
		hint = fmt.Sprintf("name an item, as in %s[0].%s", c.text(s.x), s.name)
	case t.Kind == expr.TypeArray:
		hint = fmt.Sprintf("name an item, as in %s[0]", c.text(s.x))
	}
	c.problem(NoMember, s.at, "%s is %s, so it has no %s; %s", c.text(s.x), t.A(), s.name, hint)
}

func (c *checker) index(n *spec.Index) Type {
	key, literal := n.I.(*spec.Lit)
	literal = literal && key.Kind == spec.LitString
	if root, isRoot := n.X.(*spec.Ident); literal && isRoot && !c.site.Bound[root.Name] && root.Name != "it" && root.Name != "item" {
		return c.namespace(root.Name, step{n: n, x: n.X, name: key.Text, at: key.Where})
	}
	t, i := c.typeOf(n.X), c.typeOf(n.I)
	switch {
	case t.IsAny():
	case t.Kind == expr.TypeArray:
		if !i.MayBeNumber() {
			c.problem(NoMember, n.I.Range(), "%s is an array, and %s is %s; an item is named by its number, from 0", c.text(n.X), c.text(n.I), i.A())
		}
		return t.ItemType()
	case t.Kind == expr.TypeObject && literal:
		return c.field(t.Record, step{n: n, x: n.X, name: key.Text, at: key.Where})
	case t.Kind == expr.TypeObject:
		return t.Record.anyField()
	default:
		c.problem(NoMember, n.I.Range(), "%s is %s, so it has no items", c.text(n.X), t.A())
	}
	return Any()
}

// namespace reads a member of a namespace. What is not declared has rules of its own, and is any.
func (c *checker) namespace(root string, s step) Type {
	switch root {
	case "event":
		return c.event(s)
	case "intent", "input":
		return c.input(s)
	case "entity", "state":
		if c.site.Projection == nil {
			if t := c.in.State(c.site.State); t.Record != nil {
				return c.field(t.Record, s)
			}
		}
	case "derived":
		if c.site.Projection != nil {
			return c.in.derivedColumn(c.site.Projection, s.name)
		}
	case "resources":
		return c.in.resource(s.name)
	}
	return Any()
}

// event reads event.NAME.
func (c *checker) event(s step) Type {
	r := c.in.payload(c.site.Scope)
	var declared Type
	known := false
	if r != nil {
		declared, known = r.Fields[s.name]
	}
	switch s.name {
	case "type", "entity_id":
		return kind(expr.TypeString)
	case "ts":
		return kind(expr.TypeInt)
	}
	if known {
		if c.partly(s.name) {
			return Any()
		}
		return declared
	}
	switch s.name {
	case "payload":
		if r == nil {
			return Any()
		}
		return objectOf(&Record{Fields: r.Fields, Open: true})
	case "id", "event_id", "stream_id", "fork_id":
		return kind(expr.TypeString)
	case "version":
		return kind(expr.TypeInt)
	}
	return Any()
}

// partly reports whether a name of the envelope is declared by some of the source events only, so that it means one thing
// for some and another for others.
func (c *checker) partly(name string) bool {
	if !sites.IsEnvelope(name) || c.site.Action != nil || c.site.EventName != nil {
		return false
	}
	return slices.ContainsFunc(c.site.Sources, func(e *spec.Event) bool { return !sites.HasField(e.Payload, name) })
}

// input reads input.NAME or intent.NAME.
func (c *checker) input(s step) Type {
	switch {
	case c.site.Query != nil:
		return c.in.Parameters(c.site.Query).Fields[s.name]
	case c.site.Action == nil:
		return Any()
	}
	if t, ok := c.in.Input(c.site.Action).Fields[s.name]; ok {
		return t
	}
	switch s.name {
	case "type", "entity_id":
		return kind(expr.TypeString)
	case "ts":
		return kind(expr.TypeInt)
	}
	return Any()
}

// lookup types lookup(state, id).
func (c *checker) lookup(n *spec.Call) Type {
	for i, a := range n.Args[1:] {
		t := c.typeOf(a)
		if i == 0 && (t.Kind == expr.TypeBool || composite(t)) {
			c.problem(BadArgument, a.Range(), "%s is %s, and an id is a text or a number; name what identifies the entity", c.text(a), t.A())
		}
	}
	return c.in.State(c.in.table.StreamState(sites.StreamName(n.Args[0])))
}

// lookupField types LOOKUP_FIELD('stream', id, '/path').
func (c *checker) lookupField(n *spec.Call) Type {
	t := c.lookup(n)
	path, ok := n.Args[len(n.Args)-1].(*spec.Lit)
	if !ok || len(n.Args) != 3 || path.Kind != spec.LitString || t.Record == nil || dynamic(path.Text) {
		return Any()
	}
	for _, name := range segments(path.Text) {
		switch {
		case t.Kind == expr.TypeObject:
			t = c.field(t.Record, step{n: n, x: n, name: name, at: path.Where})
		case t.Kind == expr.TypeArray && isIndex(name):
			t = t.ItemType()
		default:
			return Any()
		}
	}
	return t
}
