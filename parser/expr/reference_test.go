package expr

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/causetc/causetc/spec"
)

// The language once more, as a layered participle grammar over a lexer of regular expressions. It is slow and knows one
// error a text, but it is easy to compare with the reference for users.

type (
	expression struct {
		If    *disjunction `parser:"@@"`
		Cond  *conditional `parser:"( @@"`
		Elvis *elvis       `parser:"| @@ )?"`
	}
	conditional struct {
		Then *expression `parser:"'?' @@"`
		Else *expression `parser:"':' @@"`
	}
	elvis struct {
		Else *expression `parser:"'?:' @@"`
	}
	disjunction struct {
		X    *conjunction `parser:"@@"`
		Rest []*or        `parser:"@@*"`
	}
	or struct {
		Y *conjunction `parser:"'||' @@"`
	}
	conjunction struct {
		X    *equality `parser:"@@"`
		Rest []*and    `parser:"@@*"`
	}
	and struct {
		Y *equality `parser:"'&&' @@"`
	}
	equality struct {
		X    *comparison `parser:"@@"`
		Rest []*equal    `parser:"@@*"`
	}
	equal struct {
		Op string      `parser:"@( '==' | '!=' )"`
		Y  *comparison `parser:"@@"`
	}
	comparison struct {
		X    *sum   `parser:"@@"`
		Rest []*ord `parser:"@@*"`
	}
	ord struct {
		Op string `parser:"@( '<=' | '>=' | '<' | '>' )"`
		Y  *sum   `parser:"@@"`
	}
	sum struct {
		X    *product `parser:"@@"`
		Rest []*term  `parser:"@@*"`
	}
	term struct {
		Op string   `parser:"@( '+' | '-' )"`
		Y  *product `parser:"@@"`
	}
	product struct {
		X    *unary    `parser:"@@"`
		Rest []*factor `parser:"@@*"`
	}
	factor struct {
		Op string `parser:"@( '*' | '/' | '%' )"`
		Y  *unary `parser:"@@"`
	}
	unary struct {
		Op string   `parser:"( @( '!' | '-' )"`
		X  *unary   `parser:"@@ )"`
		Y  *postfix `parser:"| @@"`
	}
	postfix struct {
		X    *primary `parser:"@@"`
		Rest []*tail  `parser:"@@*"`
	}
	tail struct {
		Name  string      `parser:"'.' @Name"`
		Index *expression `parser:"| '[' @@ ']'"`
		Call  *arguments  `parser:"| @@"`
	}
	arguments struct {
		Open string        `parser:"@'('"`
		Args []*expression `parser:"( @@ ( ',' @@ )* )? ')'"`
	}
	primary struct {
		Constant string      `parser:"@( 'true' | 'false' | 'null' )"`
		Name     string      `parser:"| @Name"`
		Number   string      `parser:"| @Number"`
		String   string      `parser:"| @String"`
		Group    *expression `parser:"| '(' @@ ')'"`
	}
)

var tokenRules = []lexer.SimpleRule{
	{Name: "Name", Pattern: `[A-Za-z_][A-Za-z0-9_]*`},
	{Name: "Number", Pattern: `[0-9][A-Za-z0-9_.]*`},
	{Name: "String", Pattern: `'([^'\\]|\\(.|\n))*'|"([^"\\]|\\(.|\n))*"`},
	{Name: "Punct", Pattern: `\|\||&&|==|!=|<=|>=|\?:|[-+*/%!<>?:.,()\[\]]`},
	{Name: "Space", Pattern: `[ \t\r\n]+`},
}

var reference = participle.MustBuild[expression](participle.Lexer(lexer.MustSimple(tokenRules)), participle.Elide("Space"))

// referenceParse reads a text by the declarative grammar.
func referenceParse(text string) (n spec.Node, err error) {
	e, err := reference.ParseString("", text)
	if err != nil {
		return nil, err
	}
	c := converter{}
	n = c.expression(e)
	return n, c.err
}

