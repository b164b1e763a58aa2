package expr

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	parse "github.com/causetc/causetc/parser/expr"
	"github.com/causetc/causetc/spec"
)

// testEnv is an event that declares owner, amount, version and items.
func testEnv() Env {
	in := func(names string) func(string) bool {
		return func(name string) bool { return strings.Contains(" "+names+" ", " "+name+" ") }
	}
	return Env{
		Payload:  in("owner amount version items"),
		Derived:  in("day"),
		Resource: in("fees"),
		Stream: func(name string) (string, bool) {
			return "wallet_stream", name == "wallet" || name == "wallet_stream"
		},
	}
}

func mustParse(t testing.TB, text string) spec.Node {
	t.Helper()
	n, problems := parse.Parse(text)
	if len(problems) > 0 {
		t.Fatalf("%q: %v", text, problems)
	}
	return n
}

// show writes an expression compactly.
func show(e *ir.Expr) string {
	var parts []string
	for i, a := range e.Args {
		part := show(a)
		if e.Op == ir.OpObject {
			part = e.Keys[i] + "=" + part
		}
		parts = append(parts, part)
	}
	s := string(e.Op)
	if e.Name != "" {
		s += " " + e.Name
	}
	if e.Text != "" {
		s += " " + e.Text
	}
	if len(parts) > 0 {
		s += "(" + strings.Join(parts, ", ") + ")"
	}
	return s
}

func TestLower(t *testing.T) {
	for text, want := range map[string]string{
		"event.owner":                     "member owner(payload)",
		"event.payload.owner":             "member owner(payload)",
		"event['owner']":                  "member owner(payload)",
		"event.payload":                   "payload",
		"event.type":                      "envelope type",
		"event.ts":                        "envelope ts",
		"event.entity_id":                 "envelope entity_id",
		"event.id":                        "envelope event_id",
		"event.event_id":                  "envelope event_id",
		"event.fork_id":                   "envelope fork_id",
		"event.stream_id":                 "envelope stream_id",
		"event.version":                   "member version(payload)", // declared, so it hides the envelope's
		"event.payload.ts":                "member ts(payload)",
		"event.undeclared":                "member undeclared(payload)",
		"event.items[0].name":             "member name(index(member items(payload), int 0))",
		"event[event.owner]":              "index(payload, member owner(payload))",
		"derived.day":                     "derived day",
		"derived['day']":                  "derived day",
		"resources.fees['gold'].rate":     "member rate(index(resource fees, string gold))",
		"resources['fees'].gold":          "member gold(resource fees)",
		"map(event.items, it.price * it)": "call map(member items(payload), binary *(member price(it), it))",
		"map(event.items, it[0])":         "call map(member items(payload), index(it, int 0))",
		"lookup(wallet, event.owner).visible.balance":             "member balance(member visible(lookup wallet_stream(member owner(payload))))",
		"lookup('wallet_stream', 1)":                              "lookup wallet_stream(int 1)",
		"LOOKUP_FIELD('wallet', event.owner, '/visible/balance')": "member balance(member visible(lookup wallet_stream(member owner(payload))))",
		"!event.owner ? -1 : 1.50":                                "cond(unary !(member owner(payload)), unary -(int 1), decimal 1.50)",
		"event.owner ?: null":                                     "elvis(member owner(payload), null)",
		"'a' == true":                                             "binary ==(string a, bool true)",
		"concat(event.owner, uuid())":                             "call concat(member owner(payload), call uuid)",
		"Math.random()":                                           "call Math.random",
	} {
		e, problems := Lower(mustParse(t, text), testEnv())
		if len(problems) > 0 {
			t.Errorf("%s: %v", text, problems)
			continue
		}
		if got := show(e); got != want {
			t.Errorf("%s:\n got  %s\n want %s", text, got, want)
		}
		if _, err := expr.Compile(e, "day"); err != nil {
			t.Errorf("%s: does not compile: %v", text, err)
		}
	}
	e, _ := Lower(mustParse(t, "event.version"), Env{})
	if show(e) != "envelope version" {
		t.Errorf("an undeclared version is %s", show(e))
	}
}

