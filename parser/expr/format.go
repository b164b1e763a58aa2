package expr

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/causetc/causetc/spec"
)

// Format writes a tree as text with one space around operators, quotes of one kind and no more parentheses than needed.
// Parsing the text gives the same tree, except for places, where the tree holds no Bad node; those are written as <bad>,
// which does not parse.
func Format(n spec.Node) string {
	var b strings.Builder
	format(&b, n, 0)
	return b.String()
}

// The levels below and above those of precedence.
const (
	levelCond    = 0
	levelUnary   = 7
	levelPostfix = 8
)

// level returns how tight a node's own operator binds.
func level(n spec.Node) int {
	switch n := n.(type) {
	case *spec.Cond, *spec.Elvis:
		return levelCond
	case *spec.Binary:
		return precedence(n.Op)
	case *spec.Unary:
		return levelUnary
	case *spec.Lit:
		if n.Kind == spec.LitInt && n.Text == smallest {
			return levelUnary
		}
	}
	return levelPostfix + 1
}

// format writes a node where only what binds at least as tight as lowest can stand without parentheses.
func format(b *strings.Builder, n spec.Node, lowest int) {
	if level(n) < lowest {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch n := n.(type) {
	case *spec.Ident:
		b.WriteString(n.Name)
	case *spec.Member:
		formatBase(b, n.X)
		b.WriteString("." + n.Name)
	case *spec.Index:
		formatBase(b, n.X)
		b.WriteByte('[')
		format(b, n.I, levelCond)
		b.WriteByte(']')
	case *spec.Call:
		formatCall(b, n)
	case *spec.Unary:
		b.WriteString(n.Op)
		format(b, n.X, levelUnary)
	case *spec.Binary:
		format(b, n.X, level(n))
		b.WriteString(" " + n.Op + " ")
		format(b, n.Y, level(n)+1)
	case *spec.Cond:
		format(b, n.If, levelCond+1)
		b.WriteString(" ? ")
		format(b, n.Then, levelCond)
		b.WriteString(" : ")
		format(b, n.Else, levelCond)
	case *spec.Elvis:
		format(b, n.X, levelCond+1)
		b.WriteString(" ?: ")
		format(b, n.Y, levelCond)
	case *spec.Lit:
		formatLit(b, n)
	default:
		b.WriteString("<bad>")
	}
}

// formatBase writes what a member or an index is read from. A number needs parentheses: 1.x is none.
func formatBase(b *strings.Builder, x spec.Node) {
	lowest := levelPostfix
	if l, ok := x.(*spec.Lit); ok && (l.Kind == spec.LitInt || l.Kind == spec.LitDecimal) {
		lowest = levelPostfix + 2
	}
	format(b, x, lowest)
}

func formatCall(b *strings.Builder, n *spec.Call) {
	formatBase(b, n.Fn)
	b.WriteByte('(')
	for i, a := range n.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		format(b, a, levelCond)
	}
	b.WriteByte(')')
}

func formatLit(b *strings.Builder, l *spec.Lit) {
	if l.Kind != spec.LitString {
		b.WriteString(l.Text)
		return
	}
	b.WriteByte('\'')
	for _, r := range l.Text {
		switch {
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case !unicode.IsGraphic(r) && r <= 0xFFFF:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
}
