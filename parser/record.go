package parser

import (
	"slices"
	"strings"

	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// record describes a map with known keys, which is read into a T.
type record[T any] struct {
	def    string // the name of its definition in the JSON Schema
	title  string // what it is, for messages: "an event"
	doc    string
	keys   []key[T]
	oneOf  [][]string                             // of each group, at least one key must be there
	short  *kind[*spec.Scalar]                    // a scalar may stand for the whole,
	expand func(d *decoder, t *T, s *spec.Scalar) // and is noted so
	before func(d *decoder, t *T, n *yamltree.Node)
}

// key is one key of a record.
type key[T any] struct {
	name     string
	aliases  []string // other spellings with the same meaning
	hinted   bool     // an alias deserves a hint
	required bool
	empty    bool // no value at all is as good as an empty one
	adds     bool // a second value adds to the first
	doc      string
	schema   func(*schemaWriter) *schema
	read     func(d *decoder, t *T, k *spec.Scalar, n *yamltree.Node)
}

// must marks a key as required.
func (k key[T]) must() key[T] {
	k.required = true
	k.empty = false
	return k
}

// or adds other spellings of a key.
func (k key[T]) or(aliases ...string) key[T] {
	k.aliases = aliases
	return k
}

// one is a key with a single value.
func one[T, V any](name, doc string, k kind[V], at func(*T) *V) key[T] {
	return key[T]{name: name, doc: doc, schema: k.schema, empty: k.empty, read: func(d *decoder, t *T, _ *spec.Scalar, n *yamltree.Node) {
		if v, ok := k.read(d, n); ok {
			*at(t) = v
		}
	}}
}

// many is a key with a list or a map; a section that stands twice adds up.
func many[T, V any](name, doc string, k kind[[]V], at func(*T) *[]V) key[T] {
	return key[T]{name: name, doc: doc, schema: k.schema, empty: k.empty, adds: true, read: func(d *decoder, t *T, _ *spec.Scalar, n *yamltree.Node) {
		if v, ok := k.read(d, n); ok {
			*at(t) = append(*at(t), v...)
		}
	}}
}

// with also notes the key itself.
func (k key[T]) with(at func(*T) **spec.Scalar) key[T] {
	read := k.read
	k.read = func(d *decoder, t *T, key *spec.Scalar, n *yamltree.Node) {
		*at(t) = key
		read(d, t, key, n)
	}
	return k
}

// find returns the key of a name.
func (r *record[T]) find(name string) *key[T] {
	for i := range r.keys {
		if k := &r.keys[i]; k.name == name || slices.Contains(k.aliases, name) {
			return k
		}
	}
	return nil
}

// asKind makes a kind of a record. The record is looked up when it is used, so that records may hold each other.
func asKind[T any](r *record[T]) kind[*T] {
	return kind[*T]{
		schema: func(w *schemaWriter) *schema { return recordSchema(w, r) },
		read:   func(d *decoder, n *yamltree.Node) (*T, bool) { return r.read(d, n) },
	}
}

func (r *record[T]) read(d *decoder, n *yamltree.Node) (*T, bool) {
	t := new(T)
	switch {
	case n.Kind == yamltree.Bad:
		return nil, false
	case n.IsNull() && !r.demands():
		return t, true
	case n.IsNull():
		d.noValue(r.title, n)
		return nil, false
	case n.Kind == yamltree.Scalar && r.short != nil:
		s, ok := r.short.read(d, n)
		if ok {
			r.expand(d, t, s)
		}
		return t, ok
	case n.Kind != yamltree.Map:
		d.wrongShape(r.wants(), n)
		return nil, false
	}
	r.fill(d, t, n, nil)
	return t, true
}

// wants names what may stand for the record.
func (r *record[T]) wants() string {
	if r.short != nil {
		return r.title + " (a text or a map)"
	}
	return r.title + " (a map)"
}

// demands reports whether a record can't be empty.
func (r *record[T]) demands() bool {
	return len(r.oneOf) > 0 || slices.ContainsFunc(r.keys, func(k key[T]) bool { return k.required })
}

// fill reads the entries of a map into t. only, if not nil, tells which keys are allowed here.
func (r *record[T]) fill(d *decoder, t *T, n *yamltree.Node, only *subset) {
	if r.before != nil {
		r.before(d, t, n)
	}
	var meant []string // the keys that unknown ones were probably meant to be
	for _, e := range n.Entries {
		k := r.find(e.Key.Value)
		if k == nil || !only.allows(k.name) {
			if near := r.find(r.unknown(d, e.Key, only)); near != nil {
				meant = append(meant, near.name)
			}
			continue
		}
		if e.Duplicate && !k.adds {
			continue
		}
		r.alias(d, k, e.Key)
		r.twice(d, n, k, e)
		if e.Value.IsNull() && (k.required || k.empty && only.requires(k.name)) {
			d.report(ruleNoValue, e.Key.Span(), "%q has no value; write it behind the colon", e.Key.Value)
			continue
		}
		k.read(d, t, e.Key, e.Value)
	}
	r.missing(d, n, only, meant)
}

// unknown reports a key that the record does not have, and returns the one that it was probably meant to be.
func (r *record[T]) unknown(d *decoder, k *spec.Scalar, only *subset) string {
	var known []string
	for i := range r.keys {
		if only.allows(r.keys[i].name) {
			known = append(known, r.keys[i].name)
			known = append(known, r.keys[i].aliases...)
		}
	}
	title := r.title
	if only != nil {
		title = only.title
	}
	near := d.nearest(k.Value, known)
	switch {
	case near != "":
		diag := d.report(ruleUnknownKey, k.Span(), "unknown key %q in %s; did you mean %q?", shorten(k.Value), title, near)
		d.write(diag, k.Value, near, known, k.Sub(0, len(k.Value)))
	case len(known) == 0:
		d.report(ruleUnknownKey, k.Span(), "unknown key %q: %s takes no keys of its own", shorten(k.Value), title)
	default:
		d.report(ruleUnknownKey, k.Span(), "unknown key %q in %s; it takes %s", shorten(k.Value), title, strings.Join(known, ", "))
	}
	return near
}

// alias hints at the better spelling of a key.
func (r *record[T]) alias(d *decoder, k *key[T], at *spec.Scalar) {
	if k.hinted && at.Value != k.name {
		diag := d.report(ruleAliasKey, at.Span(), "%q is read as %q; write that", at.Value, k.name)
		d.fix(diag, "write "+k.name, at.Sub(0, len(at.Value)), k.name)
	}
}

// twice reports a key beside another spelling of it.
func (r *record[T]) twice(d *decoder, n *yamltree.Node, k *key[T], entry yamltree.Entry) {
	if len(k.aliases) == 0 || entry.Duplicate {
		return
	}
	at := entry.Key
	for _, e := range n.Entries {
		if e.Key == at {
			return
		}
		if e.Key.Value != at.Value && r.find(e.Key.Value) == k {
			diag := d.report(ruleTwoKeys, at.Span(), "%q and %q mean the same; keep one of them", e.Key.Value, at.Value)
			diag.Related = []spec.Related{{Span: e.Key.Span(), Message: "the other one"}}
			return
		}
	}
}

// missing reports required keys that are not there; those that are misspelled have been.
func (r *record[T]) missing(d *decoder, n *yamltree.Node, only *subset, meant []string) {
	title, groups := r.title, r.oneOf
	if only != nil {
		title, groups = only.title, only.oneOf
	}
	there := func(name string) bool { return slices.Contains(meant, name) || r.has(n, r.find(name)) }
	for i := range r.keys {
		k := &r.keys[i]
		if (k.required || only.requires(k.name)) && only.allows(k.name) && !there(k.name) {
			d.report(ruleMissingKey, n.Span(d.file), "%s needs the key %q", title, k.name)
		}
	}
	for _, group := range groups {
		if !slices.ContainsFunc(group, there) {
			d.report(ruleMissingKey, n.Span(d.file), "%s needs the key %s", title, strings.Join(quoted(group), " or "))
		}
	}
}

func (r *record[T]) has(n *yamltree.Node, k *key[T]) bool {
	return slices.ContainsFunc(n.Entries, func(e yamltree.Entry) bool {
		return e.Key.Value == k.name || slices.Contains(k.aliases, e.Key.Value)
	})
}

func quoted(words []string) []string {
	q := make([]string, len(words))
	for i, w := range words {
		q[i] = `"` + w + `"`
	}
	return q
}

// subset restricts a record to some of its keys.
type subset struct {
	title    string
	keys     []string // allowed; nil allows all
	required []string
	oneOf    [][]string
}

func (s *subset) allows(name string) bool {
	return s == nil || s.keys == nil || slices.Contains(s.keys, name)
}

func (s *subset) requires(name string) bool { return s != nil && slices.Contains(s.required, name) }
