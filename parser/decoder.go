package parser

import (
	"fmt"

	"github.com/causetc/causetc/parser/expr"
	"github.com/causetc/causetc/parser/nearest"
	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// decoder turns the trees of one file into its part of the program.
type decoder struct {
	file  *spec.File
	cache *expr.Cache
	diags []spec.Diagnostic
	bound []string // names that `as` and `into` have bound where the decoder is
	binds map[string]int
	nodes []child // of the whole file, in the order of the text; made when a comment asks for them
}

// maxFindings bounds what is reported for a file.
const maxFindings = 10_000

func (d *decoder) report(rule string, at spec.Span, format string, args ...any) *spec.Diagnostic {
	if len(d.diags) >= maxFindings {
		return &spec.Diagnostic{}
	}
	d.diags = append(d.diags, spec.Diagnostic{
		Rule: rule, Severity: severityOf(rule), Span: at, Message: fmt.Sprintf(format, args...),
	})
	return &d.diags[len(d.diags)-1]
}

// nearest returns the word that one was probably meant to be, or "". Once nothing more is kept of a file, nobody asks.
func (d *decoder) nearest(word string, known []string) string {
	if len(d.diags) >= maxFindings {
		return ""
	}
	return nearest.Word(word, known)
}

// wrongShape reports a node of another kind than the key takes.
func (d *decoder) wrongShape(want string, n *yamltree.Node) {
	if n.Kind == yamltree.Bad {
		return
	}
	d.report(ruleShape, n.Span(d.file), "expected %s, got %s", want, describe(n))
}

// describe names what a node is, in a word.
func describe(n *yamltree.Node) string {
	switch n.Kind {
	case yamltree.Map:
		return "a map"
	case yamltree.List:
		return "a list"
	}
	switch n.Scalar.Tag {
	case spec.TagInt, spec.TagFloat:
		return "the number " + shorten(n.Scalar.Value)
	case spec.TagBool:
		return n.Scalar.Value
	case spec.TagNull:
		return "nothing"
	}
	return fmt.Sprintf("the text %q", shorten(n.Scalar.Value))
}

// shorten cuts a text to what a message can hold.
func shorten(s string) string {
	const most = 40
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}

// scalarOf returns the scalar of a node that must be one, or nil after a report.
func (d *decoder) scalarOf(want string, n *yamltree.Node) *spec.Scalar {
	switch {
	case n.Kind == yamltree.Bad:
		return nil
	case n.Kind != yamltree.Scalar:
		d.wrongShape(want, n)
		return nil
	case n.IsNull():
		d.noValue(want, n)
		return nil
	}
	return n.Scalar
}

// noValue reports a place where nothing is written, or null.
func (d *decoder) noValue(want string, n *yamltree.Node) {
	d.report(ruleNoValue, n.Span(d.file), "expected %s, but there is no value; write one, or leave it out", want)
}

// expression reads a scalar as an expression.
func (d *decoder) expression(s *spec.Scalar) *spec.Expr {
	root, problems := d.cache.Parse(s.Value)
	d.problems(s, problems)
	return &spec.Expr{Src: s, Root: root}
}

// problems reports what is wrong in an expression's text.
func (d *decoder) problems(s *spec.Scalar, problems []expr.Problem) {
	for _, p := range problems {
		rule := ruleExpression
		if p.Warning {
			rule = ruleAmbiguousText
		}
		diag := d.report(rule, s.Sub(int(p.Range.From), int(p.Range.To)), "%s", p.Message)
		if p.Fix != nil && plainEnough(p.Fix.New) {
			at := s.Sub(int(p.Fix.Range.From), int(p.Fix.Range.To))
			diag.Fixes = []spec.Fix{{Message: "write " + p.Fix.New, Edits: []spec.Edit{{Span: at, New: p.Fix.New}}}}
		}
		if p.Text {
			d.quoteText(diag, s)
		}
	}
}

// plainEnough reports whether a text means the same in every scalar style.
func plainEnough(s string) bool {
	for i := range len(s) {
		c := s[i]
		word := c == '_' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !word && (i == 0 || c != '(' && c != ')' && c != '=' && c != '<' && c != '>' && c != '+' && c != ' ') {
			return false
		}
	}
	return true
}

// value reads a node in value position.
func (d *decoder) value(n *yamltree.Node) *spec.Value {
	switch n.Kind {
	case yamltree.Map:
		return &spec.Value{Kind: spec.ValueMap, At: n.Span(d.file), Entries: d.entries(n)}
	case yamltree.List:
		v := &spec.Value{Kind: spec.ValueList, At: n.Span(d.file), Items: make([]*spec.Value, 0, len(n.Items))}
		for _, item := range n.Items {
			if item := d.value(item); item != nil {
				v.Items = append(v.Items, item)
			}
		}
		return v
	case yamltree.Bad:
		return nil
	}
	s := n.Scalar
	if lit := d.literal(s); lit != nil {
		return &spec.Value{Kind: spec.ValueConst, Src: s, Const: lit}
	}
	parsed, problems := d.cache.ParseValue(s.Value, d.isBound)
	d.problems(s, problems)
	if parsed.Const != nil {
		return &spec.Value{Kind: spec.ValueConst, Src: s, Const: parsed.Const}
	}
	return &spec.Value{Kind: spec.ValueExpr, Src: s, Expr: &spec.Expr{Src: s, Root: parsed.Root}}
}

// entries reads the entries of a map of values.
func (d *decoder) entries(n *yamltree.Node) []spec.ValueEntry {
	found := make([]spec.ValueEntry, 0, len(n.Entries))
	for _, e := range n.Entries {
		if v := d.value(e.Value); v != nil && !e.Duplicate {
			found = append(found, spec.ValueEntry{Key: e.Key, Value: v})
		}
	}
	return found
}

// bind makes a name known from here on.
func (d *decoder) bind(name string) {
	if d.binds == nil {
		d.binds = map[string]int{}
	}
	d.bound = append(d.bound, name)
	d.binds[name]++
}

// unbind forgets the names that were bound since there were n.
func (d *decoder) unbind(n int) {
	for _, name := range d.bound[n:] {
		d.binds[name]--
	}
	d.bound = d.bound[:n]
}

func (d *decoder) isBound(name string) bool { return d.binds[name] > 0 }
