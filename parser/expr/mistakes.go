package expr

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/causetc/causetc/spec"
)

// foreign maps operators of other languages to ours.
var foreign = map[string]string{
	"=": "==", "===": "==", "!==": "!=", "<>": "!=", "=>": ">=", "=<": "<=", "&": "&&", "|": "||", ":=": "==",
	"??": "?:", "?.": ".",
	"and": "&&", "or": "||", "AND": "&&", "OR": "||", "is": "==", "eq": "==", "ne": "!=", "neq": "!=", "lt": "<", "gt": ">",
	"le": "<=", "lte": "<=", "ge": ">=", "gte": ">=", "mod": "%", "div": "/",
	"≠": "!=", "≤": "<=", "≥": ">=", "×": "*", "÷": "/", "−": "-", "·": "*",
}

// foreignBinary tells whether the next token is a binary operator of another language.
func (p *parser) foreignBinary() bool { return precedence(foreign[p.peek().Value]) > 0 }

// peekBinary returns the binary operator that comes next, ours where another language's is written.
func (p *parser) peekBinary() (string, bool) {
	switch t := p.peek(); t.Type {
	case tokPunct:
		return t.Value, precedence(t.Value) > 0
	case tokName, tokBad:
		op := foreign[t.Value]
		return op, precedence(op) > 0
	}
	return "", false
}

// takeOperator consumes the next token, which stands for the operator op.
func (p *parser) takeOperator(op string) {
	if written := p.peek().Value; written != op {
		p.instead(p.here(), written, op)
	}
	p.next()
}

func (p *parser) instead(at spec.Range, written, ours string) {
	p.reportFix(at, fmt.Sprintf("write `%s` instead of `%s`", ours, written), &Fix{Range: at, New: ours})
}

// acceptForeign consumes the token that another language has for our punctuation.
func (p *parser) acceptForeign(written, ours, why string) bool {
	at := p.here()
	if t := p.peek(); t.Type != tokBad || t.Value != written {
		return false
	}
	p.reportFix(at, fmt.Sprintf("write `%s` instead of `%s`%s", ours, written, why), &Fix{Range: at, New: ours})
	p.next()
	return true
}

// acceptNot consumes the word "not" where it is meant as an operator: before another operand.
func (p *parser) acceptNot() bool {
	tok := p.peek()
	if tok.Type != tokName || tok.Value != "not" && tok.Value != "NOT" {
		return false
	}
	at, saved := p.here(), p.lex.MakeCheckpoint()
	p.lex.Next()
	next := p.peek()
	if next.Type != tokName && next.Type != tokNumber && next.Type != tokString || foreign[next.Value] != "" {
		p.lex.LoadCheckpoint(saved)
		return false
	}
	p.prev = *tok
	p.reportFix(at, fmt.Sprintf("write `!` instead of `%s`", tok.Value), &Fix{Range: span(int(at.From), next.Pos.Offset), New: "!"})
	return true
}

// stray reports what stands where an operator should, and skips it up to the next operator, closer, comma or end. It
// returns false where there is nothing of the kind.
func (p *parser) stray() bool {
	tok, at := p.peek(), p.here()
	switch {
	case tok.Type == tokBad && tok.Value == "??":
		return false // conditional takes it
	case tok.Type == tokBad:
		if !p.badTokenIsSpace() {
			p.skip()
		}
		return true
	case tok.Type == tokString && !closed(tok.Value):
		p.next()
		p.quoted(tok.Value, at)
		return true
	case tok.Type == tokName, tok.Type == tokNumber, tok.Type == tokString, p.at("("), p.at("!"):
		p.report(at, fmt.Sprintf("expected an operator before `%s`", short(tok.Value)))
		p.skip()
		return true
	}
	return false
}

// badTokenIsSpace reports the bad token that comes next and consumes it; an odd space is then forgotten.
func (p *parser) badTokenIsSpace() bool {
	r, _ := utf8.DecodeRuneInString(p.peek().Value)
	p.badToken()
	return unicode.IsSpace(r)
}

