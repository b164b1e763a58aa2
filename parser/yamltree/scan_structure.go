package yamltree

import "fmt"

// settle notes that the last token in the block context was a value, not a key.
func (s *scanner) settle() {
	t := s.last
	s.last = token{}
	if t.kind == 0 || len(s.flow) > 0 {
		return
	}
	top := s.top()
	if top.done {
		s.extra(t)
	}
	top.done = true
	s.prev = t
}

// ended notes a value. In the block context it may yet turn out to be a key.
func (s *scanner) ended(t token) {
	f := s.flowTop()
	if f == nil {
		s.last = t
		return
	}
	if f.has {
		s.extra(t)
	}
	f.has = true
	s.prev = t
}

// extra reports a value behind a value.
func (s *scanner) extra(t token) {
	p := s.prev
	sameLine := p.kind != 0 && p.line == t.start
	switch {
	case sameLine && (p.kind == '"' || p.kind == '\'') && p.start != p.line:
		s.issue(Syntax, p.from, p.from+1, "this quote is closed only lines below, with more text behind; is one missing on this line?")
	case sameLine && (p.kind == '"' || p.kind == '\'') && p.to == t.from:
		s.issue(TextAfterQuote, p.from, s.endOfValue(t.from), "the text ends at its second quote; a %c inside of it is written %s", p.kind, map[byte]string{'"': `\"`, '\'': "''"}[p.kind])
	case sameLine && (p.kind == '"' || p.kind == '\''):
		defer s.offerQuotes(p.from, s.endOfValue(t.from))
		s.issue(TextAfterQuote, p.from, s.endOfValue(t.from), "a text that starts with a quote ends at the next one in YAML; put the whole value in quotes of the other kind")
	case sameLine && p.to == t.from && len(s.flow) > 0:
		defer s.offerQuotes(p.from, s.endOfValue(t.from))
		s.issue(Syntax, p.from, s.endOfValue(t.from), "brackets and braces have a meaning of their own here; put the whole text in quotes")
	case sameLine && p.kind == 'f' && len(s.flow) == 0:
		s.issue(Syntax, t.from, s.endOfValue(t.from), "unexpected text behind the closing bracket; put the whole value in quotes if it is one text")
	case len(s.flow) > 0:
		s.issue(Syntax, t.from, t.to, "a comma is missing before this, or quotes around the whole text")
	case s.top().column < 0:
		s.issue(Syntax, t.from, t.to, "unexpected text: the document is complete before it")
	default:
		s.issue(Syntax, t.from, t.to, "this text has no key: the value before it is complete")
	}
}

// farEnough bounds how far the scanner looks ahead for the end of what it reports, so that it stays linear.
const farEnough = 200

// endOfValue returns where the value at an offset probably ends: the end of its line, or of its place in brackets.
func (s *scanner) endOfValue(at int) int {
	end := at
	depth := 0
	for i := at; i < min(len(s.text), at+farEnough) && s.breakAt(i) == 0; i++ {
		c := s.text[i]
		if c == '#' && s.text[i-1] == ' ' {
			break
		}
		if len(s.flow) > 0 {
			switch c {
			case '[', '{':
				depth++
			case ']', '}':
				depth--
			}
			if depth < 0 || depth == 0 && c == ',' {
				return end
			}
		}
		if c != ' ' && c != '\t' {
			end = i + 1
		}
	}
	return end
}

// unroll leaves the maps and lists that are indented deeper than column.
func (s *scanner) unroll(column int) {
	if len(s.flow) > 0 {
		return
	}
	for len(s.levels) > 1 && s.top().column > column {
		s.levels = s.levels[:len(s.levels)-1]
		s.top().done = true
	}
}

