package expr

import (
	"strings"
	"testing"

	"github.com/causetc/causetc/ir"
)

func TestFunctions(t *testing.T) {
	missing := payload("absent")
	tests := []struct {
		name string
		e    *ir.Expr
		want string
	}{
		{"concat", call("concat", str("a_"), payload("i"), str("_"), payload("d")), `"a_7_2.5"`},
		{"concat null and missing", call("concat", str("a"), null(), missing, str("b")), `"ab"`},
		{"concat bool", call("concat", payload("yes")), `"true"`},
		{"concat big exponent", call("concat", dec("12e3"), str("/"), dec("-5e-3")), `"12000/-0.005"`},
		{"concat in concat", call("concat", str("a"), call("concat", str("b"), str("c")), str("d")), `"abcd"`},
		{"coalesce", call("coalesce", missing, null(), str(""), num("0"), num("1")), "0"},
		{"coalesce false", call("coalesce", boolean(false), boolean(true)), "false"},
		{"coalesce, none", call("coalesce", null(), str("")), `""`},
		{"coalesce, none, missing last", call("coalesce", str(""), missing), "null"},
		{"isnull", call("isnull", null(), str(""), num("1")), `""`},
		{"isnull zero", call("isnull", missing, num("0")), "0"},
		{"isnull, none", call("isnull", missing, missing), "null"},
		{"max", call("max", num("1"), dec("2.5"), num("-3")), "2.5"},
		{"max strings", call("max", str("a"), str("b"), str("B")), `"b"`},
		{"max of null", call("max", null(), num("1")), "null"},
		{"max of null last", call("max", num("1"), missing), "null"},
		{"min", call("min", num("1"), dec("2.5"), num("-3")), "-3"},
		{"floor", call("floor", dec("-2.5")), "-3"},
		{"floor int", call("floor", num("4")), "4"},
		{"floor of least and a bit", call("ceil", dec("-9223372036854775808.5")), "-9223372036854775808"},
		{"floor null", call("floor", missing), "null"},
		{"ceil", call("ceil", dec("-2.5")), "-2"},
		{"ceil up", call("ceil", dec("0.0001")), "1"},
		{"size array", call("size", payload("list")), "3"},
		{"size null", call("size", missing), "0"},
		{"size characters", call("size", str("né😀")), "3"},
		{"size object", call("size", payload("o")), "2"},
		{"sum", call("sum", payload("list")), "6"},
		{"sum with null", call("sum", list(num("1"), null(), dec("0.5"))), "1.5"},
		{"sum empty", call("sum", list()), "0"},
		{"sum null", call("sum", null()), "null"},
		{"sum of map", call("sum", call("map", payload("objs"), member(it(), "v"))), "3.5"},
		{"contains", call("contains", payload("list"), dec("2.0")), "true"},
		{"contains other kind", call("contains", payload("list"), str("2")), "false"},
		{"contains null", call("contains", payload("words"), null()), "true"},
		{"contains in null", call("contains", null(), num("1")), "false"},
		{"contains string", call("contains", str("seat"), str("ea")), "true"},
		{"contains null in string", call("contains", str("seat"), null()), "false"},
		{"map", call("map", payload("list"), op2("*", it(), num("2"))), "[2,4,6]"},
		{"map missing item", call("map", payload("objs"), member(it(), "v")), "[1,2.5,null]"},
		{"map null", call("map", missing, it()), "null"},
		{"join", call("join", payload("words"), str("-")), `"a--1.5-true"`},
		{"join null", call("join", null(), str("-")), "null"},
		{"join by null", call("join", payload("list"), null()), `"123"`},
		{"shard", call("shard", str("abc"), num("16")), "10"},
		{"shard of null", call("shard", missing, num("16")), "null"},
		{"hash number and text", op2("==", call("hash", num("42")), call("hash", str("42"))), "true"},
		{"hash of null", call("hash", null()), "null"},
		{"format_date", call("format_date", payload("ts")), `"2023-11-14"`},
		{"format_date text", call("format_date", payload("when")), `"2023-11-14"`},
		{"format_date offset", call("format_date", str("2024-01-01T00:30:00+01:00")), `"2023-12-31"`},
		{"format_date before the epoch", call("format_date", num("-1")), `"1969-12-31"`},
		{"format_date null", call("format_date", null()), "null"},
		{"is_prev_day", call("is_prev_day", num("86399999"), num("86400000")), "true"},
		{"is_prev_day same", call("is_prev_day", num("0"), num("86399999")), "false"},
		{"is_prev_day two", call("is_prev_day", num("0"), num("172800000")), "false"},
		{"is_prev_day turned", call("is_prev_day", num("86400000"), num("0")), "false"},
		{"is_prev_day null", call("is_prev_day", null(), num("0")), "false"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := evaluate(t, tt.e, samplePayload)
			if err != nil {
				t.Fatal(err)
			}
			if v.String() != tt.want {
				t.Errorf("got %s, want %s", v, tt.want)
			}
		})
	}
}

