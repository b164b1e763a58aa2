package expr

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxJSONDepth bounds the nesting of arrays and objects in a JSON text and in a value that a JSON column takes.
const MaxJSONDepth = 100

// SyntaxError says why a text is not JSON, or is beyond MaxJSONDepth or MaxDigits.
type SyntaxError struct {
	Offset  int // in bytes from the start of the text
	Message string
}

// Error returns the message with its offset.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at byte %d: %s", e.Offset, e.Message)
}

// ParseJSON reads one JSON text (RFC 8259) exactly: a number without fraction and exponent that fits 64 bits is an Int,
// every other number a decimal. Of members with one key the last wins, as in Postgres' jsonb. A text that is not valid
// UTF-8 and an escape of half a surrogate pair are kept as invalid UTF-8 in the string, where Coerce and ValidText find
// them. Strings of the result share one copy of data. Errors are of type *SyntaxError.
func ParseJSON(data []byte) (Value, error) { return ParseJSONString(string(data)) }

// ParseJSONString is ParseJSON of a text that the result shares instead of copying it.
func ParseJSONString(text string) (Value, error) {
	p := jsonParser{text: text, stacks: parserStacks.Get().(*stacks)}
	defer p.release()
	if err := p.space(); err != nil {
		return Value{}, err
	}
	v, err := p.value()
	if err != nil {
		return Value{}, err
	}
	if p.skipSpace(); p.pos < len(p.text) {
		return Value{}, p.errorf("unexpected %s after the value", p.seen())
	}
	return v, nil
}

// jsonParser is a recursive descent parser. Items and members of the containers that are open wait on two stacks, so
// that each container is allocated once with its final size.
type jsonParser struct {
	text  string
	pos   int
	depth int
	*stacks
}

type stacks struct {
	items   []Value
	members []Member
}

// parserStacks keeps stacks that are not in use: events are read one after another, and each would grow its own.
var parserStacks = sync.Pool{New: func() any { return &stacks{} }}

// longestStack is how many items or members a stack may have room for that is kept.
const longestStack = 1024

// shortText is the length of a text in bytes that a stack may go on holding parts of.
const shortText = 2 << 10

// release gives the stacks back without what they hold of the text, if that is long.
func (p *jsonParser) release() {
	if cap(p.items) > longestStack || cap(p.members) > longestStack {
		return
	}
	if len(p.text) > shortText {
		clear(p.items[:cap(p.items)])
		clear(p.members[:cap(p.members)])
	}
	p.items, p.members = p.items[:0], p.members[:0]
	parserStacks.Put(p.stacks)
}

func (p *jsonParser) errorf(format string, args ...any) error {
	return &SyntaxError{Offset: p.pos, Message: fmt.Sprintf(format, args...)}
}

// seen describes what stands at the position.
func (p *jsonParser) seen() string {
	if p.pos >= len(p.text) {
		return "end of text"
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return strconv.QuoteRune(r)
}

func (p *jsonParser) skipSpace() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\n', '\t', '\r':
			p.pos++
		default:
			return
		}
	}
}

// space skips white space and fails at the end of the text.
func (p *jsonParser) space() error {
	p.skipSpace()
	if p.pos >= len(p.text) {
		return p.errorf("unexpected end of text")
	}
	return nil
}

// value reads the value that starts at the position.
func (p *jsonParser) value() (Value, error) {
	switch c := p.text[p.pos]; {
	case c == '"':
		s, err := p.str()
		return String(s), err
	case c == '{':
		return p.object()
	case c == '[':
		return p.array()
	case c == '-' || (c >= '0' && c <= '9'):
		return p.number()
	case c == 't':
		return Bool(true), p.word("true")
	case c == 'f':
		return Bool(false), p.word("false")
	case c == 'n':
		return Null(), p.word("null")
	default:
		return Value{}, p.errorf("unexpected %s, want a value", p.seen())
	}
}

func (p *jsonParser) word(word string) error {
	if len(p.text)-p.pos < len(word) || p.text[p.pos:p.pos+len(word)] != word {
		return p.errorf("unexpected %s, want a value", p.seen())
	}
	p.pos += len(word)
	return nil
}

func (p *jsonParser) number() (Value, error) {
	length := scanNumber(p.text[p.pos:])
	if length == 0 {
		return Value{}, p.errorf("malformed number")
	}
	v, err := parseNumber(p.text[p.pos : p.pos+length])
	if err != nil {
		return Value{}, p.errorf("%s", err.Error())
	}
	p.pos += length
	return v, nil
}

func (p *jsonParser) enter() error {
	if p.depth++; p.depth > MaxJSONDepth {
		return p.errorf("nested deeper than %d", MaxJSONDepth)
	}
	p.pos++
	return p.space()
}

