package expr

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"github.com/causetc/causetc/spec"
)

// Evaluate computes an expression of literals only, exactly as a worker would: integers have 64 bits, decimals are
// exact, a quotient that is not an integer has 34 digits. The problem says where and why there is no value.
func Evaluate(n spec.Node) (*spec.Lit, *Problem) {
	switch n := n.(type) {
	case *spec.Lit:
		return n, nil
	case *spec.Unary:
		x, problem := Evaluate(n.X)
		if problem != nil {
			return nil, problem
		}
		return evaluateUnary(n, x)
	case *spec.Binary:
		return evaluateBinary(n)
	case *spec.Cond:
		c, problem := evaluateCondition(n.If)
		switch {
		case problem != nil:
			return nil, problem
		case c:
			return Evaluate(n.Then)
		}
		return Evaluate(n.Else)
	case *spec.Elvis:
		if x, problem := Evaluate(n.X); problem != nil || x.Kind != spec.LitNull {
			return x, problem
		}
		return Evaluate(n.Y)
	}
	return nil, problemf(n, "this is not a constant")
}

func problemf(n spec.Node, format string, args ...any) *Problem {
	return &Problem{Range: n.Range(), Message: fmt.Sprintf(format, args...)}
}

// evaluateCondition computes a condition: null is false.
func evaluateCondition(n spec.Node) (bool, *Problem) {
	x, problem := Evaluate(n)
	if problem != nil {
		return false, problem
	}
	if x.Kind != spec.LitBool && x.Kind != spec.LitNull {
		return false, problemf(n, "expected true or false here, not %s", describe(x))
	}
	return x.Text == "true" && x.Kind == spec.LitBool, nil
}

func evaluateUnary(n *spec.Unary, x *spec.Lit) (*spec.Lit, *Problem) {
	if n.Op == "!" {
		c, problem := evaluateCondition(n.X)
		return boolLit(n, !c), problem
	}
	switch x.Kind {
	case spec.LitNull:
		return x, nil
	case spec.LitInt:
		if x.Text == smallest {
			return nil, overflow(n)
		}
		i, _ := strconv.ParseInt(x.Text, 10, 64)
		return intLit(n, -i), nil
	case spec.LitDecimal:
		d := decimal(x)
		return decimalLit(n, d.Neg(d))
	}
	return nil, problemf(n.X, "`-` needs a number, not %s", describe(x))
}

func evaluateBinary(n *spec.Binary) (*spec.Lit, *Problem) {
	if n.Op == "&&" || n.Op == "||" {
		x, problem := evaluateCondition(n.X)
		if problem != nil || x == (n.Op == "||") {
			return boolLit(n, x), problem
		}
		y, problem := evaluateCondition(n.Y)
		return boolLit(n, y), problem
	}
	x, problem := Evaluate(n.X)
	if problem != nil {
		return nil, problem
	}
	y, problem := Evaluate(n.Y)
	if problem != nil {
		return nil, problem
	}
	switch n.Op {
	case "==", "!=", "<", "<=", ">", ">=":
		return compare(n, x, y)
	}
	return arithmetic(n, x, y)
}

func compare(n *spec.Binary, x, y *spec.Lit) (*spec.Lit, *Problem) {
	equality := n.Op == "==" || n.Op == "!="
	for _, l := range [...]*spec.Lit{x, y} {
		if l.Kind == spec.LitBool && !equality {
			return nil, problemf(n, "`%s` orders numbers or texts, not %s", n.Op, describe(l))
		}
	}
	if x.Kind == spec.LitNull || y.Kind == spec.LitNull {
		if !equality {
			return nullLit(n), nil
		}
		return boolLit(n, (x.Kind == y.Kind) == (n.Op == "==")), nil
	}
	var order int
	switch {
	case isNumber(x) && isNumber(y):
		order = decimal(x).Cmp(decimal(y))
	case x.Kind == y.Kind: // strings by code points
		order = cmp.Compare(x.Text, y.Text)
	default:
		return nil, problemf(n, "can't compare %s with %s", describe(x), describe(y))
	}
	return boolLit(n, holds(n.Op, order)), nil
}

