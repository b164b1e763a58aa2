// Package yamltree reads YAML text into trees in which every scalar knows its place in the source. It stands between
// yaml.v3, which does the parsing, and the rest of the parser: aliases and merge keys are resolved, and what yaml.v3
// lets pass (duplicate keys, self-references, alias bombs) or reports without a column becomes a Problem with a place.
package yamltree

import (
	"github.com/causetc/causetc/spec"
)

// Kind is the kind of a node.
type Kind uint8

// The kinds of nodes. Bad stands for a value that a Problem has been reported for; nothing more should be said of it.
const (
	Scalar Kind = iota
	Map
	List
	Bad
)

// Node is a node of a document. Nodes that aliases name are shared.
type Node struct {
	Kind    Kind
	Flow    bool         // a map or list in braces or brackets
	Scalar  *spec.Scalar // of a Scalar
	Entries []Entry      // of a Map, in the order of the text, with what merge keys bring at the end
	Items   []*Node      // of a List
	Start   int          // byte offset of the first character: of a scalar, of the bracket, the dash or the first key

	size   int32 // number of nodes, aliases expanded; the limits keep it small
	height int32
}

// Entry is an entry of a map.
type Entry struct {
	Key       *spec.Scalar
	Value     *Node
	Duplicate bool // an entry before it has the same key, which has been reported
	Merged    bool // a merge key brought it
}

// IsNull reports whether the author wrote nothing, or null.
func (n *Node) IsNull() bool { return n.Kind == Scalar && n.Scalar.Tag == spec.TagNull }

// Span returns the place to point at: the scalar, the bracket or dash, or the first key.
func (n *Node) Span(f *spec.File) spec.Span {
	switch {
	case n.Kind == Scalar:
		return n.Scalar.Span()
	case n.Kind == Map && !n.Flow && len(n.Entries) > 0:
		return n.Entries[0].Key.Span()
	}
	return f.Span(n.Start, n.Start+1)
}

// End returns the byte offset of the end of the node's last scalar.
func (n *Node) End(f *spec.File) int {
	switch {
	case n.Kind == Scalar:
		return f.Offset(n.Scalar.Span().End)
	case n.Kind == List && len(n.Items) > 0:
		return n.Items[len(n.Items)-1].End(f)
	case n.Kind == Map:
		for i := len(n.Entries) - 1; i >= 0; i-- {
			if e := n.Entries[i]; !e.Merged {
				return max(f.Offset(e.Key.Span().End), e.Value.End(f))
			}
		}
	}
	return n.Start + 1
}

// Limits bounds what is read.
type Limits struct {
	Depth   int // nesting of maps and lists
	Entries int // separators, brackets and lines of one text: a bound on memory
	Aliased int // nodes that aliases stand for
}

// Tree is what a text holds.
type Tree struct {
	Roots    []*Node // one for each document that is not empty
	Comments []Comment
	Problems []Problem
	Broken   bool // a part of the text could not be read at all
}

// Comment is a comment, from its # to the end of its line.
type Comment struct {
	From, To int
	Own      bool // nothing else stands on its line
}

// Code classifies a problem.
type Code uint8

// The classes of problems.
const (
	Syntax Code = iota
	Encoding
	Tabs
	DuplicateKey
	TooLarge
	Alias
	MergeKey
	CustomTag
	KeyKind
	CutByComment
	SplitByComma
	ColonInText
	TextAfterQuote
)

// Problem is something wrong with the text as YAML. Offsets are bytes of the file.
type Problem struct {
	Code     Code
	From, To int
	Message  string
	Related  []Related
	Fix      *Fix

	origin int  // where the construct starts that a syntax error spoils
	orphan bool // it can be but a consequence of a mistake in front of it
}

// Related is another place that belongs to a problem.
type Related struct {
	From, To int
	Message  string
}

// Fix replaces bytes of the file.
type Fix struct {
	Message  string
	From, To int
	New      string
	Unsafe   bool // it may not be what the author means
}
