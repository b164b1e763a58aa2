package spec

// block reads a literal or folded block scalar.
func (d *decoder) block(folded bool) bool {
	b := blockDecoder{decoder: d, folded: folded}
	if !b.header() {
		return false
	}
	d.m.start = d.pos
	b.lineStart = d.pos
	b.emptyLines()
	for b.column() == b.width && d.pos < len(d.src) {
		b.line()
		b.emptyLines()
	}
	if b.chomp >= 0 && b.last.text != "" {
		d.emit(b.last.text, b.last.from, b.last.to)
	}
	if b.chomp > 0 {
		b.emitEmpty()
	}
	return true
}

// blockDecoder is the state while a block scalar is read.
type blockDecoder struct {
	*decoder
	folded    bool
	chomp     int // -1 strip, 0 clip, 1 keep
	width     int // the indentation of its lines; 0 before it is known
	lineStart int
	last      sourceBreak   // the break of the line before, not yet decoded
	empty     []sourceBreak // breaks of empty lines, not yet decoded
	wasBlank  bool          // the line before starts with a blank, so its break stays
}

func (b *blockDecoder) column() int { return b.pos - b.lineStart }

// header reads the indicators, a comment and the line break.
func (b *blockDecoder) header() bool {
	if c := b.at(b.pos); c != '|' && c != '>' {
		return false
	}
	b.pos++
	for range 2 {
		switch c := b.at(b.pos); {
		case c == '+' || c == '-':
			b.chomp = 1
			if c == '-' {
				b.chomp = -1
			}
			b.pos++
		case '1' <= c && c <= '9' && b.width == 0:
			b.width = int(c-'0') + max(b.indent, 0)
			b.pos++
		}
	}
	b.m.stop = b.pos
	for b.pos < len(b.src) {
		if n, _ := b.lineBreak(b.pos); n > 0 {
			b.pos += n
			break
		}
		b.pos++
	}
	return true
}

// emptyLines skips indentation and empty lines, and settles the width by the first line with text.
func (b *blockDecoder) emptyLines() {
	widest := 0
	for {
		for (b.width == 0 || b.column() < b.width) && b.at(b.pos) == ' ' {
			b.pos++
		}
		widest = max(widest, b.column())
		n, text := b.lineBreak(b.pos)
		if n == 0 {
			break
		}
		b.empty = append(b.empty, sourceBreak{text, b.pos, b.pos + n})
		b.pos += n
		b.lineStart = b.pos
	}
	if b.width == 0 {
		b.width = max(widest, b.indent+1, 1)
	}
}

// line reads one line of text with what stands before it.
func (b *blockDecoder) line() {
	blank := b.blank(b.pos)
	if b.folded && !b.wasBlank && !blank && b.last.text == "\n" {
		if len(b.empty) == 0 {
			b.emit(" ", b.last.from, b.pos)
		}
	} else if b.last.text != "" {
		b.emit(b.last.text, b.last.from, b.last.to)
	}
	b.emitEmpty()
	b.wasBlank = blank
	b.last = sourceBreak{}
	for b.pos < len(b.src) {
		if n, text := b.lineBreak(b.pos); n > 0 {
			b.last = sourceBreak{text, b.pos, b.pos + n}
			b.m.stop = b.pos
			b.pos += n
			b.lineStart = b.pos
			return
		}
		b.copyRune()
	}
	b.m.stop = b.pos
}

func (b *blockDecoder) emitEmpty() {
	for _, e := range b.empty {
		b.emit(e.text, e.from, e.to)
	}
	b.empty = b.empty[:0]
}
