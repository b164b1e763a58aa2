package yamltree

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// split finds texts that YAML has cut in the middle of a call or of quotes: by a comma in brackets, or by a #.
func (s *scanner) split(t token) {
	if s.pos >= len(s.text) {
		return
	}
	switch c := s.text[s.pos]; {
	case c == '#' && s.line == t.start:
		s.cutByComment(t)
	case c == ',' && len(s.flow) > 0 && s.line == t.start:
		s.splitByComma(t)
	}
}

// openings is what is open at a place in a text: parentheses and brackets, and the quote, or 0.
type openings struct {
	parens int
	quote  byte
	escape bool
}

// step goes on by one byte.
func (o *openings) step(c, before byte) {
	switch {
	case o.escape:
		o.escape = false
	case o.quote != 0 && c == '\\':
		o.escape = true
	case o.quote != 0:
		if c == o.quote {
			o.quote = 0
		}
	case c == '(' || c == '[':
		o.parens++
	case c == ')' || c == ']':
		o.parens--
	case (c == '"' || c == '\'') && !isAnchor(before): // not an apostrophe, or 5"
		o.quote = c
	}
}

// opening tells what is open at the end of a text.
func opening(text []byte) openings {
	var o openings
	for i, c := range text {
		o.step(c, byteBefore(text, i))
	}
	return o
}

func byteBefore(text []byte, i int) byte {
	if i == 0 {
		return 0
	}
	return text[i-1]
}

func (s *scanner) cutByComment(t token) {
	o := opening(s.text[t.from:t.to])
	end := s.pos
	for end < len(s.text) && s.breakAt(end) == 0 {
		end++
	}
	comment := s.text[s.pos:end]
	if o.parens > 0 && bytes.ContainsAny(comment, ")]") || o.quote != 0 && bytes.IndexByte(comment, o.quote) >= 0 {
		s.trap(Problem{Code: CutByComment, From: s.pos, To: end,
			Message: "YAML reads this as a comment, so the text before it is cut off; put the whole value in quotes"}, t.from, end)
	}
}

// splitByComma looks behind the comma for what closes the call or the quotes before it.
func (s *scanner) splitByComma(t token) {
	o := opening(s.text[t.from:t.to])
	if o.parens <= 0 && o.quote == 0 || len(s.bad) > 0 && s.bad[len(s.bad)-1].to > t.from {
		return
	}
	for i := t.to; i < min(len(s.text), t.to+farEnough) && s.breakAt(i) == 0; i++ {
		o.step(s.text[i], s.text[i-1])
		if o == (openings{}) {
			s.trap(Problem{Code: SplitByComma, From: t.from, To: i + 1,
				Message: "a comma separates entries in brackets and braces, so YAML cuts this text in two; put the whole value in quotes"}, t.from, i+1)
			return
		}
	}
}

// torn finds keys that are the first half of an expression: a ? b : c.
func (s *scanner) torn(k *possibleKey) {
	t := s.last
	if len(s.flow) > 0 {
		t = s.prev
	}
	if t.kind != 'p' || t.from != k.at || t.start != t.line {
		return
	}
	text := s.text[t.from:t.to]
	if isName(text) {
		return // the rule
	}
	if i := bytes.IndexByte(text, '{'); i > 0 {
		if m := keyAndValue.FindSubmatch(text[:i+1]); m != nil {
			s.trap(Problem{Code: Syntax, From: t.from, To: s.pos, Message: fmt.Sprintf("a colon is missing behind %q", m[1])}, t.from, s.endOfValue(s.pos))
			return
		}
	}
	if o := opening(text); o.parens <= 0 && o.quote == 0 && !bytes.Contains(text, []byte(" ? ")) {
		return
	}
	s.trap(Problem{Code: ColonInText, From: s.pos, To: s.pos + 1,
		Message: "a colon with a space behind it makes a key in YAML; put the whole text in quotes"}, t.from, s.endOfValue(s.pos))
}

func isName(text []byte) bool {
	for _, c := range text {
		if !isAnchor(c) {
			return false
		}
	}
	return true
}

// trap reports a trap, and what it has torn apart: nothing more is said of that.
func (s *scanner) trap(p Problem, from, to int) {
	if n := len(s.bad); n > 0 && s.bad[n-1].to > from {
		return // a part of the one before
	}
	p.Fix = quoting(s.text, from, to)
	if p.Code == CutByComment {
		if p.Fix != nil {
			p.Fix.Unsafe = true // what follows the cut may be a comment after all
		}
	}
	p.origin = from
	if len(s.traps) < maxIssues {
		s.traps = append(s.traps, p)
	}
	s.bad = append(s.bad, area{from, to})
}

// offerQuotes adds the fix to the last issue that puts a text in quotes.
func (s *scanner) offerQuotes(from, to int) {
	s.issues[len(s.issues)-1].Fix = quoting(s.text, from, to)
}

// keyAndValue matches what begins like a key and its value in braces, brackets or quotes, but for the colon: target { table
var keyAndValue = regexp.MustCompile(`^(?:- +)*(\w+) +[{\["']`)

// quoting is the fix that puts a text of one line in quotes, if there are some that it does not hold itself. What stands where
// a key does and looks like one gets its colon instead.
func quoting(text []byte, from, to int) *Fix {
	t := string(text[from:to])
	if strings.ContainsAny(t, "{[\"'") { // few do, and there may be very many
		if m := keyAndValue.FindStringSubmatchIndex(t); m != nil && !bytes.HasSuffix(bytes.TrimRight(text[:from], " \t"), []byte(":")) {
			return &Fix{Message: "write a colon", From: from + m[3], To: from + m[3], New: ":"}
		}
	}
	switch {
	case strings.ContainsAny(t, "\r\n"):
		return nil
	case !strings.ContainsAny(t, `"\`):
		t = `"` + t + `"`
	case !strings.Contains(t, "'"):
		t = "'" + t + "'"
	default:
		return nil
	}
	return &Fix{Message: "put the text in quotes", From: from, To: to, New: t}
}
