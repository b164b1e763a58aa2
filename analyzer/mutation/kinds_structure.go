package mutation

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

func structureKinds() []*Kind {
	return []*Kind{
		{Name: "swap an op", Rule: "an op has the keys of its kind, and no others", make: swapOp},
		{Name: "drop a payload field of an emit", Rule: "an emit gives every field that is not optional", make: dropEmitField},
		{Name: "add a payload field to an emit", Rule: "an emit gives declared fields only", make: addEmitField},
		{Name: "drop a payload field of a submit", Rule: "a submit gives every required input", make: dropSubmitField},
		{Name: "add a payload field to a submit", Rule: "a submit gives declared inputs only", make: addSubmitField},
		{Name: "drop an input of a decision", Rule: "the op decision gives every input", make: dropDecisionField},
		{Name: "mutation in preflight", Rule: "preflight only validates: nothing is changed there", make: mutationInPreflight},
		{Name: "reject outside of preflight", Rule: "reject stands in preflight", make: rejectInCore},
		{Name: "decision outside of side_effects", Rule: "a decision stands in side_effects", make: decisionInCore},
		{Name: "lookup outside of preflight", Rule: "a lookup stands in preflight", make: lookupInCore},
		{Name: "op after stop", Rule: "an op can be reached", make: afterStop},
		{Name: "duplicate name", Rule: "a name is defined once in the program", make: duplicateName},
		{Name: "duplicate name in a list", Rule: "names in a list differ", make: duplicateInList},
		{Name: "duplicate name in two files", Rule: "a name is defined once in the program", make: duplicateInFiles},
		{Name: "where as a map", Rule: "where of filter, remove, find and of a listener is a text", make: whereAsMap},
		{Name: "key in a merge of two spellings", Rule: "of two spellings of a key one is written", make: twoSpellings},
	}
}

// compatible are ops of which one may stand for another.
var compatible = []string{"set merge push", "add sub", "remove filter find", "map sort clone", "lock unlock", "relationship_create relationship_remove", "stop continue compute_regen", "submit schedule"}

func swapOp(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if !e.isOp() || e.key.Value != "op" || e.path[0] == "listeners" {
			continue
		}
		op := scalarText(e.value)
		for _, other := range []string{"set", "unset", "filter", "if", "for_each", "emit", "submit", "reject", "lookup", "stop"} {
			m := e.setValue(other, e.around()...)
			m.Label = op + " -> " + other
			if other == op {
				continue
			}
			m.Legal = stays(e, op, other)
			out(m)
		}
	}
}

// stays says why an op of another kind may stand there.
func stays(e *entry, op, other string) string {
	for _, group := range compatible {
		if contains(group, op) && contains(group, other) {
			return "the two take the same keys"
		}
	}
	if contains("set add sub push merge update increment", op) && contains("set", other) && e.sibling("value") != nil {
		return "the two take the same keys"
	}
	if op == "increment" && other == "unset" && len(e.in.Entries) == 2 && e.sibling("path") != nil {
		return "the two take a path alone"
	}
	if len(e.in.Entries) == 1 && contains("stop continue compute_regen", other) {
		return "the two take no keys"
	}
	return ""
}

// emits visits the payload entries of ops of a kind.
func (p *program) payloads(ops string, visit func(e *entry, op *yamltree.Node)) {
	for _, e := range p.entries {
		if e.up != nil && e.path[0] == "actions" && (e.up.key.Value == "payload" || e.up.key.Value == "input") && contains(ops, scalarText(e.up.sibling("op"))) {
			visit(e, e.up.in)
		}
	}
}

func opPlaces(e *entry) []spec.Span { return append(e.up.around(), e.around()...) }

func dropEmitField(p *program, out func(Mutant)) {
	p.payloads("emit emit_each", func(e *entry, op *yamltree.Node) {
		ev := p.table.Events[scalarText(child(op, "event_type"))]
		if ev == nil {
			return
		}
		f := sites.FindField(ev.Payload, e.key.Value)
		if f == nil || f.Type == nil {
			return
		}
		m := e.without()
		m.At = opPlaces(e)
		m.Label = ev.Name.Value + " without " + e.key.Value
		if optional(f) {
			m.Legal = "the field is optional"
		}
		out(m)
	})
}

