package parser

import (
	"slices"
	"strings"

	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// opShape says which keys an op takes.
type opShape struct {
	names []string // its name, and other spellings
	doc   string
	subset
}

func shape(names, doc string, required, optional string, oneOf ...[]string) opShape {
	s := opShape{names: strings.Fields(names), doc: doc}
	s.title = "the op " + s.names[0]
	s.required = append([]string{"op"}, strings.Fields(required)...)
	s.keys = append(slices.Clone(s.required), strings.Fields(optional)...)
	for _, group := range oneOf {
		s.oneOf = append(s.oneOf, group)
		s.keys = append(s.keys, group...)
	}
	return s
}

// opShapes are the ops of actions.
var opShapes = []opShape{
	shape("set", "Writes a value.", "path value", ""),
	shape("add", "Adds to a number; null counts as 0.", "path value", "cap"),
	shape("sub", "Subtracts from a number; null counts as 0.", "path value", "cap"),
	shape("unset", "Removes a field.", "path", ""),
	shape("merge", "Merges a map into a map.", "path value", ""),
	shape("push", "Appends to an array.", "path value", ""),
	shape("remove", "Drops the items that match.", "path where", "as into"),
	shape("filter", "Keeps the items that match.", "path where", "as into"),
	shape("find", "Finds the first item that matches.", "path where", "as into"),
	shape("map", "Makes a list of a list.", "", "by as into value", []string{"path", "from"}),
	shape("sort", "Sorts a list.", "", "by as into", []string{"path", "from"}),
	shape("clone", "Copies a value.", "", "by as into", []string{"path", "from"}),
	shape("if", "Runs ops where a condition holds, else others.", "expr then", "else"),
	shape("for_each foreach", "Runs ops for each item of a list.", "for_each then", "as"),
	shape("stop", "Ends the rule; nothing is rolled back.", "", ""),
	shape("continue", "Goes on with the next round of a loop.", "", ""),
	shape("emit", "Emits an event.", "event_type", "payload"),
	shape("emit_each", "Emits an event for each item of a list.", "from event_type", "payload as"),
	shape("submit", "Submits another intent.", "", "target_stream target_entity payload", []string{"action"}),
	shape("decision", "Asks a model.", "ref", "input"),
	shape("reject", "Refuses the intent.", "code", "message"),
	shape("schedule", "Submits an intent later.", "delay_seconds", "target_stream target_entity payload", []string{"action"}),
	shape("lock", "Takes a lock.", "lock_key", ""),
	shape("unlock", "Gives a lock back.", "lock_key", ""),
	shape("lookup", "Reads another entity's snapshot.", "into stream entity_id_expr", ""),
	shape("relationship_create", "Makes an edge.", "relationship to_id", "from_id"),
	shape("relationship_remove", "Removes an edge.", "relationship to_id", "from_id"),
	{names: []string{"compute_regen"}, doc: "Computes derived state again.", subset: subset{title: "the op compute_regen"}},
	shape("increment", "Adds 1, or a value.", "path", "value by cap"),
	shape("update", "Writes values.", "path", "value where"),
}

// opNames are all spellings of all ops.
var opNames = func() []string {
	var names []string
	for _, s := range opShapes {
		names = append(names, s.names...)
	}
	return names
}()

// shapes finds an op by any of its names.
var shapes = func() map[string]*opShape {
	m := map[string]*opShape{}
	for i := range opShapes {
		for _, name := range opShapes[i].names {
			m[name] = &opShapes[i]
		}
	}
	return m
}()

func (g *grammar) operations() {
	type o = spec.Op
	ops := g.ops()
	payload := many("payload", "The values, by name.", values, func(t *o) *[]spec.ValueEntry { return &t.Payload }).with(func(t *o) **spec.Scalar { return &t.PayloadAt })
	input := many("input", "The values, by name.", values, func(t *o) *[]spec.ValueEntry { return &t.Input }).with(func(t *o) **spec.Scalar { return &t.InputAt })
	g.op = record[o]{def: "op", title: "an op", doc: "An operation of a rule.", before: markOp, keys: []key[o]{
		one("op", "What to do.", choice("an op", opNames...), func(t *o) **spec.Scalar { return &t.Kind }).must(),
		one("path", "Where in the entity's state, a slash path.", aName, func(t *o) **spec.Scalar { return &t.Path }),
		fromKey,
		one("value", "The value; a map or a list may hold expressions.", aValue, func(t *o) **spec.Value { return &t.Value }),
		part("cap", "Bounds of the result.", &g.limits),
		one("where", "Which items match: an expression over `it`, as a text.", plainText, func(t *o) **spec.Expr { return &t.Where }),
		one("as", "A name for the item.", aName, func(t *o) **spec.Scalar { return &t.As }),
		one("into", "Where the result goes: a slash path, or a name for the ops that follow.", aName, func(t *o) **spec.Scalar { return &t.Into }),
		one("by", "An expression for each item.", anExpr, func(t *o) **spec.Expr { return &t.By }),
		one("expr", "The condition.", anExpr, func(t *o) **spec.Expr { return &t.Expr }),
		many("then", "The ops to run.", ops, func(t *o) *[]*o { return &t.Then }),
		many("else", "The ops to run otherwise.", ops, func(t *o) *[]*o { return &t.Else }),
		one("for_each", "The list.", anExpr, func(t *o) **spec.Expr { return &t.ForEach }).or("foreach"),
		one("event_type", "The event.", aName, func(t *o) **spec.Scalar { return &t.EventType }),
		payload,
		one("action", "The intent.", aName, func(t *o) **spec.Scalar { return &t.Action }).or("intent_type"),
		one("target_stream", "The stream of the entity.", aName, func(t *o) **spec.Scalar { return &t.TargetStream }),
		one("target_entity", "The entity.", aValue, func(t *o) **spec.Value { return &t.TargetEntity }).or("entity_id"),
		one("ref", "The decision.", aName, func(t *o) **spec.Scalar { return &t.Ref }),
		input,
		one("code", "A code for programs.", aName, func(t *o) **spec.Scalar { return &t.Code }),
		one("message", "A message for people.", aText, func(t *o) **spec.Scalar { return &t.Message }),
		one("delay_seconds", "How much later.", aValue, func(t *o) **spec.Value { return &t.DelaySeconds }),
		one("lock_key", "The lock's key.", aValue, func(t *o) **spec.Value { return &t.LockKey }).or("key"),
		one("stream", "The stream, or its state.", aName, func(t *o) **spec.Scalar { return &t.Stream }),
		one("entity_id_expr", "The entity.", anExpr, func(t *o) **spec.Expr { return &t.EntityIDExpr }),
		one("relationship", "The relationship.", aName, func(t *o) **spec.Scalar { return &t.Relationship }),
		one("from_id", "The entity at one end.", aValue, func(t *o) **spec.Value { return &t.FromID }),
		one("to_id", "The entity at the other end.", aValue, func(t *o) **spec.Value { return &t.ToID }),
	}}
	g.limits = record[o]{def: "cap", title: "cap", doc: "Bounds of a number.", keys: []key[o]{
		one("min", "The least.", aValue, func(t *o) **spec.Value { return &t.CapMin }),
		one("max", "The most.", aValue, func(t *o) **spec.Value { return &t.CapMax }),
	}}
}

// fromKey is a slash path or an expression.
var fromKey = key[spec.Op]{name: "from", doc: "Where the list is: a slash path, or an expression.", schema: aName.schema,
	read: func(d *decoder, t *spec.Op, _ *spec.Scalar, n *yamltree.Node) {
		s, ok := aName.read(d, n)
		switch {
		case !ok:
		case strings.HasPrefix(s.Value, "/") || !strings.ContainsAny(s.Value, ".[(") && !d.isBound(s.Value):
			t.From = s
		default:
			t.FromExpr = d.expression(s)
		}
	}}

// ops is a list of ops. Names that `as` and `into` bind are known to the ops behind; that of a loop's item is not.
func (g *grammar) ops() kind[[]*spec.Op] {
	item := kind[*spec.Op]{
		schema: func(w *schemaWriter) *schema { return opSchema(w, &g.op) },
		read:   g.readOp,
	}
	list := listOf(item)
	read := list.read
	list.read = func(d *decoder, n *yamltree.Node) ([]*spec.Op, bool) {
		before := len(d.bound)
		ops, ok := read(d, n)
		d.unbind(before)
		return ops, ok
	}
	return list
}

// readOp reads one op with the keys that its kind takes. A name that it binds for itself is known in it, and one that it
// binds for others stays in d.bound.
func (g *grammar) readOp(d *decoder, n *yamltree.Node) (*spec.Op, bool) {
	if n.Kind != yamltree.Map {
		d.wrongShape("an op (a map)", n)
		return nil, false
	}
	before := len(d.bound)
	var kind, as, into string
	for _, e := range n.Entries {
		if e.Value.Kind != yamltree.Scalar {
			continue
		}
		switch text := e.Value.Scalar.Value; e.Key.Value {
		case "op":
			kind = text
		case "as":
			as = text
			d.bind(as)
		case "into":
			into = text
		}
	}
	switch kind {
	case "for_each", "foreach", "emit_each":
		as = "" // it is the item's, in the loop only
		d.bind("item")
	case "remove", "filter", "find", "map", "sort":
		d.bind("it")
	}
	only := &subset{title: "an op"}
	if s := shapes[kind]; s != nil {
		only = &s.subset
	}
	t := &spec.Op{}
	g.op.fill(d, t, n, only)
	d.unbind(before)
	for _, name := range []string{as, into} {
		if name != "" && !strings.Contains(name, "/") {
			d.bind(name)
		}
	}
	return t, true
}
