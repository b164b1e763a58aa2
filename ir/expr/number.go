package expr

import (
	"math"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// MaxDigits bounds a number: at most this many digits before its decimal point and as many after it. It covers every
// NUMERIC(p,s) that Postgres can declare and every finite double. No number beyond it exists as a Value, so that a short
// text such as 1e999999999 never costs more than its own length.
const MaxDigits = 1000

// errNumberRange is what parsing and arithmetic return for a number beyond MaxDigits.
func errNumberRange() *EvalError {
	return evalErrorf(CodeRange, "number out of range: more than %d digits before or after the decimal point", MaxDigits)
}

// decimal returns the number as an apd.Decimal that must not be modified. It uses tmp unless the value holds one.
func (v Value) decimal(tmp *apd.Decimal) *apd.Decimal {
	if v.box != nil {
		return v.box.num
	}
	return tmp.SetFinite(v.n, v.exp)
}

// Decimal returns the decimal of an apd.Decimal, or an error where it is not finite or beyond MaxDigits.
func Decimal(d *apd.Decimal) (Value, error) {
	if d.Form != apd.Finite {
		return Value{}, evalErrorf(CodeRange, "number is not finite")
	}
	if n, ok := signedCoefficient(d); ok {
		return smallDecimal(n, int64(d.Exponent))
	}
	r, _ := new(apd.Decimal).Reduce(d)
	r.Negative = d.Negative
	if n, ok := signedCoefficient(r); ok {
		return smallDecimal(n, int64(r.Exponent))
	}
	if !withinDigits(r.NumDigits(), int64(r.Exponent)) {
		return Value{}, errNumberRange()
	}
	return Value{kind: KindDecimal, exp: r.Exponent, box: &box{num: r}}, nil
}

// signedCoefficient returns the coefficient with its sign, and whether it fits 64 bits.
func signedCoefficient(d *apd.Decimal) (int64, bool) {
	if !d.Coeff.IsUint64() {
		return 0, false
	}
	u := d.Coeff.Uint64()
	switch {
	case d.Negative && u <= 1<<63:
		return -int64(u), true
	case !d.Negative && u <= math.MaxInt64:
		return int64(u), true
	default:
		return 0, false
	}
}

// smallDecimal returns n * 10^exp without trailing zeros in n.
func smallDecimal(n, exp int64) (Value, error) {
	if n == 0 {
		return Value{kind: KindDecimal}, nil
	}
	for n%10 == 0 {
		n /= 10
		exp++
	}
	if !withinDigits(int64(digits(n)), exp) {
		return Value{}, errNumberRange()
	}
	return Value{kind: KindDecimal, n: n, exp: int32(exp)}, nil
}

func withinDigits(digits, exp int64) bool {
	return digits+exp <= MaxDigits && -exp <= MaxDigits
}

// digits returns the number of decimal digits of n, 1 for 0.
func digits(n int64) int {
	count := 1
	for n /= 10; n != 0; n /= 10 {
		count++
	}
	return count
}

// ParseNumber reads a number in JSON's grammar: an optional minus, digits without leading zeros, an optional fraction and
// exponent. Without fraction and exponent, and within 64 bits, it is an Int, else a decimal. The error is an *EvalError:
// CodeFormat for any other text, CodeRange beyond MaxDigits.
func ParseNumber(text string) (Value, error) {
	if scanNumber(text) != len(text) || text == "" {
		return Value{}, evalErrorf(CodeFormat, "%s is not a number", clip(text))
	}
	return parseNumber(text)
}

// ParseDecimal is ParseNumber with a decimal as the result in every case.
func ParseDecimal(text string) (Value, error) {
	v, err := ParseNumber(text)
	if err != nil {
		return v, err
	}
	return v.ToDecimal(), nil
}

// scanNumber returns the length of the longest prefix that is a number, or 0.
func scanNumber(s string) int {
	i := 0
	if i < len(s) && s[i] == '-' {
		i++
	}
	whole := scanDigits(s, i)
	if whole == i || (s[i] == '0' && whole > i+1) {
		return 0
	}
	end := whole
	if end < len(s) && s[end] == '.' {
		fraction := scanDigits(s, end+1)
		if fraction == end+1 {
			return 0
		}
		end = fraction
	}
	if end < len(s) && (s[end] == 'e' || s[end] == 'E') {
		start := end + 1
		if start < len(s) && (s[start] == '+' || s[start] == '-') {
			start++
		}
		if end = scanDigits(s, start); end == start {
			return 0
		}
	}
	return end
}

func scanDigits(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// parseNumber reads a text that scanNumber has accepted.
func parseNumber(text string) (Value, error) {
	if n, ok := shortInt(text); ok {
		return Value{kind: KindInt, n: n}, nil
	}
	mantissa, exp := text, int64(0)
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		mantissa, exp = text[:e], saturatedExponent(text[e+1:])
	} else if strings.IndexByte(text, '.') < 0 {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return Value{kind: KindInt, n: n}, nil
		}
	}
	negative := mantissa[0] == '-'
	if negative {
		mantissa = mantissa[1:]
	}
	return decimalOf(negative, mantissa, exp)
}

