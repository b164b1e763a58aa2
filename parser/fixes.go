package parser

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// dottedPath matches what may be a reference to something that is misspelt.
var dottedPath = regexp.MustCompile(`\w\.\w`)

// quoteText offers to put a text in quotes inside of YAML quotes, so that it can't be taken for an expression.
func (d *decoder) quoteText(diag *spec.Diagnostic, s *spec.Scalar) {
	if s.Style > spec.DoubleQuoted || s.Value != strings.TrimSpace(s.Value) || strings.ContainsAny(s.Value, "'\"\\\r\n") || !d.onOneLine(s) {
		return
	}
	d.fix(diag, "put the text in quotes", s.Span(), `"'`+s.Value+`'"`)
	diag.Fixes[len(diag.Fixes)-1].Unsafe = dottedPath.MatchString(s.Value)
}

// wrapCondition offers to write an operator before the value of a condition.
func (d *decoder) wrapCondition(diag *spec.Diagnostic, n *yamltree.Node) {
	s := n.Scalar
	if n.Kind != yamltree.Scalar || s.Style > spec.DoubleQuoted || s.Style == spec.Plain && strings.ContainsAny(s.Value, ",{}[]") || !d.onOneLine(s) {
		return
	}
	d.fix(diag, "write eq", s.Span(), "{ eq: "+string(d.file.TextOf(s.Span()))+" }")
}

// onOneLine reports whether a scalar stands on the line of its key with nothing but blanks between, such as an anchor.
func (d *decoder) onOneLine(s *spec.Scalar) bool {
	before := bytes.TrimRight(d.file.Text[:s.Start], " ")
	written := d.file.TextOf(s.Span())
	return bytes.HasSuffix(before, []byte(":")) && !bytes.ContainsAny(written, "\r\n") && len(written) >= len(s.Value)
}

// writeVersion offers to write the version of the language above the first key of a manifest.
func (d *decoder) writeVersion(diag *spec.Diagnostic, t *yamltree.Tree) {
	if len(t.Roots) != 1 || len(t.Roots[0].Entries) == 0 {
		return
	}
	at := t.Roots[0].Entries[0].Key.Start
	if at > 0 && d.file.Text[at-1] != '\n' {
		return // in braces, behind a mark, or behind a tag
	}
	end := "\n"
	if bytes.Contains(d.file.Text, []byte("\r\n")) {
		end = "\r\n"
	}
	d.fix(diag, "write dsl_version: 1", d.file.Span(at, at), "dsl_version: 1"+end)
}
