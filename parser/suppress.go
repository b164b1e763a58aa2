package parser

import (
	"bytes"
	"sort"
	"strings"

	"github.com/causetc/causetc/parser/nearest"
	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// directives are what a comment to causetc may say.
var directives = []string{"ignore", "ignore-file"}

// suppressions reads the comments by which the author acknowledges findings.
func (d *decoder) suppressions(t *yamltree.Tree) []spec.Suppression {
	var found []spec.Suppression
	for _, c := range t.Comments {
		if s := d.suppression(t, c); s != nil {
			found = append(found, *s)
		}
	}
	return found
}

func (d *decoder) suppression(t *yamltree.Tree, c yamltree.Comment) *spec.Suppression {
	const prefix = "causetc:"
	text := string(d.file.Text[c.From:c.To])
	at := len(text) - len(strings.TrimLeft(text, "# \t"))
	if !strings.HasPrefix(text[at:], prefix) {
		return nil // a sentence about causetc
	}
	at += len(prefix)
	word := text[at:]
	if i := strings.IndexAny(word, " \t"); i >= 0 {
		word = word[:i]
	}
	place := d.file.Span(c.From+at, c.From+at+len(word))
	s := &spec.Suppression{Span: d.file.Span(c.From, c.To), Whole: word == "ignore-file"}
	if !s.Whole && word != "ignore" {
		diag := d.report(ruleSuppression, place, "unknown directive %q; causetc knows ignore and ignore-file", shorten(word))
		if near := nearest.Word(word, directives); near != "" {
			d.fix(diag, "write "+near, place, near)
		}
		return nil
	}
	rules := text[at+len(word):]
	from := c.From + at + len(word)
	if i := strings.Index(rules, "--"); i >= 0 {
		s.Reason = strings.TrimSpace(rules[i+2:])
		rules = rules[:i]
	}
	s.Rules = d.suppressedRules(rules, from)
	if len(s.Rules) == 0 {
		d.report(ruleSuppression, place, "name the rules to ignore, as in: causetc:%s CS210 -- the reason", word)
		return nil
	}
	s.Scope = d.scope(t, c, s.Whole)
	return s
}

// suppressedRules splits a list of rule ids that starts at an offset.
func (d *decoder) suppressedRules(list string, from int) []spec.SuppressedRule {
	var rules []spec.SuppressedRule
	for i := 0; i < len(list); {
		if strings.IndexByte(" \t,", list[i]) >= 0 {
			i++
			continue
		}
		end := i + 1
		for end < len(list) && strings.IndexByte(" \t,", list[end]) < 0 {
			end++
		}
		rules = append(rules, spec.SuppressedRule{ID: list[i:end], Span: d.file.Span(from+i, from+end)})
		i = end
	}
	return rules
}

// scope returns the place that a comment speaks of: its line, the node that follows, or the file.
func (d *decoder) scope(t *yamltree.Tree, c yamltree.Comment, whole bool) spec.Span {
	switch {
	case whole:
		return d.file.Span(0, len(d.file.Text))
	case !c.Own:
		return d.file.Span(d.lineStart(c.From), c.To)
	}
	children := d.children(t)
	i := sort.Search(len(children), func(i int) bool { return children[i].start >= c.To })
	if i == len(children) {
		return d.file.Span(c.From, c.To)
	}
	return d.file.Span(d.lineStart(children[i].start), children[i].value.End(d.file))
}

// lineStart returns where the line of an offset starts.
func (d *decoder) lineStart(offset int) int {
	return 1 + bytes.LastIndexAny(d.file.Text[:offset], "\r\n")
}

// child is an entry of a map or an item of a list.
type child struct {
	start int
	value *yamltree.Node
}

// children returns all entries and items of a file in the order of the text; of several that start at the same place, the
// outermost first.
func (d *decoder) children(t *yamltree.Tree) []child {
	if d.nodes == nil {
		d.nodes = []child{}
		for _, root := range t.Roots {
			d.collect(root)
		}
	}
	return d.nodes
}

func (d *decoder) collect(n *yamltree.Node) {
	for _, e := range n.Entries {
		if !e.Merged {
			d.collectChild(child{e.Key.Start, e.Value})
		}
	}
	for _, item := range n.Items {
		d.collectChild(child{item.Start, item})
	}
}

// collectChild leaves out what stands elsewhere and is only named by an alias.
func (d *decoder) collectChild(c child) {
	if len(d.nodes) > 0 && c.start < d.nodes[len(d.nodes)-1].start {
		return
	}
	d.nodes = append(d.nodes, c)
	if c.value.Start >= c.start {
		d.collect(c.value)
	}
}