// roll enters a map or a list at a column, or goes on with the one there.
func (s *scanner) roll(column, at int, list bool) {
	if len(s.flow) > 0 {
		return
	}
	top := s.top()
	if top.column < column {
		if top.done {
			s.misplaced(column, at)
		}
		if len(s.levels)+len(s.flow) > s.limits.Depth {
			s.refuse(TooLarge, at, at+1, "maps and lists are nested more than %d deep here", s.limits.Depth)
			return
		}
		s.levels = append(s.levels, level{column: column, list: list, at: at})
		return
	}
	switch {
	case top.list && !list:
		s.issue(Syntax, at, at+1, "expected an item with a dash, as in the list above, or less indentation")
	case list && !top.list && !top.inList && top.done:
		s.issue(Syntax, at, at+1, "a list can't start here: the value before it is complete")
	case list && !top.list:
		top.inList = true
	case !list && !top.list:
		top.inList = false
	}
	top.done = false
}

// misplaced reports indentation that fits nothing.
func (s *scanner) misplaced(column, at int) {
	outer := max(s.top().column, 0)
	s.orphan(at, at+1, "indented by %d, which fits neither the block above nor the one around it (%d)", column, outer)
}

// saveKey notes that the token at pos may be a key.
func (s *scanner) saveKey() {
	if !s.keyOK {
		return
	}
	s.dropKey()
	s.keys[len(s.flow)] = possibleKey{
		possible: true, required: len(s.flow) == 0 && s.top().column == s.column(), at: s.pos, line: s.line, column: s.column(),
	}
}

// dropKey gives up the possible key of this level.
func (s *scanner) dropKey() {
	k := &s.keys[len(s.flow)]
	if k.possible && k.required {
		s.noColon(k)
	}
	k.possible = false
}

// staleKey gives up a key that a line break or too much text has passed.
func (s *scanner) staleKey() {
	for i := range s.keys {
		if k := &s.keys[i]; k.possible && (k.line < s.line || k.at+1024 < s.pos) {
			if k.required {
				s.noColon(k)
			}
			k.possible = false
		}
	}
}

func (s *scanner) noColon(k *possibleKey) {
	end := k.at
	for end < min(len(s.text), k.at+farEnough) && s.breakAt(end) == 0 {
		end++
	}
	for end > k.at+1 && (s.text[end-1] == ' ' || s.text[end-1] == '\t') {
		end--
	}
	word := s.text[k.at:end]
	message := "expected a key with a colon and a space behind it"
	if i := indexColon(word); i > 0 {
		message = fmt.Sprintf("a space is missing behind the colon of %q", word[:i+1])
	}
	s.issue(Syntax, k.at, end, "%s", message)
}

func indexColon(word []byte) int {
	for i, c := range word {
		if c == ':' {
			return i
		}
		if c == ' ' {
			break
		}
	}
	return -1
}

// colon reads the colon behind a key.
func (s *scanner) colon() {
	k := &s.keys[len(s.flow)]
	switch {
	case k.possible:
		if t := s.last; t.kind != 0 && t.from != k.at && s.prev.from == k.at {
			s.extra(t)
			s.top().done = false
		}
		s.torn(k)
		s.roll(k.column, k.at, false)
		k.possible = false
		s.keyOK = false
		s.last = token{}
		if f := s.flowTop(); f != nil {
			s.flowColon(f)
		}
	case len(s.flow) > 0:
		s.settle()
		s.flowColon(s.flowTop())
		s.keyOK = false
	default:
		if !s.keyOK {
			s.strayColon()
		} else {
			s.settle()
			s.roll(s.column(), s.pos, false)
			if !s.top().question {
				s.issue(KeyKind, s.pos, s.pos+1, "a key is missing in front of the colon")
			}
			s.top().question = false
		}
		s.keyOK = true
	}
	s.pos++
}

func (s *scanner) flowTop() *flowLevel {
	if len(s.flow) == 0 {
		return nil
	}
	return &s.flow[len(s.flow)-1]
}

func (s *scanner) flowColon(f *flowLevel) {
	switch t := s.prev; {
	case !f.colon:
	case t.kind == 'p' && t.start < s.line:
		s.issue(Syntax, s.lineText(), s.pos, "a comma is missing before this key")
	default:
		s.issue(ColonInText, s.pos, s.pos+1, "a colon with a space behind it makes a key in YAML; a comma is missing before the key, or quotes around the whole value")
		s.offerQuotes(t.from, s.endOfValue(s.pos))
	}
	f.colon = true
	f.has = false
}

