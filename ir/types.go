package ir

import (
	"fmt"
	"strconv"
)

// String returns the type as DDL writes it, such as NUMERIC(10,2).
func (t SQLType) String() string {
	switch {
	case t.Length > 0:
		return string(t.Name) + "(" + strconv.Itoa(t.Length) + ")"
	case t.Precision > 0:
		return fmt.Sprintf("%s(%d,%d)", t.Name, t.Precision, t.Scale)
	}
	return string(t.Name)
}

// IsNumber reports whether values of the type are numbers.
func (t SQLType) IsNumber() bool {
	switch t.Name {
	case SmallInt, Integer, BigInt, Numeric, Real, Double:
		return true
	}
	return false
}

// The bounds that Postgres has for modifiers.
const (
	maxLength    = 10485760
	maxPrecision = 1000
)

// Problem says what is wrong with the type, or is empty.
func (t SQLType) Problem() string {
	switch t.Name {
	case Text, Varchar, Char, SmallInt, Integer, BigInt, Boolean, Real, Double, Numeric, JSON, JSONB, UUID, Timestamp,
		TimestampTZ, Date, Bytea:
	default:
		return fmt.Sprintf("%q is not a column type", t.Name)
	}
	if t.Length != 0 && (t.Name != Varchar && t.Name != Char || t.Length < 1 || t.Length > maxLength) {
		return fmt.Sprintf("%s can't have the length %d", t.Name, t.Length)
	}
	if t.Precision != 0 && (t.Name != Numeric || t.Precision < 1 || t.Precision > maxPrecision) {
		return fmt.Sprintf("%s can't have the precision %d", t.Name, t.Precision)
	}
	if t.Scale < 0 || t.Scale > t.Precision {
		return fmt.Sprintf("%s can't have the precision %d with the scale %d", t.Name, t.Precision, t.Scale)
	}
	return ""
}
