package yamltree

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/causetc/causetc/spec"
)

// converter turns the nodes of yaml.v3 into ours.
type converter struct {
	file    *spec.File
	source  string     // the text, for the values of scalars to share
	shown   *spec.File // the text as yaml.v3 has read it
	hidden  []int      // where question marks were hidden from it
	tags    []token    // tags that are none of YAML's own
	bad     []area     // what traps have torn apart
	pos     *positions
	limits  Limits
	tree    *Tree
	anchors map[*yaml.Node]*Node // nil while the anchor's own node is being read
	aliased int
	scalars []spec.Scalar // a slab, so that a scalar costs no allocation
	nodes   []Node
}

// maxProblems bounds what is reported for a file.
const maxProblems = 10_000

func (c *converter) problem(p Problem) {
	if len(c.tree.Problems) < maxProblems {
		c.tree.Problems = append(c.tree.Problems, p)
	}
}

func (c *converter) newNode(kind Kind, start int) *Node {
	if len(c.nodes) == 0 {
		c.nodes = make([]Node, 128)
	}
	n := &c.nodes[0]
	c.nodes = c.nodes[1:]
	n.Kind, n.Start, n.size, n.height = kind, start, 1, 1
	return n
}

// node converts y. indent is the column of the block that it stands in (-1 at the top), depth counts the maps and lists
// around it.
func (c *converter) node(y *yaml.Node, indent, depth int) *Node {
	if y.Kind == yaml.AliasNode {
		return c.alias(y, depth)
	}
	at := c.pos.offsetOf(y.Line, y.Column)
	start := c.skipProperties(at, y.Value == "" && y.Kind == yaml.ScalarNode && y.Style&^yaml.TaggedStyle == 0)
	var n *Node
	switch {
	case c.isBad(start):
		n = c.newNode(Bad, start)
	case y.Kind == yaml.ScalarNode:
		n = c.newNode(Scalar, start)
		n.Scalar = c.scalar(y, start, indent)
		n.size += int32(len(y.Value) / 64) // so that aliases of long texts count for what they cost
	case depth >= c.limits.Depth:
		n = c.newNode(Bad, start)
		c.tooDeep(start)
	default:
		n = c.collection(y, start, indent, depth)
	}
	if y.Style&yaml.TaggedStyle != 0 && !knownTag(y.Tag) {
		c.customTag(y, at)
		n.Kind = Bad
	}
	if y.Anchor != "" {
		c.anchored(y, n)
	}
	return n
}

// anchored notes what an anchor names; nil while that is not complete.
func (c *converter) anchored(y *yaml.Node, n *Node) {
	if c.anchors == nil {
		c.anchors = map[*yaml.Node]*Node{}
	}
	c.anchors[y] = n
}

// isBad reports whether a trap has torn apart what stands at an offset.
func (c *converter) isBad(at int) bool {
	i, found := slices.BinarySearchFunc(c.bad, at, func(a area, at int) int { return a.from - at })
	return found || i > 0 && at < c.bad[i-1].to
}

func (c *converter) collection(y *yaml.Node, start, indent, depth int) *Node {
	kind := Map
	if y.Kind == yaml.SequenceNode {
		kind = List
	}
	n := c.newNode(kind, start)
	n.Flow = y.Style&yaml.FlowStyle != 0
	if y.Anchor != "" {
		c.anchored(y, nil)
	}
	if !n.Flow && len(y.Content) > 0 {
		indent = c.blockIndent(y, start)
	}
	if kind == Map {
		c.entries(n, y, indent, depth+1)
	} else {
		n.Items = make([]*Node, len(y.Content))
		for i, item := range y.Content {
			n.Items[i] = c.node(item, indent, depth+1)
			n.grow(n.Items[i])
		}
	}
	return n
}

func (n *Node) grow(child *Node) {
	n.size += child.size
	n.height = max(n.height, child.height+1)
}

// blockIndent returns the column of a block map's keys or a block list's dashes.
func (c *converter) blockIndent(y *yaml.Node, start int) int {
	if y.Kind == yaml.MappingNode {
		return y.Content[0].Column - 1
	}
	if start < len(c.pos.text) && c.pos.text[start] == '-' {
		return c.pos.columnOf(c.lineOf(start, y.Line), start)
	}
	return y.Column - 1
}

// lineOf returns the line of an offset at or behind the start of a line.
func (c *converter) lineOf(offset, line int) int {
	for line < len(c.pos.lines) && int(c.pos.lines[line]) <= offset {
		line++
	}
	return line
}

func (c *converter) entries(n *Node, y *yaml.Node, indent, depth int) {
	n.Entries = make([]Entry, 0, len(y.Content)/2)
	var merge *yaml.Node // the value of the merge key
	mergeAt := 0
	for i := 0; i+1 < len(y.Content); i += 2 {
		k, v := y.Content[i], y.Content[i+1]
		if k.Tag == "!!merge" && k.Style == 0 {
			at := c.pos.offsetOf(k.Line, k.Column)
			if merge != nil {
				c.secondMerge(mergeAt, at)
			} else {
				merge, mergeAt = v, at
			}
			continue
		}
		key := c.key(k, indent, depth)
		value := c.node(v, indent, depth)
		n.grow(value)
		if key != nil {
			n.Entries = append(n.Entries, Entry{Key: key, Value: value})
		} else if n.Flow {
			n.Kind = Bad // a placeholder without quotes: {{ name }}
		}
	}
	c.duplicates(n.Entries)
	if merge != nil {
		c.merge(n, mergeAt, merge, depth)
	}
}

