package expr

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/causetc/causetc/ir"
)

// Coerce turns a value into the canonical cell of a column, or says why it does not fit. Null and missing stay what they
// are. What one value alone can violate is found here, so that Postgres takes every cell: after Coerce only constraints
// between rows can fail. A value is taken exactly or not at all; nothing is rounded, cut or padded, but for REAL and
// DOUBLE PRECISION. Errors are of type *EvalError.
//
//   - TEXT, VARCHAR(n), CHAR(n): a string (valid UTF-8 without NUL), the plain text of a number, true or false. No more
//     than n characters; trailing spaces of CHAR mean nothing and are dropped first.
//   - SMALLINT, INTEGER, BIGINT, NUMERIC(p,s): a number, or a string in JSON's number grammar, that the type holds exactly.
//     1.0 and "1.0" are integers, "007" and " 7" are not numbers.
//   - REAL, DOUBLE PRECISION: the nearest value to such a number; one that is not finite is out of range.
//   - BOOLEAN: a bool, or the string true or false.
//   - TIMESTAMP, TIMESTAMPTZ: a number of milliseconds since the epoch (fractions to the microsecond), or RFC 3339 text, whose
//     digits beyond the microsecond are cut. Years 1 to 9999. DATE: the UTC day of such a moment.
//   - UUID: a string of 32 hexadecimal digits of any case, with hyphens as 8-4-4-4-12 or without.
//   - BYTEA: a string: \x and hexadecimal digits, else standard base64 with padding.
//   - JSON, JSONB: every value, with valid strings without NUL, nested to MaxJSONDepth.
func Coerce(v Value, t ir.SQLType) (Value, error) {
	if v.IsNull() {
		return v, nil
	}
	switch t.Name {
	case ir.Text, ir.Varchar, ir.Char:
		return coerceText(v, t)
	case ir.SmallInt:
		return coerceInt(v, t, math.MinInt16, math.MaxInt16)
	case ir.Integer:
		return coerceInt(v, t, math.MinInt32, math.MaxInt32)
	case ir.BigInt:
		return coerceInt(v, t, math.MinInt64, math.MaxInt64)
	case ir.Numeric:
		return coerceNumeric(v, t)
	case ir.Real:
		return coerceFloat(v, t, 32)
	case ir.Double:
		return coerceFloat(v, t, 64)
	case ir.Boolean:
		return coerceBool(v, t)
	case ir.Timestamp, ir.TimestampTZ, ir.Date:
		return coerceMoment(v, t)
	case ir.UUID:
		return coerceUUID(v, t)
	case ir.Bytea:
		return coerceBytes(v, t)
	case ir.JSON, ir.JSONB:
		return v, checkJSON(v, 0)
	default:
		return Value{}, evalErrorf(CodeType, "unknown column type %s", clip(string(t.Name)))
	}
}

// ValidText returns a CodeText error unless the text is valid UTF-8 without NUL, which is what Postgres can hold.
func ValidText(s string) error {
	if strings.IndexByte(s, 0) >= 0 {
		return evalErrorf(CodeText, "text %s has a NUL character, which Postgres cannot hold", clip(s))
	}
	if !utf8.ValidString(s) {
		return evalErrorf(CodeText, "text %s is not valid UTF-8 or has half a surrogate pair", clip(s))
	}
	return nil
}

func errColumn(v Value, t ir.SQLType) error {
	return evalErrorf(CodeType, "a %s column cannot take %s", typeText(t), describe(v))
}

// typeText renders a column type as DDL has it.
func typeText(t ir.SQLType) string {
	switch {
	case t.Precision > 0:
		return string(t.Name) + "(" + strconv.Itoa(t.Precision) + "," + strconv.Itoa(t.Scale) + ")"
	case t.Length > 0:
		return string(t.Name) + "(" + strconv.Itoa(t.Length) + ")"
	default:
		return string(t.Name)
	}
}

func coerceText(v Value, t ir.SQLType) (Value, error) {
	if v.kind == KindArray || v.kind == KindObject {
		return Value{}, errColumn(v, t)
	}
	text := v.Text()
	if err := ValidText(text); err != nil {
		return Value{}, err
	}
	length := t.Length
	if t.Name == ir.Char {
		text = strings.TrimRight(text, " ")
		length = max(length, 1)
	}
	if length > 0 && len(text) > length && utf8.RuneCountInString(text) > length {
		return Value{}, evalErrorf(CodeLength, "text %s has %d characters, more than %s holds", clip(text), utf8.RuneCountInString(text), typeText(t))
	}
	return String(text), nil
}

// numberOf returns the number that a value is or, as a string, spells.
func numberOf(v Value, t ir.SQLType) (Value, error) {
	switch v.kind {
	case KindInt, KindDecimal:
		return v, nil
	case KindString:
		n, err := ParseNumber(v.s)
		if err != nil {
			return Value{}, evalErrorf(err.(*EvalError).Code, "a %s column cannot take %s: %s", typeText(t), describe(v), err.Error())
		}
		return n, nil
	default:
		return Value{}, errColumn(v, t)
	}
}

func coerceInt(v Value, t ir.SQLType, least, most int64) (Value, error) {
	number, err := numberOf(v, t)
	if err != nil {
		return Value{}, err
	}
	n, ok := number.AsInt()
	if !ok && number.exp < 0 {
		return Value{}, evalErrorf(CodePrecision, "a %s column cannot take %s: it is not an integer", typeText(t), describe(v))
	}
	if !ok || n < least || n > most {
		return Value{}, evalErrorf(CodeRange, "a %s column cannot take %s: out of range", typeText(t), describe(v))
	}
	return Int(n), nil
}