// skip drops tokens up to where an expression can go on.
func (p *parser) skip() {
	for open := 0; !p.peek().EOF(); {
		_, binary := p.peekBinary()
		switch {
		case p.at("(") || p.at("["):
			open++
		case open > 0 && (p.at(")") || p.at("]")):
			open--
		case open == 0 && (binary || p.at(")") || p.at("]") || p.at(",") || p.at("?") || p.at("?:") || p.at(":")):
			return
		}
		p.next()
	}
}

// missingOperand reports that the next token is not an operand, at the operator that lacks it where there is one.
func (p *parser) missingOperand() {
	tok, at := p.peek(), p.here()
	if _, binary := p.peekBinary(); binary || p.at("?") || p.at("?:") {
		p.report(at, fmt.Sprintf("expected a value before `%s`", tok.Value))
		return
	}
	switch {
	case p.accept("."):
		p.report(at, "expected a value before `.`; a decimal starts with a digit: `0.5`")
		if t := p.peek().Type; t == tokNumber || t == tokName {
			p.next()
		}
		return
	case p.at("["):
		p.report(at, "expected a value before `[`; there are no lists in brackets here")
		return
	}
	switch before := p.prev.Value; {
	case before == "":
		p.report(at, misplaced(tok.Value))
	case (before == "(" || before == "[") && tok.EOF(): // it is reported as never closed
	case before == ",":
		p.report(p.last(), "expected another argument after `,`")
	default:
		p.report(p.last(), fmt.Sprintf("expected a value after `%s`", short(before)))
	}
}

// misplaced says why a closer, comma or colon can't stand where it does.
func misplaced(tok string) string {
	switch tok {
	case ")", "]":
		return fmt.Sprintf("`%s` closes nothing", tok)
	case ",":
		return "a `,` can only stand between the arguments of a function"
	case ":":
		return "a `:` can only stand in `condition ? one : other`"
	}
	return fmt.Sprintf("unexpected `%s`", short(tok))
}

// badToken reports a token that is none, and consumes it.
func (p *parser) badToken() {
	tok, at := p.peek().Value, p.here()
	switch ours := foreign[tok]; {
	case ours != "":
		p.instead(at, tok, ours)
	default:
		p.report(at, badMessage(tok))
	}
	p.next()
}

func badMessage(tok string) string {
	r, n := utf8.DecodeRuneInString(tok)
	switch {
	case r == utf8.RuneError && n == 1:
		return fmt.Sprintf("the byte 0x%02X is not valid UTF-8", tok[0])
	case r == '’' || r == '‘' || r == '“' || r == '”' || r == '`' || r == '«' || r == '»':
		return fmt.Sprintf("`%c` is not a quote: texts stand between ' or \"", r)
	case r == '{' || r == '}':
		return "braces have no meaning in an expression: names are written without them"
	case r == '#':
		return "`#` has no meaning in an expression; a comment can only follow outside of it"
	case tok == "**" || tok == "++" || tok == "^" || tok == "~":
		return fmt.Sprintf("there is no operator `%s`", tok)
	case unicode.IsLetter(r):
		return fmt.Sprintf("`%s` is not a name: names are made of ASCII letters, digits and _; texts need quotes", short(tok))
	case unicode.IsSpace(r):
		return fmt.Sprintf("an unusual space (U+%04X): write an ordinary one", r)
	case !unicode.IsGraphic(r):
		return fmt.Sprintf("an invisible character (U+%04X)", r)
	case r < utf8.RuneSelf && isNameStart(byte(r)):
		return fmt.Sprintf("`%s` is not a name: names are made of ASCII letters, digits and _; texts need quotes", short(tok))
	}
	return fmt.Sprintf("`%c` has no meaning in an expression; texts need quotes", r)
}

// short cuts what is quoted in a message, and puts it on one line.
func short(s string) string {
	const most = 40
	s = strings.Map(func(r rune) rune {
		if r != ' ' && !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-3]) + "..."
}
