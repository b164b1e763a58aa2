package expr

import "strconv"

// Text returns the value as concat, join, hash and TEXT columns show it: a string as it is, a number plain (without
// exponent and trailing zeros), true or false, nothing for null and missing, and canonical JSON for arrays and objects.
func (v Value) Text() string {
	if v.kind == KindString {
		return v.s
	}
	return string(v.AppendText(nil))
}

// AppendText appends Text to dst.
func (v Value) AppendText(dst []byte) []byte {
	switch v.kind {
	case KindMissing, KindNull:
		return dst
	case KindString:
		return append(dst, v.s...)
	case KindFloat, KindTime, KindDate, KindBytes:
		return appendCellText(dst, v)
	default:
		return v.AppendJSON(dst)
	}
}

// String returns the canonical JSON of the value for messages, and the word missing for a missing one.
func (v Value) String() string {
	if v.kind == KindMissing {
		return "missing"
	}
	return string(v.AppendJSON(nil))
}

// MarshalJSON returns the canonical JSON of the value and never fails: members sorted by the bytes of their keys, numbers
// as Text has them, no white space, the shortest escapes. ParseJSON gives an equal value back, except for cells: a float
// is a number, moments, dates and bytes are strings. Missing is null. Strings that are not valid UTF-8 keep their bytes.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// UnmarshalJSON is ParseJSON into the receiver.
func (v *Value) UnmarshalJSON(data []byte) error {
	parsed, err := ParseJSON(data)
	if err != nil {
		return err
	}
	*v = parsed
	return nil
}

// AppendJSON appends the canonical JSON of the value to dst.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.kind {
	case KindMissing, KindNull:
		return append(dst, "null"...)
	case KindBool:
		return strconv.AppendBool(dst, v.n != 0)
	case KindInt, KindDecimal:
		return appendNumber(dst, v)
	case KindString:
		return appendJSONString(dst, v.s)
	case KindArray:
		return appendJSONArray(dst, v.items())
	case KindObject:
		return appendJSONObject(dst, v.members())
	case KindFloat:
		return appendCellText(dst, v)
	default:
		return appendJSONString(dst, string(appendCellText(nil, v)))
	}
}

func appendJSONArray(dst []byte, items []Value) []byte {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = item.AppendJSON(dst)
	}
	return append(dst, ']')
}

func appendJSONObject(dst []byte, members []Member) []byte {
	dst = append(dst, '{')
	for i := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSONString(dst, members[i].Key)
		dst = append(dst, ':')
		dst = members[i].Value.AppendJSON(dst)
	}
	return append(dst, '}')
}

func appendJSONString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := range len(s) {
		if c := s[i]; c == '"' || c == '\\' || c < ' ' {
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, c)
			start = i + 1
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	default:
		const hex = "0123456789abcdef"
		return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
	}
}
