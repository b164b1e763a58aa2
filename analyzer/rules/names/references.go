package names

import (
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

func runEvents(p *analysis.Pass) error {
	c := newChecker(p, symbols.Event, p.Symbols.Events)
	declared := c.known
	for _, e := range p.Program.Envelopes {
		for _, s := range []*spec.Scalar{e.PrepareEvent, e.PreparedEvent, e.CommitEvent, e.AbortEvent, e.TickEvent} {
			c.check(s, called("commit envelope", e.Name))
		}
	}
	for _, r := range p.Program.Relationships {
		c.check(r.Created, called("relationship", r.Name))
		c.check(r.Removed, called("relationship", r.Name))
	}
	c.known = func(n string) bool { return declared(n) || p.Symbols.PlatformEmits(n) }
	for _, a := range p.Program.Actions {
		symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) { c.check(op.EventType, called("action", a.Name)) })
	}
	for _, d := range p.Program.Decisions {
		c.check(d.Emits, called("decision", d.Name))
	}
	for _, l := range p.Program.Listeners {
		c.check(l.On, "a listener")
	}
	for _, s := range p.Program.Sagas {
		for _, step := range s.Steps {
			c.check(step.On, called("saga", s.Name))
		}
	}
	for _, pr := range p.Program.Projections {
		for _, e := range pr.SourceEvents {
			c.check(e, called("projection", pr.Name))
		}
	}
	for _, m := range p.Program.Memories {
		for _, e := range m.SourceEvents {
			c.check(e, called("memory", m.Name))
		}
	}
	return nil
}

func runStates(p *analysis.Pass) error {
	c := newChecker(p, symbols.State, p.Symbols.States)
	c.known = func(n string) bool { return p.Symbols.StreamState(n) != nil }
	for _, e := range p.Program.Events {
		c.check(e.State, called("event", e.Name))
	}
	for _, a := range p.Program.Actions {
		c.check(a.State, called("action", a.Name))
		symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
			c.check(op.Stream, called("action", a.Name))
			c.check(op.TargetStream, called("action", a.Name))
			otherStream(p, op)
		})
	}
	for _, s := range p.Program.Sagas {
		c.check(s.State, called("saga", s.Name))
	}
	for _, r := range p.Program.Relationships {
		c.check(r.From, called("relationship", r.Name))
		c.check(r.To, called("relationship", r.Name))
	}
	for _, e := range p.Program.Envelopes {
		c.check(e.State, called("commit envelope", e.Name))
		for _, part := range e.Participants {
			c.check(part.State, called("participant", part.Name))
		}
	}
	eachCall(p, func(s *sites.Site, call *spec.Call) {
		if (call.Name == "lookup" || call.Name == "LOOKUP_FIELD") && len(call.Args) > 0 {
			if name := sites.StreamName(call.Args[0]); name != "" {
				c.at(name, s.Expr.Span(call.Args[0]), call.Name+"()")
			}
		}
	})
	return nil
}

func runActions(p *analysis.Pass) error {
	c := newChecker(p, symbols.Action, p.Symbols.Actions)
	for _, a := range p.Program.Actions {
		symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) { c.check(op.Action, called("action", a.Name)) })
	}
	for _, e := range p.Program.Envelopes {
		c.check(e.StartAction, called("commit envelope", e.Name))
	}
	return nil
}

func runProjections(p *analysis.Pass) error {
	c := newChecker(p, symbols.Projection, p.Symbols.Projections)
	for _, pr := range p.Program.Projections {
		if pr.Dedup != nil && !pr.Dedup.Auto && !pr.Dedup.Off {
			c.check(pr.Dedup.Src, called("projection", pr.Name))
		}
	}
	c.known = func(n string) bool { return p.Symbols.Table(n) != nil }
	for _, q := range p.Program.Queries {
		for _, s := range symbols.Sources(q) {
			c.check(s, called("query", q.Name))
		}
	}
	return nil
}

// runReferences looks up the kinds that few programs have: decisions and what they need, relationships, resources.
func runReferences(p *analysis.Pass) error {
	decisions := newChecker(p, symbols.Decision, p.Symbols.Decisions)
	relationships := newChecker(p, symbols.Relationship, p.Symbols.Relationships)
	for _, a := range p.Program.Actions {
		symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
			decisions.check(op.Ref, called("action", a.Name))
			relationships.check(op.Relationship, called("action", a.Name))
		})
	}
	providers := newChecker(p, symbols.Provider, p.Symbols.Providers)
	prompts := newChecker(p, symbols.Prompt, p.Symbols.Prompts)
	memories := newChecker(p, symbols.Memory, p.Symbols.Memories)
	for _, d := range p.Program.Decisions {
		who := called("decision", d.Name)
		providers.check(d.Provider, who)
		if !strings.ContainsAny(symbols.Text(d.Prompt), " \n") {
			prompts.check(d.Prompt, who)
		}
		for _, m := range d.Memories {
			memories.check(m, who)
		}
	}
	for _, m := range p.Program.Memories {
		providers.check(m.Provider, called("memory", m.Name))
	}
	inExpressions(p, decisions, newChecker(p, symbols.Resource, p.Symbols.Resources))
	return nil
}

func inExpressions(p *analysis.Pass, decisions, resources *checker) {
	for i := range p.Paths {
		s, id, ref := p.Paths[i].Site, p.Paths[i].Root, p.Paths[i].Ref
		switch {
		case id.Name == "resources" && !s.Bound[id.Name]:
			if name, at := firstStep(ref.Node); name != "" {
				resources.at(name, s.Expr.At(at), "this expression")
			}
		case ref.Kind == sites.RefDecision && (s.State == nil || !sites.HasField(s.State.Fields, "decisions")):
			decisions.at(ref.Name, s.Expr.At(ref.Field), "this expression")
		}
	}
}

// firstStep returns the name after the root of a path, where it is a plain one.
func firstStep(n spec.Node) (string, spec.Range) {
	switch n := n.(type) {
	case *spec.Member:
		if _, isRoot := n.X.(*spec.Ident); isRoot {
			return n.Name, n.NameAt
		}
		return firstStep(n.X)
	case *spec.Index:
		return firstStep(n.X)
	}
	return "", spec.Range{}
}

// otherStream reports a submit or a schedule to the stream of another state than that of its action.
func otherStream(p *analysis.Pass, op *spec.Op) {
	action := p.Symbols.Actions[symbols.Text(op.Action)]
	if action == nil || op.TargetStream == nil {
		return
	}
	target, own := p.Symbols.StreamState(op.TargetStream.Value), p.Symbols.StreamState(symbols.Text(action.State))
	if target != nil && own != nil && target != own {
		p.Reportf(op.TargetStream.Span(), "action %s works on state %s, so nothing takes it on %s; write %s_stream, or leave target_stream out",
			op.Action.Value, symbols.Text(own.Name), op.TargetStream.Value, symbols.Text(own.Name))
	}
}