// optional reports whether a field need not be given; one that is not declared need not.
func optional(f *spec.Field) bool {
	return f == nil || f.Type != nil && f.Type.Nullable || f.Default != nil || f.Required != nil && !f.Required.V || f.Nullable != nil && f.Nullable.V
}

func addEmitField(p *program, out func(Mutant)) { addField(p, "emit emit_each", out) }

func addSubmitField(p *program, out func(Mutant)) { addField(p, "submit schedule", out) }

func addField(p *program, ops string, out func(Mutant)) {
	p.payloads(ops, func(e *entry, op *yamltree.Node) {
		ev := p.table.Events[scalarText(child(op, "event_type"))]
		a := p.table.Actions[scalarText(child(op, "action"))+scalarText(child(op, "intent_type"))]
		if ev != nil && len(ev.Payload) == 0 || a != nil && len(a.Input) == 0 || e.pos > 0 {
			return
		}
		m := e.withSibling("surplus: 1", opPlaces(e)...)
		m.Label = "surplus in the payload"
		out(m)
	})
}

func dropSubmitField(p *program, out func(Mutant)) {
	p.payloads("submit schedule", func(e *entry, op *yamltree.Node) {
		name := scalarText(child(op, "action")) + scalarText(child(op, "intent_type"))
		a := p.table.Actions[name]
		if a == nil {
			return
		}
		f := sites.FindField(a.Input, e.key.Value)
		if f == nil {
			return
		}
		m := e.without()
		m.At = opPlaces(e)
		m.Label = name + " without " + e.key.Value
		if f.Required == nil || !f.Required.V || f.Default != nil {
			m.Legal = "the input is optional"
		}
		out(m)
	})
}

func dropDecisionField(p *program, out func(Mutant)) {
	p.payloads("decision", func(e *entry, op *yamltree.Node) {
		m := e.without()
		m.At = opPlaces(e)
		m.Label = scalarText(child(op, "ref")) + " without " + e.key.Value
		if d := p.table.Decisions[scalarText(child(op, "ref"))]; d != nil && optional(sites.FindField(d.Input, e.key.Value)) {
			m.Legal = "the input is optional"
		}
		out(m)
	})
}

// intoPhase writes an op in front of the first one of each rule of a phase.
func (p *program) intoPhase(phase, op string, out func(Mutant)) {
	for _, e := range p.matching("actions/*/" + phase + "/rules/[]/then") {
		if e.value.Kind != yamltree.List || len(e.value.Items) == 0 {
			continue
		}
		m := p.intoList(e, op)
		m.Label = op + " in " + phase + " of " + e.path[1]
		out(m)
	}
}

// intoList writes an item in front of a list, in braces.
func (p *program) intoList(e *entry, text string) Mutant {
	first := itemStart(e.value.Items[0])
	at := e.file.Pos(first)
	if e.value.Flow {
		return p.insert(at, text+", ")
	}
	dash := first - 1
	for e.file.Text[dash] != '-' {
		dash--
	}
	return p.insert(at, text+"\n"+strings.Repeat(" ", column(e.file, dash))+"- ")
}

func mutationInPreflight(p *program, out func(Mutant)) {
	for _, op := range []string{"{ op: set, path: /status, value: x }", "{ op: add, path: /count, value: 1 }", "{ op: push, path: /list, value: x }", "{ op: unset, path: /status }"} {
		p.intoPhase("preflight", op, out)
	}
	if len(p.spec.Events) > 0 {
		p.intoPhase("preflight", fmt.Sprintf("{ op: emit, event_type: %s }", p.spec.Events[0].Name.Value), out)
	}
}

func rejectInCore(p *program, out func(Mutant)) {
	p.intoPhase("core", "{ op: reject, code: TOO_LATE }", out)
	p.intoPhase("side_effects", "{ op: reject, code: TOO_LATE }", out)
}

func decisionInCore(p *program, out func(Mutant)) {
	for _, d := range p.spec.Decisions {
		var inputs []string
		for _, f := range d.Input {
			inputs = append(inputs, f.Name.Value+": intent."+f.Name.Value)
		}
		op := fmt.Sprintf("{ op: decision, ref: %s, input: { %s } }", d.Name.Value, strings.Join(inputs, ", "))
		p.intoPhase("core", op, out)
		p.intoPhase("preflight", op, out)
	}
}