func coerceNumeric(v Value, t ir.SQLType) (Value, error) {
	number, err := numberOf(v, t)
	if err != nil {
		return Value{}, err
	}
	d := number.ToDecimal()
	if t.Precision == 0 || isZero(d) {
		return d, nil
	}
	if int(d.exp) < -t.Scale {
		return Value{}, evalErrorf(CodePrecision, "a %s column cannot take %s: more than %d digits after the point", typeText(t), describe(v), t.Scale)
	}
	if d.digitCount()+int(d.exp) > t.Precision-t.Scale {
		return Value{}, evalErrorf(CodeRange, "a %s column cannot take %s: more than %d digits before the point", typeText(t), describe(v), t.Precision-t.Scale)
	}
	return d, nil
}

// digitCount returns the number of significant digits of a decimal.
func (v Value) digitCount() int {
	if v.box != nil {
		return int(v.box.num.NumDigits())
	}
	return digits(v.n)
}

func coerceFloat(v Value, t ir.SQLType, bits int) (Value, error) {
	if v.kind == KindFloat {
		return v, nil
	}
	number, err := numberOf(v, t)
	if err != nil {
		return Value{}, err
	}
	var scratch [64]byte
	f, err := strconv.ParseFloat(string(appendNumber(scratch[:0], number)), bits)
	if err != nil {
		return Value{}, evalErrorf(CodeRange, "a %s column cannot take %s: out of range", typeText(t), describe(v))
	}
	return floatCell(f), nil
}

// floatCell returns the cell of a finite float; minus zero becomes zero.
func floatCell(f float64) Value {
	if f == 0 {
		f = 0
	}
	return Value{kind: KindFloat, n: int64(math.Float64bits(f))}
}

func coerceBool(v Value, t ir.SQLType) (Value, error) {
	switch {
	case v.kind == KindBool:
		return v, nil
	case v.kind == KindString && (v.s == "true" || v.s == "false"):
		return Bool(v.s == "true"), nil
	default:
		return Value{}, errColumn(v, t)
	}
}

func coerceMoment(v Value, t ir.SQLType) (Value, error) {
	micros, err := momentOf(v)
	if err != nil {
		return Value{}, evalErrorf(err.(*EvalError).Code, "a %s column cannot take %s", typeText(t), err.Error())
	}
	if t.Name == ir.Date {
		return Value{kind: KindDate, n: floorDiv(micros, microsPerDay)}, nil
	}
	return Value{kind: KindTime, n: micros}, nil
}

func coerceUUID(v Value, t ir.SQLType) (Value, error) {
	if v.kind != KindString {
		return Value{}, errColumn(v, t)
	}
	text := v.s
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		text = text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
	}
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != 16 {
		return Value{}, evalErrorf(CodeFormat, "%s is not a UUID", describe(v))
	}
	text = hex.EncodeToString(raw)
	return String(text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]), nil
}

func coerceBytes(v Value, t ir.SQLType) (Value, error) {
	switch {
	case v.kind == KindBytes:
		return v, nil
	case v.kind != KindString:
		return Value{}, errColumn(v, t)
	}
	decode := base64.StdEncoding.Strict().DecodeString
	text, isHex := strings.CutPrefix(v.s, `\x`)
	if isHex {
		decode = hex.DecodeString
	}
	raw, err := decode(text)
	if err != nil || (!isHex && strings.ContainsAny(text, "\r\n")) {
		return Value{}, evalErrorf(CodeFormat, "%s is neither \\x with hexadecimal digits nor base64", describe(v))
	}
	return Value{kind: KindBytes, s: string(raw)}, nil
}

// checkJSON checks what a JSON column can hold. depth is that of the containers around v.
func checkJSON(v Value, depth int) error {
	switch v.kind {
	case KindString:
		return ValidText(v.s)
	case KindArray, KindObject:
	default:
		return nil
	}
	if depth++; depth > MaxJSONDepth {
		return evalErrorf(CodeDepth, "JSON nested deeper than %d", MaxJSONDepth)
	}
	for _, item := range v.items() {
		if err := checkJSON(item, depth); err != nil {
			return err
		}
	}
	for _, m := range v.members() {
		if err := ValidText(m.Key); err != nil {
			return err
		}
		if err := checkJSON(m.Value, depth); err != nil {
			return err
		}
	}
	return nil
}

// AsMoment returns the moment of a TIMESTAMP, TIMESTAMPTZ or DATE cell in UTC, and whether the cell is one.
func (v Value) AsMoment() (time.Time, bool) {
	switch v.kind {
	case KindTime:
		return time.UnixMicro(v.n).UTC(), true
	case KindDate:
		return time.Unix(v.n*86_400, 0).UTC(), true
	default:
		return time.Time{}, false
	}
}

// AsFloat returns the number of a REAL or DOUBLE PRECISION cell, and whether the cell is one.
func (v Value) AsFloat() (float64, bool) { return v.float(), v.kind == KindFloat }

// AsBytes returns the bytes of a BYTEA cell, and whether the cell is one.
func (v Value) AsBytes() ([]byte, bool) { return []byte(v.s), v.kind == KindBytes }
