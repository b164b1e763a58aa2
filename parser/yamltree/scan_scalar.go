package yamltree

import "bytes"

// mentions reports whether a comment speaks to causetc.
func mentions(comment []byte) bool { return bytes.Contains(comment, []byte("causetc:")) }

func (s *scanner) scalarAt(from, to int, kind byte) {
	if s.onScalar != nil {
		s.onScalar(from, to, kind)
	}
}

// plain reads a text without quotes. It goes on over lines that are indented deeper than the block around it.
func (s *scanner) plain() {
	s.saveKey()
	s.keyOK = false
	t := token{kind: 'p', from: s.pos, to: s.pos, start: s.line, line: s.line}
	indent := s.top().column + 1
	folded := false
	for {
		if s.column() == 0 && (s.marker("---") || s.marker("...")) || s.at(s.pos) == '#' && s.pos > t.from {
			break
		}
		before := s.pos
		s.words()
		if s.pos > before {
			t.to, t.line, folded = s.pos, s.line, false
		}
		if !s.space(s.pos) || s.pos >= len(s.text) {
			break
		}
		folded = s.gap(indent) || folded
		if len(s.flow) == 0 && s.column() < indent && s.line > t.start {
			break
		}
	}
	if folded {
		s.keyOK = true
	}
	if s.pos == t.from {
		s.pos++ // what no text starts with has been reported
		t.to = s.pos
	}
	s.scalarAt(t.from, t.to, 'p')
	s.split(t)
	s.ended(t)
}

// words reads up to a blank, a line break, or what ends a text.
func (s *scanner) words() {
	for ; !s.space(s.pos); s.pos++ {
		switch c := s.text[s.pos]; {
		case c == ':' && s.space(s.pos+1):
			return
		case len(s.flow) == 0:
		case c == ',' || c == '[' || c == ']' || c == '{' || c == '}':
			return
		case c == '?':
			s.hide = append(s.hide, s.pos)
		}
	}
}

// gap skips blanks and line breaks inside of a text, and reports whether there was a line break.
func (s *scanner) gap(indent int) bool {
	folded := false
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\t' && folded && s.column() < indent:
			s.issue(Tabs, s.pos, s.pos+1, "a tab can't indent in YAML; use spaces")
			s.pos++
		case c == ' ' || c == '\t':
			s.pos++
		default:
			n := s.breakAt(s.pos)
			if n == 0 {
				return folded
			}
			s.plainBreak(n)
			folded = true
		}
	}
	return folded
}

// quoted reads a text in quotes.
func (s *scanner) quoted(quote byte) {
	s.saveKey()
	s.keyOK = false
	t := token{kind: quote, from: s.pos, start: s.line}
	s.pos++
	for {
		if s.pos >= len(s.text) || s.column() == 0 && (s.marker("---") || s.marker("...")) {
			s.issue(Syntax, t.from, t.from+1, "this quote is never closed")
			break
		}
		c := s.text[s.pos]
		if n := s.breakAt(s.pos); n > 0 {
			s.newline(n)
			continue
		}
		s.pos++
		if c == '\\' && quote == '"' {
			s.escape()
		}
		if c != quote {
			continue
		}
		if quote == '"' || s.at(s.pos) != quote {
			break
		}
		s.pos++ // a doubled quote stands for one
	}
	t.to, t.line = s.pos, s.line
	s.scalarAt(t.from, t.to, quote)
	s.ended(t)
}

