package dataflow

import (
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// targets returns where the value of an expression goes.
func (b *builder) targets(s *sites.Site) []target {
	at := s.Expr.Src
	if s.Key != nil {
		at = s.Key
	}
	one := func(kind RootKind, owner, path string, step Step) []target {
		return []target{{Loc{Root{kind, owner}, path}, at, step}}
	}
	if s.Place.Condition() {
		return one(Condition, "", "", StepCondition)
	}
	switch s.Place {
	case sites.EventEntity:
		return one(EventID, symbols.Text(s.EventName), "", StepEntityID)
	case sites.ActionEntity:
		return one(ActionID, symbols.Text(s.Action.Name), "", StepEntityID)
	case sites.OpValue, sites.OpCap, sites.OpFrom, sites.OpBy, sites.OpForEach, sites.ListenerValue:
		return b.opTargets(s)
	case sites.EmitPayload:
		return one(Payload, symbols.Text(s.Op.EventType), s.Path, StepEmit)
	case sites.SubmitPayload:
		return one(Input, symbols.Text(s.Op.Action), s.Path, StepSubmit)
	case sites.SubmitTarget, sites.LookupID, sites.ParticipantEntity:
		return one(TargetID, targetName(s), "", StepTarget)
	case sites.DecisionInput:
		return one(DecisionInput, symbols.Text(s.Op.Ref), s.Path, StepDecide)
	case sites.RelationFrom, sites.RelationTo:
		return one(RelationID, symbols.Text(s.Op.Relationship), "", StepRelation)
	case sites.FieldDefault:
		if s.State != nil && s.Action == nil && s.Event == nil {
			return one(Entity, symbols.Text(s.State.Name), sites.SlashPath(symbols.Text(s.Key)), StepSet)
		}
	case sites.SagaSet:
		if to, ok := entity(s.State, symbols.Text(s.Saga.StatePath)); ok {
			return one(Entity, to.Root.Owner, sites.JoinPath(to.Path, s.Path), StepSet)
		}
	}
	return b.projectionTargets(s, one)
}

func (b *builder) projectionTargets(s *sites.Site, one func(RootKind, string, string, Step) []target) []target {
	if s.Projection == nil {
		return nil
	}
	name := symbols.Text(s.Projection.Name)
	switch s.Place {
	case sites.ProjectionEntity:
		return one(ProjectionID, name, "", StepEntityID)
	case sites.Derive, sites.MutationSet:
		return one(Column, name, s.Path, StepDerive)
	case sites.AggregateBy, sites.AggregateBound:
		return one(Amount, name, s.Path, StepAmount)
	case sites.BucketField:
		return one(Column, name, symbols.BucketColumn(s.Projection), StepDerive)
	}
	return nil
}

// targetName says whose entity an expression chooses.
func targetName(s *sites.Site) string {
	switch {
	case s.Place == sites.ParticipantEntity:
		return "participant " + symbols.Text(s.Key)
	case s.Place == sites.LookupID:
		return "the lookup in " + symbols.Text(s.Op.Stream)
	}
	return symbols.Text(s.Op.Kind) + " of " + symbols.Text(s.Op.Action)
}

// opTargets returns where an op that writes state, or binds a name, puts its value.
func (b *builder) opTargets(s *sites.Site) []target {
	op := s.Op
	switch kind := symbols.Text(op.Kind); {
	case s.Place == sites.OpForEach || kind == "emit_each":
		return b.elements(s)
	case op.Into != nil || op.As != nil && op.Path == nil:
		return b.bound(s)
	case kind == "push" || kind == "map":
		return b.written(s, sites.JoinPath("*", s.Path))
	default:
		return b.written(s, s.Path)
	}
}

// written is the state path that an op writes.
func (b *builder) written(s *sites.Site, below string) []target {
	name := s.Op.Path
	if name == nil {
		name = s.Op.Field
	}
	to, ok := entity(s.State, symbols.Text(name))
	if name == nil || !ok {
		return nil
	}
	at := name
	if s.Key != nil {
		at = s.Key
	}
	return []target{{Loc{to.Root, sites.JoinPath(to.Path, below)}, at, StepSet}}
}

// bound is what into and as name.
func (b *builder) bound(s *sites.Site) []target {
	var list []target
	for _, name := range []*spec.Scalar{s.Op.Into, s.Op.As} {
		if to, ok := destination(s.Action, s.State, name); ok {
			list = append(list, target{to, name, bindStep(to)})
		}
	}
	return list
}

func bindStep(to Loc) Step {
	if to.Root.Kind == Local {
		return StepBind
	}
	return StepSet
}

// elements are the names that a loop binds to the items of a list: item, and the name of as. The list itself is bound to
// the path "*" above them, so that a read of one item's field sees that field of all items.
func (b *builder) elements(s *sites.Site) []target {
	if s.Action == nil {
		return nil
	}
	at := s.Expr.Src
	list := []target{{listOf(s.Action, "item"), at, StepBind}}
	if n := symbols.Text(s.Op.As); n != "" {
		list = append(list, target{listOf(s.Action, n), at, StepBind})
	}
	return list
}

// listOf is the place of the list whose items a loop binds to a name.
func listOf(a *spec.Action, name string) Loc { return local(a, "list of "+name) }
