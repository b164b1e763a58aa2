package expr

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"
)

// randomSource returns a source whose seed is printed when the test fails.
func randomSource(t *testing.T) *rand.Rand {
	seed := uint64(time.Now().UnixNano())
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}

// randomNumber returns a number's text, often near a boundary.
func randomNumber(r *rand.Rand) string {
	edges := []string{"0", "-0.0", "1", "-1", "1.0", "10", "1e3", "0.1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
		"-9223372036854775809", "-9223372036854775808.0", "1e18", "1e19", "922337203685477580.8e1", "1e999", "-1e-1000", "123456789012345678901234567890.5"}
	if r.IntN(3) == 0 {
		return edges[r.IntN(len(edges))]
	}
	var b strings.Builder
	if r.IntN(2) == 0 {
		b.WriteByte('-')
	}
	b.WriteByte('1' + byte(r.IntN(9)))
	for range r.IntN(25) {
		b.WriteByte('0' + byte(r.IntN(10)))
	}
	if r.IntN(2) == 0 {
		b.WriteByte('.')
		for range 1 + r.IntN(25) {
			b.WriteByte('0' + byte(r.IntN(10)))
		}
	}
	return b.String()
}

// randomValue returns a value of any kind that JSON has.
func randomValue(r *rand.Rand, depth int) Value {
	kinds := 8
	if depth == 0 {
		kinds = 6
	}
	switch r.IntN(kinds) {
	case 0:
		return Null()
	case 1:
		return Bool(r.IntN(2) == 0)
	case 2, 3:
		v, err := ParseNumber(randomNumber(r))
		if err != nil {
			panic(err)
		}
		return v
	case 4, 5:
		return String(randomText(r))
	case 6:
		items := make([]Value, r.IntN(4))
		for i := range items {
			items[i] = randomValue(r, depth-1)
		}
		return Array(items)
	default:
		members := make([]Member, r.IntN(12))
		for i := range members {
			members[i] = Member{Key: randomText(r), Value: randomValue(r, depth-1)}
		}
		return Object(members)
	}
}

func randomText(r *rand.Rand) string {
	pieces := []string{"a", "b", " ", "\"", "\\", "\n", "\x01", "é", "😀", "\u2028", "<", "/", "12", "e", "\x7f"}
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// rational is the exact value by math/big.
func rational(t testing.TB, v Value) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(v.Text())
	if !ok {
		t.Fatalf("%s is not a number", v)
	}
	return r
}

func TestNumberText(t *testing.T) {
	tests := map[string]string{
		"0": "0", "-0": "0", "-0.0": "0", "1": "1", "1.0": "1", "1.50": "1.5", "1e3": "1000", "1E+3": "1000", "1.5e-3": "0.0015",
		"100": "100", "1e0": "1", "12.5e1": "125", "-12e-2": "-0.12", "0e5": "0", "0.000": "0",
		"9223372036854775807":                   "9223372036854775807",
		"9223372036854775808":                   "9223372036854775808",
		"-9223372036854775809":                  "-9223372036854775809",
		"-9223372036854775808.0":                "-9223372036854775808",
		"123456789012345678901234567890":        "123456789012345678901234567890",
		"123456789012345678901234567890.123000": "123456789012345678901234567890.123",
		"1e999":                                 "1" + strings.Repeat("0", 999),
		"1e-1000":                               "0." + strings.Repeat("0", 999) + "1",
		"1." + strings.Repeat("0", 5000):        "1",
	}
	for text, want := range tests {
		v, err := ParseNumber(text)
		if err != nil || v.Text() != want {
			t.Errorf("ParseNumber(%.40s) = %v, %v, want %.40s", text, v, err, want)
		}
	}
}

func TestNumberBounds(t *testing.T) {
	for _, text := range []string{"1e1000", "1e-1001", "1e999999999", "-1e-999999999", "1e99999999999999999999", "1e-99999999999999999999",
		strings.Repeat("9", 1001), "0." + strings.Repeat("0", 1000) + "1", "12e999"} {
		start := time.Now()
		if _, err := ParseNumber(text); codeOf(t, err) != CodeRange {
			t.Errorf("ParseNumber(%.40s): %v, want %s", text, err, CodeRange)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("ParseNumber(%.40s) took %v", text, took)
		}
	}
	for _, text := range []string{"", "-", "+1", ".5", "1.", "01", "-01", "1e", "1e+", "0x1", "NaN", "Infinity", " 1", "1 ", "1_000", "１"} {
		if _, err := ParseNumber(text); codeOf(t, err) != CodeFormat {
			t.Errorf("ParseNumber(%q): %v, want %s", text, err, CodeFormat)
		}
	}
}

