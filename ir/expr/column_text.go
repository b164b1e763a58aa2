package expr

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/causetc/causetc/ir"
)

// SQLText returns the text of a cell that Postgres reads as a value of the column's type, as in '...'::type, whatever the
// settings of the session. v is a cell from Coerce for that type. NULL has no text: for null and missing the result is
// empty, and the caller must bind NULL instead.
func SQLText(v Value, t ir.SQLType) string {
	if v.kind == KindString && t.Name != ir.JSON && t.Name != ir.JSONB {
		return v.s
	}
	return string(AppendSQLText(nil, v, t))
}

// AppendSQLText appends SQLText to dst.
func AppendSQLText(dst []byte, v Value, t ir.SQLType) []byte {
	switch {
	case v.IsNull():
		return dst
	case t.Name == ir.JSON || t.Name == ir.JSONB:
		return v.AppendJSON(dst)
	case v.kind == KindTime && t.Name == ir.TimestampTZ:
		return appendMoment(dst, v.n, ' ', "+00")
	case v.kind == KindTime:
		return appendMoment(dst, v.n, ' ', "")
	case v.kind == KindFloat && t.Name == ir.Real:
		return strconv.AppendFloat(dst, v.float(), 'g', -1, 32)
	default:
		return v.AppendText(dst)
	}
}

// appendCellText appends the text of the kinds that only cells have: a float's shortest digits, RFC 3339, \x and
// hexadecimal digits.
func appendCellText(dst []byte, v Value) []byte {
	switch v.kind {
	case KindFloat:
		return strconv.AppendFloat(dst, v.float(), 'g', -1, 64)
	case KindTime:
		return appendMoment(dst, v.n, 'T', "Z")
	case KindDate:
		return appendDate(dst, v.n)
	default:
		dst = append(dst, '\\', 'x')
		return hex.AppendEncode(dst, []byte(v.s))
	}
}

// FromSQLText reads the text that Postgres prints for a column's value that is not NULL, as in value::text, into the
// canonical cell: FromSQLText(SQLText(v, t), t) equals v for every cell v of t. Timestamps are read in the ISO style (the
// default DateStyle) and with any offset; one that has none is UTC. (A session in UTC prints every moment of the years 1
// to 9999 within them; other zones need not.) Errors are of type *EvalError.
func FromSQLText(text string, t ir.SQLType) (Value, error) {
	switch t.Name {
	case ir.JSON, ir.JSONB:
		v, err := ParseJSONString(text)
		if err != nil {
			return Value{}, evalErrorf(CodeFormat, "%s", err.Error())
		}
		return Coerce(v, t)
	case ir.Boolean:
		switch text {
		case "t", "true":
			return Bool(true), nil
		case "f", "false":
			return Bool(false), nil
		}
	case ir.Real, ir.Double:
		return floatFromText(text, t)
	case ir.Timestamp, ir.TimestampTZ:
		if zoneless(text) {
			text += "Z"
		}
	}
	return Coerce(String(text), t)
}

// zoneless reports whether a timestamp's text ends with its clock.
func zoneless(text string) bool {
	return len(text) > 19 && !strings.ContainsAny(text[19:], "+-Zz") || len(text) == 19
}

// floatFromText reads what Postgres prints, such as 1e+20, which JSON's grammar has too, and no NaN or Infinity.
func floatFromText(text string, t ir.SQLType) (Value, error) {
	bits := 64
	if t.Name == ir.Real {
		bits = 32
	}
	f, err := strconv.ParseFloat(text, bits)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}, evalErrorf(CodeFormat, "%s is not a finite number", clip(text))
	}
	return floatCell(f), nil
}
