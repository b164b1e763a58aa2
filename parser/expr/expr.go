// Package expr reads the expressions that authors write in scalars of a spec: one grammar for conditions, ids, derived
// columns and payload values. It turns text into trees of package spec, reports every problem of a text with its place
// and with what to write instead, and never fails on any input.
package expr

import (
	"fmt"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/causetc/causetc/spec"
)

// The bounds of an expression. What exceeds one gets a single problem that names the bound.
const (
	// MaxLength is the length of an expression's text in bytes.
	MaxLength = 64 << 10
	// MaxNesting is how deep parentheses, brackets, calls, conditionals and unary operators may nest.
	MaxNesting = 100
	// MaxHeight is the height of a tree: long chains such as a + b + c + ... are as high as they are long.
	MaxHeight = 500
	// MaxDigits is how many digits a number may have before its decimal point, and after it.
	MaxDigits = 1000
	// maxProblems bounds what is reported for one text; the rest would not help anybody.
	maxProblems = 20
)

// Problem is something wrong in an expression's text.
type Problem struct {
	Range   spec.Range // of the bytes at fault; empty at the end of the text where something is missing
	Message string     // what is wrong, and what to write instead
	Warning bool       // the text has a meaning, but perhaps not the intended one
	Text    bool       // the whole is taken as a text, and quotes would say so
	Fix     *Fix       // a change that mends it, or nil

	limit bool // a bound is exceeded, so that nothing is known of the rest
}

// Fix replaces a range of the text. Whether the new text needs other quotes in YAML is the caller's to see.
type Fix struct {
	Range spec.Range
	New   string
}

// Parse reads a text as an expression. The tree is never nil and must not be changed; where a part could not be read it
// holds a *spec.Bad. The problems are in the order of the text; without any, the tree has no Bad node.
func Parse(text string) (spec.Node, []Problem) {
	if n := parsePath(text); n != nil {
		return n, nil
	}
	return parseAny(text)
}

// parseAny is Parse without the short cut for paths.
func parseAny(text string) (spec.Node, []Problem) {
	if len(text) > MaxLength {
		return wholeBad(text, fmt.Sprintf("the expression is %d bytes long; %d is the most", len(text), MaxLength))
	}
	r, err := grammar.ParseString("", text)
	if err != nil { // the root reads every token and returns no error
		return wholeBad(text, err.Error())
	}
	if len(text) > MaxHeight && height(r.node, MaxHeight) > MaxHeight {
		return wholeBad(text, fmt.Sprintf("the expression is too large: more than %d operators build on each other", MaxHeight))
	}
	return r.node, r.problems
}

func wholeBad(text, message string) (spec.Node, []Problem) {
	at := spec.Range{To: int32(min(len(text), 1<<31-1))}
	return &spec.Bad{Where: at}, []Problem{{Range: at, Message: message, limit: true}}
}

// grammar is participle's parser: our lexer, and a root that parses itself.
var grammar = participle.MustBuild[root](participle.Lexer(definition{}))

// root is the start symbol.
type root struct {
	node     spec.Node
	problems []Problem
}

// Parse reads all tokens. It implements participle.Parseable.
func (r *root) Parse(lex *lexer.PeekingLexer) error {
	p := parser{lex: lex}
	r.node = p.text()
	r.problems = p.problems
	return nil
}

// height returns the height of a tree, or something above limit if it exceeds that.
func height(n spec.Node, limit int) int {
	if limit < 0 {
		return 1
	}
	h := 0
	for _, c := range spec.Children(n) {
		h = max(h, height(c, limit-1))
	}
	return h + 1
}

// parsePath reads a lone name or dotted path without spaces, the most frequent expression by far, or returns nil.
func parsePath(text string) spec.Node {
	if len(text) > MaxHeight {
		return nil
	}
	end := nameEnd(text, 0)
	if end == 0 || isLiteralWord(text[:end]) {
		return nil
	}
	var n spec.Node = &spec.Ident{Where: span(0, end), Name: text[:end]}
	for end < len(text) {
		from := end + 1
		if text[end] != '.' {
			return nil
		}
		if end = nameEnd(text, from); end == from {
			return nil
		}
		n = &spec.Member{Where: span(0, end), X: n, Name: text[from:end], NameAt: span(from, end)}
	}
	return n
}

func span(from, to int) spec.Range { return spec.Range{From: int32(from), To: int32(to)} }
