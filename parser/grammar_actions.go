package parser

import (
	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

func (g *grammar) actions() {
	type a = spec.Action
	side := phaseKey("side_effects", "After the commit: emits, submits, decisions, schedules.", &g.phase, func(t *a) **spec.Phase { return &t.SideEffects }).or("side_effect")
	side.hinted = true
	g.action = record[a]{def: "action", title: "an action", doc: "An intent.", keys: []key[a]{
		one("state", "The state of the entity that it works on.", aName, func(t *a) **spec.Scalar { return &t.State }).must(),
		one("entity_id_expr", "Which entity it works on.", anExpr, func(t *a) **spec.Expr { return &t.EntityIDExpr }),
		one("description", "A word about it.", aText, func(t *a) **spec.Scalar { return &t.Description }),
		many("input", "What the client gives, by name.", g.fields(), func(t *a) *[]*spec.Field { return &t.Input }),
		phaseKey("preflight", "Before anything is written: validation only.", &g.phase, func(t *a) **spec.Phase { return &t.Preflight }),
		phaseKey("core", "The commit: the entity's state and emits, in one transaction.", &g.phase, func(t *a) **spec.Phase { return &t.Core }),
		side,
	}}
	g.phase = record[spec.Phase]{def: "phase", title: "a phase", doc: "A phase of an action.", keys: []key[spec.Phase]{
		many("rules", "Its rules; they run by priority, then in this order.", listOf(asKind(&g.rule)), func(t *spec.Phase) *[]*spec.Rule { return &t.Rules }).must(),
	}}
	g.rule = record[spec.Rule]{def: "rule", title: "a rule", doc: "A rule: when it holds, its ops run.", keys: []key[spec.Rule]{
		one("name", "Its name.", aName, func(t *spec.Rule) **spec.Scalar { return &t.Name }).must(),
		one("when", "When it holds; always if absent or {}.", when, func(t *spec.Rule) **spec.Expr { return &t.When }),
		one("priority", "Lower runs first.", anInt(anyInteger), func(t *spec.Rule) **spec.Int { return &t.Priority }),
		many("then", "Its ops, in order.", g.ops(), func(t *spec.Rule) *[]*spec.Op { return &t.Then }).must(),
	}}
}

func phaseKey[T any](name, doc string, phase *record[spec.Phase], at func(*T) **spec.Phase) key[T] {
	k := asKind(phase)
	return key[T]{name: name, doc: doc, schema: k.schema, read: func(d *decoder, t *T, key *spec.Scalar, n *yamltree.Node) {
		if p, ok := k.read(d, n); ok {
			p.Key = key
			*at(t) = p
		}
	}}
}

// when is the condition of a rule: nothing, {}, an expression, or {expr}.
var when = kind[*spec.Expr]{
	empty: true,
	schema: func(w *schemaWriter) *schema {
		form := &schema{Type: types{"object"}, Properties: map[string]*schema{"expr": anExpr.schema(w)}, Additional: &schema{never: true}}
		return &schema{AnyOf: []*schema{anExpr.schema(w), form}}
	},
	read: func(d *decoder, n *yamltree.Node) (*spec.Expr, bool) {
		if n.IsNull() || n.Kind == yamltree.Map && len(n.Entries) == 0 {
			return nil, true
		}
		if n.Kind != yamltree.Map {
			return anExpr.read(d, n)
		}
		var found *spec.Expr
		r := record[*spec.Expr]{title: "when", keys: []key[*spec.Expr]{one("expr", "", anExpr, func(t **spec.Expr) **spec.Expr { return t })}}
		r.fill(d, &found, n, nil)
		return found, found != nil
	},
}

func (g *grammar) listeners() {
	type l = spec.Listener
	g.listener = record[l]{def: "listener", title: "a listener", doc: "A reaction in the commit of an event.", keys: []key[l]{
		one("on", "The event.", aName, func(t *l) **spec.Scalar { return &t.On }).must(),
		one("where", "Only for events that match.", plainText, func(t *l) **spec.Expr { return &t.Where }),
		one("priority", "Lower runs first.", anInt(anyInteger), func(t *l) **spec.Int { return &t.Priority }),
		many("mutate", "What it changes.", listOf(asKind(&g.listenerOp)), func(t *l) *[]*spec.Op { return &t.Mutate }).must(),
	}}
	g.listenerOp = record[spec.Op]{def: "listener_op", title: "a mutation of a listener", doc: "A change of one field.", before: markOp, keys: []key[spec.Op]{
		one("op", "What to do.", choice("an op of a listener", "set", "add", "sub", "unset", "merge", "push", "increment", "update"), func(t *spec.Op) **spec.Scalar { return &t.Kind }).must(),
		one("field", "The field, or a slash path.", aName, func(t *spec.Op) **spec.Scalar { return &t.Field }).must(),
		one("value", "The value.", aValue, func(t *spec.Op) **spec.Value { return &t.Value }),
	}}
}

func markOp(d *decoder, t *spec.Op, n *yamltree.Node) { t.At = n.Span(d.file) }

// plainText is a condition that must be written as a text; the form {expr} or {op: value} of other places is not read here.
var plainText = kind[*spec.Expr]{
	schema: scalarSchema,
	read: func(d *decoder, n *yamltree.Node) (*spec.Expr, bool) {
		if n.Kind == yamltree.Map || n.Kind == yamltree.List {
			d.report(ruleWhereText, n.Span(d.file), "this condition must be a text, such as \"it.status == 'open'\"; got %s", describe(n))
			return nil, false
		}
		return anExpr.read(d, n)
	},
}

func (g *grammar) sagas() {
	type s = spec.Saga
	type step = spec.SagaStep
	g.saga = record[s]{def: "saga", title: "a saga", doc: "A process followed over events.", keys: []key[s]{
		one("state", "The state that keeps it.", aName, func(t *s) **spec.Scalar { return &t.State }).must(),
		one("state_path", "Where in that state, a slash path.", aName, func(t *s) **spec.Scalar { return &t.StatePath }).must(),
		many("steps", "Its steps; their order means nothing.", listOf(asKind(&g.sagaStep)), func(t *s) *[]*step { return &t.Steps }).must(),
	}}
	g.sagaStep = record[step]{def: "saga_step", title: "a step of a saga", doc: "A reaction of a saga to an event.", keys: []key[step]{
		one("name", "Its name.", aName, func(t *step) **spec.Scalar { return &t.Name }).must(),
		one("on", "The event.", aName, func(t *step) **spec.Scalar { return &t.On }),
		many("set", "What it notes, by name.", values, func(t *step) *[]spec.ValueEntry { return &t.Set }),
		one("end", "Whether the process ends here.", aBool, func(t *step) **spec.Bool { return &t.End }),
	}}
}