func TestDecimalOfApd(t *testing.T) {
	for _, text := range []string{"NaN", "Infinity", "1E+5000"} {
		d, _, err := apd.NewFromString(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decimal(d); codeOf(t, err) != CodeRange {
			t.Errorf("Decimal(%s): %v", text, err)
		}
	}
	d, _, _ := apd.NewFromString("-92233720368547758080.00")
	if v, err := Decimal(d); err != nil || v.Text() != "-92233720368547758080" {
		t.Errorf("got %v, %v", v, err)
	}
}

func TestAsInt(t *testing.T) {
	for text, want := range map[string]int64{"7": 7, "7.0": 7, "7e2": 700, "-9223372036854775808.0": -1 << 63, "9e18": 9e18, "0.0": 0} {
		if n, ok := jsonValue(t, text).AsInt(); !ok || n != want {
			t.Errorf("AsInt(%s) = %d, %v", text, n, ok)
		}
	}
	for _, text := range []string{"1.5", "1e19", "9223372036854775808", "-9223372036854775809", "1e999", `"7"`, "null"} {
		if n, ok := jsonValue(t, text).AsInt(); ok {
			t.Errorf("AsInt(%s) = %d", text, n)
		}
	}
}

// Arithmetic against math/big.
func TestArithmeticIsExact(t *testing.T) {
	r := randomSource(t)
	ops := []struct {
		name  string
		apply func(v, w Value) (Value, error)
		exact func(z, x, y *big.Rat) *big.Rat
	}{{"+", Add, (*big.Rat).Add}, {"-", Sub, (*big.Rat).Sub}, {"*", Mul, (*big.Rat).Mul}, {"/", Div, (*big.Rat).Quo}, {"%", Rem, remainder}}
	succeeded := map[string]int{}
	for range 5_000 {
		v, w := jsonValue(t, randomNumber(r)), jsonValue(t, randomNumber(r))
		op := ops[r.IntN(len(ops))]
		got, err := op.apply(v, w)
		if err != nil {
			checkArithmeticError(t, op.name, v, w, err)
			continue
		}
		succeeded[op.name]++
		want := op.exact(new(big.Rat), rational(t, v), rational(t, w))
		if op.name == "/" {
			want = roundQuotient(want)
		}
		if rational(t, got).Cmp(want) != 0 {
			t.Fatalf("%s %s %s = %s, want %s", v, op.name, w, got, want.FloatString(50))
		}
		if v.kind == KindInt && w.kind == KindInt && op.name != "/" && got.kind != KindInt {
			t.Fatalf("%s %s %s is a %s", v, op.name, w, got.kind)
		}
	}
	for _, op := range ops {
		if succeeded[op.name] < 300 {
			t.Errorf("only %d results of %s", succeeded[op.name], op.name)
		}
	}
}

// checkArithmeticError accepts an error only where there is a reason for one.
func checkArithmeticError(t *testing.T, op string, v, w Value, err error) {
	t.Helper()
	switch codeOf(t, err) {
	case CodeDivisionByZero:
		if (op != "/" && op != "%") || rational(t, w).Sign() != 0 {
			t.Fatalf("%s %s %s: %v", v, op, w, err)
		}
	case CodeOverflow:
		if v.kind != KindInt || w.kind != KindInt {
			t.Fatalf("%s %s %s: %v", v, op, w, err)
		}
	case CodeRange:
		if v.kind == KindInt && w.kind == KindInt {
			t.Fatalf("%s %s %s: %v", v, op, w, err)
		}
	default:
		t.Fatalf("%s %s %s: %v", v, op, w, err)
	}
}

func remainder(z, x, y *big.Rat) *big.Rat {
	quotient := new(big.Rat).Quo(x, y)
	whole := new(big.Int).Quo(quotient.Num(), quotient.Denom())
	return z.Sub(x, new(big.Rat).Mul(y, new(big.Rat).SetInt(whole)))
}

// roundQuotient rounds to QuotientDigits significant digits, half to even, unless the quotient is an integer of 64 bits.
func roundQuotient(q *big.Rat) *big.Rat {
	if q.Sign() == 0 || (q.IsInt() && q.Num().IsInt64()) {
		return q
	}
	ten := big.NewRat(10, 1)
	// A first guess at the power of ten that gives the quotient its digits before the point; the loops correct it.
	factor := power10(len(q.Num().String()) - len(q.Denom().String()) - QuotientDigits)
	scaled := new(big.Rat).Abs(q)
	scaled.Quo(scaled, factor)
	low, high := power10(QuotientDigits-1), power10(QuotientDigits)
	for scaled.Cmp(low) < 0 {
		scaled.Mul(scaled, ten)
		factor.Quo(factor, ten)
	}
	for scaled.Cmp(high) >= 0 {
		scaled.Quo(scaled, ten)
		factor.Mul(factor, ten)
	}
	whole, rest := new(big.Int).QuoRem(scaled.Num(), scaled.Denom(), new(big.Int))
	twice := new(big.Int).Lsh(rest, 1).Cmp(scaled.Denom())
	if twice > 0 || (twice == 0 && whole.Bit(0) == 1) {
		whole.Add(whole, big.NewInt(1))
	}
	result := new(big.Rat).Mul(new(big.Rat).SetInt(whole), factor)
	if q.Sign() < 0 {
		result.Neg(result)
	}
	return result
}

func power10(n int) *big.Rat {
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		power.Inv(power)
	}
	return power
}

