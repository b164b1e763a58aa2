package expr

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	parse "github.com/causetc/causetc/parser/expr"
	"github.com/causetc/causetc/spec"
)

func TestFold(t *testing.T) {
	for text, want := range map[string]string{
		"60 * 60 * 24":                       "int 86400",
		"event.amount * (60 * 60)":           "binary *(member amount(payload), int 3600)",
		"concat('a', 'b', 1.50)":             "string ab1.5",
		"hash('x') == hash('x')":             "bool true",
		"1 / 3":                              "decimal 0.3333333333333333333333333333333333",
		"1 / 0":                              "binary /(int 1, int 0)",
		"event.amount > 1 / 0":               "binary >(member amount(payload), binary /(int 1, int 0))",
		"true ? event.owner : 1 / 0":         "member owner(payload)",
		"null ? 1 : event.owner":             "member owner(payload)",
		"1 > 2 || event.owner":               "binary ||(bool false, member owner(payload))",
		"2 > 1 || event.owner":               "bool true",
		"null && event.owner":                "bool false",
		"null ?: event.owner":                "member owner(payload)",
		"'x' ?: event.owner":                 "string x",
		"uuid()":                             "call uuid",
		"concat(now(), 1 + 1)":               "call concat(call now, int 2)",
		"map(event.items, it + (1 + 1))":     "call map(member items(payload), binary +(it, int 2))",
		"resources.fees[concat('a', 'b')].x": "member x(index(resource fees, string ab))",
		"event.owner":                        "member owner(payload)",
		"-9223372036854775808 - 1":           "binary -(int -9223372036854775808, int 1)",
		"1.50":                               "decimal 1.50",
	} {
		e, problems := Lower(mustParse(t, text), testEnv())
		if len(problems) > 0 {
			t.Fatalf("%s: %v", text, problems)
		}
		before := show(e)
		if got := show(Fold(e)); got != want {
			t.Errorf("%s:\n got  %s\n want %s", text, got, want)
		}
		if show(e) != before {
			t.Errorf("%s: folding changed its argument to %s", text, show(e))
		}
	}
	if Fold(nil) != nil {
		t.Error("nil does not stay nil")
	}
}

func TestConst(t *testing.T) {
	for text, want := range map[string]string{
		"60 * 60": "3600", "concat('a', 'b')": "ab", "null ?: 1.0": "1", "max(1, 2) == 2": "true", "1 / 0": "!division_by_zero",
		"'a' + 1": "!type_mismatch", "event.x": "-", "x": "-", "uuid()": "-", "lookup(wallet, 1)": "-", "resources.fees": "-",
		"true || event.x": "-", "nothing(1)": "-", "map('a', it)": "!type_mismatch",
	} {
		v, ok, err := Const(mustParse(t, text))
		got := v.Text()
		var failed *expr.EvalError
		switch {
		case !ok:
			got = "-"
		case errors.As(err, &failed):
			got = "!" + string(failed.Code)
		}
		if got != want {
			t.Errorf("%s: got %s %v, want %s", text, got, err, want)
		}
	}
	if _, ok, _ := Const(&spec.Bad{}); ok {
		t.Error("a bad tree is a constant")
	}
}

// generator makes texts of random expressions.
type generator struct {
	*rand.Rand
	leaves []string
}

func (g generator) pick(list []string) string { return list[g.IntN(len(list))] }

