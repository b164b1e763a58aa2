// Package types works out the type of every expression of a program, from what the program declares: states, payloads,
// inputs, outputs, resources and columns. Where nothing is certain the type is any, which fits everywhere, so that what is
// reported is wrong for every value but null.
package types

import (
	"maps"
	"slices"

	"github.com/causetc/causetc/ir/expr"
)

// Format tells more about a type than its kind does.
type Format uint8

// The formats.
const (
	NoFormat Format = iota
	Moment          // a number of milliseconds or an RFC 3339 text; its kind is any
	UUID            // a text that is a UUID; its kind is string
)

// Type is what is known of a value. The zero Type is any. Null and missing values belong to every type.
type Type struct {
	Kind   expr.TypeKind
	Format Format
	Item   *Type   // of an array; nil: any
	Record *Record // of an object; nil: any fields
	Word   string  // the type as the author declared it, empty where it is inferred
}

// Record is the fields of an object.
type Record struct {
	Fields map[string]Type
	Open   bool // it may have other fields, of which nothing is known
	// Loose records are those of objects that may be maps from keys to such fields: another name is wrong only where it is
	// nearly that of a field.
	Loose bool
	Of    string // whose fields they are, in a sentence

	state *stateFields // of a state, else nil
	path  string       // within the state
	any   *Type        // what a computed key reads, once it is known
}

// Any is the type of which nothing is known.
func Any() Type { return Type{} }

// Object is the type of objects of which no field is known.
func Object() Type { return kind(expr.TypeObject) }

func kind(k expr.TypeKind) Type { return Type{Kind: k} }

func arrayOf(item Type) Type { return Type{Kind: expr.TypeArray, Item: &item} }

func objectOf(r *Record) Type { return Type{Kind: expr.TypeObject, Record: r} }

// Names returns the names of the fields in order.
func (r *Record) Names() []string {
	if r == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(r.Fields))
}

// IsAny reports whether nothing at all is known of the type.
func (t Type) IsAny() bool {
	return (t.Kind == expr.TypeAny || t.Kind == expr.TypeNull) && t.Format == NoFormat
}

// IsNumber reports whether values of the type are numbers.
func (t Type) IsNumber() bool { return t.Kind == expr.TypeInt || t.Kind == expr.TypeDecimal }

// MayBeNumber reports whether a value of the type can be a number.
func (t Type) MayBeNumber() bool { return t.IsAny() || t.IsNumber() || t.Format == Moment }

// MayBeBool reports whether a value of the type can be a boolean.
func (t Type) MayBeBool() bool { return t.IsAny() || t.Kind == expr.TypeBool }

// MayBeArray reports whether a value of the type can be an array.
func (t Type) MayBeArray() bool { return t.IsAny() || t.Kind == expr.TypeArray }

// MayBeObject reports whether a value of the type can be an object.
func (t Type) MayBeObject() bool { return t.IsAny() || t.Kind == expr.TypeObject }

// ItemType returns the type of an array's items.
func (t Type) ItemType() Type {
	if t.Kind == expr.TypeArray && t.Item != nil {
		return *t.Item
	}
	return Any()
}

// String returns the type as the author declared it, or its kind.
func (t Type) String() string {
	if t.Word != "" {
		return t.Word
	}
	switch t.Kind {
	case expr.TypeBool:
		return "boolean"
	case expr.TypeInt:
		return "integer"
	case expr.TypeDecimal:
		return "number"
	case expr.TypeString:
		return "string"
	case expr.TypeArray:
		return "array"
	case expr.TypeObject:
		return "object"
	case expr.TypeNull:
		return "null"
	}
	if t.Format == Moment {
		return "timestamp"
	}
	return "value"
}

// A returns the type with its article, such as "an integer".
func (t Type) A() string { return WithArticle(t.String()) }

// WithArticle puts the article that fits before a word.
func WithArticle(word string) string {
	if word == "null" {
		return word
	}
	if word != "" && slices.Contains([]byte("aeioAEIO"), word[0]) {
		return "an " + word
	}
	return "a " + word
}

// basic is the type as operators and functions see it.
func (t Type) basic() expr.Type {
	if t.Kind == expr.TypeArray {
		return expr.ArrayOf(t.ItemType().basic())
	}
	return expr.Type{Kind: t.Kind}
}

func fromBasic(t expr.Type) Type {
	if t.Kind == expr.TypeArray {
		return arrayOf(fromBasic(t.ItemType()))
	}
	return kind(t.Kind)
}

// Join returns what is known of a value that is of one of the two types.
func Join(a, b Type) Type {
	switch {
	case a.Kind == expr.TypeNull:
		return b
	case b.Kind == expr.TypeNull:
		return a
	case a.IsNumber() && b.IsNumber():
		if a.Kind != b.Kind {
			return kind(expr.TypeDecimal)
		}
	case a.Kind != b.Kind || a.Format != b.Format:
		if a.Kind == expr.TypeString && b.Kind == expr.TypeString {
			return kind(expr.TypeString)
		}
		return Any()
	case a.Kind == expr.TypeArray:
		return arrayOf(Join(a.ItemType(), b.ItemType()))
	case a.Kind == expr.TypeObject && a.Record != b.Record:
		return kind(expr.TypeObject)
	}
	if a.Word != b.Word {
		a.Word = ""
	}
	return a
}

// Takes reports whether a value of type have may be of type t: false only where no value but null can be.
func (t Type) Takes(have Type) bool {
	switch {
	case t.IsAny() || have.IsAny():
		return true
	case t.Format == Moment:
		return have.Format == Moment || have.IsNumber() || have.Kind == expr.TypeString && have.Format != UUID
	case have.Format == Moment:
		return t.IsNumber() || t.Kind == expr.TypeString && t.Format != UUID
	case t.IsNumber() || have.IsNumber():
		return t.IsNumber() && have.IsNumber()
	case t.Kind != have.Kind:
		return false
	case t.Kind == expr.TypeArray:
		return t.ItemType().Takes(have.ItemType())
	}
	return true
}

// Comparable reports whether == of the two can succeed.
func (t Type) Comparable(u Type) bool {
	if t.Kind == expr.TypeArray && u.Kind == expr.TypeArray {
		return true
	}
	return t.Takes(u)
}
