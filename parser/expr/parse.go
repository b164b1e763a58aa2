package expr

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/causetc/causetc/spec"
)

// parser reads the tokens of one text by precedence climbing. It reports a problem and goes on, so that one text can
// show several.
type parser struct {
	lex      *lexer.PeekingLexer
	prev     lexer.Token // the last token consumed; its Value is empty at the start
	depth    int
	problems []Problem
	stopped  bool // no more problems: a bound was met
}

// text reads the whole text.
func (p *parser) text() spec.Node {
	if p.peek().EOF() {
		at := p.here()
		p.report(at, "expected an expression, found nothing")
		return &spec.Bad{Where: at}
	}
	from := p.pos()
	n := p.expr()
	for !p.peek().EOF() { // only a closer, a comma or a colon stops an expression before the end
		p.report(p.here(), misplaced(p.peek().Value))
		p.next()
		p.resume()
		n = p.bad(from)
	}
	return n
}

// resume reads on after something misplaced, for the problems that follow.
func (p *parser) resume() {
	from := p.pos()
	if _, binary := p.peekBinary(); binary || p.at("?") || p.at("?:") {
		p.conditional(from, p.binary(from, p.bad(from), 1))
		return
	}
	if p.startsOperand() {
		p.expr()
	}
}

// expr reads an expression of any precedence.
func (p *parser) expr() spec.Node {
	from := p.pos()
	if !p.enter() {
		return p.bad(from)
	}
	defer p.leave()
	return p.conditional(from, p.binary(from, p.unary(), 1))
}

// conditional reads what may follow the condition n.
func (p *parser) conditional(from int32, n spec.Node) spec.Node {
	switch question := p.here(); {
	case p.accept("?"):
		then := p.expr()
		if !p.accept(":") {
			p.report(question, "`?` needs a `:` and a value for the other case: `condition ? one : other`")
			return &spec.Cond{Where: p.since(from), If: n, Then: then, Else: p.bad(p.end())}
		}
		els := p.expr()
		return &spec.Cond{Where: p.since(from), If: n, Then: then, Else: els}
	case p.accept("?:") || p.acceptForeign("??", "?:", ""):
		y := p.expr()
		return &spec.Elvis{Where: p.since(from), X: n, Y: y}
	}
	return n
}

// binary reads the operators that bind at least as tight as lowest and their right operands, x being the first left one.
func (p *parser) binary(from int32, x spec.Node, lowest int) spec.Node {
	for {
		op, ok := p.peekBinary()
		if !ok {
			if !p.stray() {
				return x
			}
			x = p.bad(from)
			continue
		}
		level := precedence(op)
		if level < lowest {
			return x
		}
		at := p.here()
		p.takeOperator(op)
		right := p.pos()
		y := p.binary(right, p.unary(), level+1)
		x = &spec.Binary{Where: p.since(from), Op: op, OpAt: at, X: x, Y: y}
	}
}

// precedence returns how tight a binary operator binds, 0 for anything else.
func precedence(op string) int {
	switch op {
	case "||":
		return 1
	case "&&":
		return 2
	case "==", "!=":
		return 3
	case "<", "<=", ">", ">=":
		return 4
	case "+", "-":
		return 5
	case "*", "/", "%":
		return 6
	}
	return 0
}

// unary reads an operand with the unary operators before it.
func (p *parser) unary() spec.Node {
	from, op := p.pos(), p.unaryOperator()
	if op == "" {
		return p.postfix(from, p.primary())
	}
	if !p.enter() {
		return p.bad(from)
	}
	defer p.leave()
	if op == "-" && p.atSmallest() {
		p.next()
		return &spec.Lit{Where: p.since(from), Kind: spec.LitInt, Text: smallest}
	}
	x := p.unary()
	return &spec.Unary{Where: p.since(from), Op: op, X: x}
}

// unaryOperator consumes a unary operator and returns it, or nothing.
func (p *parser) unaryOperator() string {
	switch {
	case p.accept("!") || p.acceptNot():
		return "!"
	case p.accept("-"):
		return "-"
	}
	return ""
}

// smallest is the one integer whose digits alone are out of range: it is read together with its sign.
const smallest = "-9223372036854775808"

