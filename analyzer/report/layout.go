package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

const (
	tabStop   = 4
	lineWidth = 160 // cells of source that are shown at most
	lead      = 60  // cells that are kept before the place in a longer line
)

// cell is one character of a line as it is shown.
type cell struct {
	text  string
	width int
	at    int // byte offset in the line
}

// layout prepares a line for a terminal: tabs become spaces, control characters visible. It returns the text, how many
// cells stand before the bytes [from, to), and how many these take. Long lines are cut around the place.
func layout(line []byte, from, to int) (shown string, before, under int) {
	cells := split(line)
	total := 0
	for _, c := range cells {
		total += c.width
		switch {
		case c.at < from:
			before += c.width
		case c.at < to:
			under += c.width
		}
	}
	skip := 0
	if total > lineWidth && before > lead {
		skip = min(before-lead, total-lineWidth)
	}
	var b strings.Builder
	column, cutBefore := 0, 0
	for _, c := range cells {
		column += c.width
		switch {
		case column <= skip || column-c.width < skip:
			cutBefore += c.width
		case column <= skip+lineWidth:
			b.WriteString(c.text)
		}
	}
	before -= cutBefore
	under = min(under, lineWidth-before)
	shown = b.String()
	if cutBefore > 0 {
		shown, before = "…"+shown, before+1
	}
	if total > skip+lineWidth {
		shown += "…"
	}
	return shown, before, under
}

// split takes a line apart into cells.
func split(line []byte) []cell {
	cells := make([]cell, 0, len(line))
	column := 0
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		c := cell{text: string(r), width: runeWidth(r), at: i}
		switch {
		case r == '\t':
			c.width = tabStop - column%tabStop
			c.text = strings.Repeat(" ", c.width)
		case isControl(r):
			c.text, c.width = string(visible(r)), 1
		}
		cells = append(cells, c)
		column += c.width
		i += n
	}
	return cells
}

// runeWidth returns how many cells of a terminal a character takes.
func runeWidth(r rune) int {
	switch {
	case r == utf8.RuneError:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// isControl reports whether a character could move the cursor or hide text: controls, and marks of direction.
func isControl(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// visible stands for a control character.
func visible(r rune) rune {
	switch {
	case r < 0x20:
		return 0x2400 + r // the picture of the control
	case r == 0x7f:
		return '\u2421'
	}
	return '\ufffd'
}
