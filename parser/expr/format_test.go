package expr

import (
	"math/rand/v2"
	"testing"

	"github.com/causetc/causetc/spec"
)

// generator makes random trees that a text can have.
type generator struct{ *rand.Rand }

func (g generator) pick(names ...string) string { return names[g.IntN(len(names))] }

func (g generator) leaf() spec.Node {
	switch g.IntN(7) {
	case 0:
		return &spec.Lit{Kind: spec.LitInt, Text: g.pick("0", "7", "9223372036854775807", smallest)}
	case 1:
		return &spec.Lit{Kind: spec.LitDecimal, Text: g.pick("0.5", "1.50", "123456789012345678901234567890.1")}
	case 2:
		return &spec.Lit{Kind: spec.LitString, Text: g.pick("", "it's", `a\b"c"`, "é\n\t\r\u0001\u2028", "😀\U000e0001", "event.x")}
	case 3:
		return &spec.Lit{Kind: spec.LitBool, Text: g.pick("true", "false")}
	case 4:
		return &spec.Lit{Kind: spec.LitNull, Text: "null"}
	}
	return &spec.Ident{Name: g.pick("event", "x", "not", "_a1")}
}

func (g generator) tree(depth int) spec.Node {
	if depth == 0 {
		return g.leaf()
	}
	sub := func() spec.Node { return g.tree(g.IntN(depth)) }
	switch g.IntN(9) {
	case 0:
		return &spec.Member{X: sub(), Name: g.pick("a", "null", "type")}
	case 1:
		return &spec.Index{X: sub(), I: sub()}
	case 2:
		var fn spec.Node = &spec.Ident{Name: g.pick("f", "concat")}
		if g.IntN(3) == 0 {
			fn = &spec.Member{X: fn, Name: "g"}
		}
		c := &spec.Call{Fn: fn, Name: pathText(fn)}
		for range g.IntN(3) {
			c.Args = append(c.Args, sub())
		}
		return c
	case 3:
		return &spec.Unary{Op: g.pick("!", "-"), X: sub()}
	case 4:
		return &spec.Cond{If: sub(), Then: sub(), Else: sub()}
	case 5:
		return &spec.Elvis{X: sub(), Y: sub()}
	}
	op := g.pick("||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%")
	return &spec.Binary{Op: op, X: sub(), Y: sub()}
}

// The written form of any tree is read as the same tree, by the parser and by the declarative grammar.
func TestFormatReparses(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	kinds := map[string]int{}
	for range 1500 {
		n := g.tree(1 + g.IntN(6))
		text := Format(n)
		got, problems := Parse(text)
		if len(problems) > 0 || dump(got) != dump(n) {
			t.Fatalf("seed %d: %s is written as %q, read as %s %v", seed, dump(n), text, dump(got), problems)
		}
		if again := Format(got); again != text {
			t.Fatalf("seed %d: %q is written as %q the second time", seed, text, again)
		}
		compareWithReference(t, text)
		spec.Walk(n, func(n spec.Node) bool {
			kinds[string(dump(n)[0])]++
			return true
		})
	}
	if len(kinds) < 8 {
		t.Errorf("seed %d: too few kinds of nodes: %v", seed, kinds)
	}
}

func TestFormat(t *testing.T) {
	for text, want := range map[string]string{
		"((a))+( b*c )":            "a + b * c",
		"(a+b)*c":                  "(a + b) * c",
		"a-(b-c)":                  "a - (b - c)",
		"(a-b)-c":                  "a - b - c",
		"(a?b:c)?d:(e?f:g)":        "(a ? b : c) ? d : e ? f : g",
		`"it's" == f( a,b )[ 1 ]`:  `'it\'s' == f(a, b)[1]`,
		"(1).x":                    "(1).x",
		"- (-9223372036854775808)": "--9223372036854775808",
		"!(a==b)":                  "!(a == b)",
	} {
		n, problems := Parse(text)
		if got := Format(n); got != want || len(problems) > 0 {
			t.Errorf("%q: got %q %v, want %q", text, got, problems, want)
		}
	}
}
