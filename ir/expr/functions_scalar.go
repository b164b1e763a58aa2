package expr

import "slices"

// scalarFunctions are those on single values.
func scalarFunctions() []*Function {
	anyT, numT, intT, strT := Any(), typ(TypeDecimal), typ(TypeInt), typ(TypeString)
	return []*Function{
		{
			Name: "concat", Deterministic: true, call: callConcat,
			Overloads: []Overload{{Params: []Type{anyT}, Variadic: true, Result: strT}},
			Doc: "Joins the texts of its arguments: null is the empty text, a number has neither exponent nor trailing " +
				"zeros. Arrays and objects are an error.",
			Examples: []Example{{"concat('ticket_', 7, '_', 'A1')", "'ticket_7_A1'"}, {"concat('a', null, 1.50)", "'a1.5'"}},
		},
		{
			Name: "coalesce", Deterministic: true, call: callCoalesce, infer: inferFirst,
			Overloads: []Overload{{Params: []Type{anyT, anyT}, Variadic: true, Result: anyT}},
			Doc:       "The first argument that is neither null nor the empty string; if there is none, the last.",
			Examples:  []Example{{"coalesce(null, '', 'x')", "'x'"}, {"coalesce(0, 5)", "0"}},
		},
		{
			Name: "isnull", Deterministic: true, call: callIsNull, infer: inferFirst,
			Overloads: []Overload{{Params: []Type{anyT, anyT}, Variadic: true, Result: anyT}},
			Doc:       "The first argument that is not null; 0, false and the empty string count. Null if there is none.",
			Examples:  []Example{{"isnull(null, '')", "''"}, {"isnull(false, true)", "false"}},
		},
		{
			Name: "max", Deterministic: true, call: callMax, infer: inferExtreme,
			Overloads: extremeOverloads(),
			Doc:       "The greatest of two or more numbers, or strings; null if one of them is null. The first of equals.",
			Examples:  []Example{{"max(1, 2.5)", "2.5"}, {"max(1, null)", "null"}},
		},
		{
			Name: "min", Deterministic: true, call: callMin, infer: inferExtreme,
			Overloads: extremeOverloads(),
			Doc:       "The least of two or more numbers, or strings; null if one of them is null. The first of equals.",
			Examples:  []Example{{"min(1, 2.5)", "1"}, {"min('b', 'a')", "'a'"}},
		},
		{
			Name: "floor", Deterministic: true, call: callFloor, infer: inferInt,
			Overloads: []Overload{{Params: []Type{numT}, Result: intT}},
			Doc:       "The greatest integer that is not above the number; an error if it does not fit 64 bits.",
			Examples:  []Example{{"floor(2.7)", "2"}, {"floor(-2.5)", "-3"}},
		},
		{
			Name: "ceil", Deterministic: true, call: callCeil, infer: inferInt,
			Overloads: []Overload{{Params: []Type{numT}, Result: intT}},
			Doc:       "The least integer that is not below the number; an error if it does not fit 64 bits.",
			Examples:  []Example{{"ceil(2.1)", "3"}, {"ceil(-2.5)", "-2"}},
		},
		{
			Name: "hash", Deterministic: true, call: callHash, infer: inferInt,
			Overloads: []Overload{{Params: []Type{anyT}, Result: intT}},
			Doc: "A stable hash from 0 to 2^63-1: the first 8 bytes, big-endian, top bit cleared, of SHA-256 of the value's " +
				"text (canonical JSON for arrays and objects), so 1, 1.0 and '1' are alike. Null for null.",
			Examples: []Example{{"hash('abc')", "4213142463398924266"}},
		},
		{
			Name: "shard", Deterministic: true, call: callShard, infer: inferInt,
			Overloads: []Overload{{Params: []Type{anyT, intT}, Result: intT}},
			Doc:       "A stable bucket from 0 to n-1: hash(v) modulo n. Null for null; n must be positive.",
			Examples:  []Example{{"shard('abc', 16)", "10"}},
		},
	}
}

func extremeOverloads() []Overload {
	num, str := typ(TypeDecimal), typ(TypeString)
	return []Overload{
		{Params: []Type{num, num}, Variadic: true, Result: num},
		{Params: []Type{str, str}, Variadic: true, Result: str},
	}
}