// shortInt reads an integer of at most 18 digits.
func shortInt(text string) (n int64, ok bool) {
	digits := text
	if text[0] == '-' {
		digits = text[1:]
	}
	if len(digits) > 18 {
		return 0, false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
		n = 10*n + int64(digits[i]-'0')
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, true
}

// decimalOf returns the decimal of an unsigned mantissa such as 12.50 times 10^exp.
func decimalOf(negative bool, mantissa string, exp int64) (Value, error) {
	if len(mantissa) <= 18 {
		n, fraction := smallMantissa(mantissa)
		if negative {
			n = -n
		}
		return smallDecimal(n, exp-fraction)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	fraction = strings.TrimRight(fraction, "0")
	exp -= int64(len(fraction))
	significant := whole
	if fraction != "" {
		significant = whole + fraction
	}
	trimmed := strings.TrimRight(significant, "0")
	exp += int64(len(significant) - len(trimmed))
	trimmed = strings.TrimLeft(trimmed, "0")
	if trimmed == "" {
		return Value{kind: KindDecimal}, nil
	}
	if !withinDigits(int64(len(trimmed)), exp) {
		return Value{}, errNumberRange()
	}
	num := &apd.Decimal{Negative: negative, Exponent: int32(exp)}
	num.Coeff.SetString(trimmed, 10)
	return Decimal(num)
}

// smallMantissa returns the digits of an unsigned mantissa of at most 18 bytes as an integer, and how many of them follow
// the point.
func smallMantissa(mantissa string) (n, fraction int64) {
	for i := range len(mantissa) {
		if mantissa[i] == '.' {
			fraction = int64(len(mantissa) - i - 1)
			continue
		}
		n = n*10 + int64(mantissa[i]-'0')
	}
	return n, fraction
}

// saturatedExponent reads an exponent's digits; one too long to matter becomes a bound that is out of range anyway, or
// that a mantissa of a message's length cannot bring back into range.
func saturatedExponent(text string) int64 {
	const bound = int64(math.MaxInt32)
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err == nil:
		return max(-bound, min(bound, n))
	case text[0] == '-':
		return -bound
	default:
		return bound
	}
}

// ToDecimal returns an integer as the decimal of the same value, and every other value unchanged. Arithmetic on decimals
// has no 64-bit overflow.
func (v Value) ToDecimal() Value {
	if v.kind != KindInt {
		return v
	}
	d, _ := smallDecimal(v.n, 0)
	return d
}

// AsInt returns the value of an integer, or of a decimal that is integral and fits 64 bits, and whether it is one.
func (v Value) AsInt() (int64, bool) {
	switch {
	case v.kind == KindInt:
		return v.n, true
	case v.kind != KindDecimal || v.box != nil || v.exp < 0 || v.exp > 18:
		// A reduced coefficient beyond 64 bits stays beyond them.
		return 0, false
	}
	n := v.n
	for range v.exp {
		next := n * 10
		if next/10 != n {
			return 0, false
		}
		n = next
	}
	return n, true
}

// appendNumber appends the plain text of a number: no exponent, no trailing zeros in the fraction, "0" for zero.
func appendNumber(dst []byte, v Value) []byte {
	if v.kind == KindInt || (v.box == nil && v.exp == 0) {
		return strconv.AppendInt(dst, v.n, 10)
	}
	var scratch [24]byte
	var coeff []byte
	if v.box == nil {
		coeff = strconv.AppendInt(scratch[:0], v.n, 10)
		if coeff[0] == '-' {
			dst, coeff = append(dst, '-'), coeff[1:]
		}
	} else {
		if v.box.num.Negative {
			dst = append(dst, '-')
		}
		coeff = v.box.num.Coeff.Append(scratch[:0], 10)
	}
	return appendPlain(dst, coeff, int(v.exp))
}

func appendPlain(dst, coeff []byte, exp int) []byte {
	point := len(coeff) + exp
	switch {
	case exp >= 0:
		dst = append(dst, coeff...)
		return appendZeros(dst, exp)
	case point > 0:
		dst = append(dst, coeff[:point]...)
		dst = append(dst, '.')
		return append(dst, coeff[point:]...)
	default:
		dst = append(dst, '0', '.')
		dst = appendZeros(dst, -point)
		return append(dst, coeff...)
	}
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}
