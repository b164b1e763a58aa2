package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/causetc/causetc/spec"
)

// Fingerprints returns an identity for each finding that stays the same when lines move, indentation changes or a file
// gets another name: it is made of the rule, of what the finding is about, and of the keys that lead to its place. Findings
// that nothing else tells apart share one.
func Fingerprints(set *spec.FileSet, findings []spec.Diagnostic) []string {
	outlines := map[*spec.File]*outline{}
	prints := make([]string, len(findings))
	for i := range findings {
		d := &findings[i]
		where := ""
		if f := set.File(d.Span.Start); f != nil && !d.Placeless {
			if outlines[f] == nil {
				outlines[f] = newOutline(f)
			}
			where = outlines[f].path(f.Position(d.Span.Start).Line)
		}
		sum := sha256.Sum256([]byte(d.Rule + "\x00" + KeyOf(d) + "\x00" + where))
		prints[i] = hex.EncodeToString(sum[:16])
	}
	return prints
}

// KeyOf returns what a finding is about, without places.
func KeyOf(d *spec.Diagnostic) string {
	if d.Key != "" {
		return d.Key
	}
	return d.Rule + " " + d.Message
}

// outline knows for each line of a file which keys lead to it, as the indentation shows them. It needs no YAML that can be
// parsed, since findings on broken text need an identity too.
type outline struct {
	parents []int // by line, the line that it is nested in; 0 for none
	keys    []string
}

// deepest bounds the keys of a path.
const deepest = 100

func newOutline(f *spec.File) *outline {
	n := f.LineCount()
	o := &outline{parents: make([]int, n+1), keys: make([]string, n+1)}
	type level struct{ indent, line int }
	var open []level
	for line := 1; line <= n; line++ {
		text, _ := f.Line(line)
		indent, key := splitLine(text)
		if key == "" {
			if len(open) > 0 {
				o.parents[line] = open[len(open)-1].line
			}
			continue
		}
		for len(open) > 0 && open[len(open)-1].indent >= indent {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			o.parents[line] = open[len(open)-1].line
		}
		o.keys[line] = key
		open = append(open, level{indent, line})
	}
	return o
}

// splitLine returns how deep a line is nested and its key; a line without a key stands for itself, and an empty line or a
// comment has none.
func splitLine(text []byte) (indent int, key string) {
	rest := bytes.TrimLeft(text, " \t\ufeff")
	for bytes.HasPrefix(rest, []byte("- ")) {
		rest = bytes.TrimLeft(rest[2:], " \t")
	}
	indent = len(text) - len(rest)
	if len(rest) == 0 || rest[0] == '#' {
		return 0, ""
	}
	if i := bytes.Index(rest, []byte(": ")); i >= 0 {
		rest = rest[:i]
	}
	const most = 200
	rest = bytes.TrimRight(rest[:min(len(rest), most)], " \t:")
	return indent, string(rest)
}

// path returns the keys that lead to a line, the innermost first.
func (o *outline) path(line int) string {
	var keys []string
	for ; line > 0 && line < len(o.keys) && len(keys) < deepest; line = o.parents[line] {
		keys = append(keys, o.keys[line])
	}
	return strings.Join(keys, "\x00")
}
