package expr

import (
	"cmp"
	"math"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// Equal reports whether two values are the same: numbers by value (1 = 1.0), strings byte by byte, arrays and objects
// member by member. Missing equals null; values of different kinds are not equal. It never fails: the operator ==, which
// refuses different kinds, is Compare's business.
func (v Value) Equal(w Value) bool {
	if v.IsNull() || w.IsNull() {
		return v.IsNull() && w.IsNull()
	}
	if v.IsNumber() && w.IsNumber() {
		return compareNumbers(v, w) == 0
	}
	if v.kind != w.kind {
		return false
	}
	switch v.kind {
	case KindString, KindBytes:
		return v.s == w.s
	case KindArray:
		return equalItems(v.items(), w.items())
	case KindObject:
		return equalMembers(v.members(), w.members())
	case KindFloat:
		return v.float() == w.float()
	default:
		return v.n == w.n
	}
}

func equalItems(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Equal(b[i]) {
			return false
		}
	}
	return true
}

func equalMembers(a, b []Member) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Key != b[i].Key || !a[i].Value.Equal(b[i].Value) {
			return false
		}
	}
	return true
}

// Compare orders two values of one kind: numbers exactly by value, strings by code points, false before true. It returns
// -1, 0 or +1, and a CodeType error for different kinds, null, missing, arrays and objects, which have no order.
func Compare(v, w Value) (int, error) {
	switch {
	case v.IsNumber() && w.IsNumber():
		return compareNumbers(v, w), nil
	case v.kind != w.kind || v.IsNull() || v.kind == KindArray || v.kind == KindObject:
		return 0, evalErrorf(CodeType, "cannot compare %s with %s", describe(v), describe(w))
	default:
		return Order(v, w), nil
	}
}

// Order is a total order on all values, for sorting where any fixed order will do: null first, then by kind (integers and
// decimals are one kind), then by value. Order is 0 exactly when Equal is true.
func Order(v, w Value) int {
	if c := cmp.Compare(orderRank(v.kind), orderRank(w.kind)); c != 0 {
		return c
	}
	switch v.kind {
	case KindMissing, KindNull:
		return 0
	case KindInt, KindDecimal:
		return compareNumbers(v, w)
	case KindString, KindBytes:
		return strings.Compare(v.s, w.s)
	case KindArray:
		return orderItems(v.items(), w.items())
	case KindObject:
		return orderMembers(v.members(), w.members())
	case KindFloat:
		return cmp.Compare(v.float(), w.float())
	default:
		return cmp.Compare(v.n, w.n)
	}
}

func orderRank(k Kind) Kind {
	switch k {
	case KindMissing:
		return KindNull
	case KindDecimal:
		return KindInt
	default:
		return k
	}
}

func orderItems(a, b []Value) int {
	for i := range min(len(a), len(b)) {
		if c := Order(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func orderMembers(a, b []Member) int {
	for i := range min(len(a), len(b)) {
		if c := strings.Compare(a[i].Key, b[i].Key); c != 0 {
			return c
		}
		if c := Order(a[i].Value, b[i].Value); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func compareNumbers(v, w Value) int {
	if v.kind == KindInt && w.kind == KindInt {
		return cmp.Compare(v.n, w.n)
	}
	if v.box == nil && w.box == nil && v.exp == w.exp {
		return cmp.Compare(v.n, w.n)
	}
	var a, b apd.Decimal
	return v.decimal(&a).Cmp(w.decimal(&b))
}

func (v Value) float() float64 { return math.Float64frombits(uint64(v.n)) }
