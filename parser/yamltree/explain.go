package yamltree

import (
	"regexp"
	"strconv"
	"strings"
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
		return s.blameTag(s.issues[0])
	}
	if len(s.traps) > 0 {
		return s.traps[0]
	}
	p := Problem{Code: Syntax, Message: "this is not valid YAML: " + message}
	p.From, p.To = s.lineRange(line)
	p.origin = p.From
	return s.blameTag(p)
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
