package expr

import (
	"iter"
	"sort"

	"github.com/cockroachdb/apd/v3"
)

// Kind is the kind of a value.
type Kind uint8

// The kinds of values. Expressions produce the kinds up to KindObject; the others exist only in cells, that is after
// Coerce or FromSQLText.
const (
	KindMissing Kind = iota // no value at all: the path does not exist in the data
	KindNull
	KindBool
	KindInt     // 64-bit integer
	KindDecimal // exact decimal
	KindString
	KindArray
	KindObject
	KindFloat // cell of REAL or DOUBLE PRECISION
	KindTime  // cell of TIMESTAMP or TIMESTAMPTZ: microseconds since the epoch, UTC
	KindDate  // cell of DATE: days since the epoch
	KindBytes // cell of BYTEA
)

var kindNames = [...]string{"missing", "null", "bool", "int", "decimal", "string", "array", "object", "float", "time", "date", "bytes"}

// String returns the name of the kind as messages print it.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// Value is an immutable value of the language, or a cell of a column. The zero Value is missing. Values are compared by
// Equal, Compare and Order, never by ==.
type Value struct {
	_    [0]func() // makes == a compile error
	kind Kind
	exp  int32  // a small decimal is n * 10^exp
	n    int64  // bool, int, small decimal, float bits, microseconds, days; of containers the weight
	s    string // string, bytes
	box  *box   // items, members, or a decimal whose coefficient does not fit n
}

// box is what a value holds out of line.
type box struct {
	items   []Value
	members []Member // sorted by key
	num     *apd.Decimal
}

// Member is one member of an object.
type Member struct {
	Key   string
	Value Value
}

// Missing returns the missing value.
func Missing() Value { return Value{} }

// Null returns the value null.
func Null() Value { return Value{kind: KindNull} }

// Bool returns a boolean.
func Bool(b bool) Value {
	v := Value{kind: KindBool}
	if b {
		v.n = 1
	}
	return v
}

// Int returns an integer.
func Int(i int64) Value { return Value{kind: KindInt, n: i} }

// String returns a string. It is kept as it is, also when it is not valid UTF-8; Coerce is what refuses such text.
func String(s string) Value { return Value{kind: KindString, s: s} }

// Array returns an array of the items; a missing item becomes null. It keeps the slice, which must not change later.
func Array(items []Value) Value {
	weight := int64(1)
	for i := range items {
		if items[i].kind == KindMissing {
			items[i] = Null()
		}
		weight += items[i].weight()
	}
	v := Value{kind: KindArray, n: weight}
	if len(items) > 0 {
		v.box = &box{items: items}
	}
	return v
}

// Object returns an object of the members; a missing member value becomes null, and of several members with one key the
// last wins. It keeps and reorders the slice, which must not change later.
func Object(members []Member) Value {
	members = sortMembers(members)
	weight := int64(1)
	for i := range members {
		if members[i].Value.kind == KindMissing {
			members[i].Value = Null()
		}
		weight += members[i].Value.weight() + int64(len(members[i].Key))
	}
	v := Value{kind: KindObject, n: weight}
	if len(members) > 0 {
		v.box = &box{members: members}
	}
	return v
}

// insertionSortMax is the size up to which sorting by insertion beats the general sort.
const insertionSortMax = 24

// sortMembers sorts by key and keeps the last of equal keys.
func sortMembers(members []Member) []Member {
	if len(members) <= insertionSortMax {
		for i := 1; i < len(members); i++ {
			for j := i; j > 0 && members[j].Key < members[j-1].Key; j-- {
				members[j], members[j-1] = members[j-1], members[j]
			}
		}
	} else {
		sort.SliceStable(members, func(i, j int) bool { return members[i].Key < members[j].Key })
	}
	kept := 0
	for i := range members {
		if i+1 < len(members) && members[i+1].Key == members[i].Key {
			continue
		}
		if kept != i {
			members[kept] = members[i]
		}
		kept++
	}
	return members[:kept]
}

// Kind returns the kind of the value.
func (v Value) Kind() Kind { return v.kind }

// IsMissing reports whether the value is missing.
func (v Value) IsMissing() bool { return v.kind == KindMissing }

// IsNull reports whether the value is null or missing.
func (v Value) IsNull() bool { return v.kind <= KindNull }

// IsNumber reports whether the value is an integer or a decimal.
func (v Value) IsNumber() bool { return v.kind == KindInt || v.kind == KindDecimal }

// AsBool returns the boolean and whether the value is one.
func (v Value) AsBool() (value, ok bool) { return v.n != 0, v.kind == KindBool }

// AsString returns the string and whether the value is one.
func (v Value) AsString() (string, bool) { return v.s, v.kind == KindString }

// Len returns the number of items of an array, of members of an object, of bytes of a string; 0 for every other kind.
func (v Value) Len() int {
	switch {
	case v.kind == KindString || v.kind == KindBytes:
		return len(v.s)
	case v.kind == KindArray && v.box != nil:
		return len(v.box.items)
	case v.kind == KindObject && v.box != nil:
		return len(v.box.members)
	default:
		return 0
	}
}

// At returns the item of an array at index i, or missing where there is none.
func (v Value) At(i int) Value {
	if v.kind != KindArray || i < 0 || i >= v.Len() {
		return Value{}
	}
	return v.box.items[i]
}

// Items yields the items of an array in order, and nothing for any other kind.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for _, item := range v.items() {
			if !yield(item) {
				return
			}
		}
	}
}

// Members yields the members of an object sorted by key, and nothing for any other kind.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for _, m := range v.members() {
			if !yield(m.Key, m.Value) {
				return
			}
		}
	}
}

// linearLookupMax is the size of an object up to which scanning its keys beats a binary search.
const linearLookupMax = 8

// Field returns the member of an object with that key, or missing: for an absent key and for every other kind.
func (v Value) Field(key string) Value {
	members := v.members()
	if len(members) <= linearLookupMax {
		for i := range members {
			if members[i].Key == key {
				return members[i].Value
			}
		}
		return Value{}
	}
	i := sort.Search(len(members), func(i int) bool { return members[i].Key >= key })
	if i < len(members) && members[i].Key == key {
		return members[i].Value
	}
	return Value{}
}

func (v Value) items() []Value {
	if v.kind != KindArray || v.box == nil {
		return nil
	}
	return v.box.items
}

func (v Value) members() []Member {
	if v.kind != KindObject || v.box == nil {
		return nil
	}
	return v.box.members
}

// Weight approximates how large the value is: its bytes of text, and some for each value in it.
func (v Value) Weight() int64 { return v.weight() }

// weight approximates the work that walking the value takes: bytes of text plus nodes.
func (v Value) weight() int64 {
	switch v.kind {
	case KindString, KindBytes:
		return int64(len(v.s)) + 1
	case KindArray, KindObject:
		return v.n
	case KindDecimal:
		return int64(abs32(v.exp)) + 20
	default:
		return 8
	}
}

// nullIfMissing makes missing null, as every place but an expression's result does.
func (v Value) nullIfMissing() Value {
	if v.kind == KindMissing {
		return Null()
	}
	return v
}

func abs32(i int32) int32 {
	if i < 0 {
		return -i
	}
	return i
}