var (
	literalTexts = []string{
		"0", "1", "2", "-3", "7", "9223372036854775807", "-9223372036854775808", "0.1", "2.50", "-0.5", "1.0", "'a'", "'b'", "''", "'é'",
		"true", "false", "null", "123456789012345678901234567890.5", "0.0",
	}
	binaryOps = []string{"||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "+", "-", "*", "/"}
)

func (g generator) text(depth int) string {
	if depth == 0 {
		return g.pick(g.leaves)
	}
	sub := func() string { return "(" + g.text(g.IntN(depth)) + ")" }
	switch g.IntN(10) {
	case 0:
		return g.pick([]string{"!", "-"}) + sub()
	case 1:
		return sub() + " ? " + sub() + " : " + sub()
	case 2:
		return sub() + " ?: " + sub()
	}
	return sub() + " " + g.pick(binaryOps) + " " + sub()
}

// sameOutcome tells whether two evaluations have the same value, or both none.
func sameOutcome(v expr.Value, vErr error, w expr.Value, wErr error) bool {
	if vErr != nil || wErr != nil {
		return vErr != nil && wErr != nil
	}
	return v.Kind() == w.Kind() && v.Equal(w)
}

// The parser evaluates literals just as a worker would.
func TestParserEvaluatesAlike(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := generator{rand.New(rand.NewPCG(seed, 2)), literalTexts}
	values := 0
	for range 20_000 {
		text := g.text(1 + g.IntN(4))
		root := mustParse(t, text)
		want, ok, wantErr := Const(root)
		if !ok {
			t.Fatalf("seed %d: %s is no constant", seed, text)
		}
		lit, problem := parse.Evaluate(root)
		if problem != nil || wantErr != nil {
			if (problem != nil) != (wantErr != nil) {
				t.Fatalf("seed %d: %s: the parser says %v, the evaluator %v %v", seed, text, problem, want.Text(), wantErr)
			}
			continue
		}
		values++
		got, _, err := Const(lit)
		if !sameOutcome(got, err, want, nil) {
			t.Fatalf("seed %d: %s: the parser says %s, the evaluator %s (%s)", seed, text, lit.Text, want.Text(), want.Kind())
		}
	}
	if values < 2000 {
		t.Errorf("seed %d: only %d texts had a value", seed, values)
	}
}

// Folding changes no outcome.
func TestFoldKeepsOutcomes(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	leaves := append([]string{"event.n", "event.b", "event.s", "event.absent", "event.nothing", "concat('a', 1)", "size(event.list)", "now()"}, literalTexts...)
	g := generator{rand.New(rand.NewPCG(seed, 3)), leaves}
	env := expr.Env{Payload: expr.Object([]expr.Member{
		{Key: "n", Value: expr.Int(5)}, {Key: "b", Value: expr.Bool(true)}, {Key: "s", Value: expr.String("a")},
		{Key: "nothing", Value: expr.Null()}, {Key: "list", Value: expr.Array([]expr.Value{expr.Int(1)})},
	})}
	smaller := 0
	for range 20_000 {
		text := g.text(1 + g.IntN(4))
		e, problems := Lower(mustParse(t, text), testEnv())
		if len(problems) > 0 {
			t.Fatalf("seed %d: %s: %v", seed, text, problems)
		}
		folded := Fold(e)
		if height(folded) < height(e) {
			smaller++
		}
		v, vErr := evalIn(t, e, &env)
		w, wErr := evalIn(t, folded, &env)
		if !sameOutcome(v, vErr, w, wErr) {
			t.Fatalf("seed %d: %s: %s %v; folded to %s: %s %v", seed, text, v.Text(), vErr, show(folded), w.Text(), wErr)
		}
		if again := Fold(folded); show(again) != show(folded) {
			t.Fatalf("seed %d: %s: folded twice: %s, then %s", seed, text, show(folded), show(again))
		}
	}
	if smaller < 1000 {
		t.Errorf("seed %d: only %d expressions were folded", seed, smaller)
	}
}

func evalIn(t *testing.T, e *ir.Expr, env *expr.Env) (expr.Value, error) {
	t.Helper()
	f, err := expr.Compile(e)
	if err != nil {
		t.Fatal(err)
	}
	return f.Eval(env)
}

// The parser knows the same function names as the table.
func TestParserKnowsFunctions(t *testing.T) {
	for _, f := range expr.Functions() {
		if !parse.IsFunction(f.Name) {
			t.Errorf("the parser does not know the function %s", f.Name)
		}
	}
}

func FuzzLower(f *testing.F) {
	for _, text := range []string{
		"event.a + 1", "map(event.items, it.x)", "lookup(wallet, 1).a", "LOOKUP_FIELD('wallet', 1, '/a/b')", "true ? 1 / 0 : null",
		"derived.day == resources.fees['a']", "concat('a', uuid())", "entity.x", "System.exit()", "a.b(c)", "1 - -9223372036854775808",
		"floor()", "it", "event", "-(1/3) % 0.7", "event.payload['x'][0]", "f(", "'a' < 'b' && !null",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			t.Skip("the parser's bounds have a test of their own")
		}
		root, parseProblems := parse.Parse(text)
		e, problems := Lower(root, testEnv())
		if (e == nil) == (len(problems) == 0) {
			t.Fatalf("%q: %v %v", text, e, problems)
		}
		if _, isConst, err := Const(root); isConst && err != nil && !errors.As(err, new(*expr.EvalError)) {
			t.Errorf("%q: %v", text, err)
		}
		if e == nil {
			return
		}
		if len(parseProblems) == 0 {
			if _, err := expr.Compile(e, "day"); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
		if _, err := expr.Compile(Fold(e), "day"); err != nil && len(parseProblems) == 0 {
			t.Errorf("%q folded: %v", text, err)
		}
	})
}
