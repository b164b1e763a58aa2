package mutation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// token is a name in the text: where it is defined, or where it is used.
type token struct {
	kind  string
	scope []string // what the name belongs to: the event of a payload field; empty for names of the program
	name  string
	at    spec.Span
	def   bool
	soft  bool // a wrong name here makes something unused, for which the language asks for a hint
}

// namer collects tokens.
type namer struct {
	p    *program
	list []token
}

func namesOf(p *program) []token {
	n := &namer{p: p}
	n.definitions()
	n.references()
	for _, a := range p.spec.Actions {
		n.action(a)
	}
	for _, pr := range p.spec.Projections {
		n.projection(pr)
	}
	for _, q := range p.spec.Queries {
		n.query(q)
	}
	n.models()
	n.expressions()
	return n.list
}

func (n *namer) define(kind string, s *spec.Scalar, scope ...string) {
	if s != nil {
		n.list = append(n.list, token{kind: kind, name: s.Value, at: bare(s), def: true, scope: scope})
	}
}

func (n *namer) use(kind string, s *spec.Scalar, scope ...string) {
	if s != nil {
		n.useAt(kind, s.Value, bare(s), scope...)
	}
}

func (n *namer) useAt(kind, name string, at spec.Span, scope ...string) {
	if kind == "event" && n.p.table.Events[name] == nil {
		return // one of the platform's own
	}
	n.list = append(n.list, token{kind: kind, name: name, at: at, scope: scope})
}

func (n *namer) definitions() {
	s := n.p.spec
	for _, x := range s.States {
		n.define("state", x.Name)
		for _, f := range x.Fields {
			n.define("entity path", f.Name, x.Name.Value)
			n.list[len(n.list)-1].name = sites.SlashPath(f.Name.Value)
			n.itemFields(f, x.Name.Value)
		}
	}
	for _, x := range s.Events {
		n.define("event", x.Name)
		for _, f := range x.Payload {
			n.define("payload field", f.Name, x.Name.Value)
		}
	}
	for _, x := range s.Relationships {
		n.define("relationship", x.Name)
	}
	for _, x := range s.Providers {
		n.define("provider", x.Name)
	}
	for _, x := range s.Prompts {
		n.define("prompt", x.Name)
	}
	for _, x := range s.Memories {
		n.define("memory", x.Name)
	}
	for _, x := range s.Resources {
		n.define("resource", x.Name)
	}
	for _, x := range s.Decisions {
		n.define("decision", x.Name)
		for _, f := range x.Input {
			n.define("decision input", f.Name, x.Name.Value)
		}
		for _, f := range x.Output {
			n.define("decision output", f.Name, x.Name.Value)
		}
	}
}

func (n *namer) itemFields(f *spec.Field, state string) {
	for _, it := range f.ItemFields {
		n.define("item field", it.Name, state)
	}
}

func (n *namer) references() {
	s := n.p.spec
	for _, e := range s.Events {
		n.use("state", e.State)
	}
	for _, r := range s.Relationships {
		n.use("state", r.From)
		n.use("state", r.To)
		n.use("event", r.Created)
		n.use("event", r.Removed)
	}
	for _, l := range s.Listeners {
		n.use("event", l.On)
		for _, op := range l.Mutate {
			n.path(op.Field, n.stateOfEvent(l.On))
		}
	}
	for _, x := range s.Sagas {
		n.use("state", x.State)
		for _, step := range x.Steps {
			n.use("event", step.On)
		}
	}
	for _, e := range s.Envelopes {
		n.use("action", e.StartAction)
		n.use("state", e.State)
		for _, ev := range []*spec.Scalar{e.PrepareEvent, e.PreparedEvent, e.CommitEvent, e.AbortEvent, e.TickEvent} {
			n.use("event", ev)
		}
		for _, part := range e.Participants {
			n.use("state", part.State)
			n.path(e.CursorField, n.p.table.States[symbols.Text(part.State)])
		}
	}
}

func (n *namer) stateOfEvent(name *spec.Scalar) *spec.State {
	if e := n.p.table.Events[symbols.Text(name)]; e != nil {
		return n.p.table.StreamState(symbols.Text(e.State))
	}
	return nil
}

