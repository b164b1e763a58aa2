package expr

import (
	"slices"
	"strings"
)

// TypeKind is the kind of a static type.
type TypeKind uint8

// The kinds of types. A decimal is any number: every int is one.
const (
	TypeAny TypeKind = iota // nothing is known
	TypeNull
	TypeBool
	TypeInt
	TypeDecimal
	TypeString
	TypeArray
	TypeObject
)

// Type is a static type as the checker and the compiler infer it. The zero Type is any. A value of a Nullable type may
// also be null or missing; any and null always may.
type Type struct {
	Kind     TypeKind
	Nullable bool
	Item     *Type           // of an array; nil: any
	Fields   map[string]Type // of an object
	Strict   bool            // an object has no fields but Fields
}

// The simple types.
func typ(kind TypeKind) Type { return Type{Kind: kind} }

// Any is the type of which nothing is known.
func Any() Type { return typ(TypeAny) }

// ArrayOf is the type of arrays of item.
func ArrayOf(item Type) Type { return Type{Kind: TypeArray, Item: &item} }

// ObjectOf is the type of objects with those fields, and with no others if strict.
func ObjectOf(fields map[string]Type, strict bool) Type {
	return Type{Kind: TypeObject, Fields: fields, Strict: strict}
}

// OrNull returns the nullable form of the type.
func (t Type) OrNull() Type {
	t.Nullable = true
	return t
}

// NotNull returns the type without null, as it is behind a test for null.
func (t Type) NotNull() Type {
	t.Nullable = false
	return t
}

// CanBeNull reports whether a value of the type may be null or missing.
func (t Type) CanBeNull() bool { return t.Nullable || t.Kind == TypeAny || t.Kind == TypeNull }

// IsNumber reports whether the type is int or decimal.
func (t Type) IsNumber() bool { return t.Kind == TypeInt || t.Kind == TypeDecimal }

// ItemType returns the type of an array's items.
func (t Type) ItemType() Type {
	if t.Kind == TypeArray && t.Item != nil {
		return *t.Item
	}
	return Any()
}

// String returns the type as messages print it: int, string?, array(object), object{id: string}.
func (t Type) String() string {
	text := t.name()
	if t.Nullable && t.Kind != TypeAny && t.Kind != TypeNull {
		text += "?"
	}
	return text
}

func (t Type) name() string {
	switch t.Kind {
	case TypeNull:
		return "null"
	case TypeBool:
		return "bool"
	case TypeInt:
		return "int"
	case TypeDecimal:
		return "decimal"
	case TypeString:
		return "string"
	case TypeArray:
		if t.Item == nil || t.Item.Kind == TypeAny {
			return "array"
		}
		return "array(" + t.Item.String() + ")"
	case TypeObject:
		return t.objectName()
	default:
		return "any"
	}
}

func (t Type) objectName() string {
	if len(t.Fields) == 0 {
		return "object"
	}
	names := make([]string, 0, len(t.Fields))
	for name := range t.Fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = name + ": " + t.Fields[name].String()
	}
	return "object{" + strings.Join(names, ", ") + "}"
}

// Accepts reports whether a value of type arg may be of type t at run time: false only where no value but null can fit.
// Nullability never rejects, since null is a run-time value everywhere.
func (t Type) Accepts(arg Type) bool {
	switch {
	case t.Kind == TypeAny || arg.Kind == TypeAny || arg.Kind == TypeNull:
		return true
	case t.IsNumber() && arg.IsNumber():
		return true
	case t.Kind != arg.Kind:
		return false
	case t.Kind == TypeArray:
		return t.ItemType().Accepts(arg.ItemType())
	default:
		return true
	}
}

// Join returns the smallest type of this system that holds the values of both types, as a conditional has it.
func Join(a, b Type) Type {
	nullable := a.CanBeNull() || b.CanBeNull()
	switch {
	case a.Kind == TypeNull:
		return b.OrNull()
	case b.Kind == TypeNull:
		return a.OrNull()
	case a.IsNumber() && b.IsNumber() && a.Kind != b.Kind:
		return Type{Kind: TypeDecimal, Nullable: nullable}
	case a.Kind != b.Kind:
		return Type{Nullable: nullable}
	case a.Kind == TypeArray:
		joined := ArrayOf(Join(a.ItemType(), b.ItemType()))
		joined.Nullable = nullable
		return joined
	case a.Kind == TypeObject:
		return joinObjects(a, b, nullable)
	default:
		a.Nullable = nullable
		return a
	}
}

// joinObjects keeps the fields of both; one that only one side has may be missing or, in an open object, anything.
func joinObjects(a, b Type, nullable bool) Type {
	fields := make(map[string]Type)
	for name, left := range a.Fields {
		if right, ok := b.Fields[name]; ok {
			fields[name] = Join(left, right)
		} else if b.Strict {
			fields[name] = left.OrNull()
		}
	}
	for name, right := range b.Fields {
		if _, ok := a.Fields[name]; !ok && a.Strict {
			fields[name] = right.OrNull()
		}
	}
	return Type{Kind: TypeObject, Fields: fields, Strict: a.Strict && b.Strict, Nullable: nullable}
}

// TypeError says why an operator, a function or a path does not fit the types of its operands.
type TypeError struct{ Message string }

// Error returns the message.
func (e *TypeError) Error() string { return e.Message }
