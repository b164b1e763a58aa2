package spec

import "unicode/utf8"

// offsetMap tells for each byte of a decoded text which bytes of the source stand for it. All bytes that one escape
// makes have the same range, and so has the space or the line break that stands for folded lines.
type offsetMap struct {
	from, to []int32
	stop     int // the end of the scalar in the source, closing quote included
	start    int // where the text begins
}

// before returns the source offset in front of byte i of the text.
func (m *offsetMap) before(i int) int {
	switch {
	case i < len(m.from):
		return int(m.from[i])
	case len(m.to) > 0:
		return int(m.to[len(m.to)-1])
	}
	return m.start
}

// offsets decodes the scalar again from its source. It reports false unless the result is exactly Value, so a map is
// right whenever there is one.
func (s *Scalar) offsets() (*offsetMap, bool) {
	d := &decoder{src: s.File.Text, pos: s.Start, want: len(s.Value), indent: int(s.Indent)}
	d.text = make([]byte, 0, len(s.Value))
	d.m.from = make([]int32, 0, len(s.Value))
	d.m.to = make([]int32, 0, len(s.Value))
	var ok bool
	switch s.Style {
	case SingleQuoted:
		ok = d.single()
	case DoubleQuoted:
		ok = d.double()
	case Literal, Folded:
		ok = d.block(s.Style == Folded)
	default:
		ok = d.plain()
	}
	return &d.m, ok && string(d.text) == s.Value
}

// decoder reads one YAML scalar from its source and notes where each decoded byte comes from.
type decoder struct {
	src    []byte
	pos    int
	want   int // the length of the text: a plain scalar ends there, and nothing longer can be right
	indent int
	text   []byte
	m      offsetMap
}

// emit appends text that the source bytes [from, to) stand for.
func (d *decoder) emit(text string, from, to int) {
	d.text = append(d.text, text...)
	for range len(text) {
		d.m.from = append(d.m.from, int32(from))
		d.m.to = append(d.m.to, int32(to))
	}
}

// copyRune appends the character at pos as it stands.
func (d *decoder) copyRune() {
	_, n := utf8.DecodeRune(d.src[d.pos:])
	for range n {
		d.text = append(d.text, d.src[d.pos])
		d.m.from = append(d.m.from, int32(d.pos))
		d.pos++
		d.m.to = append(d.m.to, int32(d.pos))
	}
}

func (d *decoder) at(i int) byte {
	if i < len(d.src) {
		return d.src[i]
	}
	return 0
}

func (d *decoder) blank(i int) bool { return d.at(i) == ' ' || d.at(i) == '\t' }

// lineBreak returns the length of the line break at i, or 0, and what it decodes to. YAML 1.1 has more line breaks than
// editors have.
func (d *decoder) lineBreak(i int) (n int, text string) {
	switch c := d.at(i); {
	case c == '\n':
		return 1, "\n"
	case c == '\r' && d.at(i+1) == '\n':
		return 2, "\n"
	case c == '\r':
		return 1, "\n"
	case c == 0xC2 && d.at(i+1) == 0x85:
		return 2, "\n"
	case c == 0xE2 && d.at(i+1) == 0x80 && d.at(i+2)&0xFE == 0xA8:
		return 3, string(d.src[i : i+3])
	}
	return 0, ""
}

// fold reads the blanks and line breaks at pos in a plain or quoted scalar. After an escaped line break, escaped is set.
func (d *decoder) fold(escaped bool) {
	start := d.pos
	for d.blank(d.pos) {
		d.pos++
	}
	n, first := d.lineBreak(d.pos)
	if !escaped {
		if n == 0 {
			for i := start; i < d.pos; i++ {
				d.emit(string(d.src[i:i+1]), i, i+1)
			}
			return
		}
		d.pos += n
	}
	more := d.breaks()
	switch {
	case escaped:
	case first != "\n":
		d.emit(first, start, start+n)
	case len(more) == 0:
		d.emit(" ", start, d.pos)
	}
	for _, b := range more {
		d.emit(b.text, b.from, b.to)
	}
}

// sourceBreak is a line break with its place.
type sourceBreak struct {
	text     string
	from, to int
}

// breaks skips blanks and line breaks and returns the breaks.
func (d *decoder) breaks() []sourceBreak {
	var found []sourceBreak
	for {
		if d.blank(d.pos) {
			d.pos++
			continue
		}
		n, text := d.lineBreak(d.pos)
		if n == 0 {
			return found
		}
		found = append(found, sourceBreak{text, d.pos, d.pos + n})
		d.pos += n
	}
}

// isSpace reports whether a blank, a line break or the end stands at pos.
func (d *decoder) isSpace() bool {
	if d.pos >= len(d.src) || d.blank(d.pos) {
		return true
	}
	n, _ := d.lineBreak(d.pos)
	return n > 0
}

func (d *decoder) plain() bool {
	d.m.start, d.m.stop = d.pos, d.pos
	for len(d.text) < d.want {
		switch {
		case d.pos >= len(d.src):
			return false
		case d.isSpace():
			d.fold(false)
		default:
			d.copyRune()
			d.m.stop = d.pos
		}
	}
	return true
}

func (d *decoder) single() bool {
	if d.at(d.pos) != '\'' {
		return false
	}
	d.pos++
	d.m.start = d.pos
	for d.pos < len(d.src) && len(d.text) <= d.want {
		switch {
		case d.src[d.pos] == '\'' && d.at(d.pos+1) == '\'':
			d.emit("'", d.pos, d.pos+2)
			d.pos += 2
		case d.src[d.pos] == '\'':
			d.m.stop = d.pos + 1
			return true
		case d.isSpace():
			d.fold(false)
		default:
			d.copyRune()
		}
	}
	return false
}

func (d *decoder) double() bool {
	if d.at(d.pos) != '"' {
		return false
	}
	d.pos++
	d.m.start = d.pos
	for d.pos < len(d.src) && len(d.text) <= d.want {
		switch {
		case d.src[d.pos] == '"':
			d.m.stop = d.pos + 1
			return true
		case d.src[d.pos] == '\\':
			if !d.escape() {
				return false
			}
		case d.isSpace():
			d.fold(false)
		default:
			d.copyRune()
		}
	}
	return false
}

// simpleEscapes are the escapes of one character in double quotes.
var simpleEscapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b",
	' ': " ", '"': `"`, '\'': "'", '\\': `\`, 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

// escape reads an escape sequence in double quotes.
func (d *decoder) escape() bool {
	start := d.pos
	if n, _ := d.lineBreak(start + 1); n > 0 {
		d.pos += 1 + n
		d.fold(true)
		return true
	}
	c := d.at(start + 1)
	if text, ok := simpleEscapes[c]; ok {
		d.pos += 2
		d.emit(text, start, d.pos)
		return true
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	r := rune(0)
	for i := range digits {
		v := hexValue(d.at(start + 2 + i))
		if v < 0 || r > utf8.MaxRune {
			return false
		}
		r = r<<4 | v
	}
	if digits == 0 || !utf8.ValidRune(r) {
		return false
	}
	d.pos += 2 + digits
	d.emit(string(r), start, d.pos)
	return true
}

func hexValue(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10
	}
	return -1
}
