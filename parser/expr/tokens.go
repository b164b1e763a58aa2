package expr

import (
	"fmt"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/causetc/causetc/spec"
)

func (p *parser) peek() *lexer.Token { return p.lex.Peek() }

func (p *parser) next() { p.prev = *p.lex.Next() }

// pos returns where the next token starts.
func (p *parser) pos() int32 { return int32(p.peek().Pos.Offset) }

// end returns where the last consumed token ends.
func (p *parser) end() int32 { return int32(p.prev.Pos.Offset + len(p.prev.Value)) }

// last returns the range of the last consumed token.
func (p *parser) last() spec.Range { return span(p.prev.Pos.Offset, int(p.end())) }

// here returns the range of the next token.
func (p *parser) here() spec.Range {
	t := p.peek()
	return span(t.Pos.Offset, t.Pos.Offset+len(t.Value))
}

// since returns the range from an offset to the last consumed token.
func (p *parser) since(from int32) spec.Range {
	return spec.Range{From: from, To: max(from, p.end())}
}

func (p *parser) bad(from int32) *spec.Bad { return &spec.Bad{Where: p.since(from)} }

// at tells whether the next token is the given punctuation.
func (p *parser) at(punct string) bool {
	t := p.peek()
	return t.Type == tokPunct && t.Value == punct
}

func (p *parser) accept(punct string) bool {
	if !p.at(punct) {
		return false
	}
	p.next()
	return true
}

// startsOperand tells whether the next token begins an operand.
func (p *parser) startsOperand() bool {
	switch p.peek().Type {
	case tokName, tokNumber, tokString:
		return true
	case tokPunct:
		return p.at("(") || p.at("!") || p.at("-")
	}
	return false
}

// enter goes one level deeper. At the bound it reports that once, drops the rest of the text and returns false.
func (p *parser) enter() bool {
	if p.depth > MaxNesting {
		p.problems = []Problem{{
			Range: p.last(), Message: fmt.Sprintf("the expression nests too deep: %d levels are the most", MaxNesting), limit: true,
		}}
		p.stopped = true
		for !p.peek().EOF() {
			p.next()
		}
		return false
	}
	p.depth++
	return true
}

func (p *parser) leave() { p.depth-- }

// report adds a problem, unless one is already there that starts at the same place.
func (p *parser) report(at spec.Range, message string) { p.reportFix(at, message, nil) }

func (p *parser) reportFix(at spec.Range, message string, fix *Fix) {
	if p.stopped || len(p.problems) == maxProblems {
		return
	}
	i := len(p.problems) // keep the order of the text: what is found unclosed is found late
	for i > 0 && p.problems[i-1].Range.From >= at.From {
		i--
	}
	if i < len(p.problems) && p.problems[i].Range.From == at.From {
		return
	}
	p.problems = append(p.problems, Problem{})
	copy(p.problems[i+1:], p.problems[i:])
	p.problems[i] = Problem{Range: at, Message: message, Fix: fix}
}