// converter makes trees without places.
type converter struct{ err error }

func (c *converter) fail(format string, args ...any) spec.Node {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
	return &spec.Bad{}
}

func (c *converter) expression(e *expression) spec.Node {
	x := c.disjunction(e.If)
	switch {
	case e.Cond != nil:
		return &spec.Cond{If: x, Then: c.expression(e.Cond.Then), Else: c.expression(e.Cond.Else)}
	case e.Elvis != nil:
		return &spec.Elvis{X: x, Y: c.expression(e.Elvis.Else)}
	}
	return x
}

func (c *converter) disjunction(e *disjunction) spec.Node {
	x := c.conjunction(e.X)
	for _, r := range e.Rest {
		x = &spec.Binary{Op: "||", X: x, Y: c.conjunction(r.Y)}
	}
	return x
}

func (c *converter) conjunction(e *conjunction) spec.Node {
	x := c.equality(e.X)
	for _, r := range e.Rest {
		x = &spec.Binary{Op: "&&", X: x, Y: c.equality(r.Y)}
	}
	return x
}

func (c *converter) equality(e *equality) spec.Node {
	x := c.comparison(e.X)
	for _, r := range e.Rest {
		x = &spec.Binary{Op: r.Op, X: x, Y: c.comparison(r.Y)}
	}
	return x
}

func (c *converter) comparison(e *comparison) spec.Node {
	x := c.sum(e.X)
	for _, r := range e.Rest {
		x = &spec.Binary{Op: r.Op, X: x, Y: c.sum(r.Y)}
	}
	return x
}

func (c *converter) sum(e *sum) spec.Node {
	x := c.product(e.X)
	for _, r := range e.Rest {
		x = &spec.Binary{Op: r.Op, X: x, Y: c.product(r.Y)}
	}
	return x
}

func (c *converter) product(e *product) spec.Node {
	x := c.unary(e.X)
	for _, r := range e.Rest {
		x = &spec.Binary{Op: r.Op, X: x, Y: c.unary(r.Y)}
	}
	return x
}

func (c *converter) unary(e *unary) spec.Node {
	if e.Op == "" {
		return c.postfix(e.Y)
	}
	if p := e.X.Y; e.Op == "-" && p != nil && len(p.Rest) == 0 && p.X.Number == smallest[1:] {
		return &spec.Lit{Kind: spec.LitInt, Text: smallest}
	}
	return &spec.Unary{Op: e.Op, X: c.unary(e.X)}
}

func (c *converter) postfix(e *postfix) spec.Node {
	x := c.primary(e.X)
	for _, t := range e.Rest {
		switch {
		case t.Name != "":
			x = &spec.Member{X: x, Name: t.Name}
		case t.Index != nil:
			x = &spec.Index{X: x, I: c.expression(t.Index)}
		default:
			name := pathText(x)
			if name == "" {
				return c.fail("a call of what is no name")
			}
			call := &spec.Call{Fn: x, Name: name}
			for _, a := range t.Call.Args {
				call.Args = append(call.Args, c.expression(a))
			}
			x = call
		}
	}
	return x
}

