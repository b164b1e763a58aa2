package parser

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/causetc/causetc/parser/nearest"
	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// kind is what may stand as the value of a key: how it is read, and what the JSON Schema says of it. read reports false
// where there is no value to keep; it has then reported why.
type kind[V any] struct {
	schema func(*schemaWriter) *schema
	read   func(d *decoder, n *yamltree.Node) (V, bool)
	empty  bool // nothing at all may stand there, and means an empty list or map
}

// inCollection is the schema of an item, for which nothing may stand if it can be empty.
func (k kind[V]) inCollection(w *schemaWriter) *schema {
	if k.empty {
		return orNull(k.schema(w))
	}
	return k.schema(w)
}

func scalarSchema(*schemaWriter) *schema { return &schema{Type: types{"string", "number", "boolean"}} }

// aText is a scalar that is read as it stands.
var aText = kind[*spec.Scalar]{
	schema: scalarSchema,
	read: func(d *decoder, n *yamltree.Node) (*spec.Scalar, bool) {
		s := d.scalarOf("a text", n)
		return s, s != nil
	},
}

// aName is a text that is not empty.
var aName = kind[*spec.Scalar]{
	schema: func(*schemaWriter) *schema {
		return &schema{Type: types{"string", "number", "boolean"}, MinLength: 1}
	},
	read: func(d *decoder, n *yamltree.Node) (*spec.Scalar, bool) {
		s := d.scalarOf("a name", n)
		if s != nil && s.Value == "" {
			d.report(ruleNoValue, s.Span(), "expected a name, but the text is empty; write the name")
			return nil, false
		}
		return s, s != nil
	},
}

// anExpr is a scalar that holds an expression.
var anExpr = kind[*spec.Expr]{
	schema: scalarSchema,
	read: func(d *decoder, n *yamltree.Node) (*spec.Expr, bool) {
		s := d.scalarOf("an expression", n)
		if s == nil {
			return nil, false
		}
		return d.expression(s), true
	},
}

// aValue is a constant, an expression, or a map or list of values.
var aValue = kind[*spec.Value]{
	schema: func(*schemaWriter) *schema { return &schema{} },
	read: func(d *decoder, n *yamltree.Node) (*spec.Value, bool) {
		v := d.value(n)
		return v, v != nil
	},
}

// values is a map of names to values.
var values = kind[[]spec.ValueEntry]{
	empty:  true,
	schema: func(*schemaWriter) *schema { return &schema{Type: types{"object"}} },
	read: func(d *decoder, n *yamltree.Node) ([]spec.ValueEntry, bool) {
		if n.IsNull() {
			return nil, true
		}
		if n.Kind != yamltree.Map {
			d.wrongShape("a map", n)
			return nil, false
		}
		return d.entries(n), true
	},
}

// aBool is true or false.
var aBool = kind[*spec.Bool]{
	schema: func(*schemaWriter) *schema { return &schema{Type: types{"boolean"}} },
	read: func(d *decoder, n *yamltree.Node) (*spec.Bool, bool) {
		s := d.scalarOf("true or false", n)
		if s == nil {
			return nil, false
		}
		if s.Tag == spec.TagBool {
			return &spec.Bool{Scalar: s, V: strings.EqualFold(s.Value, "true")}, true
		}
		diag := d.report(ruleScalarType, s.Span(), "expected true or false, got %s", describe(n))
		switch strings.ToLower(s.Value) {
		case "yes", "on", "true":
			d.fix(diag, "write true", s.Span(), "true")
		case "no", "off", "false":
			d.fix(diag, "write false", s.Span(), "false")
		}
		return nil, false
	},
}

// fix adds a replacement to a diagnostic.
func (d *decoder) fix(diag *spec.Diagnostic, message string, at spec.Span, text string) {
	diag.Fixes = append(diag.Fixes, spec.Fix{Message: message, Edits: []spec.Edit{{Span: at, New: text}}})
}

// anInt is a whole number of at least lowest.
func anInt(lowest int64) kind[*spec.Int] {
	return kind[*spec.Int]{
		schema: func(*schemaWriter) *schema {
			if lowest == anyInteger {
				return &schema{Type: types{"integer"}}
			}
			return &schema{Type: types{"integer"}, Minimum: &lowest}
		},
		read: func(d *decoder, n *yamltree.Node) (*spec.Int, bool) {
			s := d.scalarOf("a whole number", n)
			if s == nil {
				return nil, false
			}
			_, digits, ok := number(s.Value)
			i, err := strconv.ParseInt(digits, 10, 64)
			switch {
			case s.Tag != spec.TagInt || !ok || err != nil:
				d.report(ruleScalarType, s.Span(), "expected a whole number, got %s", describe(n))
				return nil, false
			case i < lowest:
				d.report(ruleScalarType, s.Span(), "expected a whole number from %d up, got %d", lowest, i)
				return nil, false
			}
			d.surprisingNumber(s, digits)
			return &spec.Int{Scalar: s, V: i}, true
		},
	}
}

// anyInteger has no lower bound.
const anyInteger = math.MinInt64

// aNumber is a number that stays as written.
var aNumber = kind[*spec.Scalar]{
	schema: func(*schemaWriter) *schema { return &schema{Type: types{"number"}} },
	read: func(d *decoder, n *yamltree.Node) (*spec.Scalar, bool) {
		s := d.scalarOf("a number", n)
		if s == nil {
			return nil, false
		}
		if _, _, ok := number(s.Value); !ok || s.Tag != spec.TagInt && s.Tag != spec.TagFloat {
			d.report(ruleScalarType, s.Span(), "expected a number, got %s", describe(n))
			return nil, false
		}
		return s, true
	},
}

