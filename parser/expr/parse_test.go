package expr

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/causetc/causetc/spec"
)

// correct holds correct texts with their trees.
var correct = []struct{ text, tree string }{
	{"event.owner", "(. event owner)"},
	{" a . b\t.\nc\r", "(. (. a b) c)"},
	{"event.type", "(. event type)"},
	{"x.null.true.not", "(. (. (. x null) true) not)"},
	{"resources.fees['gold'].rate", `(. (index (. resources fees) string:"gold") rate)`},
	{"a || b && c == d < e + f * -g", "(|| a (&& b (== c (< d (+ e (* f (- g)))))))"},
	{"-a * b + c < d == e && f || g", "(|| (&& (== (< (+ (* (- a) b) c) d) e) f) g)"},
	{"a - b - c", "(- (- a b) c)"},
	{"a / b % c * d", "(* (% (/ a b) c) d)"},
	{"a < b < c", "(< (< a b) c)"},
	{"a == b != c", "(!= (== a b) c)"},
	{"a - (b - c)", "(- a (- b c))"},
	{"!!a", "(! (! a))"},
	{"- -1", "(- (- int:\"1\"))"},
	{"a--1", `(- a (- int:"1"))`},
	{"!a.b[c](d)", ""},
	{"!a.b == c", "(== (! (. a b)) c)"},
	{"a ? b : c ? d : e", "(? a b (? c d e))"},
	{"a ? b ? c : d : e", "(? a (? b c d) e)"},
	{"a ?: b ?: c", "(?: a (?: b c))"},
	{"a ?: b ? c : d", "(?: a (? b c d))"},
	{"a ? b ?: c : d ?: e", "(? a (?: b c) (?: d e))"},
	{"a || b ? c : d", "(? (|| a b) c d)"},
	{"c?'a':'b'", `(? c string:"a" string:"b")`},
	{"f()", "(call f:f)"},
	{"concat('a', event.x, 1)", `(call concat:concat string:"a" (. event x) int:"1")`},
	{"lookup(wallet, event.id).visible.balance", "(. (. (call lookup:lookup wallet (. event id)) visible) balance)"},
	{"Math.random()", "(call Math.random:(. Math random))"},
	{"map(a.b, it.c)[0]", `(index (call map:map (. a b) (. it c)) int:"0")`},
	{"0", `int:"0"`},
	{"9223372036854775807", `int:"9223372036854775807"`},
	{"-9223372036854775808", `int:"-9223372036854775808"`},
	{"- 9223372036854775808", `int:"-9223372036854775808"`},
	{"1 - -9223372036854775808", `(- int:"1" int:"-9223372036854775808")`},
	{"0.10", `decimal:"0.10"`},
	{"1234567890123456789012345678901234567890.5", `decimal:"1234567890123456789012345678901234567890.5"`},
	{`"it's"`, `string:"it's"`},
	{`'say "hi"'`, `string:"say \"hi\""`},
	{`'\\ \' \" \n\t\r \u00e9 \ud83d\ude00'`, `string:"\\ ' \" \n\t\r é 😀"`},
	{"'größe'", `string:"größe"`},
	{"true && false", `(&& bool:"true" bool:"false")`},
	{"null ?: ''", `(?: null:"null" string:"")`},
	{"'a'.size", `(. string:"a" size)`},
}

func TestParseCorrect(t *testing.T) {
	for _, c := range correct {
		if c.tree == "" {
			continue
		}
		n, problems := Parse(c.text)
		if len(problems) > 0 || dump(n) != c.tree {
			t.Errorf("%q: got %s %v, want %s", c.text, dump(n), problems, c.tree)
		}
	}
}

