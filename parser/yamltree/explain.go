package yamltree

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// explain makes a problem of an error of yaml.v3: what the scanner has seen at an exact place, or else the line.
func (s *scanner) explain(message string) Problem {
	message = strings.TrimPrefix(message, "yaml: ")
	line := 0
	if m := lineInError.FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1])
		message = message[len(m[0]):]
	}
	if len(s.issues) > 0 {
		first := s.issues[0]
		for _, t := range s.traps {
			if t.Code == SplitByComma && t.From <= first.From && first.From < t.To {
				first = t // a part of what the comma has cut in two
			}
		}
		return s.blameBreak(s.blameTag(first))
	}
	if len(s.traps) > 0 {
		return s.traps[0]
	}
	p := Problem{Code: Syntax, Message: "this is not valid YAML: " + message}
	p.From, p.To = s.lineRange(line)
	p.origin = p.From
	return s.blameBreak(s.blameTag(p))
}

var lineInError = regexp.MustCompile(`^line (\d+): `)

// blameTag blames the tag that a value starts with for what follows on its line.
func (s *scanner) blameTag(p Problem) Problem {
	for _, t := range s.tags {
		if t.from <= p.From && p.From <= t.to {
			return Problem{Code: CustomTag, From: t.from, To: t.to, origin: t.from, Fix: quoting(s.text, t.from, t.to),
				Message: "YAML reads a word that starts with ! as a tag, not as text; put the whole value in quotes"}
		}
	}
	return p
}

// blameBreak blames a character that ends a line for YAML, and for no editor, for what follows it on what looks like the same
// line or the next.
func (s *scanner) blameBreak(p Problem) Problem {
	line := lineStart(s.text, max(lineStart(s.text, p.From)-1, 0))
	i, _ := slices.BinarySearch(s.breaks, line)
	if i == len(s.breaks) || s.breaks[i] > p.From {
		return p
	}
	at := s.breaks[i]
	r, n := utf8.DecodeRune(s.text[at:])
	return Problem{Code: Syntax, From: at, To: at + n, origin: at, Fix: &Fix{Message: "remove it", From: at, To: at + n, Unsafe: true},
		Message: fmt.Sprintf("the invisible character U+%04X ends a line for YAML, so what follows is read as a line of its own; "+
			"remove it, or write \\u%04X in double quotes", r, r)}
}

// lineRange returns the text of a 1-based line.
func (s *scanner) lineRange(line int) (from, to int) {
	pos := newPositions(s.text)
	if line < 1 || line > len(pos.lines) {
		return 0, min(1, len(s.text))
	}
	from = int(pos.lines[line-1])
	for s.at(from) == ' ' || s.at(from) == '\t' {
		from++
	}
	to = from
	for to < len(s.text) && s.breakAt(to) == 0 {
		to++
	}
	return from, to
}
