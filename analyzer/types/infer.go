package types

import (
	"fmt"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// ProblemKind tells what is wrong inside of an expression.
type ProblemKind uint8

// The kinds of problems.
const (
	BadOperand   ProblemKind = iota // an operator on a kind that it does not take
	BadArgument                     // a function with an argument that it does not take
	BadTest                         // the condition of ? : is no boolean
	NoMember                        // a member of what has none, or not that one
	UnknownPath                     // a path that a state neither declares nor is written
	ZeroDivision                    // a constant zero to divide by
	BadCount                        // a constant number that is out of range
)

// Problem is a part of an expression that fails for every value but null.
type Problem struct {
	Kind    ProblemKind
	Site    *sites.Site
	At      spec.Range // in the text of the site's expression
	Message string
	Name    string   // of NoMember and UnknownPath: the name that is not there
	Known   []string // what could stand there instead
	Of      string   // what lacks the name
	Loose   bool     // the name is wrong only where it is nearly one of those
}

// checker types one expression.
type checker struct {
	in     *Info
	site   *sites.Site
	it     *Type // what `it` means inside of map()
	report bool
}

func (c *checker) problem(k ProblemKind, at spec.Range, format string, args ...any) {
	if c.report {
		c.in.Problems = append(c.in.Problems, Problem{Kind: k, Site: c.site, At: at, Message: fmt.Sprintf(format, args...)})
	}
}

// text returns how the author wrote a node.
func (c *checker) text(n spec.Node) string { return Text(c.site.Expr, n) }

// Text returns how the author wrote a node of an expression, shortened.
func Text(e *spec.Expr, n spec.Node) string {
	r := n.Range()
	if e == nil || r.From < 0 || int(r.To) > len(e.Src.Value) || r.From >= r.To {
		return "this"
	}
	text := []rune(e.Src.Value[r.From:r.To])
	if len(text) > 60 {
		return string(text[:57]) + "..."
	}
	return string(text)
}

// value types a value that is not necessarily typed yet.
func (c *checker) value(v *spec.Value) Type {
	switch v.Kind {
	case spec.ValueExpr:
		if v.Expr == nil || v.Expr.Root == nil {
			return Any()
		}
		inner := *c.site
		inner.Expr = v.Expr
		sub := checker{in: c.in, site: &inner}
		return sub.typeOf(v.Expr.Root)
	case spec.ValueConst:
		return constantType(v, "")
	case spec.ValueMap:
		return kind(expr.TypeObject)
	}
	return kind(expr.TypeArray)
}

func (c *checker) typeOf(n spec.Node) Type {
	switch n := n.(type) {
	case *spec.Lit:
		return Literal(n)
	case *spec.Ident:
		return c.ident(n)
	case *spec.Member:
		return c.member(n)
	case *spec.Index:
		return c.index(n)
	case *spec.Call:
		return c.call(n)
	case *spec.Unary:
		return c.unary(n)
	case *spec.Binary:
		return c.binary(n)
	case *spec.Cond:
		c.test(n.If)
		return Join(c.typeOf(n.Then), c.typeOf(n.Else))
	case *spec.Elvis:
		return Join(c.typeOf(n.X), c.typeOf(n.Y))
	}
	return Any()
}

// test types the condition of ? :.
func (c *checker) test(n spec.Node) {
	if t := c.typeOf(n); !t.MayBeBool() {
		c.problem(BadTest, n.Range(), "%s is %s, and what stands before ? must be true or false; %s", c.text(n), t.A(), CompareHint(t, c.text(n)))
	}
}

// CompareHint says how to make a condition of a value.
func CompareHint(t Type, text string) string {
	switch {
	case t.Kind == expr.TypeString:
		return "compare it, as in " + text + " != ''"
	case t.IsNumber():
		return "compare it, as in " + text + " > 0"
	case t.Kind == expr.TypeArray:
		return "write size(" + text + ") > 0"
	}
	return "write " + text + " != null to ask whether it is there"
}

func (c *checker) ident(n *spec.Ident) Type {
	s := c.site
	switch {
	case n.Name == "it":
		return c.itType()
	case s.Bound[n.Name]:
		return c.in.bound(s.Action, n.Name)
	case n.Name == "item":
		return c.in.item(s)
	}
	return Any() // a word, which has a rule of its own, or a field of the item at hand
}

func (c *checker) itType() Type {
	switch {
	case c.it != nil:
		return *c.it
	case c.site.Action != nil && c.site.Op != nil:
		switch c.site.Place {
		case sites.OpWhere, sites.OpBy, sites.OpValue:
			return c.in.Item(c.site.Action, c.site.Op)
		}
	}
	return Any()
}

func (c *checker) unary(n *spec.Unary) Type {
	t := c.typeOf(n.X)
	if n.Op == "!" {
		if !t.MayBeBool() {
			c.problem(BadOperand, n.X.Range(), "%s is %s, and ! turns only true and false around; %s", c.text(n.X), t.A(), CompareHint(t, c.text(n.X)))
		}
		return kind(expr.TypeBool)
	}
	if !t.MayBeNumber() {
		c.problem(BadOperand, n.X.Range(), "%s is %s, and - takes a number", c.text(n.X), t.A())
		return Any()
	}
	if t.Kind == expr.TypeInt {
		return kind(expr.TypeInt)
	}
	return kind(expr.TypeDecimal)
}

func (c *checker) binary(n *spec.Binary) Type {
	left, right := c.typeOf(n.X), c.typeOf(n.Y)
	switch n.Op {
	case "&&", "||":
		c.logical(n, n.X, left)
		c.logical(n, n.Y, right)
		return kind(expr.TypeBool)
	case "==", "!=":
		if !left.Comparable(right) {
			c.differ(n, left, right)
		}
		return kind(expr.TypeBool)
	case "<", "<=", ">", ">=":
		c.ordering(n, left, right)
		return kind(expr.TypeBool)
	}
	return c.arithmetic(n, left, right)
}

func (c *checker) logical(n *spec.Binary, operand spec.Node, t Type) {
	if !t.MayBeBool() {
		c.problem(BadOperand, operand.Range(), "%s is %s, and %s takes true or false on both sides; %s",
			c.text(operand), t.A(), n.Op, CompareHint(t, c.text(operand)))
	}
}

func (c *checker) differ(n *spec.Binary, left, right Type) {
	c.problem(BadOperand, n.Where, "%s is %s and %s is %s, so %s fails for every value; compare values of one kind%s",
		c.text(n.X), left.A(), c.text(n.Y), right.A(), n.Op, quoteHint(n, left, right))
}

// quoteHint notices a number that is compared with its own text.
func quoteHint(n *spec.Binary, left, right Type) string {
	for _, side := range []struct {
		n     spec.Node
		other Type
	}{{n.Y, left}, {n.X, right}} {
		lit, ok := side.n.(*spec.Lit)
		switch {
		case !ok:
		case lit.Kind == spec.LitString && side.other.IsNumber() && isNumber(lit.Text):
			return ": write " + lit.Text + " without quotes"
		case lit.Kind == spec.LitString && side.other.Kind == expr.TypeBool && (lit.Text == "true" || lit.Text == "false"):
			return ": write " + lit.Text + " without quotes"
		case side.other.Kind == expr.TypeString && (lit.Kind == spec.LitInt || lit.Kind == spec.LitDecimal || lit.Kind == spec.LitBool):
			return ": a text needs quotes, as in '" + lit.Text + "'"
		}
	}
	return ""
}

func isNumber(text string) bool {
	_, err := expr.ParseNumber(text)
	return err == nil
}

func (c *checker) ordering(n *spec.Binary, left, right Type) {
	for _, side := range []struct {
		n spec.Node
		t Type
	}{{n.X, left}, {n.Y, right}} {
		if t := side.t; !t.MayBeNumber() && t.Kind != expr.TypeString {
			hint := ""
			if t.Kind == expr.TypeArray {
				hint = "; its length is size(" + c.text(side.n) + ")"
			}
			c.problem(BadOperand, side.n.Range(), "%s is %s, and %s orders only numbers and texts%s", c.text(side.n), t.A(), n.Op, hint)
			return
		}
	}
	if !left.Comparable(right) {
		c.differ(n, left, right)
	}
}

func (c *checker) arithmetic(n *spec.Binary, left, right Type) Type {
	if id, word := n.Y.(*spec.Ident); word && n.Op == "/" && !c.site.Bound[id.Name] {
		return Any() // a slash path, which the rule on names reports
	}
	ok := c.number(n, n.X, left, right)
	ok = ok && c.number(n, n.Y, right, left)
	if n.Op == "/" || n.Op == "%" {
		c.zero(n)
	}
	switch {
	case !ok:
		return Any()
	case n.Op != "/" && left.Kind == expr.TypeInt && right.Kind == expr.TypeInt:
		c.overflow(n)
		return kind(expr.TypeInt)
	}
	return kind(expr.TypeDecimal)
}

// number checks an operand of an arithmetic operator.
func (c *checker) number(n *spec.Binary, operand spec.Node, t, other Type) bool {
	if t.MayBeNumber() {
		return true
	}
	hint := ""
	if n.Op == "+" && (t.Kind == expr.TypeString || other.Kind == expr.TypeString) {
		hint = fmt.Sprintf("; to join texts write concat(%s, %s)", c.text(n.X), c.text(n.Y))
	}
	c.problem(BadOperand, operand.Range(), "%s is %s, and %s takes numbers%s", c.text(operand), t.A(), n.Op, hint)
	return false
}

// overflow reports a result of two constant integers that is none of 64 bits.
func (c *checker) overflow(n *spec.Binary) {
	if n.Op == "%" {
		return
	}
	_, left := ConstantOf(n.X)
	_, right := ConstantOf(n.Y)
	if _, ok := ConstantOf(n); left && right && !ok {
		c.problem(BadCount, n.Range(), "%s does not fit into the 64 bits of an integer, so it always fails; write a smaller number, or a decimal such as 1.0", c.text(n))
	}
}

// zero reports a division by a constant zero.
func (c *checker) zero(n *spec.Binary) {
	if v, ok := ConstantOf(n.Y); ok && v.IsNumber() && v.Equal(expr.Int(0)) {
		c.problem(ZeroDivision, n.Y.Range(), "%s divides by zero, which fails for every value; divide by something else, or guard it with ? :", c.text(n))
	}
}
