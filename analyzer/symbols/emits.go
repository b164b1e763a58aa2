package symbols

import "github.com/causetc/causetc/spec"

// Emit is a place where an action emits an event.
type Emit struct {
	Action *spec.Action
	Op     *spec.Op
}

// Emits returns the places that emit an event.
func (t *Table) Emits(event string) []Emit { return t.emits[event] }

// Deciders returns the decisions that emit an event.
func (t *Table) Deciders(event string) []*spec.Decision { return t.decided[event] }

// PlatformEmits reports whether the platform itself emits an event: as part of a commit envelope or of a relationship.
func (t *Table) PlatformEmits(event string) bool {
	return t.related[event] || len(t.platform[event]) > 0
}

// EnvelopesOf returns the commit envelopes whose life cycle has the event.
func (t *Table) EnvelopesOf(event string) []*spec.Envelope { return t.platform[event] }

func (t *Table) collectEmits(p *spec.Program) {
	t.emits = map[string][]Emit{}
	t.platform = map[string][]*spec.Envelope{}
	t.decided = map[string][]*spec.Decision{}
	t.related = map[string]bool{}
	for _, a := range p.Actions {
		EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
			if k := Text(op.Kind); k == "emit" || k == "emit_each" {
				event := Text(op.EventType)
				t.emits[event] = append(t.emits[event], Emit{Action: a, Op: op})
			}
		})
	}
	for _, d := range p.Decisions {
		if e := Text(d.Emits); e != "" {
			t.decided[e] = append(t.decided[e], d)
		}
	}
	for _, e := range p.Envelopes {
		for _, ev := range []*spec.Scalar{e.PrepareEvent, e.PreparedEvent, e.CommitEvent, e.AbortEvent, e.TickEvent} {
			if name := Text(ev); name != "" {
				t.platform[name] = append(t.platform[name], e)
			}
		}
	}
	for _, r := range p.Relationships {
		t.related[Text(r.Created)] = true
		t.related[Text(r.Removed)] = true
	}
	delete(t.related, "")
}

// Phases returns the phases that an action has, in the order in which they run.
func Phases(a *spec.Action) []*spec.Phase {
	var list []*spec.Phase
	for _, ph := range []*spec.Phase{a.Preflight, a.Core, a.SideEffects} {
		if ph != nil {
			list = append(list, ph)
		}
	}
	return list
}

// EachOp calls visit for every op of an action, nested ones after the op that holds them.
func EachOp(a *spec.Action, visit func(*spec.Phase, *spec.Rule, *spec.Op)) {
	for _, ph := range Phases(a) {
		for _, r := range ph.Rules {
			eachOp(r.Then, func(op *spec.Op) { visit(ph, r, op) })
		}
	}
}

func eachOp(ops []*spec.Op, visit func(*spec.Op)) {
	for _, op := range ops {
		if op == nil {
			continue
		}
		visit(op)
		eachOp(op.Then, visit)
		eachOp(op.Else, visit)
	}
}
