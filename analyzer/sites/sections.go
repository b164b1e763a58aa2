package sites

import (
	"strings"

	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

func (l *lister) action(a *spec.Action) {
	bound := BoundNames(a)
	state := l.table.StreamState(symbols.Text(a.State))
	l.expr(&Scope{Action: a, State: state}, ActionEntity, a.EntityIDExpr, "", nil)
	l.defaults(&Scope{Action: a, State: state}, a.Input)
	for _, ph := range symbols.Phases(a) {
		for _, r := range ph.Rules {
			sc := &Scope{Action: a, State: state, Phase: ph, Rule: r, Bound: bound}
			l.expr(sc, RuleWhen, r.When, "", nil)
			l.ops(sc, r.Then)
		}
	}
}

// BoundNames returns the names that as and a bare into bind anywhere in an action, or nil.
func BoundNames(a *spec.Action) map[string]bool {
	var bound map[string]bool
	bind := func(s *spec.Scalar) {
		if n := symbols.Text(s); n != "" && !strings.ContainsAny(n, "/.") {
			if bound == nil {
				bound = map[string]bool{}
			}
			bound[n] = true
		}
	}
	symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
		bind(op.As)
		bind(op.Into)
	})
	return bound
}

func (l *lister) ops(outer *Scope, ops []*spec.Op) {
	for _, op := range ops {
		if op != nil {
			sc := *outer
			sc.Op = op
			l.op(&sc, op)
		}
	}
}

func (l *lister) op(sc *Scope, op *spec.Op) {
	valuePlace := OpValue
	if sc.Listener != nil {
		valuePlace = ListenerValue
	}
	payload := EmitPayload
	kind := symbols.Text(op.Kind)
	if kind == "submit" || kind == "schedule" {
		payload = SubmitPayload
	}
	l.value(sc, valuePlace, op.Value, "", nil)
	l.value(sc, OpCap, op.CapMin, "", nil)
	l.value(sc, OpCap, op.CapMax, "", nil)
	l.expr(sc, OpWhere, op.Where, "", nil)
	l.expr(sc, OpFrom, op.FromExpr, "", nil)
	l.expr(sc, OpBy, op.By, "", nil)
	l.expr(sc, OpIf, op.Expr, "", nil)
	l.expr(sc, OpForEach, op.ForEach, "", nil)
	if kind == "for_each" || kind == "foreach" || kind == "emit_each" {
		inner := *sc
		inner.Loop = true
		sc = &inner
	}
	l.entries(sc, payload, op.Payload)
	l.value(sc, SubmitTarget, op.TargetEntity, "", nil)
	l.entries(sc, DecisionInput, op.Input)
	l.value(sc, Delay, op.DelaySeconds, "", nil)
	l.value(sc, LockKey, op.LockKey, "", nil)
	l.expr(sc, LookupID, op.EntityIDExpr, "", nil)
	l.value(sc, RelationFrom, op.FromID, "", nil)
	l.value(sc, RelationTo, op.ToID, "", nil)
	l.ops(sc, op.Then)
	l.ops(sc, op.Else)
}

func (l *lister) listener(li *spec.Listener) {
	sc := l.eventScope(li.On)
	sc.Listener = li
	l.expr(sc, ListenerWhere, li.Where, "", nil)
	l.ops(sc, li.Mutate)
}

func (l *lister) saga(s *spec.Saga) {
	state := l.table.StreamState(symbols.Text(s.State))
	for _, step := range s.Steps {
		sc := l.eventScope(step.On)
		sc.Saga, sc.State = s, state
		l.entries(sc, SagaSet, step.Set)
	}
}

// eventScope is the scope of what reacts to one event.
func (l *lister) eventScope(name *spec.Scalar) *Scope {
	sc := &Scope{EventName: name, Event: l.table.Events[symbols.Text(name)]}
	if sc.Event != nil {
		sc.Sources = []*spec.Event{sc.Event}
		sc.State = l.table.StreamState(symbols.Text(sc.Event.State))
	}
	return sc
}

func (l *lister) envelope(e *spec.Envelope) {
	sc := &Scope{Envelope: e, Action: l.table.Actions[symbols.Text(e.StartAction)], State: l.table.StreamState(symbols.Text(e.State))}
	l.expr(sc, SeqSource, e.SeqSource, "", nil)
	for _, p := range e.Participants {
		l.expr(sc, ParticipantEntity, p.EntityExpr, "", p.Name)
		l.expr(sc, ParticipantDelta, p.DeltaExpr, "", p.Name)
	}
}

func (l *lister) projection(p *spec.Projection) {
	all := &Scope{Projection: p}
	for _, name := range p.SourceEvents {
		if e := l.table.Events[name.Value]; e != nil {
			all.Sources = append(all.Sources, e)
		}
	}
	l.expr(all, ProjectionEntity, p.EntityExpr, "", nil)
	l.entries(all, Derive, p.Derive)
	if p.Bucket != nil {
		l.expr(all, BucketField, p.Bucket.Field, "", nil)
	}
	for _, m := range p.Mutations {
		sc := l.eventScope(m.Event)
		sc.Projection, sc.State = p, nil
		l.entries(sc, MutationSet, m.Set)
		l.expr(sc, MutationCondition, m.Condition, "", nil)
		l.conditions(sc, MutationWhere, m.Where)
	}
	for _, a := range p.Aggregates {
		sc := l.eventScope(a.Event)
		sc.Projection, sc.State = p, nil
		for _, c := range a.Columns {
			l.value(sc, AggregateBy, c.By, symbols.Text(c.Column), c.Column)
			l.expr(sc, AggregateWhen, c.When, symbols.Text(c.Column), c.Column)
			l.value(sc, AggregateBound, c.Floor, symbols.Text(c.Column), c.Column)
			l.value(sc, AggregateBound, c.Ceil, symbols.Text(c.Column), c.Column)
		}
	}
}

func (l *lister) conditions(sc *Scope, place Place, where []*spec.Condition) {
	for _, c := range where {
		for _, t := range c.Tests {
			l.value(sc, place, t.Value, symbols.Text(c.Column), c.Column)
		}
	}
}

func (l *lister) query(q *spec.Query) {
	sc := &Scope{Query: q}
	l.defaults(sc, q.Input)
	l.conditions(sc, QueryWhere, q.Where)
	l.value(sc, QueryLimit, q.Limit, "", nil)
}
