package mutation

import (
	"slices"
	"strings"

	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// entry is a key of the program with what it leads to.
type entry struct {
	p     *program
	file  *spec.File
	path  []string // the keys that lead here, this one included; "[]" for an item of a list
	key   *spec.Scalar
	value *yamltree.Node
	in    *yamltree.Node // the map that holds it
	pos   int            // its place in that map
	up    *entry         // the key that leads to that map; nil at the top of a file
}

// item is what collect calls an item of a list.
const item = "[]"

// collect lists the entries below a node. It leaves out what an alias names, which stands elsewhere.
func (p *program) collect(f *spec.File, up *entry, path []string, n *yamltree.Node) {
	switch n.Kind {
	case yamltree.Map:
		for i, e := range n.Entries {
			if e.Merged || e.Duplicate || e.Value.Start < e.Key.Start {
				continue
			}
			own := append(slices.Clone(path), e.Key.Value)
			it := &entry{p: p, file: f, path: own, key: e.Key, value: e.Value, in: n, pos: i, up: up}
			p.entries = append(p.entries, it)
			p.collect(f, it, own, e.Value)
		}
	case yamltree.List:
		for _, it := range n.Items {
			if it.Start >= n.Start {
				p.collect(f, up, append(slices.Clone(path), item), it)
			}
		}
	}
}

// matching returns the entries whose path has a pattern: names, * for any key, [] for an item, and ** at the start for
// anything.
func (p *program) matching(patterns ...string) []*entry {
	var found []*entry
	for _, pattern := range patterns {
		want := strings.Split(pattern, "/")
		for _, e := range p.entries {
			if matches(e.path, want) {
				found = append(found, e)
			}
		}
	}
	return found
}

func matches(path, want []string) bool {
	if want[0] == "**" {
		want = want[1:]
		if len(path) < len(want) {
			return false
		}
		path = path[len(path)-len(want):]
	}
	if len(path) != len(want) {
		return false
	}
	for i, w := range want {
		if w != path[i] && (w != "*" || path[i] == item) {
			return false
		}
	}
	return true
}

// sibling returns the value of another key of the same map, or nil.
func (e *entry) sibling(key string) *yamltree.Node { return child(e.in, key) }

// child returns the value of a key of a map, or nil.
func child(n *yamltree.Node, key string) *yamltree.Node {
	if n == nil || n.Kind != yamltree.Map {
		return nil
	}
	for _, e := range n.Entries {
		if e.Key.Value == key && !e.Duplicate {
			return e.Value
		}
	}
	return nil
}

// scalarText returns the text of a scalar node, empty for anything else.
func scalarText(n *yamltree.Node) string {
	if n == nil || n.Kind != yamltree.Scalar {
		return ""
	}
	return n.Scalar.Value
}

// end returns the offset behind a node, closing brackets included.
func end(f *spec.File, n *yamltree.Node) int {
	last := n.Start + 1
	switch {
	case n.Kind == yamltree.Scalar:
		return f.Offset(n.Scalar.Span().End)
	case n.Kind == yamltree.Map && len(n.Entries) > 0:
		last = end(f, n.Entries[len(n.Entries)-1].Value)
	case n.Kind == yamltree.List && len(n.Items) > 0:
		last = end(f, n.Items[len(n.Items)-1])
	}
	if !n.Flow {
		return last
	}
	for last < len(f.Text) && f.Text[last] != '}' && f.Text[last] != ']' {
		last++
	}
	return last + 1
}

// extent returns the place of an entry, from its key to the end of its value.
func (e *entry) extent() spec.Span {
	return e.file.Span(e.key.Start, end(e.file, e.value))
}

// around returns the places that are about what an entry belongs to: the map that holds it, and the key of that map.
func (e *entry) around() []spec.Span {
	first := e.in.Entries[0].Key.Start
	if e.in.Flow {
		first = e.in.Start
	}
	list := []spec.Span{e.file.Span(first, end(e.file, e.in))}
	if e.up != nil {
		list = append(list, e.up.key.Span())
	}
	return list
}

// without is a mutant that lacks an entry.
func (e *entry) without() Mutant {
	all := e.in.Entries
	from, to := e.key.Start, end(e.file, e.value)
	text := ""
	switch {
	case e.pos+1 < len(all) && !all[e.pos+1].Merged:
		to = all[e.pos+1].Key.Start
	case e.pos > 0:
		from = end(e.file, all[e.pos-1].Value)
	case !e.in.Flow:
		text = "{}"
	}
	return e.p.replace(e.file.Span(from, to), text, e.around()...)
}

// withoutItem is a mutant that lacks an item of a list.
func withoutItem(p *program, f *spec.File, list *yamltree.Node, i int, places ...spec.Span) (Mutant, bool) {
	n := list.Items[i]
	switch {
	case len(list.Items) < 2:
		return Mutant{}, false
	case !list.Flow && i+1 < len(list.Items):
		return p.replace(f.Span(itemStart(n), itemStart(list.Items[i+1])), "", places...), true
	case i+1 < len(list.Items):
		return p.replace(f.Span(n.Start, list.Items[i+1].Start), "", places...), true
	}
	return p.replace(f.Span(end(f, list.Items[i-1]), end(f, n)), "", places...), true
}

// itemStart returns where the text of an item starts, behind its dash.
func itemStart(n *yamltree.Node) int {
	if n.Kind == yamltree.Map && !n.Flow && len(n.Entries) > 0 {
		return n.Entries[0].Key.Start
	}
	return n.Start
}

// withSibling is a mutant with one more key in the map that holds an entry, in front of it.
func (e *entry) withSibling(text string, places ...spec.Span) Mutant {
	at := e.file.Pos(e.key.Start)
	if e.in.Flow {
		return e.p.insert(at, text+", ", places...)
	}
	return e.p.insert(at, text+"\n"+strings.Repeat(" ", e.column()), places...)
}

// column returns the column of the key, from 0.
func (e *entry) column() int { return column(e.file, e.key.Start) }

func column(f *spec.File, offset int) int {
	n := 0
	for offset-n > 0 && f.Text[offset-n-1] != '\n' {
		n++
	}
	return n
}

// isWord reports whether the value is a scalar that stands as it is in the text.
func (e *entry) isWord() bool {
	return e.value.Kind == yamltree.Scalar && e.value.Scalar.Value != ""
}

// setValue is a mutant with another text for a scalar.
func (e *entry) setValue(text string, places ...spec.Span) Mutant {
	return e.p.replace(e.value.Scalar.Span(), text, places...)
}

// bare returns the place of a scalar's text without its quotes.
func bare(s *spec.Scalar) spec.Span { return s.Sub(0, len(s.Value)) }