// escape reads what stands behind a backslash in double quotes.
func (s *scanner) escape() {
	digits := 0
	switch c := s.at(s.pos); c {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		if n := s.breakAt(s.pos); n > 0 {
			s.newline(n)
			return
		}
		if bytes.IndexByte([]byte("0abt\tnvfre \"'\\N_LP"), c) < 0 {
			s.issue(Syntax, s.pos-1, s.pos+1, "\\%c is no escape in double quotes; write \\\\%c, or use single quotes", c, c)
		}
		if c < 0x80 && s.pos < len(s.text) {
			s.pos++
		}
		return
	}
	for i := 1; i <= digits; i++ {
		if !isHex(s.at(s.pos + i)) {
			s.issue(Syntax, s.pos-1, s.pos+i, "expected %d hexadecimal digits behind \\%c", digits, s.at(s.pos))
			break
		}
	}
	s.pos++
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// blockScalar reads a text behind | or >.
func (s *scanner) blockScalar() {
	s.dropKey()
	t := token{kind: 'b', from: s.pos, start: s.line}
	s.pos++
	width := 0
	for range 2 {
		switch c := s.at(s.pos); {
		case c == '+' || c == '-':
			s.pos++
		case '1' <= c && c <= '9' && width == 0:
			width = int(c-'0') + max(s.top().column, 0)
			s.pos++
		}
	}
	header := s.pos
	for s.at(s.pos) == ' ' || s.at(s.pos) == '\t' {
		s.pos++
	}
	if s.at(s.pos) == '#' {
		s.comment()
	}
	if s.pos < len(s.text) && s.breakAt(s.pos) == 0 {
		s.issue(Syntax, t.from, s.endOfValue(header), "%c starts a text on the lines below in YAML; put a value that starts with it in quotes", s.text[t.from])
		for s.pos < len(s.text) && s.breakAt(s.pos) == 0 {
			s.pos++
		}
	}
	t.to = header
	s.newline(s.breakAt(s.pos))
	s.blockLines(width, &t)
	s.keyOK = true
	s.scalarAt(t.from, t.to, 'b')
	s.ended(t)
}

// blockLines reads the lines of a block text. The first one with text settles its width.
func (s *scanner) blockLines(width int, t *token) {
	widest := 0
	for {
		for (width == 0 || s.column() < width) && s.at(s.pos) == ' ' {
			s.pos++
		}
		widest = max(widest, s.column())
		if n := s.breakAt(s.pos); n > 0 {
			s.newline(n)
			continue
		}
		if s.at(s.pos) == '\t' && (width == 0 || s.column() < width) {
			s.issue(Tabs, s.pos, s.pos+1, "a tab can't indent in YAML; use spaces")
		}
		if width == 0 {
			width = max(widest, s.top().column+1, 1)
		}
		if s.column() != width || s.pos >= len(s.text) {
			return
		}
		for s.pos < len(s.text) && s.breakAt(s.pos) == 0 {
			s.pos++
		}
		t.to, t.line = s.pos, s.line
	}
}

// anchor reads an anchor or an alias.
func (s *scanner) anchor(c byte) {
	s.saveKey()
	s.keyOK = false
	t := token{kind: '*', from: s.pos, start: s.line, line: s.line}
	s.pos++
	for isAnchor(s.at(s.pos)) {
		s.pos++
	}
	t.to = s.pos
	name := string(s.text[t.from+1 : t.to])
	next := s.at(s.pos)
	what := "an anchor"
	if c == '*' {
		what = "an alias"
	}
	switch {
	case name == "" || !s.space(s.pos) && bytes.IndexByte([]byte("?:,]}%@`"), next) < 0:
		s.issue(Syntax, t.from, s.endOfValue(s.pos), "YAML reads %c as %s here; put a text that starts with it in quotes", c, what)
		for !s.space(s.pos) {
			s.pos++
		}
	case c == '&':
		if s.anchors == nil {
			s.anchors = map[string]bool{}
		}
		s.anchors[name] = true
		return
	case !s.anchors[name]:
		s.issue(Alias, t.from, t.to, "there is no anchor &%s before this alias; put a text that starts with * in quotes", name)
	}
	if c == '*' {
		s.ended(t)
	}
}

func isAnchor(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '-'
}

// readTag reads a tag.
func (s *scanner) readTag() {
	s.saveKey()
	s.keyOK = false
	from := s.pos
	for !s.space(s.pos) {
		s.pos++
	}
	if word := s.text[from:s.pos]; !knownTag(string(word)) && len(word) > 1 && word[1] != '<' {
		s.tags = append(s.tags, token{kind: '!', from: from, to: s.endOfValue(s.pos), start: s.line, line: s.line})
	}
}