func TestFunctionErrors(t *testing.T) {
	tests := []struct {
		name string
		e    *ir.Expr
		want Code
	}{
		{"concat array", call("concat", str("a"), payload("list")), CodeType},
		{"join nested", call("join", payload("nested"), str("-")), CodeType},
		{"join string", call("join", str("ab"), str("-")), CodeType},
		{"join by number", call("join", payload("list"), num("1")), CodeType},
		{"max mixed", call("max", num("1"), str("a")), CodeType},
		{"max mixed with null", call("max", null(), num("1"), str("a")), CodeType},
		{"max bool", call("max", boolean(true), boolean(false)), CodeType},
		{"floor text", call("floor", str("1.5")), CodeType},
		{"floor huge", call("floor", dec("1e30")), CodeOverflow},
		{"floor just below", call("floor", dec("-9223372036854775808.5")), CodeOverflow},
		{"ceil just above", call("ceil", dec("9223372036854775807.5")), CodeOverflow},
		{"size number", call("size", num("1")), CodeType},
		{"sum texts", call("sum", payload("words")), CodeType},
		{"sum overflow", call("sum", list(payload("big"), num("1"))), CodeOverflow},
		{"sum object", call("sum", payload("o")), CodeType},
		{"contains number", call("contains", num("1"), num("1")), CodeType},
		{"contains number in string", call("contains", str("1"), num("1")), CodeType},
		{"map string", call("map", str("abc"), it()), CodeType},
		{"map inner error", call("map", payload("list"), op2("/", it(), num("0"))), CodeDivisionByZero},
		{"shard by zero", call("shard", str("a"), num("0")), CodeRange},
		{"shard by text", call("shard", str("a"), str("16")), CodeType},
		{"format_date text", call("format_date", str("yesterday")), CodeFormat},
		{"format_date range", call("format_date", num("999999999999999")), CodeRange},
		{"format_date bool", call("format_date", boolean(true)), CodeType},
		{"is_prev_day text", call("is_prev_day", null(), str("x")), CodeFormat},
		{"lookup", call("LOOKUP_FIELD", str("w"), str("x"), str("/a")), CodeNoSnapshots},
		{"lookup by object", call("LOOKUP_FIELD", num("1"), str("x"), str("/a")), CodeType},
		{"random", call("random"), CodeNonDeterministic},
		{"Math.random", call("Math.random"), CodeNonDeterministic},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := evaluate(t, tt.e, samplePayload)
			if got := codeOf(t, err); got != tt.want {
				t.Errorf("got %s and error %v, want code %s", v, err, tt.want)
			}
		})
	}
}

// The stable hash never changes: these are SHA-256 computed by other means.
func TestHashVectors(t *testing.T) {
	for text, want := range map[string]int64{
		`""`:                   7183457195969485844,
		`"abc"`:                4213142463398924266,
		`"42"`:                 8306709966045482637,
		`42`:                   8306709966045482637,
		`42.00`:                8306709966045482637,
		`4.2e1`:                8306709966045482637,
		`1.50`:                 2245503117884621079,
		`true`:                 3872713167274655612,
		`[1, "a", null]`:       8042395829758837489,
		`{"b": "x", "a": 1.0}`: 7852564224619585059,
		`"\u00e9"`:             5375421630974772051,
	} {
		if got := Hash(jsonValue(t, text)); got != want {
			t.Errorf("Hash(%s) = %d, want %d", text, got, want)
		}
		if got := Shard(jsonValue(t, text), 16); got != want%16 {
			t.Errorf("Shard(%s, 16) = %d", text, got)
		}
	}
}

