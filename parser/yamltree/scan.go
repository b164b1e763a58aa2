package yamltree

import (
	"fmt"
	"slices"
)

// scanner reads the tokens of a text before yaml.v3 does. It bounds what yaml.v3 is given, finds the comments and the
// question marks that yaml.v3 stumbles over, and knows the exact place of most mistakes, which yaml.v3 reports with a
// line at best. What it takes for a mistake counts only where yaml.v3 fails, except for traps: texts that are legal YAML
// but can't be what the author meant.
type scanner struct {
	text      []byte
	pos       int
	lineStart int
	line      int
	limits    Limits
	levels    []level       // block maps and lists, innermost last
	flow      []flowLevel   // brackets and braces, innermost last
	keys      []possibleKey // one for each flow level, and one for the block context
	keyOK     bool          // a key may start here
	last      token         // a value in the block context that a colon may yet make a key
	prev      token         // the value before
	anchors   map[string]bool
	tags      []token // tags that are none of YAML's own
	entries   int

	comments []Comment
	hide     []int     // question marks in plain texts within brackets
	traps    []Problem // legal, and never meant
	bad      []area    // what the traps have torn apart
	issues   []Problem // what yaml.v3 will not read
	breaks   []int     // line breaks that editors don't see, outside of quotes and blocks
	mismatch bool      // a bracket is closed by another one
	refused  *Problem  // yaml.v3 must not see the text

	onScalar func(from, to int, style byte) // for tests
}

// level is a block map or list.
type level struct {
	column   int
	list     bool
	done     bool // the value of the last key or dash is complete
	question bool // a key with a question mark waits for its colon
	inList   bool // a map: its last value is a list with dashes in the column of the keys
	at       int
}

// flowLevel is an open bracket or brace.
type flowLevel struct {
	open  byte
	at    int
	line  int
	has   bool // a value stands since the last separator
	colon bool // and a colon
}

// possibleKey is a token that will be a key if a colon follows.
type possibleKey struct {
	possible, required bool
	at, line, column   int
}

// token is a value: a scalar, an alias, or a collection in brackets.
type token struct {
	kind     byte // 0: none; the first character of a quoted text; 'p' plain, 'f' flow, 'b' block, '*' alias
	from, to int
	start    int // the line that it starts on
	line     int // and ends on
}

// area is a range of bytes.
type area struct{ from, to int }

const maxIssues = 20

func scan(text []byte, limits Limits) *scanner { return scanWith(text, limits, nil) }

// scanWith also calls onScalar for each scalar.
func scanWith(text []byte, limits Limits, onScalar func(from, to int, style byte)) *scanner {
	s := &scanner{text: text, limits: limits, keyOK: true, onScalar: onScalar}
	s.levels = append(s.levels, level{column: -1})
	s.keys = append(s.keys, possibleKey{})
	if len(text) >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF {
		s.pos, s.lineStart = 3, 3
	}
	for s.refused == nil {
		s.skipSpace()
		if s.pos >= len(s.text) {
			break
		}
		s.next()
	}
	if s.refused == nil {
		s.end()
	}
	slices.SortStableFunc(s.issues, func(a, b Problem) int { return a.From - b.From })
	return s
}

func (s *scanner) at(i int) byte {
	if i < len(s.text) {
		return s.text[i]
	}
	return 0
}

// breakAt returns the length of the line break at i, or 0.
func (s *scanner) breakAt(i int) int {
	switch c := s.at(i); {
	case c == '\n':
		return 1
	case c == '\r':
		if s.at(i+1) == '\n' {
			return 2
		}
		return 1
	case c < 0x80 || i >= len(s.text):
		return 0
	}
	return unicodeBreak(s.text, i)
}

// space reports whether a blank, a line break or the end stands at i.
func (s *scanner) space(i int) bool {
	c := s.at(i)
	if ' ' < c && c < 0x80 {
		return false // the rule
	}
	return i >= len(s.text) || c == ' ' || c == '\t' || s.breakAt(i) > 0
}

func (s *scanner) column() int { return s.pos - s.lineStart }

// newline steps over a line break.
func (s *scanner) newline(n int) {
	s.pos += n
	s.lineStart = s.pos
	s.line++
}

// plainBreak steps over a line break outside of quotes and blocks.
func (s *scanner) plainBreak(n int) {
	if unicodeBreak(s.text, s.pos) > 0 {
		s.breaks = append(s.breaks, s.pos)
	}
	s.newline(n)
}

func (s *scanner) top() *level { return &s.levels[len(s.levels)-1] }

func (s *scanner) issue(code Code, from, to int, format string, args ...any) {
	if len(s.issues) >= maxIssues {
		s.issues = s.issues[:maxIssues-1] // the first ones matter; the last one may be amended
	}
	p := Problem{Code: code, From: from, To: to, Message: fmt.Sprintf(format, args...), origin: from}
	if len(s.flow) > 0 {
		p.origin = s.flow[0].at
	}
	s.issues = append(s.issues, p)
}