func (c *converter) secondMerge(first, second int) {
	c.problem(Problem{Code: DuplicateKey, From: second, To: second + 2, Related: []Related{{first, first + 2, "the first one"}},
		Message: "a map has one merge key; merge several maps with a list: <<: [*a, *b]"})
}

// key converts a key; nil if it is no word.
func (c *converter) key(y *yaml.Node, indent, depth int) *spec.Scalar {
	if y.Kind == yaml.ScalarNode && y.Style == 0 && y.Anchor == "" && y.Value != "" {
		if at := c.pos.offsetOf(y.Line, y.Column); !c.isBad(at) {
			return c.scalar(y, at, indent) // the rule, for which a node would be a waste
		}
	}
	k := c.node(y, indent, depth)
	switch k.Kind {
	case Bad:
		return nil
	case Scalar:
		if k.Scalar.Tag != spec.TagNull || k.Scalar.Value != "" {
			return k.Scalar
		}
		c.problem(Problem{Code: KeyKind, From: k.Start, To: k.Start, Message: "a key is missing in front of the colon"})
	default:
		message, instead := "a map can't be a key", "; write a word in front of the colon"
		if k.Kind == List {
			message = "a list can't be a key"
		}
		if k.Flow && k.Kind == Map {
			instead = "; put a template placeholder in quotes: \"{{ name }}\""
		}
		c.problem(Problem{Code: KeyKind, From: k.Start, To: k.Start + 1, Message: message + instead})
	}
	return nil
}

// duplicates reports keys that a map has twice.
func (c *converter) duplicates(entries []Entry) {
	if len(entries) <= 12 { // a search beats a map here
		for i := range entries {
			for j := range i {
				if entries[i].Key.Value == entries[j].Key.Value {
					c.duplicate(entries, j, i)
					break
				}
			}
		}
		return
	}
	first := make(map[string]int, len(entries))
	for i := range entries {
		if j, ok := first[entries[i].Key.Value]; ok {
			c.duplicate(entries, j, i)
			continue
		}
		first[entries[i].Key.Value] = i
	}
}

func (c *converter) duplicate(entries []Entry, first, second int) {
	entries[second].Duplicate = true
	a, b := entries[first].Key, entries[second].Key
	from, to := keyRange(a)
	p := Problem{Code: DuplicateKey, Related: []Related{{from, to, "the first one"}}}
	p.From, p.To = keyRange(b)
	p.Message = fmt.Sprintf("the key %q stands twice in this map; YAML would silently use one of them", b.Value)
	c.problem(p)
}

// keyRange returns the bytes of a scalar in its file.
func keyRange(s *spec.Scalar) (from, to int) {
	span := s.Span()
	return int(span.Start - s.File.Base), int(span.End - s.File.Base)
}

// merge adds the entries that a merge key brings.
func (c *converter) merge(n *Node, at int, y *yaml.Node, depth int) {
	value := c.node(y, 0, depth)
	sources := []*Node{value}
	if value.Kind == List {
		sources = value.Items
	}
	have := make(map[string]bool, len(n.Entries))
	for _, e := range n.Entries {
		have[e.Key.Value] = true
	}
	for _, source := range sources {
		if source.Kind == Bad {
			continue
		}
		if source.Kind != Map {
			c.problem(Problem{Code: MergeKey, From: at, To: at + 2, Message: "a merge key (<<) takes a map, or a list of maps"})
			return
		}
		for _, e := range source.Entries {
			if have[e.Key.Value] {
				continue
			}
			have[e.Key.Value] = true
			n.Entries = append(n.Entries, Entry{Key: e.Key, Value: e.Value, Merged: true})
			n.grow(e.Value)
		}
	}
	n.Entries = slices.Clip(n.Entries)
}

// alias returns what an alias names.
func (c *converter) alias(y *yaml.Node, depth int) *Node {
	at := c.pos.offsetOf(y.Line, y.Column)
	p := Problem{Code: Alias, From: at, To: at + 1 + len(y.Value)}
	target, known := c.anchors[y.Alias]
	switch {
	case !known:
		// what it names has been reported
	case target == nil:
		p.Message = fmt.Sprintf("the alias *%s stands inside of what it names, so it would never end", y.Value)
		c.problem(p)
	case depth+int(target.height) > c.limits.Depth:
		c.tooDeep(at)
	case c.aliased+int(target.size) <= c.limits.Aliased:
		c.aliased += int(target.size)
		return target
	case c.aliased <= c.limits.Aliased:
		c.aliased = c.limits.Aliased + 1 // reported once
		p.Code = TooLarge
		p.Message = fmt.Sprintf("aliases would expand to more than %d nodes", c.limits.Aliased)
		c.problem(p)
	}
	return c.newNode(Bad, at)
}

func (c *converter) tooDeep(at int) {
	for _, p := range c.tree.Problems {
		if p.Code == TooLarge {
			return
		}
	}
	c.problem(Problem{Code: TooLarge, From: at, To: at + 1,
		Message: fmt.Sprintf("maps and lists are nested more than %d deep here", c.limits.Depth)})
}