// A static type must hold for every value that an evaluation gives.
func TestResultTypesAreSound(t *testing.T) {
	values := []string{`null`, `true`, `7`, `-3`, `2.5`, `"a"`, `""`, `"2024-01-01"`, `[]`, `[1, 2]`, `[1.5, null]`, `["x"]`, `{"k": 1}`}
	checked := 0
	for _, f := range Functions() {
		if !f.Allowed() || f.Snapshot || f.Name == "map" {
			continue
		}
		for _, a := range values {
			for _, b := range values {
				args := []Value{jsonValue(t, a), jsonValue(t, b)}
				if least, most := f.Arity(); most == 1 && least == 1 {
					args = args[:1]
				}
				checked += checkCall(t, f, args)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d calls had a value", checked)
	}
}

// checkCall compares the static with the dynamic result; it returns 1 if the call has a value.
func checkCall(t *testing.T, f *Function, args []Value) int {
	types := make([]Type, len(args))
	for i, arg := range args {
		types[i] = typeOf(arg)
	}
	result, typeErr := f.Result(types)
	v, err := f.call(&Env{budget: MaxWork}, args)
	if err != nil {
		return 0
	}
	if typeErr != nil && !v.IsNull() {
		t.Errorf("%s%v = %s, but the types say: %v", f.Name, args, v, typeErr)
	}
	if typeErr == nil && !holds(result, v) {
		t.Errorf("%s%v = %s is no %s", f.Name, args, v, result)
	}
	return 1
}

// typeOf returns the narrowest type of a value.
func typeOf(v Value) Type {
	switch v.kind {
	case KindBool:
		return typ(TypeBool)
	case KindInt:
		return typ(TypeInt)
	case KindDecimal:
		return typ(TypeDecimal)
	case KindString:
		return typ(TypeString)
	case KindArray:
		if v.Len() == 0 {
			return ArrayOf(typ(TypeNull))
		}
		item := typeOf(v.At(0))
		for next := range v.Items() {
			item = Join(item, typeOf(next))
		}
		return ArrayOf(item)
	case KindObject:
		fields := map[string]Type{}
		for name, field := range v.Members() {
			fields[name] = typeOf(field)
		}
		return ObjectOf(fields, true)
	default:
		return typ(TypeNull)
	}
}

// holds reports whether the type has the value.
func holds(t Type, v Value) bool {
	switch {
	case v.IsNull():
		return t.CanBeNull()
	case t.Kind == TypeAny:
		return true
	case t.Kind == TypeDecimal:
		return v.IsNumber()
	case t.Kind == TypeArray && v.kind == KindArray:
		for item := range v.Items() {
			if !holds(t.ItemType(), item) {
				return false
			}
		}
		return true
	case t.Kind == TypeObject && v.kind == KindObject:
		for name, field := range v.Members() {
			if want, ok := t.Fields[name]; (ok && !holds(want, field)) || (!ok && t.Strict) {
				return false
			}
		}
		return true
	default:
		return typeOf(v).Kind == t.Kind
	}
}

func TestOperatorTypesAreSound(t *testing.T) {
	values := []string{`null`, `true`, `false`, `7`, `2`, `-3`, `2.5`, `"a"`, `"b"`, `[]`, `[1, 2]`, `{"k": 1}`}
	checked := 0
	for _, op := range strings.Fields("|| && == != < <= > >= + - * / %") {
		f, err := Compile(op2(op, payload("a"), payload("b")))
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range values {
			for _, b := range values {
				left, right := jsonValue(t, a), jsonValue(t, b)
				result, typeErr := BinaryType(op, typeOf(left), typeOf(right))
				v, err := f.Eval(&Env{Payload: Object([]Member{{"a", left}, {"b", right}})})
				if err != nil {
					continue
				}
				checked++
				if typeErr != nil && !v.IsNull() && !(op == "||" || op == "&&") {
					t.Errorf("%s %s %s = %s, but the types say: %v", a, op, b, v, typeErr)
				}
				if typeErr == nil && !holds(result, v) {
					t.Errorf("%s %s %s = %s is no %s", a, op, b, v, result)
				}
			}
		}
	}
	if checked < 300 {
		t.Errorf("only %d operations had a value", checked)
	}
}

func TestTypeErrors(t *testing.T) {
	concat, _ := LookupFunction("concat")
	if _, err := concat.Result(nil); err == nil || !strings.Contains(err.Error(), "1 or more arguments, not 0") {
		t.Errorf("concat(): %v", err)
	}
	floor, _ := LookupFunction("floor")
	if _, err := floor.Result([]Type{typ(TypeString)}); err == nil || !strings.Contains(err.Error(), "floor(decimal) -> int") {
		t.Errorf("floor(string): %v", err)
	}
	if _, err := BinaryType("+", typ(TypeString), typ(TypeInt)); err == nil || !strings.Contains(err.Error(), "concat") {
		t.Errorf("string + int: %v", err)
	}
	if _, err := BinaryType("==", typ(TypeString).OrNull(), typ(TypeInt)); err == nil {
		t.Error("string? == int is no error")
	}
	if got, ok := MemberType(ObjectOf(map[string]Type{"a": typ(TypeInt)}, true), "b"); ok {
		t.Errorf("absent field of a strict object: %s", got)
	}
	if got, err := IndexType(ArrayOf(typ(TypeInt)), typ(TypeInt)); err != nil || got.String() != "int?" {
		t.Errorf("array[int]: %s, %v", got, err)
	}
	if got := ElvisType(typ(TypeInt).OrNull(), typ(TypeDecimal)); got.String() != "decimal" {
		t.Errorf("int? ?: decimal is %s", got)
	}
	if got, err := ConditionalType(typ(TypeBool), typ(TypeInt), typ(TypeNull)); err != nil || got.String() != "int?" {
		t.Errorf("bool ? int : null is %s, %v", got, err)
	}
}

// TestReadersOfEntities holds the IR's answer to the table of functions.
func TestReadersOfEntities(t *testing.T) {
	for _, f := range Functions() {
		e := call(f.Name)
		if f.Name == "lookup" {
			e = &ir.Expr{Op: ir.OpLookup, Name: "s"} // an operation, never a call
		}
		if e.ReadsEntities() != f.Snapshot {
			t.Errorf("%s: %v, %v", f.Name, e.ReadsEntities(), f.Snapshot)
		}
	}
}
