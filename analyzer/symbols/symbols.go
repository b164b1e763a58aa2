// Package symbols is the table of all names that a program defines, and what the projections of one table have
// together. The first definition of a name wins; further ones are listed as duplicates.
package symbols

import (
	"slices"
	"strings"

	"github.com/causetc/causetc/spec"
)

// Kind is a kind of named thing.
type Kind uint8

// The kinds of named things.
const (
	State Kind = iota
	Event
	Action
	Projection
	Query
	Relationship
	Saga
	Resource
	Envelope
	Provider
	Prompt
	Decision
	Memory
)

var kindNames = [...]string{
	"state", "event", "action", "projection", "query", "relationship", "saga", "resource", "commit envelope",
	"provider", "prompt", "decision", "memory",
}

// String returns the kind as it is called in a sentence.
func (k Kind) String() string { return kindNames[k] }

var sectionNames = [...]string{
	"state", "events", "actions", "projections", "queries", "relationships", "sagas", "resources", "commit_envelopes",
	"providers", "prompts", "decisions", "memories",
}

// Section returns the section of a spec that defines things of the kind.
func (k Kind) Section() string { return sectionNames[k] }

// Duplicate is a name that is defined more than once.
type Duplicate struct {
	Kind Kind
	Defs []*spec.Scalar // two or more, in the order of the program
}

// Table holds the names of a program. It must not be changed.
type Table struct {
	States        map[string]*spec.State
	Events        map[string]*spec.Event
	Actions       map[string]*spec.Action
	Projections   map[string]*spec.Projection
	Queries       map[string]*spec.Query
	Relationships map[string]*spec.Relationship
	Sagas         map[string]*spec.Saga
	Resources     map[string]*spec.Resource
	Envelopes     map[string]*spec.Envelope
	Providers     map[string]*spec.Provider
	Prompts       map[string]*spec.Prompt
	Decisions     map[string]*spec.Decision
	Memories      map[string]*spec.Memory

	Tables     map[string]*TableInfo
	Duplicates []Duplicate

	queryColumns map[*spec.Query][]ColumnUse
	emits        map[string][]Emit
	platform     map[string][]*spec.Envelope
	decided      map[string][]*spec.Decision
	related      map[string]bool
}

// New collects the names of a program.
func New(p *spec.Program) *Table {
	t := &Table{}
	t.States = collect(t, State, p.States, func(s *spec.State) *spec.Scalar { return s.Name })
	t.Events = collect(t, Event, p.Events, func(e *spec.Event) *spec.Scalar { return e.Name })
	t.Actions = collect(t, Action, p.Actions, func(a *spec.Action) *spec.Scalar { return a.Name })
	t.Projections = collect(t, Projection, p.Projections, func(p *spec.Projection) *spec.Scalar { return p.Name })
	t.Queries = collect(t, Query, p.Queries, func(q *spec.Query) *spec.Scalar { return q.Name })
	t.Relationships = collect(t, Relationship, p.Relationships, func(r *spec.Relationship) *spec.Scalar { return r.Name })
	t.Sagas = collect(t, Saga, p.Sagas, func(s *spec.Saga) *spec.Scalar { return s.Name })
	t.Resources = collect(t, Resource, p.Resources, func(r *spec.Resource) *spec.Scalar { return r.Name })
	t.Envelopes = collect(t, Envelope, p.Envelopes, func(e *spec.Envelope) *spec.Scalar { return e.Name })
	t.Providers = collect(t, Provider, p.Providers, func(p *spec.Provider) *spec.Scalar { return p.Name })
	t.Prompts = collect(t, Prompt, p.Prompts, func(p *spec.Prompt) *spec.Scalar { return p.Name })
	t.Decisions = collect(t, Decision, p.Decisions, func(d *spec.Decision) *spec.Scalar { return d.Name })
	t.Memories = collect(t, Memory, p.Memories, func(m *spec.Memory) *spec.Scalar { return m.Name })
	t.collectTables(p)
	t.queryColumns = make(map[*spec.Query][]ColumnUse, len(p.Queries))
	for _, q := range p.Queries {
		t.queryColumns[q] = t.collectColumns(q)
	}
	t.collectEmits(p)
	return t
}

// collect indexes the definitions of one kind and notes duplicates.
func collect[T any](t *Table, kind Kind, list []*T, name func(*T) *spec.Scalar) map[string]*T {
	byName := make(map[string]*T, len(list))
	more := map[string][]*spec.Scalar{}
	var repeated []string
	for _, item := range list {
		def := name(item)
		if def == nil || def.Value == "" {
			continue
		}
		first, ok := byName[def.Value]
		if !ok {
			byName[def.Value] = item
			continue
		}
		if more[def.Value] == nil {
			more[def.Value] = []*spec.Scalar{name(first)}
			repeated = append(repeated, def.Value)
		}
		more[def.Value] = append(more[def.Value], def)
	}
	for _, n := range repeated {
		t.Duplicates = append(t.Duplicates, Duplicate{Kind: kind, Defs: more[n]})
	}
	return byName
}

// StreamState returns the state that a stream name means: "wallet_stream" or "wallet" for the state wallet.
func (t *Table) StreamState(stream string) *spec.State {
	if s := t.States[stream]; s != nil {
		return s
	}
	if name, ok := strings.CutSuffix(stream, "_stream"); ok {
		return t.States[name]
	}
	return nil
}

// Names returns the sorted keys of one of the table's maps.
func Names[T any](m map[string]T) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Text returns the text of a scalar, empty where the author left it out.
func Text(s *spec.Scalar) string {
	if s == nil {
		return ""
	}
	return s.Value
}

// Has reports whether the program defines a name.
func (t *Table) Has(kind Kind, name string) bool {
	switch kind {
	case State:
		return t.States[name] != nil
	case Event:
		return t.Events[name] != nil
	case Action:
		return t.Actions[name] != nil
	case Projection:
		return t.Projections[name] != nil
	case Query:
		return t.Queries[name] != nil
	case Relationship:
		return t.Relationships[name] != nil
	case Saga:
		return t.Sagas[name] != nil
	case Resource:
		return t.Resources[name] != nil
	case Envelope:
		return t.Envelopes[name] != nil
	case Provider:
		return t.Providers[name] != nil
	case Prompt:
		return t.Prompts[name] != nil
	case Decision:
		return t.Decisions[name] != nil
	case Memory:
		return t.Memories[name] != nil
	}
	return false
}