// orphan is an issue with what would be right behind another beginning.
func (s *scanner) orphan(from, to int, format string, args ...any) {
	s.issue(Syntax, from, to, format, args...)
	s.issues[len(s.issues)-1].orphan = true
}

// skipSpace skips blanks, line breaks and comments up to the next token.
func (s *scanner) skipSpace() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == ' ':
			s.pos++
		case c == '\t':
			s.tabs()
		case c == '#':
			s.comment()
		default:
			n := s.breakAt(s.pos)
			if n == 0 {
				return
			}
			s.plainBreak(n)
			if len(s.flow) == 0 {
				s.keyOK = true
			}
		}
	}
}

// tabs skips tabs, which must not indent.
func (s *scanner) tabs() {
	start := s.pos
	for s.at(s.pos) == '\t' || s.at(s.pos) == ' ' {
		s.pos++
	}
	if len(s.flow) == 0 && s.keyOK && s.breakAt(s.pos) == 0 && s.pos < len(s.text) {
		end := start + 1
		for s.at(end) == '\t' {
			end++
		}
		s.issue(Tabs, start, end, "a tab can't indent in YAML; use spaces")
	}
}

// comment notes a comment that speaks to us.
func (s *scanner) comment() {
	start := s.pos
	for s.pos < len(s.text) && s.breakAt(s.pos) == 0 {
		s.pos++
	}
	if !mentions(s.text[start:s.pos]) {
		return
	}
	own := true
	for i := start - 1; i >= s.lineStart && own; i-- {
		own = s.text[i] == ' ' || s.text[i] == '\t'
	}
	s.comments = append(s.comments, Comment{From: start, To: s.pos, Own: own})
}

// next reads one token.
func (s *scanner) next() {
	s.entries++
	if s.entries > s.limits.Entries {
		s.refuse(TooLarge, s.pos, s.pos+1, "the file holds more than %d values and separators", s.limits.Entries)
		return
	}
	c := s.text[s.pos]
	isColon := c == ':' && (len(s.flow) > 0 || s.space(s.pos+1))
	if !isColon {
		s.settle()
	}
	s.unroll(s.column())
	s.staleKey()
	switch {
	case s.column() == 0 && (s.marker("---") || s.marker("...")):
		s.document()
	case s.column() == 0 && c == '%':
		s.directive()
	case c == '[' || c == '{':
		s.open(c)
	case c == ']' || c == '}':
		s.close(c)
	case c == ',':
		s.comma()
	case c == '-' && s.space(s.pos+1):
		s.dash()
	case c == '?' && (len(s.flow) > 0 || s.space(s.pos+1)):
		s.question()
	case isColon:
		s.colon()
	default:
		s.value(c)
	}
}

// value reads a token that is a value or a property of one.
func (s *scanner) value(c byte) {
	switch {
	case c == '*' || c == '&':
		s.anchor(c)
	case c == '!':
		s.readTag()
	case (c == '|' || c == '>') && len(s.flow) == 0:
		s.blockScalar()
	case c == '\'' || c == '"':
		s.quoted(c)
	case s.plainStart(c):
		s.plain()
	default:
		s.issue(Syntax, s.pos, s.pos+1, "no text can start with %c in YAML; put it in quotes", c)
		s.plain()
	}
}

// plainStart reports whether a text without quotes may start with c.
func (s *scanner) plainStart(c byte) bool {
	switch c {
	case '-':
		return s.at(s.pos+1) != ' ' && s.at(s.pos+1) != '\t'
	case '?', ':':
		return len(s.flow) == 0
	case ',', '[', ']', '{', '}', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`':
		return false
	}
	return true
}

func (s *scanner) refuse(code Code, from, to int, format string, args ...any) {
	s.refused = &Problem{Code: code, From: from, To: to, origin: from, Message: fmt.Sprintf(format, args...)}
}

// marker reports whether a document marker stands here.
func (s *scanner) marker(m string) bool {
	end := s.pos + len(m)
	return end <= len(s.text) && string(s.text[s.pos:end]) == m && s.space(end)
}

// document steps over a document marker.
func (s *scanner) document() {
	s.unroll(-1)
	s.dropKey()
	s.keyOK = false
	s.levels[0] = level{column: -1}
	s.anchors = nil
	s.pos += 3
}

func (s *scanner) directive() {
	s.unroll(-1)
	s.dropKey()
	s.keyOK = false
	for s.pos < len(s.text) && s.breakAt(s.pos) == 0 {
		s.pos++
	}
}

// end closes what is open at the end of the text.
func (s *scanner) end() {
	s.settle()
	if len(s.flow) > 0 && !s.mismatch {
		f := s.flow[0]
		p := Problem{Code: Syntax, From: f.at, To: f.at + 1, origin: f.at, Message: fmt.Sprintf("this %c is never closed", f.open)}
		s.issues = append([]Problem{p}, s.issues...)
	}
	s.flow = nil
	s.keys = s.keys[:1]
	s.line++
	s.unroll(-1)
	s.dropKey()
}
