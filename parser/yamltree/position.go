package yamltree

import "unicode/utf8"

// positions turns the line and column of yaml.v3 into byte offsets. yaml.v3 counts columns in code points, takes NEL,
// U+2028 and U+2029 for line breaks besides those of editors, and does not count a byte order mark.
type positions struct {
	text  []byte
	lines []int32 // byte offset of the start of each line
	ascii []bool  // whether bytes are columns in that line

	// The last answer in a line that is not ASCII: questions come nearly in the order of the text, so the next answer is near.
	line, column, offset int
}

func newPositions(text []byte) *positions {
	p := &positions{text: text, lines: make([]int32, 0, len(text)/24+1), line: -1}
	p.ascii = make([]bool, 0, cap(p.lines))
	start, ascii := 0, true
	if len(text) >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF {
		start = 3
	}
	add := func(next int) {
		p.lines, p.ascii = append(p.lines, int32(start)), append(p.ascii, ascii)
		start, ascii = next, true
	}
	for i := start; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			add(i + 1)
		case c == '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			add(i + 1)
		case c < utf8.RuneSelf:
		default:
			ascii = false
			if n := unicodeBreak(text, i); n > 0 {
				i += n - 1
				add(i + 1)
			}
		}
	}
	add(len(text))
	return p
}

// unicodeBreak returns the length of NEL, U+2028 or U+2029 at i, or 0.
func unicodeBreak(text []byte, i int) int {
	switch {
	case text[i] == 0xC2 && i+1 < len(text) && text[i+1] == 0x85:
		return 2
	case text[i] == 0xE2 && i+2 < len(text) && text[i+1] == 0x80 && text[i+2]&0xFE == 0xA8:
		return 3
	}
	return 0
}

// offsetOf returns the byte offset of a 1-based line and column.
func (p *positions) offsetOf(line, column int) int {
	line, column = line-1, column-1
	if line < 0 || line >= len(p.lines) {
		return len(p.text)
	}
	start := int(p.lines[line])
	if p.ascii[line] {
		return min(start+column, len(p.text))
	}
	if line != p.line {
		p.line, p.column, p.offset = line, 0, start
	}
	for p.column > column && p.offset > start {
		_, n := utf8.DecodeLastRune(p.text[start:p.offset])
		p.offset -= n
		p.column--
	}
	for p.column < column && p.offset < len(p.text) {
		_, n := utf8.DecodeRune(p.text[p.offset:])
		p.offset += n
		p.column++
	}
	return p.offset
}

// columnOf returns the 0-based column of an offset in a 1-based line.
func (p *positions) columnOf(line, offset int) int {
	if line < 1 || line > len(p.lines) {
		return 0
	}
	start := int(p.lines[line-1])
	if p.ascii[line-1] {
		return offset - start
	}
	return utf8.RuneCount(p.text[start:offset])
}
