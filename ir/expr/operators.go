package expr

import "fmt"

// UnaryType returns the type of !t or -t. The error is a *TypeError.
func UnaryType(op string, t Type) (Type, error) {
	switch op {
	case "!":
		if typ(TypeBool).Accepts(t) {
			return typ(TypeBool), nil
		}
		return Any(), typeErrorf("! takes a bool, not %s", t)
	case "-":
		if typ(TypeDecimal).Accepts(t) {
			return numberType(t), nil
		}
		return Any(), typeErrorf("- takes a number, not %s", t)
	default:
		return Any(), typeErrorf("unknown operator %s", op)
	}
}

// BinaryType returns the type of the operator on those operands, one of || && == != < <= > >= + - * / %. The error is a
// *TypeError; it is given only where the operation fails for every value but null.
func BinaryType(op string, left, right Type) (Type, error) {
	switch op {
	case "||", "&&":
		if typ(TypeBool).Accepts(left) && typ(TypeBool).Accepts(right) {
			return typ(TypeBool), nil
		}
		return Any(), typeErrorf("%s takes bools, not %s and %s", op, left, right)
	case "==", "!=":
		if left.comparable(right) {
			return typ(TypeBool), nil
		}
		return Any(), typeErrorf("cannot compare %s with %s", left, right)
	case "<", "<=", ">", ">=":
		if left.comparable(right) && left.ordered() && right.ordered() {
			return Type{Kind: TypeBool, Nullable: left.CanBeNull() || right.CanBeNull()}, nil
		}
		return Any(), typeErrorf("%s orders numbers or strings, not %s and %s", op, left, right)
	case "+", "-", "*", "/", "%":
		return arithmeticType(op, left, right)
	default:
		return Any(), typeErrorf("unknown operator %s", op)
	}
}

func arithmeticType(op string, left, right Type) (Type, error) {
	num := typ(TypeDecimal)
	if !num.Accepts(left) || !num.Accepts(right) {
		if op == "+" && (left.Kind == TypeString || right.Kind == TypeString) {
			return Any(), typeErrorf("+ adds numbers, not %s and %s; concat joins texts", left, right)
		}
		return Any(), typeErrorf("%s takes numbers, not %s and %s", op, left, right)
	}
	result := Type{Kind: TypeDecimal, Nullable: left.CanBeNull() || right.CanBeNull()}
	if op != "/" && left.Kind == TypeInt && right.Kind == TypeInt {
		result.Kind = TypeInt
	}
	return result, nil
}

// comparable reports whether == of the two can succeed.
func (t Type) comparable(u Type) bool {
	return t.CanBeAnything() || u.CanBeAnything() || t.Kind == u.Kind || (t.IsNumber() && u.IsNumber())
}

// CanBeAnything reports whether the type says nothing about which kind a value that is not null has.
func (t Type) CanBeAnything() bool { return t.Kind == TypeAny || t.Kind == TypeNull }

func (t Type) ordered() bool {
	return t.CanBeAnything() || t.IsNumber() || t.Kind == TypeString
}

// numberType is the type of -t.
func numberType(t Type) Type {
	if t.Kind == TypeInt {
		return t
	}
	return Type{Kind: TypeDecimal, Nullable: t.CanBeNull()}
}

// ConditionalType returns the type of cond ? then : otherwise. The error is a *TypeError.
func ConditionalType(cond, then, otherwise Type) (Type, error) {
	if !typ(TypeBool).Accepts(cond) {
		return Any(), typeErrorf("the condition of ? is a %s, not a bool", cond)
	}
	return Join(then, otherwise), nil
}

// ElvisType returns the type of left ?: right.
func ElvisType(left, right Type) Type {
	if left.Kind == TypeNull {
		return right
	}
	nullable := right.CanBeNull()
	result := Join(left.NotNull(), right)
	result.Nullable = nullable
	return result
}

// MemberType returns the type of t.name, and whether t can have such a member: false only for a strict object without
// that field. Where t cannot have members at all, the path is missing: its type is null.
func MemberType(t Type, name string) (Type, bool) {
	switch t.Kind {
	case TypeAny:
		return Any(), true
	case TypeObject:
		field, ok := t.Fields[name]
		switch {
		case ok && t.CanBeNull():
			return field.OrNull(), true
		case ok:
			return field, true
		default:
			return Any(), !t.Strict
		}
	default:
		return typ(TypeNull), t.Kind == TypeNull
	}
}

// IndexType returns the type of t[index]. The error is a *TypeError.
func IndexType(t, index Type) (Type, error) {
	switch t.Kind {
	case TypeArray:
		if !typ(TypeDecimal).Accepts(index) {
			return Any(), typeErrorf("an array's index is a number, not %s", index)
		}
		return t.ItemType().OrNull(), nil
	case TypeObject:
		return t.anyField(), nil
	case TypeAny, TypeNull:
		return Any(), nil
	default:
		return Any(), typeErrorf("%s has no items", t)
	}
}

// anyField joins the types of an object's fields; an open object can hold anything.
func (t Type) anyField() Type {
	if !t.Strict || len(t.Fields) == 0 {
		return Any()
	}
	result := typ(TypeNull)
	for _, field := range t.Fields {
		result = Join(result, field)
	}
	return result.OrNull()
}

func typeErrorf(format string, args ...any) error {
	return &TypeError{Message: fmt.Sprintf(format, args...)}
}
