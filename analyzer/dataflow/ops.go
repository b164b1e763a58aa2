package dataflow

import (
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// action adds the edges of an action that no expression makes: ops that move state, and the entity of its events.
func (b *builder) action(a *spec.Action) {
	state := b.table.StreamState(symbols.Text(a.State))
	loops := map[string]bool{}
	symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
		switch kind := symbols.Text(op.Kind); kind {
		case "emit", "emit_each":
			b.emitted(a, op)
			b.loop(a, state, op, loops)
		case "for_each", "foreach":
			b.loop(a, state, op, loops)
		case "filter", "remove", "find", "map", "sort", "clone":
			b.rearrange(a, state, op, kind)
		case "lookup":
			b.lookup(a, state, op)
		}
	})
}

// emitted joins the entity of an action to that of its event, where the event has no entity_expr of its own.
func (b *builder) emitted(a *spec.Action, op *spec.Op) {
	if e := b.table.Events[symbols.Text(op.EventType)]; e != nil && e.EntityExpr == nil {
		b.graph.add(Edge{
			From: Loc{Root: Root{ActionID, symbols.Text(a.Name)}}, To: Loc{Root: Root{EventID, symbols.Text(e.Name)}},
			Copy: true, At: op.EventType, Step: StepEntityID,
		})
	}
}

// loop binds item, and the name of as, to the items of the list of a loop.
func (b *builder) loop(a *spec.Action, state *spec.State, op *spec.Op, done map[string]bool) {
	names := []string{"item"}
	if n := symbols.Text(op.As); n != "" {
		names = append(names, n)
	}
	for _, n := range names {
		if op.From != nil && op.FromExpr == nil {
			if from, ok := entity(state, op.From.Value); ok {
				b.graph.add(Edge{From: from, To: listOf(a, n), Copy: true, At: op.From, Step: StepBind})
			}
		}
		if done[n] {
			continue
		}
		done[n] = true
		from := listOf(a, n)
		from.Path += ".*"
		b.graph.add(Edge{From: from, To: local(a, n), Copy: true, Step: StepHidden})
	}
}

// rearrange adds the edges of ops that take a list or map of the state and put what becomes of it somewhere.
func (b *builder) rearrange(a *spec.Action, state *spec.State, op *spec.Op, kind string) {
	source := op.Path
	if op.From != nil {
		source = op.From
	}
	from, ok := entity(state, symbols.Text(source))
	if source == nil || !ok {
		return
	}
	items := Loc{from.Root, sites.JoinPath(from.Path, "*")}
	move := func(from, to Loc, at *spec.Scalar) {
		if from != to {
			b.graph.add(Edge{From: from, To: to, Copy: true, At: at, Step: bindStep(to)})
		}
	}
	move(items, local(a, "it"), source)
	if n := symbols.Text(op.As); n != "" {
		move(items, local(a, n), op.As)
		move(from, local(a, n), op.As)
	}
	result := from
	if kind == "find" {
		result = items
	}
	into := op.Into
	if into == nil && kind == "clone" && op.From != nil {
		into = op.Path
	}
	if to, ok := destination(a, state, into); ok && !(kind == "map" && op.By != nil) {
		move(result, to, into)
	}
}

// lookup copies another entity's snapshot.
func (b *builder) lookup(a *spec.Action, state *spec.State, op *spec.Op) {
	other := b.table.StreamState(symbols.Text(op.Stream))
	to, ok := destination(a, state, op.Into)
	if other == nil || !ok {
		return
	}
	b.graph.add(Edge{
		From: Loc{Root: Root{Entity, other.Name.Value}}, To: to, Copy: true,
		At: op.Into, Step: bindStep(to),
	})
}

// envelope carries the start action's input into the events of a commit envelope, as the platform does.
func (b *builder) envelope(e *spec.Envelope) {
	start := b.table.Actions[symbols.Text(e.StartAction)]
	if start == nil {
		return
	}
	for _, name := range []*spec.Scalar{e.PrepareEvent, e.PreparedEvent, e.CommitEvent, e.AbortEvent, e.TickEvent} {
		event := b.table.Events[symbols.Text(name)]
		if event == nil {
			continue
		}
		for _, f := range event.Payload {
			field := symbols.Text(f.Name)
			if sites.HasField(start.Input, field) {
				b.graph.add(Edge{
					From: Loc{Root{Input, start.Name.Value}, field}, To: Loc{Root{Payload, event.Name.Value}, field},
					Copy: true, At: name, Step: StepEnvelope,
				})
			}
		}
	}
}

// decision adds what a decision makes of its input: the emitted event holds the input and the output, and the output
// depends on all of the input.
func (b *builder) decision(d *spec.Decision) {
	name := symbols.Text(d.Name)
	in, out := Root{DecisionInput, name}, Root{DecisionOutput, name}
	for _, f := range d.Output {
		if f.Name != nil {
			b.graph.add(Edge{From: Loc{Root: in}, To: Loc{out, f.Name.Value}, At: f.Name, Step: StepDecided})
		}
	}
	if d.Emits == nil {
		return
	}
	event := Loc{Root: Root{Payload, d.Emits.Value}}
	for _, from := range []Root{in, out} {
		b.graph.add(Edge{From: Loc{Root: from}, To: event, Copy: true, At: d.Emits, Step: StepDecided})
	}
}

// projection joins the payloads of its source events to what it reads, and its columns to its key.
func (b *builder) projection(p *spec.Projection) {
	name := symbols.Text(p.Name)
	for _, e := range p.SourceEvents {
		b.graph.add(Edge{From: Loc{Root: Root{Payload, e.Value}}, To: Loc{Root: Root{Source, name}}, Copy: true, At: e, Step: StepHidden})
		b.graph.add(Edge{From: Loc{Root: Root{EventID, e.Value}}, To: Loc{Root: Root{SourceEntity, name}}, Copy: true, At: e, Step: StepHidden})
	}
	for _, k := range p.PrimaryKey {
		b.graph.add(Edge{From: Loc{Root{Column, name}, k.Value}, To: Loc{Root{Key, name}, k.Value}, Copy: true, At: k, Step: StepKey})
	}
}

// query joins the columns that a query reads to it.
func (b *builder) query(q *spec.Query) {
	name := symbols.Text(q.Name)
	seen := map[Loc]bool{}
	for _, c := range b.table.ColumnUses(q) {
		if c.Table == nil {
			continue
		}
		for _, p := range c.Table.Projections {
			from := Loc{Root{Column, symbols.Text(p.Name)}, c.Column}
			if !seen[from] {
				seen[from] = true
				b.graph.add(Edge{From: from, To: Loc{Root{Query, name}, c.Column}, Copy: true, At: c.At, Step: StepQuery})
			}
		}
	}
}
