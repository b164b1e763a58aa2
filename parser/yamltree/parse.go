package yamltree

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/causetc/causetc/spec"
)

// placeholder stands for a question mark that yaml.v3 must not see: a letter, of which YAML makes neither numbers nor
// words with a meaning.
const placeholder = 'Q'

// maxRepairs bounds how often a text is read again without the part that has a syntax error.
const maxRepairs = 8

// Parse reads all documents of a file. It never fails: what is wrong becomes a Problem, and the parts that could be read
// are returned. The file need not have its place in a file set yet.
func Parse(file *spec.File, limits Limits) *Tree {
	t := &Tree{}
	if p := checkText(file.Text); p != nil {
		t.refuse(*p)
		return t
	}
	text := file.Text
	var errs []Problem
	left := -1 // the end of what was left out last
	for range maxRepairs {
		var failed *Problem
		t, failed = parseOnce(file, text, limits)
		if failed == nil {
			break
		}
		t.Broken = true
		from, to := unreadable(text, failed)
		if line := lineStart(text, failed.From); failed.orphan && 0 <= left && left <= line && isBlank(text[left:line]) {
			from, to = left, sectionEnd(text, failed.From) // what was left out opened it, and no more is wrong
		} else {
			errs = append(errs, *failed)
		}
		if failed.Code == TooLarge || from == to {
			break
		}
		text, left = blank(text, from, to), to
	}
	t.Broken = t.Broken || len(errs) > 0
	t.Problems = append(errs, t.Problems...)
	return t
}

// unreadable returns the part of a text to leave out because of a mistake.
func unreadable(text []byte, failed *Problem) (from, to int) {
	if failed.From < len(text) && unicodeBreak(text, failed.From) > 0 && bytes.IndexByte(text[lineStart(text, failed.From):failed.From], '#') >= 0 {
		return failed.From, lineEnd(text, failed.From) // the rest of a comment
	}
	from, to = broken(text, failed.origin)
	if _, end := broken(text, failed.From); failed.From > failed.origin {
		to = max(to, end)
	}
	return from, to
}

// sectionEnd returns where the section that holds an offset ends.
func sectionEnd(text []byte, at int) int {
	_, end := around(linesWith(text, 0, len(text), 0), at, len(text))
	return end
}

func (t *Tree) refuse(p Problem) {
	t.Broken = true
	t.Problems = append(t.Problems, p)
}

// parseOnce reads a text, which is the file's but for parts that were blanked out. It returns what keeps yaml.v3 from
// reading on.
func parseOnce(file *spec.File, text []byte, limits Limits) (*Tree, *Problem) {
	s := scan(text, limits)
	t := &Tree{Comments: s.comments}
	if s.refused != nil {
		return t, s.refused
	}
	c := &converter{file: file, source: string(text), limits: limits, tree: t, pos: newPositions(text), hidden: s.hide, bad: s.bad, tags: s.tags}
	if len(s.hide) > 0 {
		text = bytes.Clone(text)
		for _, at := range s.hide {
			text[at] = placeholder
		}
		c.shown = &spec.File{Text: text}
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	for {
		doc, err := decode(dec)
		if errors.Is(err, io.EOF) {
			t.Problems = append(t.Problems, s.traps...)
			return t, nil
		}
		if err != nil {
			p := s.explain(err.Error())
			return t, &p
		}
		if root := c.node(doc.Content[0], -1, 0); !root.IsNull() && root.Kind != Bad {
			t.Roots = append(t.Roots, root)
		}
	}
}

// decode reads the next document. yaml.v3 reports its own errors by panics that it catches; should one escape, it is an
// error too.
func decode(dec *yaml.Decoder) (doc *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	doc = &yaml.Node{}
	err = dec.Decode(doc)
	if err == nil && len(doc.Content) == 0 {
		err = io.EOF
	}
	return doc, err
}

// blank returns a copy of the text with spaces instead of the bytes [from, to), line breaks excepted.
func blank(text []byte, from, to int) []byte {
	text = slices.Clone(text)
	for i := from; i < to; i++ {
		if text[i] != '\n' && text[i] != '\r' {
			text[i] = ' '
		}
	}
	return text
}

// broken returns the part of a text to leave out so that the rest can be read in spite of a mistake at an offset: the
// entry of the section that holds it, or else the section.
func broken(text []byte, at int) (from, to int) {
	sections := linesWith(text, 0, len(text), 0)
	start, end := around(sections, at, len(text))
	inner := 0
	for line := nextLine(text, start); line < end; line = nextLine(text, line) {
		if indent, ok := indentation(text, line); ok && indent > 0 {
			inner = indent
			break
		}
	}
	if inner > 0 {
		entries := linesWith(text, nextLine(text, start), end, inner)
		if len(entries) > 0 && entries[0] <= at {
			if from, to := around(entries, at, end); !isBlank(text[from:to]) {
				return from, to
			}
		}
	}
	if isBlank(text[start:end]) {
		return 0, 0
	}
	return start, end
}

// linesWith returns the starts of the lines in [from, to) that hold text at an indentation.
func linesWith(text []byte, from, to, indent int) []int {
	var starts []int
	for line := from; line < to; line = nextLine(text, line) {
		if i, ok := indentation(text, line); ok && i <= indent {
			starts = append(starts, line)
		}
	}
	return starts
}

// around returns the range from the last start before an offset to the next one.
func around(starts []int, at, end int) (from, to int) {
	i, found := slices.BinarySearch(starts, at)
	if !found {
		i--
	}
	if i >= 0 {
		from = starts[i]
	}
	if i+1 < len(starts) {
		return from, starts[i+1]
	}
	return from, end
}

// lineStart returns where the line of an offset starts.
func lineStart(text []byte, at int) int {
	return 1 + bytes.LastIndexAny(text[:min(at, len(text))], "\r\n")
}

// lineEnd returns where the line of an offset ends for an editor.
func lineEnd(text []byte, at int) int {
	if i := bytes.IndexAny(text[at:], "\r\n"); i >= 0 {
		return at + i
	}
	return len(text)
}

func nextLine(text []byte, from int) int {
	i := bytes.IndexByte(text[from:], '\n')
	if i < 0 {
		return len(text)
	}
	return from + i + 1
}

// indentation returns the spaces in front of a line's text; false for lines without text.
func indentation(text []byte, line int) (int, bool) {
	for i := line; i < len(text); i++ {
		switch text[i] {
		case ' ':
		case '\n', '\r', '#':
			return 0, false
		default:
			return i - line, true
		}
	}
	return 0, false
}

func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }
