package delivery

import (
	"bytes"
	"regexp"

	"github.com/causetc/causetc/spec"
)

var (
	mapInBraces = regexp.MustCompile(`^[ \t]*:[ \t]*\{`)
	mapBelow    = regexp.MustCompile(`^[ \t]*:[ \t]*(#[^\r\n]*)?\r?\n([ \t]*(#[^\r\n]*)?\r?\n)*`)
)

// dedupFix writes `dedup: true` before the first key of a projection, where that is plain to see in the text.
func dedupFix(pr *spec.Projection) []spec.Fix {
	if pr.Name == nil || pr.Dedup != nil {
		return nil
	}
	f := pr.Name.File
	end := f.Offset(pr.Name.Span().End)
	rest := f.Text[end:]
	edit := spec.Edit{}
	if m := mapInBraces.Find(rest); m != nil {
		edit.Span, edit.New = f.Span(end+len(m), end+len(m)), " dedup: true,"
	} else if m := mapBelow.Find(rest); m != nil {
		below := rest[len(m):]
		indent := len(below) - len(bytes.TrimLeft(below, " "))
		if indent == 0 {
			return nil
		}
		eol := "\n"
		if bytes.HasSuffix(m, []byte("\r\n")) {
			eol = "\r\n"
		}
		edit.Span, edit.New = f.Span(end+len(m), end+len(m)), string(below[:indent])+"dedup: true"+eol
	} else {
		return nil
	}
	return []spec.Fix{{Message: "add dedup: true", Edits: []spec.Edit{edit}}}
}
