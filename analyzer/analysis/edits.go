package analysis

import (
	"bytes"

	"github.com/causetc/causetc/spec"
)

// Edits of maps and lists are offered where they are plain to see in the text: no comment, anchor or line break stands
// where they would have to be made.

// around is the text around a scalar.
type around struct {
	file     *spec.File
	from, to int    // of the scalar
	line     []byte // its line up to the scalar
	after    []byte // its line from the scalar's end on, with the line break
}

func textAround(s *spec.Scalar) around {
	f, span := s.File, s.Span()
	a := around{file: f, from: f.Offset(span.Start), to: f.Offset(span.End)}
	a.line = f.Text[bytes.LastIndexByte(f.Text[:a.from], '\n')+1 : a.from]
	a.after = f.Text[a.to:]
	if i := bytes.IndexByte(a.after, '\n'); i >= 0 {
		a.after = a.after[:i+1]
	}
	return a
}

// lineBreak returns the line break behind the scalar.
func (a *around) lineBreak() string {
	if bytes.HasSuffix(a.after, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// opener returns what stands before the scalar, blanks left out: of a map or a list in braces or brackets, these or a comma.
func (a *around) opener() byte {
	before := bytes.TrimRight(a.file.Text[:a.from], " \t\r\n")
	if len(before) == 0 {
		return 0
	}
	return before[len(before)-1]
}

// InsertBefore writes an entry of a map before its first key.
func InsertBefore(first *spec.Scalar, entry string) (spec.Edit, bool) {
	a := textAround(first)
	at := a.file.Span(a.from, a.from)
	blank := len(bytes.Trim(a.line, " ")) == 0
	switch opener := a.opener(); {
	case opener == '{':
		return spec.Edit{Span: at, New: entry + ", "}, true
	case opener == ':' && blank:
		return spec.Edit{Span: at, New: entry + a.lineBreak() + string(a.line)}, true
	}
	return spec.Edit{}, false
}

// RemoveItem takes an item that is not the first out of a list.
func RemoveItem(item *spec.Scalar) (spec.Edit, bool) {
	a := textAround(item)
	if comma := bytes.TrimRight(a.line, " "); bytes.HasSuffix(comma, []byte(",")) {
		return spec.Edit{Span: a.file.Span(a.from-len(a.line)+len(comma)-1, a.to)}, true
	}
	if string(bytes.TrimSpace(a.line)) == "-" && len(bytes.TrimSpace(a.after)) == 0 && a.after != nil {
		return spec.Edit{Span: a.file.Span(a.from-len(a.line), a.to+len(a.after))}, true
	}
	return spec.Edit{}, false
}

// AppendItem writes an item behind the last of a list; one that stands alone becomes a list.
func AppendItem(last *spec.Scalar, item string) (spec.Edit, bool) {
	a := textAround(last)
	end := a.file.Span(a.to, a.to)
	switch opener := a.opener(); {
	case string(bytes.TrimSpace(a.line)) == "-":
		stop := a.to + len(bytes.TrimRight(a.after, "\r\n"))
		return spec.Edit{Span: a.file.Span(stop, stop), New: a.lineBreak() + string(a.line) + item}, true
	case opener == '[' || opener == ',':
		return spec.Edit{Span: end, New: ", " + item}, true
	case opener == ':' && bytes.HasSuffix(bytes.TrimRight(a.line, " "), []byte(":")):
		text := string(a.file.Text[a.from:a.to])
		return spec.Edit{Span: a.file.Span(a.from, a.to), New: "[" + text + ", " + item + "]"}, true
	}
	return spec.Edit{}, false
}