func TestIntegerOverflowIsFound(t *testing.T) {
	r := randomSource(t)
	edges := []int64{0, 1, -1, 2, -2, 3, 1 << 31, -1 << 31, 1 << 32, 3037000499, 3037000500, -3037000500, 1<<63 - 1, -1 << 63, 1<<63 - 2, -1<<63 + 1}
	pick := func() int64 {
		if r.IntN(2) == 0 {
			return edges[r.IntN(len(edges))]
		}
		return int64(r.Uint64() >> r.IntN(64))
	}
	for range 20_000 {
		a, b := pick(), pick()
		for i, exact := range []func(z, x, y *big.Int) *big.Int{(*big.Int).Add, (*big.Int).Sub, (*big.Int).Mul} {
			want := exact(new(big.Int), big.NewInt(a), big.NewInt(b))
			got, err := []func(v, w Value) (Value, error){Add, Sub, Mul}[i](Int(a), Int(b))
			if want.IsInt64() != (err == nil) || (err == nil && got.Text() != want.String()) {
				t.Fatalf("operation %d of %d and %d: got %v, %v, want %s", i, a, b, got, err, want)
			}
		}
	}
}

func TestFloorAndCeil(t *testing.T) {
	r := randomSource(t)
	for range 5000 {
		v := jsonValue(t, randomNumber(r))
		exact := rational(t, v)
		floor := new(big.Int).Div(exact.Num(), exact.Denom())
		ceil := new(big.Int).Set(floor)
		if !exact.IsInt() {
			ceil.Add(ceil, big.NewInt(1))
		}
		for i, want := range []*big.Int{floor, ceil} {
			got, err := []func(Value) (Value, error){Floor, Ceil}[i](v)
			if want.IsInt64() != (err == nil) || (err == nil && got.Text() != want.String()) {
				t.Fatalf("rounding %d of %s: got %v, %v, want %s", i, v, got, err, want)
			}
		}
	}
}

func TestCompareLaws(t *testing.T) {
	r := randomSource(t)
	values := make([]Value, 120)
	for i := range values {
		values[i] = randomValue(r, 2)
	}
	values = append(values, Missing(), Null(), Int(1), jsonValue(t, "1.0"))
	for _, a := range values {
		for _, b := range values {
			c := Order(a, b)
			if (c == 0) != a.Equal(b) {
				t.Fatalf("Order(%s, %s) = %d, Equal %v", a, b, c, a.Equal(b))
			}
			if c != -Order(b, a) {
				t.Fatalf("Order of %s and %s is not antisymmetric", a, b)
			}
			if a.IsNumber() && b.IsNumber() && c != rational(t, a).Cmp(rational(t, b)) {
				t.Fatalf("Order(%s, %s) = %d", a, b, c)
			}
			if a.Equal(b) && !a.IsNull() && (a.Text() != b.Text() || Hash(a) != Hash(b) || string(KeyBytes(a)) != string(KeyBytes(b))) {
				t.Fatalf("%s and %s are equal, but their texts, hashes or keys are not", a, b)
			}
			if !a.Equal(b) && string(KeyBytes(a)) == string(KeyBytes(b)) {
				t.Fatalf("%s and %s have one key", a, b)
			}
			for _, d := range values[:30] {
				if Order(a, b) <= 0 && Order(b, d) <= 0 && Order(a, d) > 0 {
					t.Fatalf("Order of %s, %s, %s is not transitive", a, b, d)
				}
			}
		}
	}
}

func TestCompareRefusesKinds(t *testing.T) {
	for _, pair := range [][2]string{{`1`, `"1"`}, {`true`, `1`}, {`null`, `null`}, {`[1]`, `[1]`}, {`{}`, `{}`}, {`null`, `1`}} {
		if c, err := Compare(jsonValue(t, pair[0]), jsonValue(t, pair[1])); codeOf(t, err) != CodeType {
			t.Errorf("Compare(%s, %s) = %d, %v", pair[0], pair[1], c, err)
		}
	}
	if c, err := Compare(jsonValue(t, "9007199254740993"), jsonValue(t, "9007199254740992.5")); err != nil || c != 1 {
		t.Errorf("got %d, %v", c, err)
	}
}

func TestObjectFields(t *testing.T) {
	for _, size := range []int{0, 1, 7, 8, 9, 23, 24, 25, 300} {
		members := make([]Member, size)
		for i := range members {
			members[i] = Member{Key: strings.Repeat("k", i%3) + string(rune('a'+i*7%size)), Value: Int(int64(i))}
		}
		want := map[string]int64{}
		for i, m := range members {
			want[m.Key] = int64(i)
		}
		o := Object(members)
		if o.Len() != len(want) {
			t.Errorf("size %d: %d members, want %d", size, o.Len(), len(want))
		}
		for key, n := range want {
			if got := o.Field(key); !got.Equal(Int(n)) {
				t.Errorf("size %d: %s is %s, want %d", size, key, got, n)
			}
		}
		if got := o.Field("absent"); !got.IsMissing() {
			t.Errorf("size %d: absent is %s", size, got)
		}
	}
}
