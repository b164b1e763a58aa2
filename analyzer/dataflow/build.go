package dataflow

import (
	"strconv"
	"strings"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// Build makes the graph of a program from its names and expressions.
func Build(p *spec.Program, t *symbols.Table, list []sites.Site) *Graph {
	b := &builder{table: t, graph: &Graph{out: map[Root]*exits{}}}
	for i := range list {
		b.site(&list[i])
	}
	for _, a := range p.Actions {
		b.action(a)
	}
	for _, e := range p.Envelopes {
		b.envelope(e)
	}
	for _, d := range p.Decisions {
		b.decision(d)
	}
	for _, pr := range p.Projections {
		b.projection(pr)
	}
	for _, q := range p.Queries {
		b.query(q)
	}
	return b.graph
}

type builder struct {
	table *symbols.Table
	graph *Graph
}

// target is where the value of an expression goes.
type target struct {
	loc  Loc
	at   *spec.Scalar
	step Step
}

// site adds the edges of one expression: from all that it reads, and from the calls in it that are followed.
func (b *builder) site(s *sites.Site) {
	targets := b.targets(s)
	r := reader{b: b, s: s, targets: targets}
	r.read(s.Expr.Root, true)
	eachOrigin(s, func(kind OriginKind, name string, n spec.Node) {
		o := &Origin{Kind: kind, Name: name, Site: s, Node: n}
		o.Loc = Loc{Root: Root{Computed, strconv.Itoa(len(b.graph.origins))}}
		b.graph.origins = append(b.graph.origins, o)
		for _, to := range targets {
			b.graph.add(Edge{From: o.Loc, To: to.loc, At: to.at, Step: to.step})
		}
	})
}

// reader adds an edge from every reference in an expression to the expression's targets.
type reader struct {
	b       *builder
	s       *sites.Site
	targets []target
}

// read visits a node; whole tells that its value is the value of the expression, not an operand of something computed.
func (r *reader) read(n spec.Node, whole bool) {
	if ref, ok := r.s.Resolve(r.b.table, n); ok {
		r.reference(ref, whole)
		r.inner(n)
		return
	}
	switch n := n.(type) {
	case *spec.Cond:
		r.read(n.If, false)
		r.read(n.Then, whole)
		r.read(n.Else, whole)
	case *spec.Elvis:
		r.read(n.X, whole)
		r.read(n.Y, whole)
	case *spec.Call:
		keeps := whole && (n.Name == "coalesce" || n.Name == "isnull")
		for _, a := range n.Args {
			r.read(a, keeps)
		}
	default:
		for _, c := range spec.Children(n) {
			r.read(c, false)
		}
	}
}

// inner reads what stands inside a path: computed indexes, and the arguments of a lookup.
func (r *reader) inner(n spec.Node) {
	switch n := n.(type) {
	case *spec.Member:
		r.inner(n.X)
	case *spec.Index:
		r.read(n.I, false)
		r.inner(n.X)
	case *spec.Call:
		for _, a := range n.Args[1:] {
			r.read(a, false)
		}
	}
}

func (r *reader) reference(ref sites.Ref, whole bool) {
	from, ok := r.b.place(r.s.Scope, ref)
	if !ok {
		return
	}
	for _, to := range r.targets {
		r.b.graph.add(Edge{From: from, To: to.loc, Copy: whole, At: to.at, Step: to.step})
	}
}

// place returns where a reference reads its value.
func (b *builder) place(s *sites.Scope, ref sites.Ref) (Loc, bool) {
	switch ref.Kind {
	case sites.RefInput:
		return Loc{Root{Input, symbols.Text(s.Action.Name)}, ref.Path}, true
	case sites.RefPayload:
		return b.payloadPlace(s, ref.Path)
	case sites.RefEnvelope:
		return b.envelopePlace(s, ref.Path)
	case sites.RefEntity:
		if ref.State == nil {
			return Loc{}, false
		}
		return Loc{Root{Entity, ref.State.Name.Value}, ref.Path}, true
	case sites.RefDecision:
		return Loc{Root{DecisionOutput, ref.Name}, ref.Path}, true
	case sites.RefLocal:
		if s.Action == nil {
			return Loc{}, false
		}
		return local(s.Action, sites.JoinPath(ref.Name, ref.Path)), true
	case sites.RefDerived:
		if s.Projection != nil {
			return Loc{Root{Column, symbols.Text(s.Projection.Name)}, ref.Path}, true
		}
	}
	return Loc{}, false
}

func (b *builder) payloadPlace(s *sites.Scope, path string) (Loc, bool) {
	switch {
	case s.EventName != nil:
		return Loc{Root{Payload, s.EventName.Value}, path}, true
	case s.Projection != nil:
		return Loc{Root{Source, symbols.Text(s.Projection.Name)}, path}, true
	}
	return Loc{}, false
}

func (b *builder) envelopePlace(s *sites.Scope, field string) (Loc, bool) {
	switch {
	case field != "entity_id":
	case s.Action != nil:
		return Loc{Root: Root{ActionID, symbols.Text(s.Action.Name)}}, true
	case s.EventName != nil:
		return Loc{Root: Root{EventID, s.EventName.Value}}, true
	case s.Projection != nil:
		return Loc{Root: Root{SourceEntity, symbols.Text(s.Projection.Name)}}, true
	}
	return Loc{}, false
}

func local(a *spec.Action, path string) Loc {
	return Loc{Root{Local, symbols.Text(a.Name)}, path}
}

// entity returns the place of a slash path in the state at hand.
func entity(s *spec.State, path string) (Loc, bool) {
	if s == nil {
		return Loc{}, false
	}
	return Loc{Root{Entity, s.Name.Value}, sites.SlashPath(path)}, true
}

// destination returns the place that `into` or `path` names: a path of the state, or a bare name of the action.
func destination(a *spec.Action, s *spec.State, name *spec.Scalar) (Loc, bool) {
	text := symbols.Text(name)
	if text == "" {
		return Loc{}, false
	}
	if a != nil && !strings.ContainsAny(text, "/.") {
		return local(a, text), true
	}
	return entity(s, text)
}
