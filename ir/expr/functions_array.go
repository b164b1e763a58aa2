package expr

import (
	"strings"
	"unicode/utf8"
)

// arrayFunctions are those on arrays, and on what else has a size.
func arrayFunctions() []*Function {
	anyT, numT, intT, strT, boolT := Any(), typ(TypeDecimal), typ(TypeInt), typ(TypeString), typ(TypeBool)
	array := ArrayOf(anyT)
	return []*Function{
		{
			Name: "size", Deterministic: true, call: callSize,
			Overloads: []Overload{
				{Params: []Type{array}, Result: intT},
				{Params: []Type{strT}, Result: intT},
				{Params: []Type{ObjectOf(nil, false)}, Result: intT},
			},
			Doc:      "The number of an array's items, an object's members or a string's characters; 0 for null.",
			Examples: []Example{{"size([1, 2])", "2"}, {"size(null)", "0"}, {"size('né')", "2"}},
		},
		{
			Name: "sum", Deterministic: true, call: callSum, infer: inferSum,
			Overloads: []Overload{{Params: []Type{ArrayOf(numT)}, Result: numT}},
			Doc:       "The sum of an array of numbers: items that are null add nothing, an empty array gives 0, null gives null.",
			Examples:  []Example{{"sum([1, 2.5, null])", "3.5"}, {"sum([])", "0"}},
		},
		{
			Name: "contains", Deterministic: true, call: callContains,
			Overloads: []Overload{
				{Params: []Type{array, anyT}, Result: boolT},
				{Params: []Type{strT, strT}, Result: boolT},
			},
			Doc: "Whether an array has an item equal to the value (of any kind), or a string has the other as a part. " +
				"False if the array or string is null.",
			Examples: []Example{{"contains(['a', 'b'], 'b')", "true"}, {"contains('abc', 'bd')", "false"}},
		},
		{
			Name: "map", Deterministic: true, infer: inferMap,
			Overloads: []Overload{{Params: []Type{array, anyT}, Result: array}},
			Doc:       "An array of the expression's values, where it stands for each item of the array in turn. Null gives null.",
			Examples:  []Example{{"map([1, 2], it * 10)", "[10, 20]"}},
		},
		{
			Name: "join", Deterministic: true, call: callJoin, infer: inferJoin,
			Overloads: []Overload{{Params: []Type{array, strT}, Result: strT}},
			Doc:       "The texts of the array's items, as concat has them, with the separator between them. Null gives null.",
			Examples:  []Example{{"join(['a', 1, null], '-')", "'a-1-'"}},
		},
	}
}

// inferSum types sum: int only for an array of nothing but ints.
func inferSum(args []Type) Type {
	item := args[0].ItemType()
	kind := TypeDecimal
	if item.Kind == TypeInt || item.Kind == TypeNull {
		kind = TypeInt
	}
	return Type{Kind: kind, Nullable: args[0].CanBeNull()}
}

// inferMap types map: the second argument's type is that of the expression.
func inferMap(args []Type) Type {
	result := ArrayOf(args[1])
	result.Nullable = args[0].CanBeNull()
	return result
}

func inferJoin(args []Type) Type { return Type{Kind: TypeString, Nullable: args[0].CanBeNull()} }

func callSum(env *Env, args []Value) (Value, error) {
	switch args[0].kind {
	case KindNull:
		return Null(), nil
	case KindArray:
	default:
		return Value{}, evalErrorf(CodeType, "sum takes an array of numbers, not %s", describe(args[0]))
	}
	if err := env.spend(args[0].weight()); err != nil {
		return Value{}, err
	}
	total := Int(0)
	for _, item := range args[0].items() {
		if item.kind == KindNull {
			continue
		}
		if !item.IsNumber() {
			return Value{}, evalErrorf(CodeType, "sum takes an array of numbers, which has %s", describe(item))
		}
		var err error
		if total, err = Add(total, item); err != nil {
			return Value{}, err
		}
	}
	return total, nil
}

func callJoin(env *Env, args []Value) (Value, error) {
	if args[0].kind == KindNull {
		return Null(), nil
	}
	if args[0].kind != KindArray || (args[1].kind != KindString && args[1].kind != KindNull) {
		return Value{}, evalErrorf(CodeType, "join takes an array and a string, not %s and %s", describe(args[0]), describe(args[1]))
	}
	buf := env.text[:0]
	for i, item := range args[0].items() {
		var err error
		if i > 0 {
			if buf, err = appendScalarText(buf, args[1], "join"); err != nil {
				return Value{}, err
			}
		}
		if buf, err = appendScalarText(buf, item, "join"); err != nil {
			return Value{}, err
		}
	}
	env.text = buf
	return env.textValue(buf)
}

func callSize(_ *Env, args []Value) (Value, error) {
	switch v := args[0]; v.kind {
	case KindNull:
		return Int(0), nil
	case KindString:
		return Int(int64(utf8.RuneCountInString(v.s))), nil
	case KindArray, KindObject:
		return Int(int64(v.Len())), nil
	default:
		return Value{}, evalErrorf(CodeType, "size takes an array, an object or a string, not %s", describe(v))
	}
}

func callContains(env *Env, args []Value) (Value, error) {
	v, item := args[0], args[1]
	if err := env.spend(v.weight()); err != nil {
		return Value{}, err
	}
	switch {
	case v.kind == KindNull:
		return Bool(false), nil
	case v.kind == KindArray:
		for _, have := range v.items() {
			if have.Equal(item) {
				return Bool(true), nil
			}
		}
		return Bool(false), nil
	case v.kind != KindString:
		return Value{}, evalErrorf(CodeType, "contains takes an array or a string, not %s", describe(v))
	case item.kind == KindNull:
		return Bool(false), nil
	case item.kind != KindString:
		return Value{}, evalErrorf(CodeType, "contains looks for a string in a string, not for %s", describe(item))
	default:
		return Bool(strings.Contains(v.s, item.s)), nil
	}
}