// path is a slash path of an op: a name where the state declares just that path.
func (n *namer) path(s *spec.Scalar, state *spec.State) {
	if s == nil || state == nil {
		return
	}
	for _, f := range state.Fields {
		if sites.SlashPath(f.Name.Value) == sites.SlashPath(s.Value) {
			n.useAt("entity path", sites.SlashPath(s.Value), bare(s), state.Name.Value)
			return
		}
	}
}

func (n *namer) action(a *spec.Action) {
	n.define("action", a.Name)
	n.use("state", a.State)
	for _, f := range a.Input {
		n.define("input", f.Name, "action "+a.Name.Value)
	}
	state := n.p.table.StreamState(symbols.Text(a.State))
	symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
		n.path(op.Path, state)
		n.path(op.From, state)
		n.path(op.Into, state)
		n.use("stream", op.Stream)
		n.use("stream", op.TargetStream)
		n.use("action", op.Action)
		n.use("decision", op.Ref)
		n.use("relationship", op.Relationship)
		n.use("event", op.EventType)
		for _, e := range op.Payload {
			if op.Action != nil {
				if a := n.p.table.Actions[op.Action.Value]; a != nil && len(a.Input) > 0 { // else it takes whatever is given
					n.use("input", e.Key, "action "+op.Action.Value)
				}
			} else if e := e.Key; n.declares(symbols.Text(op.EventType), e.Value) {
				n.use("payload field", e, symbols.Text(op.EventType))
			}
		}
		for _, e := range op.Input {
			n.use("decision input", e.Key, symbols.Text(op.Ref))
		}
		if op.Into != nil && !strings.ContainsAny(op.Into.Value, "/.") {
			n.define("bound name", op.Into, a.Name.Value)
		}
	})
}

func (n *namer) declares(event, field string) bool {
	e := n.p.table.Events[event]
	return e != nil && sites.HasField(e.Payload, field)
}

func (n *namer) models() {
	for _, d := range n.p.spec.Decisions {
		n.use("provider", d.Provider)
		n.use("prompt", d.Prompt)
		n.use("event", d.Emits)
		for _, m := range d.Memories {
			n.use("memory", m)
		}
		if prompt := n.p.table.Prompts[symbols.Text(d.Prompt)]; prompt != nil {
			n.template(prompt.Instructions, d)
		}
	}
	for _, m := range n.p.spec.Memories {
		n.use("provider", m.Provider)
		for _, e := range m.SourceEvents {
			n.use("event", e)
		}
		n.useEventField(m.PartitionBy, m.SourceEvents)
		if m.Content == nil {
			continue
		}
		for _, v := range variable.FindAllStringSubmatchIndex(m.Content.Value, -1) {
			if name, ok := strings.CutPrefix(m.Content.Value[v[2]:v[3]], "event."); ok && !sites.IsEnvelope(name) {
				n.useAt("memory variable", name, m.Content.Sub(v[2]+len("event."), v[3]))
			}
		}
	}
}

// variable is a placeholder of a template.
var variable = regexp.MustCompile(`\{\{\s*([A-Za-z_.]+)\s*\}\}`)

func (n *namer) template(text *spec.Scalar, d *spec.Decision) {
	if text == nil {
		return
	}
	for _, v := range variable.FindAllStringSubmatchIndex(text.Value, -1) {
		name := text.Value[v[2]:v[3]]
		if memory, ok := strings.CutPrefix(name, "memories."); ok {
			n.useAt("memory", memory, text.Sub(v[2]+len("memories."), v[3]))
		} else {
			n.useAt("prompt variable", name, text.Sub(v[2], v[3]), d.Name.Value)
		}
	}
}

// useEventField is a payload field that at least one of several events declares.
func (n *namer) useEventField(s *spec.Scalar, events []*spec.Scalar) {
	if s == nil {
		return
	}
	var scope []string
	for _, e := range events {
		if n.declares(e.Value, s.Value) {
			scope = append(scope, e.Value)
		}
	}
	if len(scope) > 0 {
		n.use("payload field", s, scope...)
	}
}

// uses returns the other places of the same name, of which lint may point at any.
func (p *program) uses(t token) []spec.Span {
	var list []spec.Span
	for _, o := range p.tokens {
		if o.kind == t.kind && o.at != t.at && o.name == t.name && sameScope(o.scope, t.scope) {
			list = append(list, o.at)
		}
	}
	return list
}

func sameScope(a, b []string) bool {
	return len(a) == 0 && len(b) == 0 || slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}
