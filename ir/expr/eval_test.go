package expr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causetc/causetc/ir"
)

// samplePayload is what the table tests read.
const samplePayload = `{"s": "seat", "n": null, "i": 7, "d": 2.50, "big": 9223372036854775807, "least": -9223372036854775808,
	"yes": true, "no": false, "empty": "", "list": [1, 2, 3], "words": ["a", null, 1.50, true], "o": {"p": {"q": "deep"}, "k": 1},
	"objs": [{"v": 1}, {"v": 2.5}, {}], "nested": [[1, 2], [3]], "ts": 1700000000000, "when": "2023-11-14T22:13:20Z"}`

func TestEvalValues(t *testing.T) {
	missing := payload("absent")
	tests := []struct {
		name string
		e    *ir.Expr
		want string // canonical JSON, or missing
	}{
		{"null", null(), "null"},
		{"bool", boolean(true), "true"},
		{"int", num("-9223372036854775808"), "-9223372036854775808"},
		{"decimal", dec("1.50"), "1.5"},
		{"list", list(num("1"), missing, str("x")), `[1,null,"x"]`},
		{"object", &ir.Expr{Op: ir.OpObject, Keys: []string{"b", "a"}, Args: []*ir.Expr{payload("i"), missing}}, `{"a":null,"b":7}`},

		{"member", payload("o", "p", "q"), `"deep"`},
		{"absent member is missing", missing, "missing"},
		{"member of absent is missing", payload("absent", "x", "y"), "missing"},
		{"member of null is missing", payload("n", "x"), "missing"},
		{"member of a scalar is missing", payload("s", "x"), "missing"},
		{"null member is null", payload("n"), "null"},
		{"index", index(payload("list"), num("1")), "2"},
		{"index by integral decimal", index(payload("list"), dec("1.0")), "2"},
		{"index beyond", index(payload("list"), num("3")), "missing"},
		{"index negative", index(payload("list"), num("-1")), "missing"},
		{"index null", index(payload("list"), null()), "missing"},
		{"index of null", index(payload("n"), num("0")), "missing"},
		{"key", index(payload("o"), str("k")), "1"},
		{"member after index", member(index(payload("objs"), num("1")), "v"), "2.5"},

		{"add", op2("+", payload("i"), num("1")), "8"},
		{"add decimal", op2("+", payload("i"), payload("d")), "9.5"},
		{"sub", op2("-", num("1"), payload("d")), "-1.5"},
		{"mul", op2("*", payload("d"), payload("d")), "6.25"},
		{"divide evenly", op2("/", num("6"), num("-3")), "-2"},
		{"divide", op2("/", num("1"), num("3")), "0.3333333333333333333333333333333333"},
		{"divide, half even", op2("/", num("2"), num("3")), "0.6666666666666666666666666666666667"},
		{"rem", op2("%", num("-7"), num("3")), "-1"},
		{"rem of least by -1", op2("%", payload("least"), num("-1")), "0"},
		{"rem decimal", op2("%", dec("7.5"), num("2")), "1.5"},
		{"neg", op1("-", payload("d")), "-2.5"},
		{"null + 1", op2("+", payload("n"), num("1")), "null"},
		{"1 * missing", op2("*", num("1"), missing), "null"},
		{"null / 0", op2("/", null(), num("0")), "null"},
		{"-null", op1("-", missing), "null"},

		{"1 == 1.0", op2("==", num("1"), dec("1.0")), "true"},
		{"null == missing", op2("==", null(), missing), "true"},
		{"null == 1", op2("==", null(), num("1")), "false"},
		{"null != 'a'", op2("!=", null(), str("a")), "true"},
		{"big == decimal", op2("==", payload("big"), dec("9223372036854775807.5")), "false"},
		{"arrays", op2("==", payload("list"), list(num("1"), num("2"), dec("3.0"))), "true"},
		{"arrays of other kinds", op2("==", payload("list"), list(str("1"), num("2"), num("3"))), "false"},
		{"less", op2("<", num("1"), dec("1.5")), "true"},
		{"less or equal", op2("<=", dec("1.0"), num("1")), "true"},
		{"greater", op2(">", str("b"), str("a")), "true"},
		{"not greater", op2(">", str("a"), str("a")), "false"},
		{"greater or equal", op2(">=", str("a"), str("a")), "true"},
		{"1 < null", op2("<", num("1"), null()), "null"},
		{"missing >= 1", op2(">=", missing, num("1")), "null"},

		{"and", op2("&&", payload("yes"), payload("no")), "false"},
		{"or", op2("||", payload("no"), payload("yes")), "true"},
		{"and stops", op2("&&", payload("no"), op2("/", num("1"), num("0"))), "false"},
		{"or stops", op2("||", payload("yes"), op2("/", num("1"), num("0"))), "true"},
		{"null && true", op2("&&", null(), boolean(true)), "false"},
		{"true && null", op2("&&", boolean(true), null()), "false"},
		{"null || true", op2("||", null(), boolean(true)), "true"},
		{"null || null", op2("||", missing, null()), "false"},
		{"!null", op1("!", missing), "true"},
		{"!true", op1("!", payload("yes")), "false"},

		{"cond", cond(payload("yes"), num("1"), num("2")), "1"},
		{"cond null", cond(missing, num("1"), num("2")), "2"},
		{"cond hands missing on", cond(payload("yes"), missing, num("2")), "missing"},
		{"cond evaluates one branch", cond(payload("no"), op2("/", num("1"), num("0")), num("2")), "2"},
		{"elvis", elvis(payload("i"), num("1")), "7"},
		{"elvis keeps false and empty", elvis(payload("no"), boolean(true)), "false"},
		{"elvis null", elvis(payload("n"), num("1")), "1"},
		{"elvis missing", elvis(missing, payload("n")), "null"},
		{"elvis hands missing on", elvis(missing, missing), "missing"},

		{"bucket of a number", bucket("3600000", num("1700000000000")), "1699999200000"},
		{"bucket of a number with a fraction", bucket("1000", dec("1999.5")), "1000"},
		{"bucket of a text", bucket("3600000", str("2023-11-14T22:13:20Z")), "1699999200000"},
		{"bucket of a text of another zone", bucket("86400000", str("2023-11-15T00:13:20.999999+02:00")), "1699920000000"},
		{"bucket of a date", bucket("3600000", str("2023-11-14")), "1699920000000"},
		{"bucket before 1970", bucket("3600000", num("-1")), "-3600000"},
		{"bucket at a start", bucket("3600000", num("-3600000")), "-3600000"},
		{"bucket of null", bucket("1000", null()), "null"},
		{"bucket of missing", bucket("1000", missing), "null"},
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

func TestEvalErrors(t *testing.T) {
	zero := num("0")
	tests := []struct {
		name string
		e    *ir.Expr
		want Code
	}{
		{"divide by zero", op2("/", num("1"), zero), CodeDivisionByZero},
		{"divide by decimal zero", op2("/", dec("1.5"), dec("0.00")), CodeDivisionByZero},
		{"zero by zero", op2("/", zero, zero), CodeDivisionByZero},
		{"bucket of no moment", bucket("1000", str("yesterday")), CodeFormat},
		{"bucket of a boolean", bucket("1000", boolean(true)), CodeType},
		{"rem by zero", op2("%", num("1"), zero), CodeDivisionByZero},
		{"add overflow", op2("+", payload("big"), num("1")), CodeOverflow},
		{"sub overflow", op2("-", payload("least"), num("1")), CodeOverflow},
		{"mul overflow", op2("*", payload("big"), num("2")), CodeOverflow},
		{"mul overflow of least", op2("*", payload("least"), num("-1")), CodeOverflow},
		{"divide overflow", op2("/", payload("least"), num("-1")), CodeOverflow},
		{"neg overflow", op1("-", payload("least")), CodeOverflow},
		{"decimal out of range", op2("*", dec("1e600"), dec("1e600")), CodeRange},
		{"decimal too fine", op2("*", dec("1e-600"), dec("1e-600")), CodeRange},
		{"string + string", op2("+", str("a"), str("b")), CodeType},
		{"null + string", op2("+", null(), str("b")), CodeType},
		{"-string", op1("-", str("a")), CodeType},
		{"1 == '1'", op2("==", num("1"), str("1")), CodeType},
		{"true == 1", op2("==", boolean(true), num("1")), CodeType},
		{"1 < 'a'", op2("<", num("1"), str("a")), CodeType},
		{"true < false", op2("<", boolean(true), boolean(false)), CodeType},
		{"null < true", op2("<", null(), boolean(false)), CodeType},
		{"array < array", op2("<", payload("list"), payload("list")), CodeType},
		{"1 && true", op2("&&", num("1"), boolean(true)), CodeType},
		{"true && 1", op2("&&", boolean(true), num("1")), CodeType},
		{"!1", op1("!", num("1")), CodeType},
		{"'x' ? 1 : 2", cond(str("x"), num("1"), num("2")), CodeType},
		{"array['x']", index(payload("list"), str("x")), CodeType},
		{"object[array]", index(payload("o"), payload("list")), CodeType},
		{"lookup", &ir.Expr{Op: ir.OpLookup, Name: "wallet", Args: []*ir.Expr{str("w")}}, CodeNoSnapshots},
		{"now()", call("now"), CodeNonDeterministic},
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

func TestEnvironment(t *testing.T) {
	lookup := func(stream string, id *ir.Expr, names ...string) *ir.Expr {
		return member(&ir.Expr{Op: ir.OpLookup, Name: stream, Args: []*ir.Expr{id}}, names...)
	}
	envelope := func(name string) *ir.Expr { return &ir.Expr{Op: ir.OpEnvelope, Name: name} }
	env := &Env{
		Event: Envelope{
			Type: String("T"), TS: Int(5), EntityID: String("e"), EventID: String("id"),
			StreamID: String("st"), ForkID: String("main"), Version: Int(9),
		},
		Derived:   []Value{Int(10), {}},
		Resources: map[string]Value{"tiers": jsonValue(t, `{"gold": {"fee": 1.5}, "3": "three"}`)},
		Snapshot: func(stream, id string) (Value, error) {
			if id == "none" {
				return Value{}, nil
			}
			return jsonValue(t, fmt.Sprintf(`{"stream": %q, "id": %q, "a": {"b": 1}}`, stream, id)), nil
		},
		NonDeterministic: func(name string, args []Value) (Value, error) {
			return String(fmt.Sprintf("%s/%d", name, len(args))), nil
		},
	}
	tests := []struct {
		name string
		e    *ir.Expr
		want string
	}{
		{"type", envelope("type"), `"T"`}, {"ts", envelope("ts"), "5"}, {"entity_id", envelope("entity_id"), `"e"`},
		{"event_id", envelope("event_id"), `"id"`}, {"stream_id", envelope("stream_id"), `"st"`},
		{"fork_id", envelope("fork_id"), `"main"`}, {"version", envelope("version"), "9"},
		{"derived", &ir.Expr{Op: ir.OpDerived, Name: "first"}, "10"},
		{"missing derived", &ir.Expr{Op: ir.OpDerived, Name: "second"}, "missing"},
		{"resource", member(index(&ir.Expr{Op: ir.OpResource, Name: "tiers"}, str("gold")), "fee"), "1.5"},
		{"resource by number", index(&ir.Expr{Op: ir.OpResource, Name: "tiers"}, num("3")), `"three"`},
		{"absent resource", member(&ir.Expr{Op: ir.OpResource, Name: "absent"}, "x"), "missing"},
		{"lookup", lookup("wallet", num("7"), "id"), `"7"`},
		{"lookup stream", lookup("wallet", str("w"), "stream"), `"wallet"`},
		{"lookup of nobody", lookup("wallet", str("none"), "id"), "missing"},
		{"lookup of null", lookup("wallet", null(), "id"), "missing"},
		{"LOOKUP_FIELD", call("LOOKUP_FIELD", str("w"), str("x"), str("/a/b")), "1"},
		{"LOOKUP_FIELD of nobody", call("LOOKUP_FIELD", str("w"), str("none"), str("/a/b")), "null"},
		{"uuid in a simulation", call("uuid"), `"uuid/0"`},
	}
	for _, tt := range tests {
		f, err := Compile(tt.e, "first", "second")
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		v, err := f.Eval(env)
		if err != nil || v.String() != tt.want {
			t.Errorf("%s: got %s and error %v, want %s", tt.name, v, err, tt.want)
		}
	}
}

func TestHookErrorsStayVisible(t *testing.T) {
	away := errors.New("database away")
	f, err := Compile(&ir.Expr{Op: ir.OpLookup, Name: "wallet", Args: []*ir.Expr{str("w")}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Eval(&Env{Snapshot: func(string, string) (Value, error) { return Value{}, away }})
	var e *EvalError
	if !errors.Is(err, away) || errors.As(err, &e) {
		t.Errorf("got %v, want the wrapped error of the hook", err)
	}
}

func TestEvalCondition(t *testing.T) {
	for _, tt := range []struct {
		e    *ir.Expr
		want bool
	}{{payload("yes"), true}, {payload("no"), false}, {payload("n"), false}, {payload("absent"), false}} {
		f, _ := Compile(tt.e)
		got, err := f.EvalCondition(&Env{Payload: jsonValue(t, samplePayload)})
		if err != nil || got != tt.want {
			t.Errorf("%v: got %v, %v", tt.e, got, err)
		}
	}
	f, _ := Compile(payload("i"))
	if _, err := f.EvalCondition(&Env{Payload: jsonValue(t, samplePayload)}); codeOf(t, err) != CodeType {
		t.Errorf("a number as condition: %v", err)
	}
}

func TestCompileErrors(t *testing.T) {
	deep := num("1")
	for range MaxDepth {
		deep = op1("-", deep)
	}
	tests := []struct {
		name string
		e    *ir.Expr
		want string
	}{
		{"nil", nil, "absent"},
		{"nil operand", op2("+", nil, num("1")), "absent"},
		{"unknown node", &ir.Expr{Op: "jump"}, "jump"},
		{"unknown binary", op2("**", num("1"), num("1")), `"**"`},
		{"unknown unary", op1("~", num("1")), `"~"`},
		{"operands", &ir.Expr{Op: ir.OpBinary, Name: "+", Args: []*ir.Expr{num("1")}}, "operands"},
		{"literal with operands", &ir.Expr{Op: ir.OpInt, Text: "1", Args: []*ir.Expr{num("1")}}, "operands"},
		{"int", num("9223372036854775808"), "64-bit"},
		{"int with plus", num("+1"), "64-bit"},
		{"empty int", num(""), "64-bit"},
		{"decimal", dec("1.2.3"), "not a number"},
		{"huge decimal", dec("1e999999999"), "out of range"},
		{"bool", &ir.Expr{Op: ir.OpBool, Text: "yes"}, "not a bool"},
		{"function", call("conct", num("1")), "unknown function"},
		{"forbidden", call("exec", str("x")), "not allowed"},
		{"arity", call("floor"), "1 argument, not 0"},
		{"arity of max", call("max", num("1")), "2 or more"},
		{"map arity", call("map", list()), "2 arguments, not 1"},
		{"envelope", &ir.Expr{Op: ir.OpEnvelope, Name: "time"}, "envelope field"},
		{"derived", &ir.Expr{Op: ir.OpDerived, Name: "x"}, "derived column"},
		{"it outside", op2("+", call("map", list(), it()), it()), "only in the expression of map"},
		{"keys", &ir.Expr{Op: ir.OpObject, Keys: []string{"a"}}, "1 keys for 0 values"},
		{"key twice", &ir.Expr{Op: ir.OpObject, Keys: []string{"a", "a"}, Args: []*ir.Expr{null(), null()}}, "twice"},
		{"deep", deep, "deeper"},
	}
	for _, tt := range tests {
		_, err := Compile(tt.e)
		var ce *CompileError
		if !errors.As(err, &ce) || !strings.Contains(ce.Message, tt.want) {
			t.Errorf("%s: got %v, want a CompileError with %q", tt.name, err, tt.want)
		}
	}
}

func TestWorkIsBounded(t *testing.T) {
	items := strings.Repeat("0,", 30_000) + "0"
	cube := call("map", payload("a"), call("map", payload("a"), call("map", payload("a"), it())))
	if _, err := evaluate(t, cube, `{"a": [`+items+`]}`); codeOf(t, err) != CodeLimit {
		t.Errorf("nested map: got %v, want %s", err, CodeLimit)
	}
	long := `{"s": "` + strings.Repeat("x", 9<<20) + `"}`
	if _, err := evaluate(t, call("concat", payload("s"), payload("s")), long); codeOf(t, err) != CodeLimit {
		t.Errorf("long concat: got %v, want %s", err, CodeLimit)
	}
	search := call("map", payload("a"), call("contains", payload("a"), num("1")))
	if _, err := evaluate(t, search, `{"a": [`+items+`]}`); codeOf(t, err) != CodeLimit {
		t.Errorf("quadratic search: got %v, want %s", err, CodeLimit)
	}
}

// A value that holds the one before it ten times grows tenfold with every step, but not in memory.
func TestSharedValuesAreBounded(t *testing.T) {
	column := &ir.Expr{Op: ir.OpDerived, Name: "x"}
	f, err := Compile(list(column, column, column, column, column, column, column, column, column, column), "x")
	if err != nil {
		t.Fatal(err)
	}
	v := String("x")
	for range 30 {
		next, err := f.Eval(&Env{Derived: []Value{v}})
		if err != nil {
			if codeOf(t, err) != CodeLimit {
				t.Fatal(err)
			}
			return
		}
		v = next
	}
	t.Errorf("30 steps of tenfold growth were accepted")
}

func TestNestedMapRestoresIt(t *testing.T) {
	e := call("map", payload("nested"), list(call("sum", call("map", it(), op2("*", it(), num("10")))), call("size", it())))
	v, err := evaluate(t, e, samplePayload)
	if want := "[[30,2],[30,1]]"; err != nil || v.String() != want {
		t.Errorf("got %s, %v, want %s", v, err, want)
	}
}

func TestEnvIsReusableAfterAnError(t *testing.T) {
	env := &Env{Payload: jsonValue(t, samplePayload)}
	bad, _ := Compile(call("concat", str("a"), call("concat", str("b"), payload("list"))))
	good, _ := Compile(call("concat", str("x"), payload("s")))
	for range 3 {
		if _, err := bad.Eval(env); codeOf(t, err) != CodeType {
			t.Fatal(err)
		}
		if v, err := good.Eval(env); err != nil || v.Text() != "xseat" {
			t.Fatalf("got %s, %v", v, err)
		}
	}
}

func TestFunctionTableIsComplete(t *testing.T) {
	want := strings.Fields(`concat coalesce isnull max min floor ceil size contains map join sum shard hash format_date is_prev_day
		lookup LOOKUP_FIELD now today current_timestamp nanoTime random Math.random rand uuid uuid_v4 uuidv4 uuidv7 guid shuffle
		System Runtime Process Thread Runnable eval exec`)
	slices.Sort(want)
	var got []string
	for _, f := range Functions() {
		got = append(got, f.Name)
		if f.Doc == "" || len(f.Overloads) == 0 {
			t.Errorf("%s has no doc or no overload", f.Name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	for _, name := range strings.Fields("now today uuid guid shuffle Math.random System exec") {
		if f, _ := LookupFunction(name); f.Allowed() {
			t.Errorf("%s is allowed", name)
		}
	}
	if _, ok := LookupFunction("Concat"); ok {
		t.Error("names are not case-sensitive")
	}
}
