package types

import (
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// Info holds the types of a program's expressions and what is wrong inside of them. It must not be shared between
// goroutines, since it works out some parts when they are first asked for.
type Info struct {
	Problems []Problem // in the order of the program
	Ops      []OpSite  // of all actions and listeners, nested ones after the op that holds them

	table     *symbols.Table
	exprs     map[*spec.Expr]typed
	states    map[*spec.State]*stateFields
	payloads  map[*spec.Event]*Record
	inputs    map[*spec.Action]*Record
	queries   map[*spec.Query]*Record
	sources   map[*spec.Projection]*Record
	derived   map[*spec.Projection]*derivedColumns
	actions   map[*spec.Action]*actionNames
	resources map[string]Type
	tables    map[*symbols.TableInfo]map[string]Column
	decisions Type
}

// OpSite is an op in its place.
type OpSite struct {
	Op       *spec.Op
	Action   *spec.Action   // nil in a listener
	Listener *spec.Listener // nil in an action
	State    *spec.State    // whose entity it works on; nil where that is not known
}

// typed is an expression's type, and where it stands.
type typed struct {
	typ  Type
	site *sites.Site
}

// Build types all expressions of a program.
func Build(p *spec.Program, t *symbols.Table, list []sites.Site) *Info {
	in := &Info{
		table:     t,
		exprs:     make(map[*spec.Expr]typed, len(list)),
		states:    make(map[*spec.State]*stateFields, len(p.States)),
		payloads:  make(map[*spec.Event]*Record, len(p.Events)),
		inputs:    make(map[*spec.Action]*Record, len(p.Actions)),
		queries:   make(map[*spec.Query]*Record, len(p.Queries)),
		sources:   make(map[*spec.Projection]*Record, len(p.Projections)),
		derived:   map[*spec.Projection]*derivedColumns{},
		actions:   map[*spec.Action]*actionNames{},
		resources: make(map[string]Type, len(p.Resources)),
		tables:    make(map[*symbols.TableInfo]map[string]Column, len(t.Tables)),
	}
	for _, s := range p.States {
		in.states[s] = newStateFields(s)
	}
	in.decisions = in.decisionType(p)
	in.collectOps(p)
	in.noteWrites(p)
	for i := range list {
		s := &list[i]
		c := checker{in: in, site: s, report: true}
		in.exprs[s.Expr] = typed{c.typeOf(s.Expr.Root), s}
	}
	return in
}

func (in *Info) collectOps(p *spec.Program) {
	for _, a := range p.Actions {
		site := OpSite{Action: a, State: in.table.StreamState(symbols.Text(a.State))}
		symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
			site.Op = op
			in.Ops = append(in.Ops, site)
		})
	}
	for _, l := range p.Listeners {
		site := OpSite{Listener: l}
		if e := in.table.Events[symbols.Text(l.On)]; e != nil {
			site.State = in.table.StreamState(symbols.Text(e.State))
		}
		for _, op := range l.Mutate {
			if op != nil {
				site.Op = op
				in.Ops = append(in.Ops, site)
			}
		}
	}
}

// Of returns the type of an expression of the program.
func (in *Info) Of(e *spec.Expr) Type {
	if e == nil {
		return Any()
	}
	return in.exprs[e].typ
}

// Result is a part of an expression that can be its result, such as a branch of a conditional.
type Result struct {
	Node spec.Node
	Type Type
}

// Results returns what an expression may give: its branches where it is a conditional, an elvis, coalesce or isnull, and
// else itself.
func (in *Info) Results(e *spec.Expr) []Result {
	t, ok := in.exprs[e]
	if e == nil || e.Root == nil || !ok {
		return nil
	}
	if len(branches(e.Root)) == 0 {
		return []Result{{e.Root, t.typ}}
	}
	c := checker{in: in, site: t.site}
	return c.results(e.Root, nil)
}

func (c *checker) results(n spec.Node, list []Result) []Result {
	parts := branches(n)
	if len(parts) == 0 {
		return append(list, Result{n, c.typeOf(n)})
	}
	for _, part := range parts {
		list = c.results(part, list)
	}
	return list
}

// EventType is the type of a field in one of several events.
type EventType struct {
	Event *spec.Event
	Type  Type
}

