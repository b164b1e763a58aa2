// Package sites lists every expression of a program together with where it stands: what it is for, which action, event
// or projection it belongs to, and what its names mean there. Rules and the dataflow graph share that one list.
package sites

import (
	"strings"

	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// Place says what an expression is for.
type Place uint8

// The places of expressions.
const (
	EventEntity  Place = iota // entity_expr of an event
	ActionEntity              // entity_id_expr of an action
	RuleWhen                  // when of a rule
	OpValue                   // value of set, add, merge, push, ...
	OpCap                     // cap.min and cap.max
	OpWhere                   // where of filter, remove, find
	OpBy                      // by of map, sort, clone
	OpFrom                    // from, where it is an expression
	OpIf                      // expr of if
	OpForEach                 // for_each
	EmitPayload
	SubmitPayload // of submit and schedule
	SubmitTarget  // target_entity of submit and schedule
	DecisionInput
	Delay
	LockKey
	LookupID // entity_id_expr of lookup
	RelationFrom
	RelationTo
	ListenerWhere
	ListenerValue
	SagaSet
	ParticipantEntity
	ParticipantDelta
	SeqSource
	ProjectionEntity // target.entity_expr
	Derive
	MutationSet
	MutationWhere
	MutationCondition
	AggregateBy
	AggregateWhen
	AggregateBound // floor and ceil
	BucketField
	QueryWhere
	QueryLimit
	FieldDefault
	ResourceValue
)

// Condition reports whether an expression at the place decides what happens rather than giving a value.
func (p Place) Condition() bool {
	switch p {
	case RuleWhen, OpIf, OpWhere, ListenerWhere, MutationCondition, MutationWhere, AggregateWhen:
		return true
	}
	return false
}

// Scope says where an expression stands and thereby what its names mean. Fields that do not apply are nil.
type Scope struct {
	State      *spec.State   // what entity and state mean
	Event      *spec.Event   // the one event at hand; nil where it is unknown or there are several
	EventName  *spec.Scalar  // how the event at hand was named
	Sources    []*spec.Event // the known events that it can be: one, or a projection's source events
	Action     *spec.Action
	Phase      *spec.Phase
	Rule       *spec.Rule
	Op         *spec.Op
	Loop       bool // inside of a for_each or an emit_each, which give an item
	Projection *spec.Projection
	Query      *spec.Query
	Envelope   *spec.Envelope
	Listener   *spec.Listener
	Saga       *spec.Saga
	Bound      map[string]bool // names that as and into bind in the action
}

// Site is one expression in its place.
type Site struct {
	*Scope
	Place Place
	Expr  *spec.Expr
	// Path names the leaf inside the value that holds the expression: payload fields, columns and keys of nested maps
	// joined by dots, "*" for the items of lists.
	Path string
	// Key is the key that gives the value: the payload field or the column; nil where there is none.
	Key *spec.Scalar
}

// List returns every expression of a program in the order of the program.
func List(p *spec.Program, t *symbols.Table) []Site {
	l := &lister{table: t}
	for _, s := range p.States {
		l.defaults(&Scope{State: s}, s.Fields)
	}
	for _, e := range p.Events {
		sc := &Scope{Event: e, EventName: e.Name, Sources: []*spec.Event{e}, State: t.StreamState(symbols.Text(e.State))}
		l.expr(sc, EventEntity, e.EntityExpr, "", nil)
		l.defaults(sc, e.Payload)
	}
	for _, a := range p.Actions {
		l.action(a)
	}
	for _, pr := range p.Projections {
		l.projection(pr)
	}
	for _, q := range p.Queries {
		l.query(q)
	}
	for _, li := range p.Listeners {
		l.listener(li)
	}
	for _, s := range p.Sagas {
		l.saga(s)
	}
	for _, r := range p.Resources {
		l.entries(&Scope{}, ResourceValue, r.Rows)
	}
	for _, e := range p.Envelopes {
		l.envelope(e)
	}
	for _, d := range p.Decisions {
		l.defaults(&Scope{}, d.Input)
		l.defaults(&Scope{}, d.Output)
	}
	return l.sites
}

type lister struct {
	table *symbols.Table
	sites []Site
}

func (l *lister) expr(sc *Scope, place Place, e *spec.Expr, path string, key *spec.Scalar) {
	if e != nil && e.Root != nil {
		l.sites = append(l.sites, Site{Scope: sc, Place: place, Expr: e, Path: path, Key: key})
	}
}

func (l *lister) value(sc *Scope, place Place, v *spec.Value, path string, key *spec.Scalar) {
	EachLeaf(v, path, key, func(path string, key *spec.Scalar, leaf *spec.Value) {
		l.expr(sc, place, leaf.Expr, path, key)
	})
}

func (l *lister) entries(sc *Scope, place Place, entries []spec.ValueEntry) {
	for _, e := range entries {
		l.value(sc, place, e.Value, symbols.Text(e.Key), e.Key)
	}
}

func (l *lister) defaults(sc *Scope, fields []*spec.Field) {
	for _, f := range fields {
		l.value(sc, FieldDefault, f.Default, "", f.Name)
		l.defaults(sc, f.ItemFields)
	}
}

// EachLeaf calls visit for the leaves of a value: constants and expressions. The path grows by the keys of nested maps,
// and by "*" for the items of lists; the key is that of the innermost map, or the given one.
func EachLeaf(v *spec.Value, path string, key *spec.Scalar, visit func(path string, key *spec.Scalar, leaf *spec.Value)) {
	if v == nil {
		return
	}
	switch v.Kind {
	case spec.ValueMap:
		for _, e := range v.Entries {
			EachLeaf(e.Value, JoinPath(path, symbols.Text(e.Key)), e.Key, visit)
		}
	case spec.ValueList:
		for _, item := range v.Items {
			EachLeaf(item, JoinPath(path, "*"), key, visit)
		}
	default:
		visit(path, key, v)
	}
}

// JoinPath appends a segment to a path.
func JoinPath(path, segment string) string {
	switch {
	case path == "":
		return segment
	case segment == "":
		return path
	}
	return path + "." + segment
}

// SlashPath turns a path as ops write it, /visible/balance or visible.balance, into a path with dots. Numbers, which
// index lists, become "*".
func SlashPath(s string) string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == '.' })
	for i, p := range parts {
		if p[0] >= '0' && p[0] <= '9' || p == "-" {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, ".")
}