var numberForm = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?$`)

func (c *converter) primary(e *primary) spec.Node {
	switch {
	case e.Constant == "null":
		return &spec.Lit{Kind: spec.LitNull, Text: "null"}
	case e.Constant != "":
		return &spec.Lit{Kind: spec.LitBool, Text: e.Constant}
	case e.Name != "":
		return &spec.Ident{Name: e.Name}
	case e.String != "":
		return c.quoted(e.String)
	case e.Group != nil:
		return c.expression(e.Group)
	}
	whole, fraction, isDecimal := strings.Cut(e.Number, ".")
	if !numberForm.MatchString(e.Number) || len(whole) > MaxDigits || len(fraction) > MaxDigits {
		return c.fail("number %s", e.Number)
	}
	if isDecimal {
		return &spec.Lit{Kind: spec.LitDecimal, Text: e.Number}
	}
	if _, err := strconv.ParseInt(e.Number, 10, 64); err != nil {
		return c.fail("number %s", e.Number)
	}
	return &spec.Lit{Kind: spec.LitInt, Text: e.Number}
}

var (
	escapes   = regexp.MustCompile(`\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u.{0,4}|(?s:\\.)`)
	goodPair  = regexp.MustCompile(`^\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}$`)
	goodOne   = regexp.MustCompile(`^\\(u[0-9a-fA-F]{4}|["'\\ntr])$`)
	surrogate = regexp.MustCompile(`^\\u[dD][89a-fA-F]`)
)

// quoted decodes a quoted text by way of JSON.
func (c *converter) quoted(raw string) spec.Node {
	body := raw[1 : len(raw)-1]
	if !utf8.ValidString(body) || strings.Contains(body, "\x00") {
		return c.fail("not text")
	}
	var b strings.Builder
	last := 0
	plain := func(s string) {
		j, _ := json.Marshal(s)
		b.Write(j[1 : len(j)-1])
	}
	for _, m := range escapes.FindAllStringIndex(body, -1) {
		e := body[m[0]:m[1]]
		plain(body[last:m[0]])
		last = m[1]
		if !goodPair.MatchString(e) && (!goodOne.MatchString(e) || surrogate.MatchString(e)) || e == `\u0000` {
			return c.fail("escape %s", e)
		}
		b.WriteString(strings.Replace(e, `\'`, `'`, 1))
	}
	plain(body[last:])
	var text string
	if err := json.Unmarshal([]byte(`"`+b.String()+`"`), &text); err != nil {
		return c.fail("text %s: %v", raw, err)
	}
	return &spec.Lit{Kind: spec.LitString, Text: text}
}

// dump writes a tree without its places, so that two of them can be compared.
func dump(n spec.Node) string {
	switch n := n.(type) {
	case *spec.Ident:
		return n.Name
	case *spec.Member:
		return "(. " + dump(n.X) + " " + n.Name + ")"
	case *spec.Index:
		return "(index " + dump(n.X) + " " + dump(n.I) + ")"
	case *spec.Call:
		args := ""
		for _, a := range n.Args {
			args += " " + dump(a)
		}
		return "(call " + n.Name + ":" + dump(n.Fn) + args + ")"
	case *spec.Unary:
		return "(" + n.Op + " " + dump(n.X) + ")"
	case *spec.Binary:
		return "(" + n.Op + " " + dump(n.X) + " " + dump(n.Y) + ")"
	case *spec.Cond:
		return "(? " + dump(n.If) + " " + dump(n.Then) + " " + dump(n.Else) + ")"
	case *spec.Elvis:
		return "(?: " + dump(n.X) + " " + dump(n.Y) + ")"
	case *spec.Lit:
		return [...]string{"int", "decimal", "string", "bool", "null"}[n.Kind] + ":" + strconv.Quote(n.Text)
	}
	return "<bad>"
}

// compareWithReference fails where the parser and the declarative grammar disagree about a text.
func compareWithReference(t *testing.T, text string) {
	t.Helper()
	got, problems := parseAny(text)
	if len(problems) > 0 && problems[0].limit {
		return
	}
	want, err := referenceParse(text)
	switch {
	case err != nil && len(problems) == 0:
		t.Errorf("%q: accepted as %s, but the reference says: %v", text, dump(got), err)
	case err == nil && len(problems) > 0:
		t.Errorf("%q: the reference accepts it as %s, the parser says: %v", text, dump(want), problems)
	case err == nil && dump(got) != dump(want):
		t.Errorf("%q:\n  got  %s\n  want %s", text, dump(got), dump(want))
	}
	if short, problems2 := Parse(text); dump(short) != dump(got) || len(problems2) != len(problems) {
		t.Errorf("%q: the short cut gives %s, not %s", text, dump(short), dump(got))
	}
}
