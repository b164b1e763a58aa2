package postgres

import (
	"encoding/binary"
	"slices"

	"github.com/jackc/pgx/v5/pgtype"
)

// array is a one-dimensional array of text or bytea in the binary format of the protocol, built item by item: a batch has
// tens of thousands of items, which pgx would look at one by one.
type array struct {
	bytes []byte
	oid   uint32 // of the items
	items int
	nulls bool
	start int // of the item that is being added
}

// arrayHeader is the length of what stands before the items: dimensions, a flag for NULLs, the items' type, their number and
// the lower bound.
const arrayHeader = 5 * 4

func newArray(text bool, size int) array {
	a := array{bytes: make([]byte, arrayHeader, arrayHeader+size), oid: pgtype.ByteaOID}
	if text {
		a.oid = pgtype.TextOID
	}
	return a
}

// begin starts an item, whose bytes are appended to the array's; end ends it.
func (a *array) begin() {
	a.bytes = append(a.bytes, 0, 0, 0, 0)
	a.start = len(a.bytes)
}

func (a *array) end() {
	binary.BigEndian.PutUint32(a.bytes[a.start-4:], uint32(len(a.bytes)-a.start))
	a.items++
}

func (a *array) add(item []byte) {
	a.begin()
	a.bytes = append(a.bytes, item...)
	a.end()
}

func (a *array) addNull() {
	a.bytes = append(a.bytes, 0xFF, 0xFF, 0xFF, 0xFF)
	a.nulls = true
	a.items++
}

// clear takes all items out.
func (a *array) clear() {
	a.bytes, a.items, a.nulls = a.bytes[:arrayHeader], 0, false
}

// encodedArray is an array as a parameter of a statement.
type encodedArray struct {
	bytes []byte
	room  int // in bytes, for it and the parameters that follow
}

func (a *array) arg() encodedArray {
	dimensions, nulls := uint32(1), uint32(0)
	if a.nulls {
		nulls = 1
	}
	if a.items == 0 {
		dimensions = 0
		a.bytes = a.bytes[:3*4]
	}
	binary.BigEndian.PutUint32(a.bytes[0:], dimensions)
	binary.BigEndian.PutUint32(a.bytes[4:], nulls)
	binary.BigEndian.PutUint32(a.bytes[8:], a.oid)
	if dimensions > 0 {
		binary.BigEndian.PutUint32(a.bytes[12:], uint32(a.items))
		binary.BigEndian.PutUint32(a.bytes[16:], 1)
	}
	return encodedArray{bytes: a.bytes, room: len(a.bytes)}
}

// planEncoded makes a connection pass encoded arrays on as they are. It is one of pgtype.Map's TryWrapEncodePlanFuncs.
func planEncoded(value any) (pgtype.WrappedEncodePlanNextSetter, any, bool) {
	if _, ok := value.(encodedArray); ok {
		return encodedPlan{}, pgtype.FlatArray[[]byte](nil), true
	}
	return nil, nil, false
}

type encodedPlan struct{}

// SetNext implements pgtype.WrappedEncodePlanNextSetter.
func (encodedPlan) SetNext(pgtype.EncodePlan) {}

// Encode implements pgtype.EncodePlan.
func (encodedPlan) Encode(value any, buf []byte) ([]byte, error) {
	v := value.(encodedArray)
	return append(slices.Grow(buf, v.room), v.bytes...), nil
}
