// Package fold is the meaning of projections: pure functions from an event to row writes and from row writes to rows.
// Every store, and whatever simulates one, executes what this package says and adds nothing of its own.
package fold

import (
	"bytes"
	"encoding/binary"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// Order is the place of a write in the canonical order of a topic: clock, partition, offset and the ordinal of the
// projection in its group, as big-endian bytes, so that comparing bytes compares orders. The zero Order is before every
// write and means "never".
type Order [22]byte

// MakeOrder returns the order of a write. The clock is that of the record's partition, in milliseconds, not below 0.
func MakeOrder(clock int64, partition int32, offset int64, ordinal int) Order {
	var o Order
	binary.BigEndian.PutUint64(o[0:], uint64(max(clock, 0)))
	binary.BigEndian.PutUint32(o[8:], uint32(partition))
	binary.BigEndian.PutUint64(o[12:], uint64(offset))
	binary.BigEndian.PutUint16(o[20:], uint16(ordinal)+1) // never zero
	return o
}

// After reports whether o is later than p.
func (o Order) After(p Order) bool { return bytes.Compare(o[:], p[:]) > 0 }

// Place returns where in the topic the write's event is.
func (o Order) Place() (partition int32, offset int64) {
	return int32(binary.BigEndian.Uint32(o[8:])), int64(binary.BigEndian.Uint64(o[12:]))
}

// IsZero reports whether o is "never".
func (o Order) IsZero() bool { return o == Order{} }

// Row is a physical row without its key: what a store keeps for a key, visible or not.
type Row struct {
	Created Order        // newest creating write: upsert, replace or add
	First   Order        // oldest creating write; kept only where Table.Updates
	Deleted Order        // newest delete: the tombstone
	Plain   []Cell       // by Table.Plain
	Sums    []expr.Value // by Table.Sums; exact numbers, 0 at first
}

// Cell is a plain column's value with the order of the write that gave it; a zero order means that none did.
type Cell struct {
	Value expr.Value
	Order Order
}

// Write is what one projection does for one event: one row write, or a bulk update.
type Write struct {
	Table   int // index into Group.Tables
	Op      ir.HandlerOp
	Ordinal int          // of the projection in its group
	Dedup   int          // index into Group.Exact of the set that admits it, or -1
	Key     []expr.Value // coerced to the key columns' types, in key order; nil for a bulk update
	KeyID   string       // canonical, injective encoding of Key
	Cells   []CellWrite  // plain columns to write, missing ones left out
	Sums    []SumWrite
	Bulk    []Match // of a bulk update: all must hold
}

// Size returns how many values the write holds, and about how many bytes they have.
func (w *Write) Size() (values int, bytes int64) {
	for i := range w.Key {
		bytes += w.Key[i].Weight()
	}
	for i := range w.Cells {
		bytes += w.Cells[i].Value.Weight()
	}
	for i := range w.Sums {
		bytes += w.Sums[i].By.Weight()
	}
	for i := range w.Bulk {
		bytes += w.Bulk[i].Value.Weight()
	}
	return len(w.Key) + len(w.Cells) + len(w.Sums) + len(w.Bulk), bytes
}

// CellWrite writes one plain column.
type CellWrite struct {
	Column int // index into Table.Plain
	Value  expr.Value
}

// SumWrite changes one aggregate column: Sum += By, or Sum = By, then it is clamped.
type SumWrite struct {
	Column      int // index into Table.Sums
	Set         bool
	By          expr.Value // negated already for sub
	Floor, Ceil *expr.Value
}

// Match is one condition of a bulk update over a column of the row.
type Match struct {
	Column int // index into Table.Columns
	Op     string
	Value  expr.Value // coerced to the column's type; an array for in and nin
}

// ExactKey is the identity of an event in one of the group's sets of exact ids.
type ExactKey struct {
	Set int // index into Group.Exact
	Key []byte
}

// Effect is all that an event does in one group, before anything is known about the rows.
type Effect struct {
	Writes []Write    // by ordinal
	Exact  []ExactKey // at most one a set
}