// lineText returns where the text of the line starts.
func (s *scanner) lineText() int {
	at := s.lineStart
	for s.at(at) == ' ' {
		at++
	}
	return at
}

// strayColon reports a colon in a text that has a key already.
func (s *scanner) strayColon() {
	t := s.last
	if t.kind == 'p' && t.start < s.line {
		// The text goes on over lines that are indented deeper, so the keys there are a part of it.
		line := s.text[t.from:t.to]
		if i := indexColon(line); i > 0 && i+1 < len(line) && line[i+1] != '/' {
			s.issue(Syntax, t.from, t.from+i+1, "a space is missing behind the colon of %q", line[:i+1])
			return
		}
		s.orphan(s.lineText(), s.pos, "this key is indented deeper than the one above, which has a value already")
		return
	}
	from := s.lineText()
	if word := keyAndValue.FindSubmatch(s.text[from:s.pos]); word != nil {
		s.issue(Syntax, from, s.pos, "a colon is missing behind %q", word[1])
		s.offerQuotes(from, s.pos)
		return
	}
	s.issue(ColonInText, s.pos, s.pos+1, "a colon with a space behind it makes a key in YAML; put the whole value in quotes")
	if t.kind == 'p' {
		s.offerQuotes(t.from, s.endOfValue(s.pos))
	}
}

// open reads an opening bracket.
func (s *scanner) open(c byte) {
	s.saveKey()
	if f := s.flowTop(); f != nil && f.has {
		s.extra(token{kind: 'f', from: s.pos, to: s.pos + 1, line: s.line, start: s.line})
		f.has = false
	}
	if len(s.levels)+len(s.flow) > s.limits.Depth {
		s.refuse(TooLarge, s.pos, s.pos+1, "maps and lists are nested more than %d deep here", s.limits.Depth)
		return
	}
	s.flow = append(s.flow, flowLevel{open: c, at: s.pos, line: s.line})
	s.keys = append(s.keys, possibleKey{})
	s.keyOK = true
	s.pos++
}

// close reads a closing bracket.
func (s *scanner) close(c byte) {
	f := s.flowTop()
	if f == nil {
		s.orphan(s.pos, s.pos+1, "there is no open bracket that this %c could close", c)
		s.pos++
		return
	}
	if c != f.open+2 { // ASCII has ] and } two behind [ and {
		s.issue(Syntax, s.pos, s.pos+1, "expected %c, which closes the %c opened before", f.open+2, f.open)
		s.issues[len(s.issues)-1].Related = []Related{{f.at, f.at + 1, "opened here"}}
		s.mismatch = true
	}
	opened := *f
	s.flow = s.flow[:len(s.flow)-1]
	s.keys = s.keys[:len(s.keys)-1]
	s.keyOK = false
	s.pos++
	s.ended(token{kind: 'f', from: opened.at, to: s.pos, line: s.line, start: opened.line})
}

func (s *scanner) comma() {
	f := s.flowTop()
	if f == nil {
		s.issue(Syntax, s.pos, s.pos+1, "no text can start with a comma in YAML; put it in quotes")
		s.plain()
		return
	}
	s.dropKey()
	f.has, f.colon = false, false
	s.keyOK = true
	s.pos++
}

func (s *scanner) dash() {
	if len(s.flow) == 0 {
		if !s.keyOK {
			s.issue(Syntax, s.pos, s.pos+1, "a list with dashes starts on a line of its own; put a text that starts with a dash in quotes")
		} else {
			s.roll(s.column(), s.pos, true)
		}
	} else {
		s.issue(Syntax, s.pos, s.pos+1, "a list in brackets has commas, not dashes")
	}
	s.dropKey()
	s.keyOK = true
	s.pos++
}

func (s *scanner) question() {
	if f := s.flowTop(); f != nil {
		f.has = false
	} else if s.keyOK {
		s.roll(s.column(), s.pos, false)
		s.top().question = true
	} else {
		s.issue(Syntax, s.pos, s.pos+1, "a text can't start with a question mark and a space here; put it in quotes")
	}
	s.dropKey()
	s.keyOK = len(s.flow) == 0
	s.pos++
}