func (p *jsonParser) array() (Value, error) {
	if err := p.enter(); err != nil {
		return Value{}, err
	}
	base := len(p.items)
	for p.text[p.pos] != ']' {
		v, err := p.value()
		if err != nil {
			return Value{}, err
		}
		p.items = append(p.items, v)
		if err := p.separator(']'); err != nil {
			return Value{}, err
		}
	}
	p.pos++
	p.depth--
	var items []Value
	if len(p.items) > base {
		items = append(make([]Value, 0, len(p.items)-base), p.items[base:]...)
		p.items = p.items[:base]
	}
	return Array(items), nil
}

func (p *jsonParser) object() (Value, error) {
	if err := p.enter(); err != nil {
		return Value{}, err
	}
	base := len(p.members)
	for p.text[p.pos] != '}' {
		if err := p.member(); err != nil {
			return Value{}, err
		}
		if err := p.separator('}'); err != nil {
			return Value{}, err
		}
	}
	p.pos++
	p.depth--
	members := p.members[base:]
	p.members = p.members[:base]
	return Object(slices.Clone(members)), nil
}

// member reads a member and puts it on the stack.
func (p *jsonParser) member() error {
	if p.text[p.pos] != '"' {
		return p.errorf("unexpected %s, want a key in double quotes", p.seen())
	}
	key, err := p.str()
	if err != nil {
		return err
	}
	if err := p.space(); err != nil {
		return err
	}
	if p.text[p.pos] != ':' {
		return p.errorf("unexpected %s, want ':' after the key", p.seen())
	}
	p.pos++
	if err := p.space(); err != nil {
		return err
	}
	v, err := p.value()
	if err != nil {
		return err
	}
	p.members = append(p.members, Member{Key: key, Value: v})
	return nil
}

// separator moves past a comma to the next item, or stops before the closing bracket.
func (p *jsonParser) separator(closing byte) error {
	if err := p.space(); err != nil {
		return err
	}
	switch p.text[p.pos] {
	case closing:
		return nil
	case ',':
		p.pos++
	default:
		return p.errorf("unexpected %s, want ',' or %q", p.seen(), closing)
	}
	if err := p.space(); err != nil {
		return err
	}
	if p.text[p.pos] == closing {
		return p.errorf("unexpected %q after ','", closing)
	}
	return nil
}

// str reads the string that starts at the position. Without escapes it is a part of the text.
func (p *jsonParser) str() (string, error) {
	p.pos++
	start := p.pos
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			p.pos++
			return p.text[start : p.pos-1], nil
		case c == '\\':
			return p.escapedString(start)
		case c < ' ':
			return "", p.errorf("control character %q in a string", c)
		}
		p.pos++
	}
	return "", p.errorf("string without an end")
}

// escapedString reads on from the first escape of a string that started at start.
func (p *jsonParser) escapedString(start int) (string, error) {
	buf := append(make([]byte, 0, p.pos-start+32), p.text[start:p.pos]...)
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			p.pos++
			return string(buf), nil
		case c == '\\':
			var err error
			if buf, err = p.escape(buf); err != nil {
				return "", err
			}
			continue
		case c < ' ':
			return "", p.errorf("control character %q in a string", c)
		default:
			buf = append(buf, c)
			p.pos++
		}
	}
	return "", p.errorf("string without an end")
}

// escaped maps the letter of a short escape to what it stands for.
func escaped(c byte) (byte, bool) {
	switch c {
	case '"', '\\', '/':
		return c, true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	default:
		return 0, false
	}
}

// escape reads one escape, or two that are a surrogate pair, and appends what it stands for.
func (p *jsonParser) escape(buf []byte) ([]byte, error) {
	if p.pos+1 >= len(p.text) {
		return nil, p.errorf("string without an end")
	}
	if c, ok := escaped(p.text[p.pos+1]); ok {
		p.pos += 2
		return append(buf, c), nil
	}
	r, ok := p.hexEscape(p.pos)
	if !ok {
		return nil, p.errorf("invalid escape in a string")
	}
	p.pos += 6
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(buf, r), nil
	}
	if low, ok := p.hexEscape(p.pos); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			p.pos += 6
			return utf8.AppendRune(buf, pair), nil
		}
	}
	return appendSurrogate(buf, r), nil
}

// appendSurrogate appends half a pair in the three bytes that its number would have, which are not valid UTF-8.
func appendSurrogate(buf []byte, r rune) []byte {
	return append(buf, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
}

// hexEscape returns the code unit of the escape \uXXXX at pos.
func (p *jsonParser) hexEscape(pos int) (rune, bool) {
	if pos+6 > len(p.text) || p.text[pos] != '\\' || p.text[pos+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(p.text[pos+2:pos+6], 16, 16)
	if err != nil || n > math.MaxUint16 {
		return 0, false
	}
	return rune(n), true
}
