package sites

import (
	"strings"

	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// RefKind says what a reference reads.
type RefKind uint8

// The kinds of references.
const (
	RefNone     RefKind = iota // nothing that flows: literals, resources, unknown roots
	RefInput                   // a field of an action's input
	RefPayload                 // a field of the event's payload
	RefEnvelope                // a field of the event's envelope: Path is its name
	RefEntity                  // the state of an entity: State and Path
	RefDecision                // the result of a decision: Name, and Path below "output"
	RefLocal                   // a name bound by as or into, item or it: Name and Path
	RefDerived                 // a column derived for the same event: Path
	RefQuery                   // a query's parameter: Path
)

// Ref is a reference of an expression, resolved in its scope.
type Ref struct {
	Kind  RefKind
	Name  string
	Path  string
	State *spec.State
	Node  spec.Node // the whole path
	// Field is the range of the first segment after the namespace (and "payload"), for findings about it.
	Field spec.Range
}

// Envelope fields of an event, which every event has.
func envelopeField(name string) bool { return name == "type" || name == "ts" || name == "entity_id" }

// moreEnvelope are the envelope fields that a declared field of the same name hides.
func moreEnvelope(name string) bool {
	switch name {
	case "id", "event_id", "stream_id", "fork_id", "version":
		return true
	}
	return false
}

// IsEnvelope reports whether event.NAME can read an envelope field.
func IsEnvelope(name string) bool { return envelopeField(name) || moreEnvelope(name) }

// segment is one step of a path.
type segment struct {
	name string // "*" for a computed index
	at   spec.Range
}

// split takes a path expression apart: its root (an *Ident or a *Call) and the steps after it. The root is nil for
// expressions that are no path.
func split(n spec.Node) (root spec.Node, steps []segment) {
	root, count := rootOf(n)
	if root == nil || count == 0 {
		return root, nil
	}
	steps = make([]segment, count)
	for i := count - 1; i >= 0; i-- {
		switch p := n.(type) {
		case *spec.Member:
			n, steps[i] = p.X, segment{p.Name, p.NameAt}
		case *spec.Index:
			n, steps[i] = p.X, segment{"*", p.I.Range()}
			if lit, isLit := p.I.(*spec.Lit); isLit && lit.Kind == spec.LitString {
				steps[i].name = lit.Text
			}
		}
	}
	return root, steps
}

// rootOf returns what a path begins with and how many steps come after it; nil for expressions that are no path.
func rootOf(n spec.Node) (root spec.Node, steps int) {
	for ; ; steps++ {
		switch p := n.(type) {
		case *spec.Ident, *spec.Call:
			return n, steps
		case *spec.Member:
			n = p.X
		case *spec.Index:
			n = p.X
		default:
			return nil, 0
		}
	}
}

// PathRoot returns the name that a path begins with, and whether the expression is a path that begins with a name.
func PathRoot(n spec.Node) (*spec.Ident, bool) {
	root, _ := rootOf(n)
	id, isName := root.(*spec.Ident)
	return id, isName
}

// Resolve says what a path expression reads in its scope. It returns false for expressions that are no path, such as
// sums and calls; a path that reads nothing known is of kind RefNone.
func (s *Scope) Resolve(t *symbols.Table, n spec.Node) (Ref, bool) {
	root, steps := split(n)
	if root == nil {
		return Ref{}, false
	}
	if call, isCall := root.(*spec.Call); isCall {
		return s.resolveCall(t, call, steps, n)
	}
	name := root.(*spec.Ident).Name
	ref := Ref{Node: n, Field: n.Range()}
	if s.Bound[name] || name == "item" || name == "it" {
		ref.Kind, ref.Name, ref.Path = RefLocal, name, pathOf(steps)
		return ref, true
	}
	if len(steps) == 0 {
		return ref, true
	}
	ref.Field = steps[0].at
	switch name {
	case "event":
		s.resolveEvent(&ref, steps)
	case "intent", "input":
		s.resolveInput(&ref, steps)
	case "entity", "state":
		s.resolveEntity(&ref, s.State, steps)
	case "derived":
		ref.Kind, ref.Path = RefDerived, pathOf(steps)
	}
	return ref, true
}

func (s *Scope) resolveInput(ref *Ref, steps []segment) {
	ref.Kind, ref.Path = RefInput, pathOf(steps)
	switch {
	case s.Query != nil:
		ref.Kind = RefQuery
	case s.Action == nil:
		ref.Kind = RefNone
	case IsEnvelope(steps[0].name) && !s.declares(steps[0].name):
		ref.Kind = RefEnvelope
	}
}

func (s *Scope) resolveEvent(ref *Ref, steps []segment) {
	if steps[0].name == "payload" && !s.declares("payload") {
		ref.Kind, ref.Path = RefPayload, pathOf(steps[1:])
		if len(steps) > 1 {
			ref.Field = steps[1].at
		}
	} else {
		ref.Kind, ref.Path = RefPayload, pathOf(steps)
		if f := steps[0].name; envelopeField(f) || moreEnvelope(f) && !s.declares(f) {
			ref.Kind = RefEnvelope
		}
	}
	if s.Action != nil && ref.Kind == RefPayload {
		ref.Kind = RefInput
	}
}

// declares reports whether the event or the action's input at hand has a field of that name.
func (s *Scope) declares(name string) bool {
	if s.Action != nil {
		return HasField(s.Action.Input, name)
	}
	for _, e := range s.Sources {
		if HasField(e.Payload, name) {
			return true
		}
	}
	return false
}

// HasField reports whether a field of that name is declared.
func HasField(fields []*spec.Field, name string) bool { return FindField(fields, name) != nil }

// FindField returns the declared field of that name, or nil.
func FindField(fields []*spec.Field, name string) *spec.Field {
	for _, f := range fields {
		if symbols.Text(f.Name) == name {
			return f
		}
	}
	return nil
}

func (s *Scope) resolveEntity(ref *Ref, state *spec.State, steps []segment) {
	ref.Kind, ref.State, ref.Path = RefEntity, state, pathOf(steps)
	if len(steps) > 1 && steps[0].name == "decisions" {
		ref.Kind, ref.Name, ref.Field = RefDecision, steps[1].name, steps[1].at
		rest := steps[2:]
		if len(rest) > 0 && rest[0].name == "output" {
			rest = rest[1:]
		}
		ref.Path = pathOf(rest)
	}
}

// resolveCall handles lookup(state, id).path and LOOKUP_FIELD('stream', id, '/path').
func (s *Scope) resolveCall(t *symbols.Table, call *spec.Call, steps []segment, n spec.Node) (Ref, bool) {
	if call.Name != "lookup" && call.Name != "LOOKUP_FIELD" || len(call.Args) < 2 {
		return Ref{}, false
	}
	ref := Ref{Kind: RefEntity, State: t.StreamState(StreamName(call.Args[0])), Path: pathOf(steps), Node: n, Field: n.Range()}
	if len(steps) > 0 {
		ref.Field = steps[0].at
	}
	if call.Name == "LOOKUP_FIELD" && len(call.Args) == 3 {
		if lit, ok := call.Args[2].(*spec.Lit); ok && lit.Kind == spec.LitString {
			ref.Path = JoinPath(SlashPath(lit.Text), ref.Path)
			ref.Field = lit.Where
		}
	}
	return ref, true
}

// StreamName returns the state or stream that the first argument of a lookup names: a word or a quoted text.
func StreamName(n spec.Node) string {
	switch n := n.(type) {
	case *spec.Ident:
		return n.Name
	case *spec.Lit:
		if n.Kind == spec.LitString {
			return n.Text
		}
	}
	return ""
}

func pathOf(steps []segment) string {
	if len(steps) == 1 {
		return steps[0].name
	}
	names := make([]string, len(steps))
	for i, st := range steps {
		names[i] = st.name
	}
	return strings.Join(names, ".")
}

// FirstSegment returns the first segment of a path.
func FirstSegment(path string) string {
	first, _, _ := strings.Cut(path, ".")
	return first
}
