package analysis

import (
	"fmt"
	"regexp"

	"github.com/causetc/causetc/parser/nearest"
	"github.com/causetc/causetc/spec"
)

// plainName matches names that YAML and expressions take as they are, without quotes.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{3,}$`)

// Suggest names the nearest of the author's names, with the fix that writes it at a place, or says otherwise what to do. The
// fix is unsafe: the name that is known may be the misspelt one.
func (p *Pass) Suggest(name string, known []string, at spec.Span, otherwise string) (hint string, fixes []spec.Fix) {
	near := p.Nearest(name, known)
	if near == "" {
		return otherwise, nil
	}
	if place, ok := p.written(name, at); ok && plainName.MatchString(near) {
		fixes = []spec.Fix{{Message: "write " + near, Unsafe: true, Edits: []spec.Edit{{Span: place, New: near}}}}
	}
	return fmt.Sprintf("did you mean %q?", near), fixes
}

// written returns where a name stands as it is, which may be in quotes.
func (p *Pass) written(name string, at spec.Span) (spec.Span, bool) {
	f := p.Program.Set.File(at.Start)
	if f == nil {
		return at, false
	}
	text := string(f.TextOf(at))
	if text == "'"+name+"'" || text == `"`+name+`"` {
		return spec.Span{Start: at.Start + 1, End: at.End - 1}, true
	}
	return at, text == name
}

// SuggestWord is Suggest for the words of the language, none of which is misspelt: the fix is safe where a word is one of them
// with a slip.
func (p *Pass) SuggestWord(word string, known []string, at spec.Span, otherwise string) (hint string, fixes []spec.Fix) {
	hint, fixes = p.Suggest(word, known, at, otherwise)
	for i := range fixes {
		fixes[i].Unsafe = !nearest.IsSlip(word, fixes[i].Edits[0].New, known)
	}
	return hint, fixes
}