// wrong holds wrong texts; each problem is written as the bytes at fault, a bar and a part of the message.
var wrong = []struct {
	text     string
	problems []string
}{
	{"", []string{"|expected an expression"}},
	{" \n", []string{"|expected an expression"}},
	{"a +", []string{"+|a value after `+`"}},
	{"a + * b", []string{"*|a value before `*`"}},
	{"(a + ) * (", []string{"+|after `+`", "(|never closed"}},
	{"f(", []string{"(|never closed"}},
	{"(a", []string{"(|`)` is missing"}},
	{"a[1", []string{"[|`]` is missing"}},
	{"f(a, b", []string{"(|`)` is missing"}},
	{"(a]", []string{"]|expected `)`"}},
	{"a[b)", []string{")|expected `]`"}},
	{"a)", []string{")|closes nothing"}},
	{"a) + ", []string{")|closes nothing", "+|after `+`"}},
	{"a, b = c", []string{",|arguments", "=|`==`"}},
	{"(a, b)", []string{",|arguments"}},
	{"a : b", []string{":|condition ? one : other"}},
	{"a ? b", []string{"?|needs a `:`"}},
	{"a ? : b", []string{"?|after `?`"}},
	{"a ? b :", []string{":|after `:`"}},
	{"f(a,)", []string{",|another argument"}},
	{"f(a b)", []string{"b|operator before `b`"}},
	{"a b c + d e", []string{"b|before `b`", "e|before `e`"}},
	{"a b(c, d) && e = 1", []string{"b|before `b`", "=|`==`"}},
	{"a = b", []string{"=|write `==` instead of `=`"}},
	{"a === b !== c", []string{"===|`==`", "!==|`!=`"}},
	{"a <> b", []string{"<>|`!=`"}},
	{"a and b or not c", []string{"and|`&&`", "or|`||`", "not|`!`"}},
	{"a AND b", []string{"AND|`&&`"}},
	{"a & b | c", []string{"&|`&&`", "||`||`"}},
	{"a ?? b", []string{"??|`?:`"}},
	{"a?.b", []string{"?.|write `.`"}},
	{"a is null", []string{"is|`==`"}},
	{"a ≥ b − 1", []string{"≥|`>=`", "−|`-`"}},
	{"a ** b", []string{"**|no operator `**`"}},
	{"'unterminated", []string{"'|never closed"}},
	{`event.x == "abc`, []string{`"|never closed`}},
	{`'abc\'`, []string{"'|never closed"}},
	{`a 'b`, []string{"'|never closed"}},
	{`'\q' + '\u12' + '\ud800' + '\u0000'`, []string{`\q|unknown escape`, `\u|four hexadecimal`, `\ud800|half a character`, `\u0000|U+0000`}},
	{"9223372036854775808", []string{"9223372036854775808|64 bits"}},
	{"-9223372036854775809", []string{"9223372036854775809|64 bits"}},
	{"1e5", []string{"1e5|no exponents"}},
	{"1.", []string{"1.|both sides"}},
	{".5 + 1", []string{".|starts with a digit"}},
	{"007", []string{"007|leading zeros"}},
	{"1.2.3", []string{"1.2.3|neither a number"}},
	{"12ab", []string{"12ab|neither a number"}},
	{strings.Repeat("9", 1001) + ".5", []string{strings.Repeat("9", 1001) + ".5|at most 1000 digits"}},
	{"a.", []string{".|a name after `.`"}},
	{"a..b", []string{".|a name after `.`"}},
	{"a.0", []string{"0|brackets"}},
	{"a.'b'", []string{"'b'|['b']"}},
	{"[1]", []string{"[|no lists"}},
	{"(a + b)(c)", []string{"(|only a function's name"}},
	{"é + 1", []string{"é|not a name"}},
	{"naïve", []string{"naïve|not a name"}},
	{"a\x00b", []string{"\x00|U+0000"}},
	{"a + \xff + b = c", []string{"\xff|0xFF", "=|`==`"}},
	{"'a\xffb'", []string{"\xff|0xFF"}},
	{"'a\x00b'", []string{"\x00|U+0000"}},
	{"a\u00a0+ b", []string{"\u00a0|unusual space (U+00A0)"}},
	{"\u00a0\u00a0a = b", []string{"\u00a0|unusual space", "\u00a0|unusual space", "=|`==`"}},
	{"’a’ = b", []string{"’|not a quote", "=|`==`"}},
	{"{{ a }}", []string{"{{|braces"}},
	{"a # b", []string{"#|comment"}},
	{"()", []string{"(|a value after `(`"}},
	{"x[]", []string{"[|a value after `[`"}},
	{strings.Repeat("(", 101) + "a" + strings.Repeat(")", 101), []string{"(|100 levels"}},
	{strings.Repeat("-", 101) + "a", []string{"-|100 levels"}},
	{strings.Repeat("f(", 102) + strings.Repeat(")", 101), []string{"(|100 levels"}},
}

func TestParseWrong(t *testing.T) {
	for _, c := range wrong {
		_, problems := Parse(c.text)
		if len(problems) != len(c.problems) {
			t.Errorf("%q: got %v, want %q", c.text, problems, c.problems)
			continue
		}
		for i, p := range problems {
			at, message := cutLast(c.problems[i])
			if got := c.text[p.Range.From:p.Range.To]; got != at || !strings.Contains(p.Message, message) || p.Warning {
				t.Errorf("%q: got %q %s, want %q %s", c.text, got, p.Message, at, message)
			}
		}
	}
}

// cutLast cuts at the bar that ends the bytes at fault, which may be bars themselves.
func cutLast(s string) (before, after string) {
	if strings.HasPrefix(s, "||") {
		return s[:1], s[2:]
	}
	before, after, _ = strings.Cut(s, "|")
	return before, after
}