// holds tells whether a comparison is true of two values in that order.
func holds(op string, order int) bool {
	switch op {
	case "==":
		return order == 0
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

func arithmetic(n *spec.Binary, x, y *spec.Lit) (*spec.Lit, *Problem) {
	switch {
	case x.Kind == spec.LitNull && (isNumber(y) || y.Kind == spec.LitNull), y.Kind == spec.LitNull && isNumber(x):
		return nullLit(n), nil
	case !isNumber(x):
		return nil, problemf(n.X, "`%s` needs numbers, not %s%s", n.Op, describe(x), joinHint(n.Op))
	case !isNumber(y):
		return nil, problemf(n.Y, "`%s` needs numbers, not %s%s", n.Op, describe(y), joinHint(n.Op))
	case (n.Op == "/" || n.Op == "%") && decimal(y).IsZero():
		return nil, problemf(n, "division by zero")
	case x.Kind == spec.LitInt && y.Kind == spec.LitInt:
		a, _ := strconv.ParseInt(x.Text, 10, 64)
		b, _ := strconv.ParseInt(y.Text, 10, 64)
		return integers(n, a, b)
	}
	return decimals(n, decimal(x), decimal(y))
}

func joinHint(op string) string {
	if op == "+" {
		return "; texts are joined by concat(a, b)"
	}
	return ""
}

func integers(n *spec.Binary, a, b int64) (*spec.Lit, *Problem) {
	var r int64
	ok := true
	switch n.Op {
	case "+":
		r = a + b
		ok = (r > a) == (b > 0)
	case "-":
		r = a - b
		ok = (r < a) == (b > 0)
	case "*":
		r = a * b
		ok = a == 0 || r/a == b && !(a == -1 && b == math.MinInt64)
	case "%":
		r = a % b
	default:
		if a%b != 0 {
			return decimals(n, apd.New(a, 0), apd.New(b, 0))
		}
		r = a / b
		ok = !(a == math.MinInt64 && b == -1)
	}
	if !ok {
		return nil, overflow(n)
	}
	return intLit(n, r), nil
}

func overflow(n spec.Node) *Problem {
	return problemf(n, "the result does not fit an integer's 64 bits; with a decimal such as 1.0 in it, it is exact")
}

func decimals(n *spec.Binary, a, b *apd.Decimal) (*spec.Lit, *Problem) {
	exact := apd.BaseContext
	quotient := apd.BaseContext.WithPrecision(34)
	quotient.Rounding = apd.RoundHalfEven
	d := new(apd.Decimal)
	var err error
	switch n.Op {
	case "+":
		_, err = exact.Add(d, a, b)
	case "-":
		_, err = exact.Sub(d, a, b)
	case "*":
		_, err = exact.Mul(d, a, b)
	case "%":
		_, err = exact.WithPrecision(4*MaxDigits+1).Rem(d, a, b)
	default:
		_, err = quotient.Quo(d, a, b)
	}
	if err != nil {
		return nil, problemf(n, "this has no value: %v", err)
	}
	return decimalLit(n, d)
}

func isNumber(l *spec.Lit) bool { return l.Kind == spec.LitInt || l.Kind == spec.LitDecimal }

// decimal returns the value of a number.
func decimal(l *spec.Lit) *apd.Decimal {
	d, _, _ := apd.NewFromString(l.Text)
	return d
}

func boolLit(n spec.Node, b bool) *spec.Lit {
	return &spec.Lit{Where: n.Range(), Kind: spec.LitBool, Text: strconv.FormatBool(b)}
}

func intLit(n spec.Node, i int64) *spec.Lit {
	return &spec.Lit{Where: n.Range(), Kind: spec.LitInt, Text: strconv.FormatInt(i, 10)}
}

func nullLit(n spec.Node) *spec.Lit {
	return &spec.Lit{Where: n.Range(), Kind: spec.LitNull, Text: "null"}
}

// decimalLit returns a decimal in its plain text: no exponent, no trailing zeros.
func decimalLit(n spec.Node, d *apd.Decimal) (*spec.Lit, *Problem) {
	text := d.Text('f')
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if len(whole) > MaxDigits || len(fraction) > MaxDigits {
		return nil, problemf(n, "the result has more than %d digits before or after the decimal point", MaxDigits)
	}
	if d.IsZero() { // which has a sign and an exponent, too
		text = "0"
	}
	return &spec.Lit{Where: n.Range(), Kind: spec.LitDecimal, Text: text}, nil
}

// describe names a constant in a message.
func describe(l *spec.Lit) string {
	switch l.Kind {
	case spec.LitString:
		return "the text '" + short(l.Text) + "'"
	case spec.LitNull:
		return "null"
	}
	return short(l.Text)
}
