// Package dataflow is the graph of how values move through a program: from an action's input into entity state, from
// there into the payloads of emitted events, into the columns of projections and into their keys; and through submits,
// decisions, listeners, sagas and commit envelopes.
//
// A value is tracked by where it lies (a Root, such as the state of an entity type) and by its path in there, so that a
// tainted field of a map does not taint its neighbours.
package dataflow

import (
	"strings"
	"sync"

	"github.com/causetc/causetc/spec"
)

// RootKind is a kind of place that holds values.
type RootKind uint8

// The kinds of places.
const (
	Input          RootKind = iota // the input of an action (Owner); paths are its fields
	Entity                         // the state of entities of a state (Owner)
	Local                          // a name bound in an action: Owner is the action's name, the path begins with the bound name
	Payload                        // the payload of an event (Owner)
	Envelope                       // entity_id of an event (Owner)
	Source                         // what a projection (Owner) reads from its source events: their payloads together
	SourceEntity                   // the entity id of a projection's source events
	Column                         // a column of a projection (Owner)
	DecisionInput                  // the input of a decision
	DecisionOutput                 // the output of a decision
	Query                          // a query's result and conditions
	Condition                      // what decides whether something happens; nothing flows on
	Computed                       // a call or operator whose result a rule follows: Owner is its number
	ActionID                       // the entity id of an action
	EventID                        // the entity id of an event, by its entity_expr
	Key                            // the primary key of a projection (Owner); the path is the column
	ProjectionID                   // target.entity_expr of a projection
	TargetID                       // the target entity of a submit, schedule, lookup or commit envelope; Owner says whose
	RelationID                     // an end of a relationship (Owner)
	Amount                         // what an aggregate adds: Owner is the projection, the path the column
)

// Root is one place that holds values.
type Root struct {
	Kind  RootKind
	Owner string
}

// Loc is a place and a path inside it; the empty path is all of it. Segments are joined by dots, "*" is any item of a
// list or any entry of a map.
type Loc struct {
	Root Root
	Path string
}

// Edge is one move of a value. What a Copy carries keeps its own inner structure; otherwise the new value is computed
// from the old one as a whole.
type Edge struct {
	From, To Loc
	Copy     bool
	Step     Step
	At       *spec.Scalar // what receives the value: the path, the payload field, the column, the key; nil where hidden
}

// Step says how an edge is told to people.
type Step uint8

// The steps of a flow.
const (
	StepHidden    Step = iota // joins two places that are one for the reader
	StepSet                   // an op writes entity state
	StepBind                  // a name is bound
	StepEmit                  // a payload field of an emitted event
	StepDerive                // a column
	StepKey                   // a column that is in the primary key
	StepSubmit                // a field of another action's input
	StepDecide                // a decision's input
	StepDecided               // a decision's result, or the event that it emits
	StepEntityID              // an entity id
	StepTarget                // the target of a submit, schedule or lookup
	StepRelation              // an end of a relationship
	StepQuery                 // a query reads a column
	StepCondition             // a condition
	StepAmount                // what an aggregate adds
	StepEnvelope              // the platform carries the input of a commit envelope's start action into its events
)

// Graph holds the edges of a program, ordered as the program is. It is safe for use by many goroutines once it is built;
// the edges of a root are sorted when they are first asked for.
type Graph struct {
	out     map[Root]*exits
	edges   int
	origins []*Origin
}

// exits are the edges that leave a root.
type exits struct {
	all       []*Edge
	sorted    sync.Once          // makes the next two
	bySegment map[string][]*Edge // by the first segment of the path that they read
	whole     []*Edge            // read all of the root, or an unknown part
}

// Edges returns how many edges the graph has.
func (g *Graph) Edges() int { return g.edges }

func (g *Graph) add(e Edge) {
	x := g.out[e.From.Root]
	if x == nil {
		x = &exits{}
		g.out[e.From.Root] = x
	}
	g.edges++
	x.all = append(x.all, &e)
}

// sort puts the edges under the segments that they read.
func (x *exits) sort() {
	x.bySegment = map[string][]*Edge{}
	for _, e := range x.all {
		first, _, _ := strings.Cut(e.From.Path, ".")
		if first == "" || first == "*" {
			x.whole = append(x.whole, e)
		} else {
			x.bySegment[first] = append(x.bySegment[first], e)
		}
	}
}

// Exits calls visit for every edge that a value at loc takes, with the place where it then is.
func (g *Graph) Exits(loc Loc, visit func(*Edge, Loc)) {
	x := g.out[loc.Root]
	if x == nil {
		return
	}
	take := func(list []*Edge) {
		for _, e := range list {
			if rest, ok := residue(loc.Path, e.From.Path); ok {
				visit(e, moved(e, rest))
			}
		}
	}
	first, _, _ := strings.Cut(loc.Path, ".")
	if first == "" || first == "*" {
		take(x.all)
		return
	}
	x.sorted.Do(x.sort)
	take(x.whole)
	take(x.bySegment[first])
}

// maxDepth bounds paths, which could grow for ever where a state is stored inside itself.
const maxDepth = 8

// moved returns where a value is after it took an edge; rest is its path below what the edge reads.
func moved(e *Edge, rest string) Loc {
	if !e.Copy || rest == "" {
		return e.To
	}
	path := rest
	if e.To.Path != "" {
		path = e.To.Path + "." + rest
	}
	return Loc{e.To.Root, clip(path, maxDepth)}
}

// clip cuts a path to its first segments: a value inside a map then counts as the whole map.
func clip(path string, most int) string {
	depth := 0
	for i := range len(path) {
		if path[i] == '.' {
			if depth++; depth == most {
				return path[:i]
			}
		}
	}
	return path
}

// residue matches the path of a value against the path that is read. It reports whether the read sees the value, and the
// value's path below what is read: empty where the read is of the value or inside it.
func residue(value, read string) (rest string, ok bool) {
	for value != "" && read != "" {
		v, vRest, _ := strings.Cut(value, ".")
		r, rRest, _ := strings.Cut(read, ".")
		if v != r && v != "*" && r != "*" {
			return "", false
		}
		value, read = vRest, rRest
	}
	return value, true
}