func lookupInCore(p *program, out func(Mutant)) {
	for _, s := range p.spec.States {
		p.intoPhase("core", fmt.Sprintf("{ op: lookup, into: /_tmp/other, stream: %s, entity_id_expr: event.entity_id }", s.Name.Value), out)
	}
}

func afterStop(p *program, out func(Mutant)) {
	place := func(m Mutant) { // the op that can't be reached any more
		for _, e := range p.entries {
			if e.key.Value == "then" && e.value.Kind == yamltree.List && len(e.value.Items) > 0 && e.file.Pos(itemStart(e.value.Items[0])) == m.Span.Start {
				m.At = append(m.At, e.file.Span(itemStart(e.value.Items[0]), end(e.file, e.value)))
			}
		}
		out(m)
	}
	p.intoPhase("core", "{ op: stop }", place)
	p.intoPhase("preflight", "{ op: reject, code: NEVER }", place)
}

// duplicateName gives a thing the name of another of its kind.
func duplicateName(p *program, out func(Mutant)) {
	for _, t := range p.tokens {
		if !t.def || contains("table column input bound item", strings.Fields(t.kind)[0]) {
			continue
		}
		for _, o := range p.tokens {
			if o.def && o.kind == t.kind && o.name != t.name && (len(o.scope) == 0 || sameScope(o.scope, t.scope)) {
				m := p.replace(t.at, o.name, o.at)
				m.Label = t.kind + " " + t.name + " -> " + o.name
				out(m)
				break
			}
		}
	}
}

func duplicateInList(p *program, out func(Mutant)) {
	for _, path := range []string{"state/*/fields/[]/name", "**/rules/[]/name", "sagas/*/steps/[]/name", "commit_envelopes/*/participants/[]/name"} {
		seen := map[string]*entry{}
		for _, e := range p.matching(path) {
			in := strings.Join(e.path, "/")
			if first := seen[in]; first != nil && first.file == e.file && scalarText(first.value) != "" {
				m := e.setValue(p.text(first.value.Scalar.Span()), e.around()...)
				m.At = append(m.At, first.value.Scalar.Span())
				m.Label = in + ": " + scalarText(first.value) + " twice"
				out(m)
			}
			seen[in] = e
		}
	}
}

// duplicateInFiles defines a name again at the end of a file that lacks its section.
func duplicateInFiles(p *program, out func(Mutant)) {
	files := p.spec.Set.Files()
	for _, section := range []string{"state", "events", "actions", "projections", "queries", "relationships", "sagas", "resources", "providers", "prompts", "decisions", "memories"} {
		for _, e := range p.matching(section + "/*") {
			for _, f := range files {
				if len(p.sectionsIn(f, section)) > 0 || f == p.spec.Manifest.File && len(files) > 1 || f.Text[len(f.Text)-1] != '\n' {
					continue
				}
				shift := strings.Repeat(" ", e.column())
				m := p.insert(f.Pos(len(f.Text)), section+":\n"+shift+p.text(e.extent())+"\n", e.extent())
				m.Label = section + " " + e.key.Value + " again in " + f.Path
				out(m)
				break
			}
		}
	}
}

func (p *program) sectionsIn(f *spec.File, section string) []*entry {
	var list []*entry
	for _, e := range p.entries {
		if e.file == f && len(e.path) == 1 && e.key.Value == section {
			list = append(list, e)
		}
	}
	return list
}

func whereAsMap(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if e.key.Value == "where" && e.isWord() {
			m := e.setValue("{ status: { eq: open } }", e.key.Span())
			m.Label = e.value.Scalar.Value + " -> a map"
			out(m)
		}
	}
}

// twoSpellings writes a key a second time in its other spelling.
func twoSpellings(p *program, out func(Mutant)) {
	other := map[string]string{"action": "intent_type: X", "intent_type": "action: X", "entity_id": "target_entity: x", "target_entity": "entity_id: x", "lock_key": "key: x"}
	for _, e := range p.entries {
		if text := other[e.key.Value]; text != "" && e.isOp() {
			m := e.withSibling(text, e.key.Span())
			m.Label = text + " beside " + e.key.Value
			out(m)
		}
	}
}