// Applying the fixes of a text makes it correct.
func TestFixes(t *testing.T) {
	for text, want := range map[string]string{
		"a = b":            "a == b",
		"a and not b":      "a && !b",
		"a or b":           "a || b",
		"a <> b":           "a != b",
		"a ?? b":           "a ?: b",
		"a?.b?.c":          "a.b.c",
		"a === b & c =< d": "a == b && c <= d",
		"x mod 2 eq 0":     "x % 2 == 0",
	} {
		_, problems := Parse(text)
		fixed := text
		for i := len(problems) - 1; i >= 0; i-- {
			f := problems[i].Fix
			if f == nil {
				t.Fatalf("%q: no fix for %v", text, problems[i])
			}
			fixed = fixed[:f.Range.From] + f.New + fixed[f.Range.To:]
		}
		if _, rest := Parse(fixed); fixed != want || len(rest) > 0 {
			t.Errorf("%q: fixed to %q %v, want %q", text, fixed, rest, want)
		}
	}
}

// What follows a mistake keeps its tree, so that it can be checked further.
func TestRecoveredTrees(t *testing.T) {
	for text, want := range map[string]string{
		"a = b and c":             "(&& (== a b) c)",
		"a + * b":                 "(+ a (* <bad> b))",
		"(event.x":                "(. event x)",
		"a ? b":                   "(? a b <bad>)",
		"a?.b":                    "(. a b)",
		"f(a,":                    "(call f:f a <bad>)",
		"a &&":                    "(&& a <bad>)",
		"a ?? b":                  "(?: a b)",
		"x == 'a && b":            "(== x <bad>)",
		"event.x andd y":          "<bad>",
		"a b + c":                 "(+ <bad> c)",
		"1e5 + event.x":           "(+ <bad> (. event x))",
		"9999999999999999999 < x": "(< <bad> x)",
	} {
		if n, problems := Parse(text); dump(n) != want || len(problems) == 0 {
			t.Errorf("%q: got %s %v, want %s", text, dump(n), problems, want)
		}
	}
}

// Each range of a tree covers exactly the text of its node.
func TestRanges(t *testing.T) {
	text := "( a + b ) * f ( x.y , -1 ) ? c [ 'k' ] : d ?: e"
	n, problems := Parse(text)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var got []string
	spec.Walk(n, func(n spec.Node) bool {
		r := n.Range()
		got = append(got, text[r.From:r.To])
		if b, ok := n.(*spec.Binary); ok {
			got = append(got, "op "+text[b.OpAt.From:b.OpAt.To])
		}
		if m, ok := n.(*spec.Member); ok {
			got = append(got, "name "+text[m.NameAt.From:m.NameAt.To])
		}
		return true
	})
	want := []string{
		text, "( a + b ) * f ( x.y , -1 )", "op *", "a + b", "op +", "a", "b", "f ( x.y , -1 )", "f", "x.y", "name y", "x", "-1", "1",
		"c [ 'k' ]", "c", "'k'", "d ?: e", "d", "e",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Huge texts get one problem, and take no more memory than a small multiple of what the bound allows.
func TestBounds(t *testing.T) {
	for name, text := range map[string]string{
		"open parentheses, too long": strings.Repeat("(", 200_000),
		"open parentheses":           strings.Repeat("(", MaxLength),
		"open brackets":              "a" + strings.Repeat("[", MaxLength-1),
		"calls":                      strings.Repeat("f(", MaxLength/2),
		"not":                        strings.Repeat("!", MaxLength),
		"conditionals":               strings.Repeat("a?", MaxLength/2),
		"a long sum":                 strings.Repeat("1+", MaxLength/2-1) + "1",
		"a long path":                "a" + strings.Repeat(".a", MaxLength/2-1),
		"a long pipeline of elvis":   strings.Repeat("a?:", MaxLength/3),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, problems := Parse(text)
		runtime.ReadMemStats(&after)
		if len(problems) != 1 || n == nil {
			t.Errorf("%s: %d problems, want 1: %.300v", name, len(problems), problems)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
			t.Errorf("%s: allocated %d MiB", name, used>>20)
		}
	}
	ParseValue(strings.Repeat(`\'`, MaxLength/2), nil) // linear, or this hangs
	if _, problems := Parse(strings.Repeat("a b, ", 1000)); len(problems) != maxProblems {
		t.Errorf("%d problems of one text, want %d", len(problems), maxProblems)
	}
	for _, text := range []string{
		strings.Repeat("(", MaxNesting) + "a" + strings.Repeat(")", MaxNesting),
		strings.Repeat("a + ", MaxHeight-1) + "a",
		"a" + strings.Repeat(".a", MaxHeight-1),
	} {
		if _, problems := Parse(text); len(problems) > 0 {
			t.Errorf("%.20q...: %v", text, problems)
		}
	}
}

func ExampleParse() {
	_, problems := Parse("event.amount = 3 and (entity.open")
	for _, p := range problems {
		fmt.Println(p.Range.From, p.Message)
	}
	// Output:
	// 13 write `==` instead of `=`
	// 17 write `&&` instead of `and`
	// 21 `(` is never closed: `)` is missing
}