// inferFirst types coalesce and isnull: any of the arguments, null only where the last may be.
func inferFirst(args []Type) Type {
	result := args[len(args)-1]
	for i := len(args) - 2; i >= 0; i-- {
		if args[i].Kind == TypeNull {
			continue
		}
		nullable := result.CanBeNull()
		result = Join(args[i].NotNull(), result)
		result.Nullable = nullable
	}
	return result
}

// inferExtreme types max and min: null as soon as an argument is.
func inferExtreme(args []Type) Type {
	result := args[0]
	for _, arg := range args[1:] {
		result = Join(result, arg)
	}
	return result
}

// inferInt types functions to an integer that give null as soon as an argument is null.
func inferInt(args []Type) Type {
	return Type{Kind: TypeInt, Nullable: slices.ContainsFunc(args, Type.CanBeNull)}
}

func callConcat(env *Env, args []Value) (Value, error) {
	buf := env.text[:0]
	for _, arg := range args {
		var err error
		if buf, err = appendScalarText(buf, arg, "concat"); err != nil {
			return Value{}, err
		}
	}
	env.text = buf
	return env.textValue(buf)
}

// appendScalarText appends the text of one item of a text under construction, within MaxTextBytes.
func appendScalarText(buf []byte, v Value, function string) ([]byte, error) {
	if v.kind == KindArray || v.kind == KindObject {
		return buf, evalErrorf(CodeType, "%s cannot take an %s as text", function, v.kind)
	}
	if len(buf)+len(v.s) > MaxTextBytes {
		return buf, evalErrorf(CodeLimit, "%s: text longer than %d bytes", function, MaxTextBytes)
	}
	return v.AppendText(buf), nil
}

// textValue makes the scratch text a string and charges for it.
func (e *Env) textValue(buf []byte) (Value, error) {
	if err := e.spend(int64(len(buf))); err != nil {
		return Value{}, err
	}
	return String(string(buf)), nil
}

func callCoalesce(_ *Env, args []Value) (Value, error) {
	for _, arg := range args {
		if !arg.IsNull() && !(arg.kind == KindString && arg.s == "") {
			return arg, nil
		}
	}
	return args[len(args)-1], nil
}

func callIsNull(_ *Env, args []Value) (Value, error) {
	for _, arg := range args {
		if !arg.IsNull() {
			return arg, nil
		}
	}
	return Null(), nil
}

func callMax(_ *Env, args []Value) (Value, error) { return extreme("max", args, +1) }
func callMin(_ *Env, args []Value) (Value, error) { return extreme("min", args, -1) }

// extreme returns the first of the arguments that no other exceeds in the given direction.
func extreme(name string, args []Value, direction int) (Value, error) {
	best := args[0]
	null := best.IsNull()
	for i, arg := range args {
		if arg.IsNull() {
			null = true
			continue
		}
		if !arg.IsNumber() && arg.kind != KindString {
			return Value{}, evalErrorf(CodeType, "%s takes numbers or strings, not %s", name, describe(arg))
		}
		if best.IsNull() || i == 0 {
			best = arg
			continue
		}
		c, err := Compare(arg, best)
		if err != nil {
			return Value{}, err
		}
		if c == direction {
			best = arg
		}
	}
	if null {
		return Null(), nil
	}
	return best, nil
}

func callFloor(_ *Env, args []Value) (Value, error) { return Floor(args[0]) }
func callCeil(_ *Env, args []Value) (Value, error)  { return Ceil(args[0]) }

func callHash(env *Env, args []Value) (Value, error) {
	if args[0].IsNull() {
		return Null(), nil
	}
	if err := env.spend(args[0].weight()); err != nil {
		return Value{}, err
	}
	return Int(Hash(args[0])), nil
}

func callShard(env *Env, args []Value) (Value, error) {
	if args[1].IsNull() {
		return Null(), nil
	}
	n, ok := args[1].AsInt()
	if !ok {
		return Value{}, evalErrorf(CodeType, "shard takes an integer as the number of buckets, not %s", describe(args[1]))
	}
	if n <= 0 {
		return Value{}, evalErrorf(CodeRange, "shard needs a positive number of buckets, not %d", n)
	}
	h, err := callHash(env, args)
	if err != nil || h.IsNull() {
		return h, err
	}
	return Int(h.n % n), nil
}
