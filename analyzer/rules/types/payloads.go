package types

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/spec"
)

// call is an op that gives values to declared fields: an emit to an event's payload, a submit to an action's input, a
// decision to its input.
type call struct {
	sc       opScope
	op       *spec.Op
	target   string // "event SEAT_TAKEN"
	at       *spec.Scalar
	fields   []*spec.Field
	record   *types.Record
	given    []spec.ValueEntry
	required func(*spec.Field) bool
}

// emits visits the emits of declared events.
func emits(p *analysis.Pass, visit func(*call)) {
	eachOp(p, func(sc opScope, op *spec.Op) {
		k := symbols.Text(op.Kind)
		e := p.Symbols.Events[symbols.Text(op.EventType)]
		if k != "emit" && k != "emit_each" || e == nil || len(e.Payload) == 0 || k == "emit_each" && op.PayloadAt == nil {
			return
		}
		visit(&call{sc: sc, op: op, target: called("event", e.Name), at: op.EventType, fields: e.Payload, record: p.Types.Payload(e),
			given: op.Payload, required: always})
	})
}

// submits visits the ops that call declared actions and decisions.
func submits(p *analysis.Pass, visit func(*call)) {
	eachOp(p, func(sc opScope, op *spec.Op) {
		switch symbols.Text(op.Kind) {
		case "submit", "schedule":
			if a := p.Symbols.Actions[symbols.Text(op.Action)]; a != nil && len(a.Input) > 0 {
				visit(&call{sc: sc, op: op, target: called("action", a.Name), at: op.Action, fields: a.Input, record: p.Types.Input(a),
					given: op.Payload, required: saysRequired})
			}
		case "decision":
			if d := p.Symbols.Decisions[symbols.Text(op.Ref)]; d != nil && len(d.Input) > 0 {
				visit(&call{sc: sc, op: op, target: called("decision", d.Name), at: op.Ref, fields: d.Input, record: p.Types.DecisionInput(d),
					given: op.Input, required: always})
			}
		}
	})
}

// always: a field of a payload, or an input that a prompt shows, must be given unless it says otherwise. Names that the
// envelope hides are wrong for a reason of their own.
func always(f *spec.Field) bool {
	switch symbols.Text(f.Name) {
	case "type", "ts", "entity_id":
		return false
	}
	return !optional(f)
}

func saysRequired(f *spec.Field) bool {
	return f.Required != nil && f.Required.V && f.Default == nil
}

func optional(f *spec.Field) bool {
	return f.Default != nil || f.Type != nil && f.Type.Nullable || f.Nullable != nil && f.Nullable.V || f.Required != nil && !f.Required.V
}

// missing returns the required fields that are not given.
func (c *call) missing() []string {
	var names []string
	for _, f := range c.fields {
		name := symbols.Text(f.Name)
		if c.required(f) && !slices.ContainsFunc(c.given, func(e spec.ValueEntry) bool { return symbols.Text(e.Key) == name }) {
			names = append(names, name)
		}
	}
	return names
}

// misspelt reports whether a key that is given is probably meant to be a field that is missing: one finding is enough.
func (c *call) misspelt(p *analysis.Pass, name string) bool {
	return slices.ContainsFunc(c.given, func(e spec.ValueEntry) bool {
		key := symbols.Text(e.Key)
		_, known := c.record.Fields[key]
		return !known && p.Nearest(key, notGiven(c.record, c.given)) == name
	})
}

func (c *call) reportMissing(p *analysis.Pass, give string) {
	var names []string
	for _, name := range c.missing() {
		if !c.misspelt(p, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	p.Reportf(c.at.Span(), "%s of %s lacks %s, which %s requires; %s", symbols.Text(c.op.Kind), c.sc.who(), listed(names), c.target, give)
}

// listed names some fields, and counts the rest.
func listed(names []string) string {
	const most = 6
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

func (c *call) reportExtra(p *analysis.Pass, consequence string) {
	missing := c.missing()
	for _, e := range c.given {
		name := symbols.Text(e.Key)
		if _, ok := c.record.Fields[name]; ok {
			continue
		}
		at := e.Key.Span()
		free := notGiven(c.record, c.given)
		hint, fixes := p.Suggest(name, free, at, "declare it there, or leave it out")
		d := spec.Diagnostic{Span: at, Fixes: fixes, Message: fmt.Sprintf("%s declares no field %s%s; %s", c.target, name, consequence, hint)}
		if near := p.Nearest(name, free); slices.Contains(missing, near) {
			d.Severity = spec.Error
			d.Message = fmt.Sprintf("%s declares no field %s, and its field %s is required and not given; did you mean %q?", c.target, name, near, near)
		}
		p.Report(d)
	}
}

func (c *call) reportTypes(p *analysis.Pass) {
	for _, e := range c.given {
		if t, ok := c.record.Fields[symbols.Text(e.Key)]; ok {
			fitter{p: p, what: symbols.Text(e.Key) + " of " + c.target}.value(t, e.Value)
		}
	}
}

func runMissingFields(p *analysis.Pass) error {
	emits(p, func(c *call) {
		c.reportMissing(p, "add it to the payload; what may be left out is declared with a ? behind its type")
	})
	for _, d := range p.Program.Decisions {
		missingFromDecision(p, d)
	}
	return nil
}

// missingFromDecision reports fields of an event that the decision which emits it has nothing for.
func missingFromDecision(p *analysis.Pass, d *spec.Decision) {
	e := p.Symbols.Events[symbols.Text(d.Emits)]
	if e == nil || len(d.Output) == 0 {
		return
	}
	given := slices.Concat(d.Input, d.Output)
	for _, f := range e.Payload {
		name := symbols.Text(f.Name)
		if optional(f) || slices.ContainsFunc(given, func(g *spec.Field) bool { return symbols.Text(g.Name) == name }) {
			continue
		}
		p.Reportf(d.Emits.Span(), "%s emits %s, which requires %s, but neither its input nor its output has that; add it, or declare the field with a ? behind its type",
			called("decision", d.Name), called("event", e.Name), name)
	}
}

func runExtraFields(p *analysis.Pass) error {
	emits(p, func(c *call) { c.reportExtra(p, ", so what reads the event does not know of it") })
	return nil
}

func runPayloadTypes(p *analysis.Pass) error {
	emits(p, func(c *call) { c.reportTypes(p) })
	for _, d := range p.Program.Decisions {
		if e := p.Symbols.Events[symbols.Text(d.Emits)]; e != nil {
			decidedTypes(p, d, e)
		}
	}
	return nil
}

// decidedTypes holds the input and output of a decision to the event that it emits.
func decidedTypes(p *analysis.Pass, d *spec.Decision, e *spec.Event) {
	r := p.Types.Payload(e)
	for _, f := range slices.Concat(d.Input, d.Output) {
		name := symbols.Text(f.Name)
		want, ok := r.Fields[name]
		if have := types.Field(f); ok && !want.Takes(have) && f.Type != nil {
			p.Reportf(f.Type.Span(), "%s of %s is %s, and %s, which carries it, declares %s; give both one type",
				name, called("decision", d.Name), have.A(), called("event", e.Name), want.A())
		}
	}
}

func runMissingInputs(p *analysis.Pass) error {
	submits(p, func(c *call) { c.reportMissing(p, "add it to what is passed on") })
	return nil
}

func runExtraInputs(p *analysis.Pass) error {
	submits(p, func(c *call) { c.reportExtra(p, ", so nothing reads it") })
	return nil
}

func runInputTypes(p *analysis.Pass) error {
	submits(p, func(c *call) { c.reportTypes(p) })
	return nil
}