func (p *parser) atSmallest() bool {
	if p.peek().Value != smallest[1:] || p.peek().Type != tokNumber {
		return false
	}
	saved := p.lex.MakeCheckpoint()
	defer p.lex.LoadCheckpoint(saved)
	p.lex.Next()
	return !p.at("[") && !p.at("(") && !p.at(".")
}

// postfix reads the members, indexes and calls that follow x.
func (p *parser) postfix(from int32, x spec.Node) spec.Node {
	for {
		switch open := p.here(); {
		case p.accept(".") || p.acceptForeign("?.", ".", ": reading on from null gives null"):
			x = p.member(from, x, open)
		case p.accept("["):
			i := p.expr()
			p.close(open, "[", "]")
			x = &spec.Index{Where: p.since(from), X: x, I: i}
		case p.at("(") && !isBad(x):
			name := pathText(x)
			if name == "" {
				p.report(open, "only a function's name can stand before `(`")
			}
			p.next()
			args := p.arguments()
			p.close(open, "(", ")")
			x = &spec.Call{Where: p.since(from), Fn: x, Name: name, Args: args}
		default:
			return x
		}
	}
}

func (p *parser) member(from int32, x spec.Node, dot spec.Range) spec.Node {
	at, name := p.here(), p.peek().Value
	switch {
	case p.peek().Type == tokName:
		p.next()
		return &spec.Member{Where: p.since(from), X: x, Name: name, NameAt: at}
	case p.peek().Type == tokNumber && int32(at.From) == dot.To:
		p.report(at, "expected a name after `.`; an item of a list is read with brackets, such as `[0]`")
		p.next()
	case p.peek().Type == tokString:
		p.report(at, "expected a name after `.`; a key in quotes goes in brackets: `["+shown(name)+"]`")
		p.next()
	case p.peek().Type == tokBad:
		p.badToken()
	default:
		p.report(dot, "expected a name after `.`")
	}
	return p.bad(from)
}

// arguments reads what stands between a call's parentheses.
func (p *parser) arguments() []spec.Node {
	if p.at(")") {
		return nil
	}
	var args []spec.Node
	for {
		args = append(args, p.expr())
		if !p.accept(",") {
			return args
		}
	}
}

// close consumes the closer of what open opened.
func (p *parser) close(open spec.Range, opener, closer string) {
	for !p.accept(closer) {
		switch at := p.here(); {
		case p.peek().EOF():
			p.report(open, "`"+opener+"` is never closed: `"+closer+"` is missing")
			return
		case p.accept(")") || p.accept("]"):
			p.report(at, "expected `"+closer+"` here, which closes the `"+opener+"` before")
			return
		default:
			p.report(at, misplaced(p.peek().Value))
			p.next()
			p.resume()
		}
	}
}

// primary reads a name, a literal or a group.
func (p *parser) primary() spec.Node {
	for p.peek().Type == tokBad && !p.foreignBinary() {
		if at := p.here(); !p.badTokenIsSpace() {
			p.skip()
			return &spec.Bad{Where: at}
		}
	}
	tok, from := *p.peek(), p.pos()
	switch {
	case tok.Type == tokName:
		p.next()
		return word(tok.Value, p.since(from))
	case tok.Type == tokNumber:
		p.next()
		return p.number(tok.Value, p.since(from))
	case tok.Type == tokString:
		p.next()
		return p.quoted(tok.Value, p.since(from))
	case p.at("("):
		open := p.here()
		p.next()
		x := p.expr()
		p.close(open, "(", ")")
		return x
	}
	p.missingOperand()
	return p.bad(p.end())
}

// word makes the node of a name in operand position.
func word(text string, at spec.Range) spec.Node {
	switch text {
	case "true", "false":
		return &spec.Lit{Where: at, Kind: spec.LitBool, Text: text}
	case "null":
		return &spec.Lit{Where: at, Kind: spec.LitNull, Text: text}
	}
	return &spec.Ident{Where: at, Name: text}
}

func isLiteralWord(s string) bool { return s == "true" || s == "false" || s == "null" }

func isBad(n spec.Node) bool {
	_, bad := n.(*spec.Bad)
	return bad
}

// pathText returns the dotted text of a name or a path of names, else nothing.
func pathText(n spec.Node) string {
	switch n := n.(type) {
	case *spec.Ident:
		return n.Name
	case *spec.Member:
		if x := pathText(n.X); x != "" {
			return x + "." + n.Name
		}
	}
	return ""
}
