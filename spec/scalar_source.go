package spec

import (
	"bytes"
	"strings"
)

// Span returns the place of the scalar as written, quotes included. A block scalar spans from its indicator to the end
// of its last line of text. Where the source does not decode to Value, the span reaches to the end of the line.
func (s *Scalar) Span() Span {
	if from, to, ok := s.direct(); ok {
		quote := 0
		if s.Style != Plain {
			quote = 1
		}
		return s.File.Span(from-quote, to+quote)
	}
	if m, ok := s.offsets(); ok {
		return s.File.Span(s.Start, m.stop)
	}
	return s.File.Span(s.Start, s.lineEnd())
}

// Sub returns the place of the bytes [from, to) of the decoded value; where the source can't be mapped, that of the
// whole scalar. An empty range is the place before that byte, or behind the last one. The line break that ends a block
// scalar is no part of its span, and has an empty one.
func (s *Scalar) Sub(from, to int) Span {
	from = max(0, min(from, len(s.Value)))
	to = max(from, min(to, len(s.Value)))
	if start, _, ok := s.direct(); ok {
		return s.File.Span(start+from, start+to)
	}
	m, ok := s.offsets()
	if !ok {
		return s.Span()
	}
	if from == to {
		at := m.before(from)
		return s.File.Span(at, at)
	}
	return s.File.Span(min(int(m.from[from]), m.stop), min(int(m.to[to-1]), m.stop))
}

// direct returns the bytes of the text where it stands in the source just as in Value, which is the rule.
func (s *Scalar) direct() (from, to int, ok bool) {
	if s.Style > DoubleQuoted || s.Start >= len(s.File.Text) {
		return 0, 0, false
	}
	from = s.Start
	if s.Style != Plain {
		from++
	}
	to = from + len(s.Value)
	if to > len(s.File.Text) || string(s.File.Text[from:to]) != s.Value {
		return 0, 0, false
	}
	switch s.Style {
	case SingleQuoted:
		ok = to < len(s.File.Text) && s.File.Text[to] == '\'' && !escaped(s.Value, '\'', '\'')
	case DoubleQuoted:
		ok = to < len(s.File.Text) && s.File.Text[to] == '"' && !escaped(s.Value, '"', '\\')
	default:
		ok = true
	}
	return from, to, ok
}

// escaped reports whether a text has what quotes hold in another form: one of two characters, or a line break.
func escaped(text string, a, b byte) bool {
	ascii := true
	for i := range len(text) {
		switch c := text[i]; {
		case c == a || c == b || c == '\r' || c == '\n':
			return true
		case c >= 0x80:
			ascii = false
		}
	}
	return !ascii && strings.ContainsAny(text, "\u0085\u2028\u2029")
}

// lineEnd returns the end of the line that the scalar starts on, trailing blanks left out.
func (s *Scalar) lineEnd() int {
	rest := s.File.Text[min(s.Start, len(s.File.Text)):]
	if i := bytes.IndexAny(rest, "\r\n"); i >= 0 {
		rest = rest[:i]
	}
	return s.Start + len(bytes.TrimRight(rest, " \t"))
}