func TestLowerProblems(t *testing.T) {
	for _, c := range []struct{ text, at, message string }{
		{"owner", "owner", "unknown name `owner`"},
		{"evnt.owner + 1", "evnt", "unknown name `evnt`"},
		{"event", "event", "name a member"},
		{"event == 1", "event", "name a member"},
		{"entity.balance", "entity", "can't be read in a projection"},
		{"state['x']", "state", "can't be read in a projection"},
		{"global.x", "global", "can't be read in a projection"},
		{"intent.x", "intent", "only to actions"},
		{"item.x", "item", "no meaning in a projection"},
		{"derived.night", "night", "no column `night`"},
		{"derived[event.owner]", "event.owner", "text in quotes"},
		{"resources.taxes", "taxes", "no resource `taxes`"},
		{"resources['taxes']", "'taxes'", "no resource `taxes`"},
		{"it.x", "it", "only in the second argument of map"},
		{"map(it, it.x)", "it", "only in the second argument of map"},
		{"cocnat('a')", "cocnat", "no function `cocnat`"},
		{"event.owner.lower()", "event.owner.lower", "no function"},
		{"System.exit(1)", "System.exit", "not allowed"},
		{"eval('1')", "eval", "not allowed"},
		{"floor(1, 2)", "floor(1, 2)", "takes 1 argument, not 2"},
		{"lookup(bank, 1)", "bank", "no state or stream `bank`"},
		{"lookup(event.owner, 1)", "event.owner", "name of a state"},
		{"LOOKUP_FIELD('wallet', 1, event.owner)", "event.owner", "slash path"},
		{"LOOKUP_FIELD('wallet', 1, '/')", "'/'", "slash path"},
	} {
		e, problems := Lower(mustParse(t, c.text), testEnv())
		if e != nil || len(problems) != 1 {
			t.Errorf("%s: got %v %v", c.text, e, problems)
			continue
		}
		p := problems[0]
		if at := c.text[p.Range.From:p.Range.To]; at != c.at || !strings.Contains(p.Message, c.message) {
			t.Errorf("%s: got %q %s, want %q %s", c.text, at, p.Message, c.at, c.message)
		}
	}
	if _, problems := Lower(mustParse(t, "a + b.c + derived.x"), testEnv()); len(problems) != 3 {
		t.Errorf("not every problem is reported: %v", problems)
	}
	if e, problems := Lower(&spec.Bad{}, testEnv()); e != nil || len(problems) != 1 {
		t.Errorf("a bad tree: %v %v", e, problems)
	}
	deep := "LOOKUP_FIELD('wallet', 1, '" + strings.Repeat("/a", 2*expr.MaxDepth) + "')"
	if e, problems := Lower(mustParse(t, deep), testEnv()); e != nil || len(problems) != 1 {
		t.Errorf("a deep tree: %d problems", len(problems))
	}
}

// value makes a value of an expression's or a constant's text, as the parser does.
func value(t *testing.T, f *spec.File, text string) *spec.Value {
	t.Helper()
	src := &spec.Scalar{File: f, Start: strings.Index(string(f.Text), text), Value: text}
	v, problems := parse.ParseValue(text, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if v.Const != nil {
		return &spec.Value{Kind: spec.ValueConst, Src: src, Const: v.Const}
	}
	return &spec.Value{Kind: spec.ValueExpr, Src: src, Expr: &spec.Expr{Src: src, Root: v.Root}}
}

func TestLowerValue(t *testing.T) {
	var set spec.FileSet
	f := set.Add("a.causet", []byte("blocked event.owner 60 * 60 derived.night key other"))
	key := func(s string) *spec.Scalar {
		return &spec.Scalar{File: f, Start: strings.Index(string(f.Text), s), Value: s}
	}
	v := &spec.Value{Kind: spec.ValueMap, Entries: []spec.ValueEntry{
		{Key: key("key"), Value: value(t, f, "blocked")},
		{Key: key("other"), Value: &spec.Value{Kind: spec.ValueList, Items: []*spec.Value{value(t, f, "event.owner"), value(t, f, "60 * 60")}}},
		{Key: key("key"), Value: value(t, f, "60 * 60")},
	}}
	e, problems := LowerValue(v, testEnv())
	if want := "object(key=string blocked, other=list(member owner(payload), int 3600))"; len(problems) > 0 || show(e) != want {
		t.Fatalf("got %v %v", e, problems)
	}
	v.Entries = append(v.Entries, spec.ValueEntry{Key: key("x"), Value: value(t, f, "derived.night")})
	e, problems = LowerValue(v, testEnv())
	if e != nil || len(problems) != 1 {
		t.Fatalf("got %v %v", e, problems)
	}
	at := problems[0].Span()
	if got := fmt.Sprint(at); got == "" || problems[0].Src.Value != "derived.night" || problems[0].Range != (spec.Range{From: 8, To: 13}) {
		t.Errorf("the problem is at %v in %q", problems[0].Range, problems[0].Src.Value)
	}
	x := value(t, f, "derived.night").Expr
	if _, problems := LowerExpr(x, testEnv()); len(problems) != 1 || problems[0].Src != x.Src {
		t.Errorf("LowerExpr: %v", problems)
	}
	if _, problems := LowerExpr(&spec.Expr{Src: x.Src}, testEnv()); len(problems) != 1 {
		t.Errorf("an unread expression: %v", problems)
	}
	for kind, text := range map[spec.LitKind]string{spec.LitInt: "9223372036854775808", spec.LitDecimal: ".inf"} {
		bad := &spec.Value{Kind: spec.ValueConst, Src: x.Src, Const: &spec.Lit{Kind: kind, Text: text}}
		if e, problems := LowerValue(bad, Env{}); e != nil || len(problems) != 1 {
			t.Errorf("%s: %v %v", text, e, problems)
		}
	}
}

// A lowered tree survives its way through an IR file.
func TestLoweredRoundTrip(t *testing.T) {
	e, _ := Lower(mustParse(t, "concat('a', event.owner ?: \"\", 1.50, lookup(wallet, 1).x[true ? 0 : -1])"), testEnv())
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var back *ir.Expr
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(e, back) {
		t.Errorf("%s: %v", text, err)
	}
}
