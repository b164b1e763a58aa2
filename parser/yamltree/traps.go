package yamltree

import (
	"bytes"
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

// opening tells what is open at the end of a text: the number of parentheses, and the quote, or 0.
func opening(text []byte) (parens int, quote byte) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '(' || c == '[':
			parens++
		case c == ')' || c == ']':
			parens--
		case (c == '"' || c == '\'') && !isAnchor(byteBefore(text, i)): // not an apostrophe, or 5"
			quote = c
		}
	}
	return parens, quote
}

func byteBefore(text []byte, i int) byte {
	if i == 0 {
		return 0
	}
	return text[i-1]
}

func (s *scanner) cutByComment(t token) {
	parens, quote := opening(s.text[t.from:t.to])
	end := s.pos
	for end < len(s.text) && s.breakAt(end) == 0 {
		end++
	}
	comment := s.text[s.pos:end]
	if parens > 0 && bytes.ContainsAny(comment, ")]") || quote != 0 && bytes.IndexByte(comment, quote) >= 0 {
		s.trap(Problem{Code: CutByComment, From: s.pos, To: end,
			Message: "YAML reads this as a comment, so the text before it is cut off; put the whole value in quotes"}, t.from, end)
	}
}

func (s *scanner) splitByComma(t token) {
	text := s.text[t.from:]
	if parens, quote := opening(s.text[t.from:t.to]); parens <= 0 && quote == 0 {
		return
	}
	for i := t.to - t.from; i < len(text); i++ {
		if s.breakAt(t.from+i) > 0 {
			return
		}
		if c := text[i]; c != ')' && c != ']' && c != '"' && c != '\'' {
			continue
		}
		if parens, quote := opening(text[:i+1]); parens == 0 && quote == 0 {
			s.trap(Problem{Code: SplitByComma, From: t.from, To: t.from + i + 1,
				Message: "a comma separates entries in brackets and braces, so YAML cuts this text in two; put the whole value in quotes"}, t.from, t.from+i+1)
			return
		}
		if i > 4096 {
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
	parens, quote := opening(text)
	if parens <= 0 && quote == 0 && !bytes.Contains(text, []byte(" ? ")) {
		return
	}
	s.trap(Problem{Code: ColonInText, From: s.pos, To: s.pos + 1,
		Message: "a colon with a space behind it makes a key in YAML; put the whole text in quotes"}, t.from, s.endOfValue(s.pos))
}

// trap reports a trap, and what it has torn apart: nothing more is said of that.
func (s *scanner) trap(p Problem, from, to int) {
	if n := len(s.bad); n > 0 && s.bad[n-1].to > from {
		return // a part of the one before
	}
	p.Fix = quoting(s.text, from, to)
	if p.Code == CutByComment {
		p.Fix = nil // what follows the cut may be a comment after all
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

// quoting is the fix that puts a text of one line in quotes, if there are some that it does not hold itself.
func quoting(text []byte, from, to int) *Fix {
	t := string(text[from:to])
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
