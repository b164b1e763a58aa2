package types

import (
	"strings"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// actionNames is what names mean inside the rules of an action.
type actionNames struct {
	action  *spec.Action
	state   *spec.State
	loops   map[*spec.Op]*spec.Op // the loop around an op that stands in one
	binders map[string][]binder   // by the name, or by the path without its slashes
	done    map[string]Type
	open    map[string]bool
}

// binder is an op that gives a name its value.
type binder struct {
	op *spec.Op
	as bool // by as, which names an item; else by into
}

func (in *Info) namesOf(a *spec.Action) *actionNames {
	n := in.actions[a]
	if n != nil {
		return n
	}
	n = &actionNames{action: a, state: in.table.StreamState(symbols.Text(a.State)),
		loops: map[*spec.Op]*spec.Op{}, binders: map[string][]binder{}, done: map[string]Type{}, open: map[string]bool{}}
	for _, ph := range symbols.Phases(a) {
		for _, r := range ph.Rules {
			n.collect(r.Then, nil)
		}
	}
	in.actions[a] = n
	return n
}

func (n *actionNames) collect(ops []*spec.Op, loop *spec.Op) {
	for _, op := range ops {
		if op == nil {
			continue
		}
		if loop != nil {
			n.loops[op] = loop
		}
		if name := symbols.Text(op.As); name != "" {
			n.binders[name] = append(n.binders[name], binder{op, true})
		}
		for _, into := range []*spec.Scalar{op.Into, written(op)} {
			if path := strings.Join(segments(symbols.Text(into)), "."); path != "" {
				n.binders[path] = append(n.binders[path], binder{op, false})
			}
		}
		inner := loop
		if k := symbols.Text(op.Kind); k == "for_each" || k == "foreach" {
			inner = op
		}
		n.collect(op.Then, inner)
		n.collect(op.Else, inner)
	}
}

// written is the path below _tmp that an op writes.
func written(op *spec.Op) *spec.Scalar {
	if path := segments(symbols.Text(op.Path)); len(path) > 1 && free(path[0]) && !readOnly(op) {
		return op.Path
	}
	return nil
}

// bound returns the type of a name, or of a path such as _tmp.wallet, that ops of the action give a value. Where they
// depend on each other nothing is known.
func (in *Info) bound(a *spec.Action, name string) Type {
	n := in.namesOf(a)
	if t, ok := n.done[name]; ok {
		return t
	}
	if n.open[name] {
		return Any()
	}
	n.open[name] = true
	joined := kind(expr.TypeNull)
	for _, b := range n.binders[name] {
		t := in.boundBy(n, b)
		if t.IsAny() {
			joined = Any()
			break
		}
		joined = Join(joined, t)
	}
	n.open[name] = false
	n.done[name] = joined
	return joined
}

func (in *Info) boundBy(n *actionNames, b binder) Type {
	switch k := symbols.Text(b.op.Kind); {
	case b.as && k != "clone", k == "find":
		return in.listOf(n, b.op).ItemType()
	case k == "filter", k == "remove", k == "sort", k == "clone":
		return in.listOf(n, b.op)
	case k == "lookup":
		return in.State(in.table.StreamState(symbols.Text(b.op.Stream)))
	case k == "map":
		return kind(expr.TypeArray)
	}
	return Any()
}

// listOf returns the type of what an op works on.
func (in *Info) listOf(n *actionNames, op *spec.Op) Type {
	c := checker{in: in, site: &sites.Site{Scope: &sites.Scope{
		Action: n.action, State: n.state, Op: op, Bound: sites.BoundNames(n.action),
	}}}
	switch {
	case op.ForEach != nil && op.ForEach.Root != nil:
		c.site.Expr, c.site.Place = op.ForEach, sites.OpForEach
		return c.typeOf(op.ForEach.Root)
	case op.FromExpr != nil && op.FromExpr.Root != nil:
		c.site.Expr, c.site.Place = op.FromExpr, sites.OpFrom
		return c.typeOf(op.FromExpr.Root)
	case op.From != nil:
		return in.pathType(n, op.From)
	}
	return in.pathType(n, op.Path)
}

func (in *Info) pathType(n *actionNames, path *spec.Scalar) Type {
	names := segments(symbols.Text(path))
	if len(names) > 0 && n.binders[names[0]] != nil || len(names) > 1 && free(names[0]) {
		return in.bound(n.action, strings.Join(names, "."))
	}
	return in.Path(n.state, path).Type
}

// Item returns the type of the items that an op works on.
func (in *Info) Item(a *spec.Action, op *spec.Op) Type { return in.List(a, op).ItemType() }

// List returns the type of the list that an op works on.
func (in *Info) List(a *spec.Action, op *spec.Op) Type {
	if a == nil {
		return Any()
	}
	return in.listOf(in.namesOf(a), op)
}

// item returns what `item` means in a scope: an item of the list of the innermost loop.
func (in *Info) item(s *sites.Site) Type {
	if s.Action == nil || s.Op == nil {
		return Any()
	}
	n := in.namesOf(s.Action)
	op := s.Op
	if k := symbols.Text(op.Kind); k != "emit_each" || s.Place == sites.OpFrom {
		op = n.loops[op]
	}
	if op == nil {
		return Any()
	}
	return in.listOf(n, op).ItemType()
}

// InLoop reports whether an op of an action stands in a loop.
func (in *Info) InLoop(a *spec.Action, op *spec.Op) bool { return in.namesOf(a).loops[op] != nil }

// derivedColumns are the types of the columns that a projection derives.
type derivedColumns struct {
	scope *sites.Scope
	value map[string]*spec.Value // nil where a mutation sets the column, too
	done  map[string]Type
}

// derivedColumn returns the type of derived.NAME.
func (in *Info) derivedColumn(p *spec.Projection, name string) Type {
	d := in.derived[p]
	if d == nil {
		d = in.newDerived(p)
		in.derived[p] = d
	}
	if t, ok := d.done[name]; ok {
		return t
	}
	d.done[name] = Any() // what it means inside itself
	if v := d.value[name]; v != nil {
		c := checker{in: in, site: &sites.Site{Scope: d.scope, Place: sites.Derive}}
		d.done[name] = c.value(v)
	}
	return d.done[name]
}

func (in *Info) newDerived(p *spec.Projection) *derivedColumns {
	d := &derivedColumns{scope: &sites.Scope{Projection: p}, value: map[string]*spec.Value{}, done: map[string]Type{}}
	for _, s := range p.SourceEvents {
		if e := in.table.Events[s.Value]; e != nil {
			d.scope.Sources = append(d.scope.Sources, e)
		}
	}
	for _, e := range p.Derive {
		d.value[symbols.Text(e.Key)] = e.Value
	}
	for _, m := range p.Mutations {
		for _, e := range m.Set {
			d.value[symbols.Text(e.Key)] = nil
		}
	}
	return d
}
