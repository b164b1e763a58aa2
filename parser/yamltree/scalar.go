package yamltree

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/causetc/causetc/spec"
)

// scalar makes a scalar of the tree.
func (c *converter) scalar(y *yaml.Node, start, indent int) *spec.Scalar {
	if len(c.scalars) == 0 {
		c.scalars = make([]spec.Scalar, 128)
	}
	s := &c.scalars[0]
	c.scalars = c.scalars[1:]
	*s = spec.Scalar{File: c.file, Start: start, Indent: int32(indent), Style: style(y.Style), Tag: tag(y), Value: c.value(y, start)}
	if len(c.hidden) > 0 && strings.IndexByte(y.Value, placeholder) >= 0 {
		c.reveal(s)
	}
	return s
}

// value returns the text of a scalar: where the source has it literally, as a part of that, so that yaml.v3's own copy
// need not be kept.
func (c *converter) value(y *yaml.Node, start int) string {
	if y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		start++
	}
	if end := start + len(y.Value); end <= len(c.source) && c.source[start:end] == y.Value {
		return c.source[start:end]
	}
	return y.Value
}

// reveal puts the question marks back that yaml.v3 was not shown.
func (c *converter) reveal(s *spec.Scalar) {
	shown := *s
	shown.File = c.shown
	value := []byte(s.Value)
	for i, b := range value {
		if b != placeholder {
			continue
		}
		at := c.shown.Offset(shown.Sub(i, i+1).Start)
		if _, ok := slices.BinarySearch(c.hidden, at); ok {
			value[i] = '?'
		}
	}
	s.Value = string(value)
}

func style(s yaml.Style) spec.Style {
	switch {
	case s&yaml.DoubleQuotedStyle != 0:
		return spec.DoubleQuoted
	case s&yaml.SingleQuotedStyle != 0:
		return spec.SingleQuoted
	case s&yaml.LiteralStyle != 0:
		return spec.Literal
	case s&yaml.FoldedStyle != 0:
		return spec.Folded
	}
	return spec.Plain
}

func tag(y *yaml.Node) spec.Tag {
	switch y.Tag {
	case "!!str", "!!merge":
		return spec.TagString
	case "!!int":
		return spec.TagInt
	case "!!float":
		return spec.TagFloat
	case "!!bool":
		return spec.TagBool
	case "!!null":
		return spec.TagNull
	}
	return spec.TagOther
}

// knownTag reports whether a tag that an author wrote is one of YAML's own.
func knownTag(tag string) bool {
	switch tag {
	case "!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!binary", "!!map", "!!seq":
		return true
	}
	return false
}

// customTag reports a tag that is none of YAML's own: nearly always an expression that starts with !.
func (c *converter) customTag(y *yaml.Node, at int) {
	text := c.pos.text
	for at < len(text) && text[at] == '&' {
		at = c.skipGap(c.skipWord(at))
	}
	end := c.skipWord(at)
	p := Problem{Code: CustomTag, From: at, To: end}
	p.Message = fmt.Sprintf("YAML reads %s as a tag, not as text, and drops it; put the whole value in quotes", text[at:end])
	i, found := slices.BinarySearchFunc(c.tags, at, func(t token, at int) int { return t.from - at })
	if found && y.Kind == yaml.ScalarNode && y.Style == yaml.TaggedStyle {
		p.To = c.tags[i].to
		p.Fix = quoting(text, at, p.To)
	}
	c.problem(p)
}

// skipProperties returns the offset of what stands behind anchors and tags. Nothing stands behind those of an empty node.
func (c *converter) skipProperties(at int, empty bool) int {
	text := c.pos.text
	for at < len(text) && (text[at] == '&' || text[at] == '!') {
		at = c.skipWord(at)
		next := c.skipGap(at)
		if empty && (next >= len(text) || text[next] != '&' && text[next] != '!') {
			return at
		}
		at = next
	}
	return at
}

// skipWord skips an anchor or a tag.
func (c *converter) skipWord(at int) int {
	text := c.pos.text
	isTag := text[at] == '!'
	for at++; at < len(text); at++ {
		switch b := text[at]; {
		case b == ' ' || b == '\t' || b == '\r' || b == '\n' || unicodeBreak(text, at) > 0:
			return at
		case !isTag && !isAnchor(b):
			return at
		}
	}
	return at
}

// skipGap skips blanks, line breaks and comments.
func (c *converter) skipGap(at int) int {
	text := c.pos.text
	for at < len(text) {
		switch c := text[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			at++
		case c == '#':
			for at < len(text) && text[at] != '\n' && text[at] != '\r' && unicodeBreak(text, at) == 0 {
				at++
			}
		case unicodeBreak(text, at) > 0:
			at += unicodeBreak(text, at)
		default:
			return at
		}
	}
	return at
}
