package ir

import (
	"strconv"
	"strings"
)

// The precedence of operators, low to high, as in the language.
const (
	precCond = iota + 1
	precOr
	precAnd
	precEqual
	precOrder
	precAdd
	precMul
	precUnary
	precPostfix
)

var binaryPrec = map[string]int{
	"||": precOr, "&&": precAnd, "==": precEqual, "!=": precEqual, "<": precOrder, "<=": precOrder, ">": precOrder,
	">=": precOrder, "+": precAdd, "-": precAdd, "*": precMul, "/": precMul, "%": precMul,
}

// String returns the expression in the syntax of the language.
func (e *Expr) String() string {
	var b strings.Builder
	writeExpr(&b, e, 0)
	return b.String()
}

// writeExpr writes e, in parentheses if it binds weaker than its place asks for.
func writeExpr(b *strings.Builder, e *Expr, place int) {
	if e == nil {
		b.WriteString("?")
		return
	}
	prec := precOf(e)
	if prec < place {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch e.Op {
	case OpUnary:
		b.WriteString(e.Name)
		writeArg(b, e, 0, precUnary)
	case OpBinary:
		writeArg(b, e, 0, prec)
		b.WriteString(" " + e.Name + " ")
		writeArg(b, e, 1, prec+1)
	case OpCond:
		writeArg(b, e, 0, precCond+1)
		b.WriteString(" ? ")
		writeArg(b, e, 1, precCond)
		b.WriteString(" : ")
		writeArg(b, e, 2, precCond)
	case OpElvis:
		writeArg(b, e, 0, precCond+1)
		b.WriteString(" ?: ")
		writeArg(b, e, 1, precCond)
	default:
		writePrimary(b, e)
	}
}

func precOf(e *Expr) int {
	switch e.Op {
	case OpUnary:
		return precUnary
	case OpBinary:
		return binaryPrec[e.Name]
	case OpCond, OpElvis:
		return precCond
	case OpInt, OpDecimal:
		if strings.HasPrefix(e.Text, "-") {
			return precUnary
		}
	}
	return precPostfix
}

// writeArg writes an operand, also of a node that lacks it.
func writeArg(b *strings.Builder, e *Expr, i, place int) {
	if i < len(e.Args) {
		writeExpr(b, e.Args[i], place)
	} else {
		b.WriteString("?")
	}
}

func writePrimary(b *strings.Builder, e *Expr) {
	switch e.Op {
	case OpNull, OpIt:
		b.WriteString(string(e.Op))
	case OpBool, OpInt, OpDecimal:
		b.WriteString(e.Text)
	case OpString:
		b.WriteString(strconv.Quote(e.Text))
	case OpEnvelope:
		b.WriteString("event." + e.Name)
	case OpPayload:
		b.WriteString("event.payload")
	case OpDerived:
		b.WriteString("derived." + e.Name)
	case OpResource:
		b.WriteString("resources." + e.Name)
	case OpMember:
		writeArg(b, e, 0, precPostfix)
		writeMember(b, e.Name)
	case OpIndex:
		writeArg(b, e, 0, precPostfix)
		b.WriteByte('[')
		writeArg(b, e, 1, 0)
		b.WriteByte(']')
	case OpBucket:
		b.WriteString("bucket(")
		writeArg(b, e, 0, 0)
		b.WriteString(", " + e.Text + ")")
	case OpLookup:
		b.WriteString("lookup(" + e.Name + ", ")
		writeArg(b, e, 0, 0)
		b.WriteByte(')')
	default:
		writeSequence(b, e)
	}
}

func writeMember(b *strings.Builder, name string) {
	if isWord(name) {
		b.WriteString("." + name)
	} else {
		b.WriteString("[" + strconv.Quote(name) + "]")
	}
}

func isWord(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// writeSequence writes calls, lists and objects.
func writeSequence(b *strings.Builder, e *Expr) {
	opening, closing := e.Name+"(", ")"
	switch e.Op {
	case OpList:
		opening, closing = "[", "]"
	case OpObject:
		opening, closing = "{", "}"
	}
	b.WriteString(opening)
	for i := range e.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		if e.Op == OpObject && i < len(e.Keys) {
			b.WriteString(strconv.Quote(e.Keys[i]) + ": ")
		}
		writeArg(b, e, i, 0)
	}
	b.WriteString(closing)
}
