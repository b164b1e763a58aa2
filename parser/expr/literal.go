package expr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/causetc/causetc/spec"
)

// number makes the literal of a token that starts with a digit. Integers have no leading zeros; decimals have digits on
// both sides of the dot; there are no exponents.
func (p *parser) number(text string, at spec.Range) spec.Node {
	whole, fraction, isDecimal := strings.Cut(text, ".")
	switch {
	case !allDigits(whole) || isDecimal && fraction != "" && !allDigits(fraction):
		p.report(at, numberMessage(text))
	case len(whole) > 1 && whole[0] == '0':
		p.report(at, fmt.Sprintf("`%s` is not a number: a number has no leading zeros; a text needs quotes", short(text)))
	case isDecimal && fraction == "":
		p.report(at, fmt.Sprintf("`%s` is not a number: a decimal has digits on both sides of the dot", short(text)))
	case len(whole) > MaxDigits || len(fraction) > MaxDigits:
		p.report(at, fmt.Sprintf("a number has at most %d digits before and after the dot", MaxDigits))
	case isDecimal:
		return &spec.Lit{Where: at, Kind: spec.LitDecimal, Text: text}
	default:
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			p.report(at, fmt.Sprintf("`%s` is too large: integers have 64 bits (at most 9223372036854775807)", short(text)))
			break
		}
		return &spec.Lit{Where: at, Kind: spec.LitInt, Text: text}
	}
	return &spec.Bad{Where: at}
}

func numberMessage(text string) string {
	if i := strings.IndexAny(text, "eE"); i > 0 && allDigits(strings.Replace(text[:i], ".", "", 1)) && (i+1 == len(text) || allDigits(text[i+1:])) {
		return fmt.Sprintf("`%s` is not a number: there are no exponents, write all digits", short(text))
	}
	return fmt.Sprintf("`%s` is neither a number nor a name: a name starts with a letter; a text needs quotes", short(text))
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// quoted makes the literal of a quoted text.
func (p *parser) quoted(raw string, at spec.Range) spec.Node {
	quote := raw[:1]
	if !closed(raw) {
		p.report(span(int(at.From), int(at.From)+1), "the text that starts here is never closed: a "+quote+" is missing")
		return &spec.Bad{Where: at}
	}
	body := raw[1 : len(raw)-1]
	if simple(body) {
		return &spec.Lit{Where: at, Kind: spec.LitString, Text: body}
	}
	before := len(p.problems)
	text := p.unescape(body, int(at.From)+1)
	if len(p.problems) > before || p.stopped {
		return &spec.Bad{Where: at}
	}
	return &spec.Lit{Where: at, Kind: spec.LitString, Text: text}
}

// closed tells whether the token of a quoted text ends with its quote, which must not be escaped.
func closed(raw string) bool {
	last := len(raw) - 1
	backslashes := 0
	for i := last - 1; i > 0 && raw[i] == '\\'; i-- {
		backslashes++
	}
	return last > 0 && raw[last] == raw[0] && backslashes%2 == 0
}

// simple tells whether a text stands for itself: no escapes, and nothing that is refused.
func simple(s string) bool {
	for i := range len(s) {
		if s[i] == '\\' || s[i] == 0 || s[i] >= utf8.RuneSelf {
			return !strings.ContainsAny(s, "\\\x00") && utf8.ValidString(s)
		}
	}
	return true
}

// unescape decodes the body of a quoted text that starts at the offset base.
func (p *parser) unescape(s string, base int) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\\':
			text, width, problem := escape(s[i:])
			if problem != "" {
				p.report(span(base+i, base+i+width), problem)
			}
			b.WriteString(text)
			n = width
		case r == 0:
			p.report(span(base+i, base+i+1), "a text can't hold the character U+0000")
		case r == utf8.RuneError && n == 1:
			p.report(span(base+i, base+i+1), badMessage(s[i:i+1]))
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// escape decodes the escape that s starts with: its text, its width in bytes, and what is wrong with it. A backslash at
// the very end of s can't happen: it would escape the closing quote.
func escape(s string) (text string, width int, problem string) {
	switch s[1] {
	case '\\', '\'', '"':
		return s[1:2], 2, ""
	case 'n':
		return "\n", 2, ""
	case 't':
		return "\t", 2, ""
	case 'r':
		return "\r", 2, ""
	case 'u':
		return unicodeEscape(s)
	}
	_, n := utf8.DecodeRuneInString(s[1:])
	return "", 1 + n, fmt.Sprintf("unknown escape `%s`: there are \\\\ \\' \\\" \\n \\t \\r \\uXXXX; a backslash itself is \\\\", shown(s[:1+n]))
}

// shown is a piece of a text as a message can show it: what can't be printed is a question mark.
func shown(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// unicodeEscape decodes \uXXXX, or the two of them that make a character above U+FFFF.
func unicodeEscape(s string) (text string, width int, problem string) {
	r, ok := hex4(s)
	if !ok {
		return "", 2, "`\\u` needs four hexadecimal digits, such as \\u00e9"
	}
	if r == 0 {
		return "", 6, "a text can't hold the character U+0000"
	}
	if !utf16.IsSurrogate(r) {
		return string(r), 6, ""
	}
	low, ok := hex4(s[6:])
	if full := utf16.DecodeRune(r, low); ok && full != utf8.RuneError {
		return string(full), 12, ""
	}
	return "", 6, fmt.Sprintf("`%s` is half a character: a surrogate needs its other half after it", s[:6])
}

// hex4 decodes the \uXXXX that s starts with.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[:2] != `\u` {
		return 0, false
	}
	v, err := strconv.ParseUint(s[2:6], 16, 32)
	return rune(v), err == nil
}