// ByEvent returns what a payload field is in each of the source events, where the expression is derived for several that
// declare it differently; else nothing.
func (in *Info) ByEvent(e *spec.Expr, n spec.Node) []EventType {
	t, ok := in.exprs[e]
	if !ok || t.site.Projection == nil || t.site.EventName != nil || len(t.site.Sources) < 2 {
		return nil
	}
	ref, isPath := t.site.Resolve(in.table, n)
	if !isPath || ref.Kind != sites.RefPayload {
		return nil
	}
	var list []EventType
	differ := false
	for _, event := range t.site.Sources {
		if declared, ok := in.Payload(event).Fields[ref.Path]; ok {
			list = append(list, EventType{event, declared})
			differ = differ || !declared.Takes(list[0].Type)
		}
	}
	if !differ {
		return nil
	}
	return list
}

func branches(n spec.Node) []spec.Node {
	switch n := n.(type) {
	case *spec.Cond:
		return []spec.Node{n.Then, n.Else}
	case *spec.Elvis:
		return []spec.Node{n.X, n.Y}
	case *spec.Call:
		if n.Name == "coalesce" || n.Name == "isnull" {
			return n.Args
		}
	}
	return nil
}

// Value returns the type of a value of the program.
func (in *Info) Value(v *spec.Value) Type {
	switch {
	case v == nil:
		return Any()
	case v.Kind == spec.ValueConst && v.Const != nil:
		return Literal(v.Const)
	case v.Kind == spec.ValueExpr:
		return in.Of(v.Expr)
	case v.Kind == spec.ValueMap:
		return kind(expr.TypeObject)
	case v.Kind == spec.ValueList:
		return arrayOf(joinAll(v.Items, in.Value))
	}
	return Any()
}

// Payload returns the fields that an event declares.
func (in *Info) Payload(e *spec.Event) *Record {
	r := in.payloads[e]
	if r == nil {
		r = recordOf(e.Payload, "event "+symbols.Text(e.Name))
		in.payloads[e] = r
	}
	return r
}

// Input returns the fields that an action takes.
func (in *Info) Input(a *spec.Action) *Record {
	r := in.inputs[a]
	if r == nil {
		r = recordOf(a.Input, "action "+symbols.Text(a.Name))
		in.inputs[a] = r
	}
	return r
}

// Parameters returns the fields that a query takes.
func (in *Info) Parameters(q *spec.Query) *Record {
	r := in.queries[q]
	if r == nil {
		r = recordOf(q.Input, "query "+symbols.Text(q.Name))
		in.queries[q] = r
	}
	return r
}

// DecisionInput returns the fields that a decision takes.
func (in *Info) DecisionInput(d *spec.Decision) *Record {
	if t := in.decisions.Record.Fields[symbols.Text(d.Name)]; t.Record != nil {
		if r := t.Record.Fields["input"].Record; r != nil {
			return r
		}
	}
	return recordOf(d.Input, "the input of decision "+symbols.Text(d.Name))
}

// payload returns the payload fields of the event that a scope has at hand, or what its source events have together.
func (in *Info) payload(s *sites.Scope) *Record {
	switch {
	case s.Action != nil:
		return in.Input(s.Action)
	case s.Event != nil:
		return in.Payload(s.Event)
	case s.Projection != nil && s.EventName == nil:
		return in.sourcePayload(s)
	}
	return nil
}

func (in *Info) sourcePayload(s *sites.Scope) *Record {
	r := in.sources[s.Projection]
	if r == nil {
		rows := make([]*Record, len(s.Sources))
		for i, e := range s.Sources {
			rows[i] = in.Payload(e)
		}
		if len(rows) == 1 {
			r = rows[0]
		} else {
			r = union(rows, "the source events of projection "+symbols.Text(s.Projection.Name))
		}
		in.sources[s.Projection] = r
	}
	return r
}

// decisionType is what entity.decisions holds: the results of all decisions, by name.
func (in *Info) decisionType(p *spec.Program) Type {
	r := &Record{Fields: make(map[string]Type, len(p.Decisions)), Open: true}
	for _, d := range p.Decisions {
		name := symbols.Text(d.Name)
		result := &Record{Open: true, Fields: map[string]Type{
			"output": objectOf(recordOf(d.Output, "the output of decision "+name)),
			"input":  objectOf(recordOf(d.Input, "the input of decision "+name)),
		}}
		if len(d.Output) == 0 {
			result.Fields["output"] = Any()
		}
		r.Fields[name] = objectOf(result)
	}
	return objectOf(r)
}

// resource returns the type of a resource.
func (in *Info) resource(name string) Type {
	t, ok := in.resources[name]
	if !ok {
		if r := in.table.Resources[name]; r != nil {
			t = resourceType(r)
		}
		in.resources[name] = t
	}
	return t
}
