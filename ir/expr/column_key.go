package expr

import "encoding/binary"

// KeyBytes returns an encoding of cells in which two lists of cells are the same bytes exactly when Postgres holds them
// for the same key: integers and decimals by value, CHAR without its padding, minus zero as zero, JSON in its canonical
// form, moments in microseconds. No encoding is a prefix of another of as many cells.
func KeyBytes(cells ...Value) []byte { return AppendKey(nil, cells...) }

// AppendKey appends KeyBytes to dst.
func AppendKey(dst []byte, cells ...Value) []byte {
	for _, v := range cells {
		dst = appendKeyCell(dst, v)
	}
	return dst
}

// appendKeyCell writes a tag for the kind, then a fixed width or a length and that many bytes.
func appendKeyCell(dst []byte, v Value) []byte {
	switch v.kind {
	case KindMissing, KindNull:
		return append(dst, '0')
	case KindBool:
		return append(dst, 'b', byte(v.n))
	case KindInt, KindDecimal:
		var scratch [64]byte
		return appendSized(append(dst, 'n'), appendNumber(scratch[:0], v))
	case KindString:
		dst = binary.AppendUvarint(append(dst, 's'), uint64(len(v.s)))
		return append(dst, v.s...)
	case KindBytes:
		dst = binary.AppendUvarint(append(dst, 'x'), uint64(len(v.s)))
		return append(dst, v.s...)
	case KindFloat:
		return binary.BigEndian.AppendUint64(append(dst, 'f'), uint64(v.n))
	case KindTime:
		return binary.BigEndian.AppendUint64(append(dst, 't'), uint64(v.n))
	case KindDate:
		return binary.BigEndian.AppendUint64(append(dst, 'd'), uint64(v.n))
	default:
		return appendSized(append(dst, 'j'), v.AppendJSON(nil))
	}
}

func appendSized(dst, data []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(data)))
	return append(dst, data...)
}

// MaxKeyBytes is what Postgres takes as one entry of a B-tree index, which backs every primary key.
const MaxKeyBytes = 2704

// CheckKey returns a CodeLength error if the cells may be too large for a key together. It measures what Postgres stores
// uncompressed and errs towards refusing, by less than 30 bytes for texts.
func CheckKey(cells ...Value) error {
	const tupleHeader = 16
	size := tupleHeader
	for _, v := range cells {
		size += storedSize(v)
	}
	if size > MaxKeyBytes {
		return evalErrorf(CodeLength, "the key needs %d bytes, more than the %d that an index entry holds", size, MaxKeyBytes)
	}
	return nil
}

// storedSize is an upper bound of the bytes that a cell takes in an index entry, alignment included.
func storedSize(v Value) int {
	const padding, header = 8, 24
	switch v.kind {
	case KindString, KindBytes:
		return len(v.s) + padding
	case KindDecimal:
		return v.digitCount() + header // two bytes for four digits, which need not be aligned with the point
	case KindArray, KindObject:
		return 6*len(v.AppendJSON(nil)) + header // [0,0] takes twelve bytes an item
	default:
		return header
	}
}
