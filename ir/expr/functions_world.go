package expr

// timeFunctions are those on moments, which are numbers of milliseconds since the epoch or RFC 3339 texts.
func timeFunctions() []*Function {
	num, str, boolT := typ(TypeDecimal), typ(TypeString), typ(TypeBool)
	return []*Function{
		{
			Name: "format_date", Deterministic: true, call: callFormatDate, infer: inferFormatDate,
			Overloads: []Overload{{Params: []Type{num}, Result: str}, {Params: []Type{str}, Result: str}},
			Doc:       "The UTC day of a moment (milliseconds since the epoch, or RFC 3339 text) as YYYY-MM-DD. Null for null.",
			Examples:  []Example{{"format_date(1700000000000)", "'2023-11-14'"}},
		},
		{
			Name: "is_prev_day", Deterministic: true, call: callIsPrevDay,
			Overloads: []Overload{
				{Params: []Type{num, num}, Result: boolT}, {Params: []Type{num, str}, Result: boolT},
				{Params: []Type{str, num}, Result: boolT}, {Params: []Type{str, str}, Result: boolT},
			},
			Doc: "Whether the UTC day of the first moment is the day right before that of the second. False if one is null.",
			Examples: []Example{
				{"is_prev_day('2024-02-29T23:59:59Z', '2024-03-01T00:00:00Z')", "true"},
				{"is_prev_day(0, 1)", "false"},
			},
		},
	}
}

func inferFormatDate(args []Type) Type { return Type{Kind: TypeString, Nullable: args[0].CanBeNull()} }

func callFormatDate(_ *Env, args []Value) (Value, error) {
	if args[0].kind == KindNull {
		return Null(), nil
	}
	micros, err := momentOf(args[0])
	if err != nil {
		return Value{}, err
	}
	return String(string(appendDate(nil, floorDiv(micros, microsPerDay)))), nil
}

func callIsPrevDay(_ *Env, args []Value) (Value, error) {
	var days [2]int64
	null := false
	for i, arg := range args {
		if arg.kind == KindNull {
			null = true
			continue
		}
		micros, err := momentOf(arg)
		if err != nil {
			return Value{}, err
		}
		days[i] = floorDiv(micros, microsPerDay)
	}
	return Bool(!null && days[0]+1 == days[1]), nil
}

// snapshotFunctions read the state of other entities.
func snapshotFunctions() []*Function {
	anyT, str := Any(), typ(TypeString)
	return []*Function{
		{
			Name: "lookup", Deterministic: true, Snapshot: true, call: callLookup,
			Overloads: []Overload{{Params: []Type{str, anyT}, Result: anyT}},
			Doc: "The current state of another entity, by the name of its state or stream and its id: lookup(wallet, id).owner. " +
				"Missing if there is none. It reads what is current then, not what was current at the event.",
		},
		{
			Name: "LOOKUP_FIELD", Deterministic: true, Snapshot: true, call: callLookupField,
			Overloads: []Overload{{Params: []Type{str, anyT, str}, Result: anyT}},
			Doc:       "The value at a slash path in the current state of another entity: LOOKUP_FIELD('wallet', id, '/visible/balance').",
		},
	}
}

func callLookup(env *Env, args []Value) (Value, error) {
	stream, ok := args[0].AsString()
	if !ok {
		return Value{}, evalErrorf(CodeType, "lookup takes a stream's name, not %s", describe(args[0]))
	}
	v, err := env.lookup(stream, args[1])
	return v.nullIfMissing(), err
}

func callLookupField(env *Env, args []Value) (Value, error) {
	path, ok := args[2].AsString()
	if !ok {
		return Value{}, evalErrorf(CodeType, "LOOKUP_FIELD takes a slash path, not %s", describe(args[2]))
	}
	v, err := callLookup(env, args)
	if err != nil {
		return Value{}, err
	}
	for name := range splitPath(path) {
		v = v.Field(name)
	}
	return v.nullIfMissing(), nil
}

// neverFunctions are those that no executed expression may use, since a replay would diverge.
func neverFunctions() []*Function {
	var list []*Function
	add := func(result Type, doc string, names ...string) {
		for _, name := range names {
			list = append(list, &Function{
				Name: name, Doc: doc, call: callNonDeterministic(name),
				Overloads: []Overload{{Params: []Type{Any()}, Variadic: true, Result: result}, {Result: result}},
			})
		}
	}
	const again = " Not allowed: a replay of the same events gives another value."
	add(typ(TypeInt), "The wall clock."+again+" Use event.ts.", "now", "today", "current_timestamp", "nanoTime")
	add(typ(TypeDecimal), "A random number."+again, "random", "Math.random", "rand")
	add(typ(TypeString), "A random id."+again+" Build ids from the event's fields with concat.",
		"uuid", "uuid_v4", "uuidv4", "uuidv7", "guid")
	add(Any(), "A random order."+again, "shuffle")
	for _, name := range []string{"System", "Runtime", "Process", "Thread", "Runnable", "eval", "exec"} {
		list = append(list, &Function{
			Name: name, Forbidden: true, Doc: "Access to the machine that runs the expression. Never allowed.",
			Overloads: []Overload{{Params: []Type{Any()}, Variadic: true, Result: Any()}, {Result: Any()}},
		})
	}
	return list
}

func callNonDeterministic(name string) func(*Env, []Value) (Value, error) {
	return func(env *Env, args []Value) (Value, error) {
		if env.NonDeterministic == nil {
			return Value{}, evalErrorf(CodeNonDeterministic, "%s is non-deterministic: a replay would give another value", name)
		}
		v, err := env.NonDeterministic(name, args)
		return v.nullIfMissing(), err
	}
}