// choice is one of some words.
func choice(what string, words ...string) kind[*spec.Scalar] {
	return kind[*spec.Scalar]{
		schema: func(*schemaWriter) *schema { return &schema{Enum: words} },
		read: func(d *decoder, n *yamltree.Node) (*spec.Scalar, bool) {
			s := d.scalarOf(what, n)
			if s == nil {
				return nil, false
			}
			if !slices.Contains(words, s.Value) {
				d.unknownWord(ruleChoice, "unknown "+strings.TrimPrefix(strings.TrimPrefix(what, "an "), "a "), s, words)
				return nil, false
			}
			return s, true
		},
	}
}

// unknownWord reports a word that is none of those allowed, and suggests the nearest.
func (d *decoder) unknownWord(rule, what string, s *spec.Scalar, words []string) {
	near := d.nearest(s.Value, words)
	if near == "" {
		d.report(rule, s.Span(), "%s %q; it is one of: %s", what, shorten(s.Value), strings.Join(words, ", "))
		return
	}
	diag := d.report(rule, s.Span(), "%s %q; did you mean %q?", what, shorten(s.Value), near)
	d.write(diag, s.Value, near, words, s.Sub(0, len(s.Value)))
}

// write offers to write a known word in place of an unknown one. Which one is meant is only a guess where it is no plain slip.
func (d *decoder) write(diag *spec.Diagnostic, word, near string, known []string, at spec.Span) {
	d.fix(diag, "write "+near, at, near)
	diag.Fixes[len(diag.Fixes)-1].Unsafe = !nearest.IsSlip(word, near, known)
}

// names is a list of names; one may stand alone, but something must.
var names = given("a name, or a list of names", oneOrMany("a name, or a list of names", aName))

// given is a kind that can't be left empty.
func given[T any](what string, k kind[T]) kind[T] {
	read := k.read
	k.empty = false
	k.read = func(d *decoder, n *yamltree.Node) (T, bool) {
		if n.IsNull() {
			d.noValue(what, n)
			var none T
			return none, false
		}
		return read(d, n)
	}
	return k
}

// oneOrMany is a list of scalars, one of which may stand alone.
func oneOrMany(want string, item kind[*spec.Scalar]) kind[[]*spec.Scalar] {
	return kind[[]*spec.Scalar]{
		empty: true,
		schema: func(w *schemaWriter) *schema {
			list := &schema{Type: types{"array"}, Items: item.schema(w)}
			return &schema{AnyOf: []*schema{item.schema(w), list}}
		},
		read: func(d *decoder, n *yamltree.Node) ([]*spec.Scalar, bool) {
			switch {
			case n.IsNull():
				return nil, true
			case n.Kind == yamltree.Map:
				d.wrongShape(want, n)
				return nil, false
			case n.Kind == yamltree.Scalar:
				s, ok := item.read(d, n)
				return []*spec.Scalar{s}, ok
			}
			return readItems(d, n, item), true
		},
	}
}

func readItems[T any](d *decoder, n *yamltree.Node, item kind[T]) []T {
	found := make([]T, 0, len(n.Items))
	for _, i := range n.Items {
		if v, ok := item.read(d, i); ok {
			found = append(found, v)
		}
	}
	return found
}

// listOf is a list.
func listOf[T any](item kind[T]) kind[[]T] {
	return kind[[]T]{
		empty: true,
		schema: func(w *schemaWriter) *schema {
			return &schema{Type: types{"array"}, Items: item.inCollection(w)}
		},
		read: func(d *decoder, n *yamltree.Node) ([]T, bool) {
			if n.IsNull() {
				return nil, true
			}
			if n.Kind != yamltree.List {
				d.wrongShape("a list", n)
				return nil, false
			}
			return readItems(d, n, item), true
		},
	}
}

// mapOf is a map of names to T; put notes the name in what was read.
func mapOf[T any](item kind[T], put func(T, *spec.Scalar)) kind[[]T] {
	return kind[[]T]{
		empty: true,
		schema: func(w *schemaWriter) *schema {
			return &schema{Type: types{"object"}, Additional: item.inCollection(w)}
		},
		read: func(d *decoder, n *yamltree.Node) ([]T, bool) {
			if n.IsNull() {
				return nil, true
			}
			if n.Kind != yamltree.Map {
				d.wrongShape("a map", n)
				return nil, false
			}
			found := make([]T, 0, len(n.Entries))
			for _, e := range n.Entries {
				if v, ok := item.read(d, e.Value); ok && !e.Duplicate {
					put(v, e.Key)
					found = append(found, v)
				}
			}
			return found, true
		},
	}
}

// orMap is a list or a map.
func orMap[T any](list, byName kind[[]T]) kind[[]T] {
	return kind[[]T]{
		empty: true,
		schema: func(w *schemaWriter) *schema {
			return &schema{AnyOf: []*schema{list.schema(w), byName.schema(w)}}
		},
		read: func(d *decoder, n *yamltree.Node) ([]T, bool) {
			if n.Kind == yamltree.Scalar && !n.IsNull() {
				d.wrongShape("a list or a map", n)
				return nil, false
			}
			if n.Kind == yamltree.Map {
				return byName.read(d, n)
			}
			return list.read(d, n)
		},
	}
}
