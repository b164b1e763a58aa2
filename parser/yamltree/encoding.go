package yamltree

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// checkText returns what keeps a text from being YAML at all: another encoding, or characters that YAML does not allow.
func checkText(text []byte) *Problem {
	switch {
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}), bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		return &Problem{Code: Encoding, From: 0, To: 2, Message: "the file is encoded in UTF-16; save it as UTF-8"}
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ' ' && c < 0x7F || c == '\n' || c == '\t' || c == '\r' {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if p := checkRune(r, n, i); p != nil {
			return p
		}
		i += n
	}
	return nil
}

func checkRune(r rune, n, at int) *Problem {
	p := &Problem{Code: Encoding, From: at, To: at + n}
	switch {
	case r == utf8.RuneError && n == 1:
		p.Message = "the file is not UTF-8 text from here on; save it as UTF-8"
	case r == 0:
		p.Message = "the file holds a NUL byte, so it is no text, or text in another encoding such as UTF-16"
	case r == 0xFEFF && at > 0:
		p.Message = "a byte order mark (U+FEFF) stands inside of the file, invisible; remove it"
	case r < ' ' || 0x7F <= r && r < 0xA0 && r != 0x85 || r == 0xFFFE || r == 0xFFFF:
		p.Message = fmt.Sprintf("the character U+%04X is not allowed in YAML; in double quotes, write \\u%04X", r, r)
	default:
		return nil
	}
	return p
}
