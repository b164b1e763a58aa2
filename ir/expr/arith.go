package expr

import (
	"math"
	"math/bits"

	"github.com/cockroachdb/apd/v3"
)

// QuotientDigits is how many significant digits a quotient has that is not an integer of two integers; it is rounded half
// to even there.
const QuotientDigits = 34

// Add returns v + w: of two integers an integer (CodeOverflow beyond 64 bits), else the exact decimal. Null if one of
// them is null or missing; CodeType for anything but numbers. Sub, Mul, Div, Rem and Neg follow the same rules.
func Add(v, w Value) (Value, error) {
	if null, err := operands("+", v, w); null || err != nil {
		return Null(), err
	}
	if v.kind == KindInt && w.kind == KindInt {
		sum := v.n + w.n
		if (sum > v.n) != (w.n > 0) {
			return Value{}, errOverflow("+", v, w)
		}
		return Int(sum), nil
	}
	var a, b, sum apd.Decimal
	if _, err := apd.BaseContext.Add(&sum, v.decimal(&a), w.decimal(&b)); err != nil {
		return Value{}, errNumberRange()
	}
	return Decimal(&sum)
}

// Sub returns v - w.
func Sub(v, w Value) (Value, error) {
	if null, err := operands("-", v, w); null || err != nil {
		return Null(), err
	}
	if v.kind == KindInt && w.kind == KindInt {
		difference := v.n - w.n
		if (difference < v.n) != (w.n > 0) {
			return Value{}, errOverflow("-", v, w)
		}
		return Int(difference), nil
	}
	var a, b, difference apd.Decimal
	if _, err := apd.BaseContext.Sub(&difference, v.decimal(&a), w.decimal(&b)); err != nil {
		return Value{}, errNumberRange()
	}
	return Decimal(&difference)
}

// Mul returns v * w.
func Mul(v, w Value) (Value, error) {
	if null, err := operands("*", v, w); null || err != nil {
		return Null(), err
	}
	if v.kind == KindInt && w.kind == KindInt {
		product, ok := mulInt(v.n, w.n)
		if !ok {
			return Value{}, errOverflow("*", v, w)
		}
		return Int(product), nil
	}
	var a, b, product apd.Decimal
	if _, err := apd.BaseContext.Mul(&product, v.decimal(&a), w.decimal(&b)); err != nil {
		return Value{}, errNumberRange()
	}
	return Decimal(&product)
}

// Div returns v / w: an integer where both are integers and divide evenly, else a decimal of QuotientDigits significant
// digits. A zero w is CodeDivisionByZero.
func Div(v, w Value) (Value, error) {
	if null, err := operands("/", v, w); null || err != nil {
		return Null(), err
	}
	if isZero(w) {
		return Value{}, errDivision("/", v)
	}
	if v.kind == KindInt && w.kind == KindInt && (w.n == -1 || v.n%w.n == 0) {
		if w.n == -1 && v.n == math.MinInt64 {
			return Value{}, errOverflow("/", v, w)
		}
		return Int(v.n / w.n), nil
	}
	context := apd.BaseContext
	context.Precision = QuotientDigits
	context.Rounding = apd.RoundHalfEven
	var a, b, quotient apd.Decimal
	if _, err := context.Quo(&quotient, v.decimal(&a), w.decimal(&b)); err != nil {
		return Value{}, errNumberRange()
	}
	return Decimal(&quotient)
}

// Rem returns v % w, which has the sign of v: v minus w times the quotient cut to an integer. A zero w is
// CodeDivisionByZero.
func Rem(v, w Value) (Value, error) {
	if null, err := operands("%", v, w); null || err != nil {
		return Null(), err
	}
	if isZero(w) {
		return Value{}, errDivision("%", v)
	}
	if v.kind == KindInt && w.kind == KindInt {
		if w.n == -1 {
			return Int(0), nil
		}
		return Int(v.n % w.n), nil
	}
	// The integer quotient of two numbers within MaxDigits has no more digits than this.
	context := apd.BaseContext
	context.Precision = 4*MaxDigits + 1
	var a, b, remainder apd.Decimal
	if _, err := context.Rem(&remainder, v.decimal(&a), w.decimal(&b)); err != nil {
		return Value{}, errNumberRange()
	}
	return Decimal(&remainder)
}

// Neg returns -v.
func Neg(v Value) (Value, error) {
	switch {
	case v.IsNull():
		return Null(), nil
	case !v.IsNumber():
		return Value{}, evalErrorf(CodeType, "- takes a number, not %s", describe(v))
	case v.kind == KindInt && v.n == math.MinInt64:
		return Value{}, evalErrorf(CodeOverflow, "integer overflow: -(%d) does not fit 64 bits", v.n)
	case v.box == nil && v.n != math.MinInt64:
		v.n = -v.n
		return v, nil
	}
	var a, negated apd.Decimal
	return Decimal(negated.Neg(v.decimal(&a)))
}

// Floor returns the greatest integer not above v; CodeOverflow if that does not fit 64 bits.
func Floor(v Value) (Value, error) { return integral("floor", v, -1) }

// Ceil returns the least integer not below v; CodeOverflow if that does not fit 64 bits.
func Ceil(v Value) (Value, error) { return integral("ceil", v, +1) }

func integral(name string, v Value, direction int) (Value, error) {
	switch {
	case v.IsNull():
		return Null(), nil
	case v.kind == KindInt:
		return v, nil
	case v.kind != KindDecimal:
		return Value{}, evalErrorf(CodeType, "%s takes a number, not %s", name, describe(v))
	}
	var a, whole, fraction apd.Decimal
	v.decimal(&a).Modf(&whole, &fraction)
	d, err := Decimal(&whole)
	if err != nil {
		return Value{}, err
	}
	n, ok := d.AsInt()
	if !ok || (fraction.Sign() == direction && n == extremeInt(direction)) {
		return Value{}, evalErrorf(CodeOverflow, "integer overflow: %s of %s does not fit 64 bits", name, describe(v))
	}
	if fraction.Sign() == direction {
		n += int64(direction)
	}
	return Int(n), nil
}

func extremeInt(direction int) int64 {
	if direction > 0 {
		return math.MaxInt64
	}
	return math.MinInt64
}

// operands checks that both are numbers or null, and reports whether one is null.
func operands(op string, v, w Value) (null bool, err error) {
	if v.IsNumber() && w.IsNumber() {
		return false, nil
	}
	for _, operand := range [...]Value{v, w} {
		if !operand.IsNumber() && !operand.IsNull() {
			return false, evalErrorf(CodeType, "%s takes numbers, not %s", op, describe(operand))
		}
	}
	return true, nil
}

func isZero(v Value) bool { return v.box == nil && v.n == 0 }

func mulInt(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	negative := (a < 0) != (b < 0)
	switch {
	case hi != 0 || lo > 1<<63 || (lo == 1<<63 && !negative):
		return 0, false
	case negative:
		return -int64(lo), true
	default:
		return int64(lo), true
	}
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

func errOverflow(op string, v, w Value) error {
	return evalErrorf(CodeOverflow, "integer overflow: %d %s %d does not fit 64 bits", v.n, op, w.n)
}

func errDivision(op string, v Value) error {
	return evalErrorf(CodeDivisionByZero, "division by zero: %s %s 0", describe(v), op)
}
