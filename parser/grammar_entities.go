package parser

import (
	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// includeKinds are the kinds of files that a manifest lists.
var includeKinds = []string{
	"states", "events", "actions", "projections", "queries", "relationships", "listeners", "sagas", "resources",
	"commit_envelopes", "providers", "prompts", "decisions", "memories",
}

// manifestKey is a key of the manifest, which is made when its first key is met.
func manifestKey[V any](name, doc string, k kind[V], put func(*decoder, *spec.Manifest, V)) key[spec.Program] {
	return key[spec.Program]{name: name, doc: doc, schema: k.schema, read: func(d *decoder, t *spec.Program, _ *spec.Scalar, n *yamltree.Node) {
		if t.Manifest == nil {
			t.Manifest = &spec.Manifest{File: d.file}
		}
		if v, ok := k.read(d, n); ok {
			put(d, t.Manifest, v)
		}
	}}
}

// once notes what a manifest says once; another document of the file may say it again.
func (d *decoder) once(at **spec.Scalar, s *spec.Scalar, name string) {
	if *at == nil {
		*at = s
		return
	}
	diag := d.report(ruleManifest, s.Span(), "a program has one manifest, and %s is given above", name)
	diag.Related = []spec.Related{{Span: (*at).Span(), Message: "the first one"}}
}

func (g *grammar) manifest() {
	g.includes = record[spec.Manifest]{def: "includes", title: "includes", doc: "Globs of files by kind; ** crosses folders."}
	for _, kind := range includeKinds {
		g.includes.keys = append(g.includes.keys, key[spec.Manifest]{
			name: kind, doc: "Files with " + kind + ".", empty: true, schema: globs.schema,
			read: func(d *decoder, t *spec.Manifest, k *spec.Scalar, n *yamltree.Node) {
				if list, ok := globs.read(d, n); ok {
					t.Includes = append(t.Includes, spec.Include{Kind: k, Globs: list})
				}
			},
		})
	}
}

var globs = oneOrMany("a glob, or a list of globs", aName)

func (g *grammar) states() {
	type s = spec.State
	g.state = record[s]{def: "state", title: "a state", doc: "An entity type.", keys: []key[s]{
		one("entity_key", "The name of the entity's id; it need not be among the fields.", aName, func(t *s) **spec.Scalar { return &t.EntityKey }).must(),
		one("description", "A word about it.", aText, func(t *s) **spec.Scalar { return &t.Description }),
		many("fields", "The fields: a list, or a map of name to type.", orMap(listOf(asKind(&g.namedField)), g.fields()),
			func(t *s) *[]*spec.Field { return &t.Fields }).must(),
	}}
	keys := g.fieldKeys()
	g.field = record[spec.Field]{def: "field", title: "a field", doc: "A field: its type, or a map.", keys: keys, short: typeName, expand: expandType}
	g.namedField = record[spec.Field]{def: "named_field", title: "a field", doc: "A field of a state.", keys: append([]key[spec.Field]{
		one("name", "The field's name; a slash path for a nested field.", aName, func(t *spec.Field) **spec.Scalar { return &t.Name }).must(),
	}, keys...)}
}

// typeName is the short form of a field.
var typeName = &kind[*spec.Scalar]{
	schema: aType.schema,
	read: func(d *decoder, n *yamltree.Node) (*spec.Scalar, bool) {
		s := d.scalarOf("a type", n)
		return s, s != nil
	},
}

func expandType(d *decoder, t *spec.Field, s *spec.Scalar) { t.Type = d.typeRef(s) }

func (g *grammar) fieldKeys() []key[spec.Field] {
	type f = spec.Field
	return []key[f]{
		one("type", "The type; a question mark behind it allows null.", aType, func(t *f) **spec.TypeRef { return &t.Type }).must(),
		one("default", "The value where none is given.", aValue, func(t *f) **spec.Value { return &t.Default }),
		one("description", "A word about it.", aText, func(t *f) **spec.Scalar { return &t.Description }),
		one("required", "Whether a value must be given.", aBool, func(t *f) **spec.Bool { return &t.Required }),
		one("nullable", "Whether null is allowed.", aBool, func(t *f) **spec.Bool { return &t.Nullable }),
		one("item_type", "The type of an array's items.", aType, func(t *f) **spec.TypeRef { return &t.ItemType }),
		many("item_fields", "The fields of an array's items.", orMap(listOf(asKind(&g.namedField)), g.fields()), func(t *f) *[]*spec.Field { return &t.ItemFields }),
	}
}

// fields is a map of names to types or objects.
func (g *grammar) fields() kind[[]*spec.Field] {
	return mapOf(asKind(&g.field), func(v *spec.Field, n *spec.Scalar) { v.Name = n })
}

func (g *grammar) events() {
	type e = spec.Event
	g.event = record[e]{def: "event", title: "an event", doc: "A domain event.", keys: []key[e]{
		one("state", "The state whose stream it belongs to.", aName, func(t *e) **spec.Scalar { return &t.State }).must(),
		one("entity_expr", "Which entity it belongs to.", anExpr, func(t *e) **spec.Expr { return &t.EntityExpr }),
		many("payload", "Its fields, by name.", g.fields(), func(t *e) *[]*spec.Field { return &t.Payload }),
		one("kind", "What sort of event it is; event if absent.", choice("a kind of event", "event", "system", "fact", "compute", "command"),
			func(t *e) **spec.Scalar { return &t.Kind }),
		one("description", "A word about it.", aText, func(t *e) **spec.Scalar { return &t.Description }),
	}}
}

func (g *grammar) relationships() {
	type r = spec.Relationship
	g.relation = record[r]{def: "relationship", title: "a relationship", doc: "An edge type between two states.", keys: []key[r]{
		one("from", "The state at one end.", aName, func(t *r) **spec.Scalar { return &t.From }).must(),
		one("to", "The state at the other end.", aName, func(t *r) **spec.Scalar { return &t.To }).must(),
		one("cardinality", "How many may be linked; many_to_many if absent.", choice("a cardinality", "many_to_many", "one_to_many", "one_to_one"),
			func(t *r) **spec.Scalar { return &t.Cardinality }),
		one("unique", "Whether a second edge between the same two is no edge.", aBool, func(t *r) **spec.Bool { return &t.Unique }),
		part("emit_events", "Events for edges made and removed.", &g.edgeEvents),
	}}
	g.edgeEvents = record[r]{def: "edge_events", title: "emit_events", doc: "Events of a relationship.", keys: []key[r]{
		one("created", "The event of a new edge.", aName, func(t *r) **spec.Scalar { return &t.Created }),
		one("removed", "The event of a removed edge.", aName, func(t *r) **spec.Scalar { return &t.Removed }),
	}}
}

// part is a key whose map is read into the same T.
func part[T any](name, doc string, r *record[T]) key[T] {
	return key[T]{name: name, doc: doc, empty: true, schema: asKind(r).schema, read: func(d *decoder, t *T, _ *spec.Scalar, n *yamltree.Node) {
		if n.Kind == yamltree.Map {
			r.fill(d, t, n, nil)
		} else if !n.IsNull() {
			d.wrongShape(r.wants(), n)
		}
	}}
}

// resources are tables of constants.
var resources = mapOf(kind[*spec.Resource]{
	empty:  true,
	schema: values.schema,
	read: func(d *decoder, n *yamltree.Node) (*spec.Resource, bool) {
		rows, ok := values.read(d, n)
		return &spec.Resource{Rows: rows}, ok
	},
}, func(v *spec.Resource, n *spec.Scalar) { v.Name = n })
