package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/spec"
)

// Value is what a text means in value position: a constant or an expression. Exactly one of the two is set.
type Value struct {
	Const *spec.Lit // its range covers the whole text
	Root  spec.Node
}

// ParseValue reads a text in value position (payloads, set, derive, by, ...), where a constant may stand without quotes:
//
//   - a lone word is a string, also where it names a namespace or a function; unless it is a bound name, which is an
//     expression;
//   - an expression of literals only is evaluated;
//   - an expression with a reference or a call is that expression;
//   - words and operators without a reference, such as in-progress, are a string, with a warning that asks for quotes;
//   - a path whose root is nearly a namespace, and a text that is no expression but holds something like a reference or
//     a call, are errors, and a string;
//   - anything else is a string.
//
// bound tells the names that `as` and `into` have bound at the text; nil means none. Which functions and names exist is
// not judged here.
func ParseValue(text string, bound func(string) bool) (Value, []Problem) {
	return parseValue(text, bound, Parse)
}

func parseValue(text string, bound func(string) bool, parse func(string) (spec.Node, []Problem)) (Value, []Problem) {
	words := scope{bound}
	trimmed := strings.Trim(text, " \t\r\n")
	switch {
	case trimmed == "":
		return constant(text, spec.LitString, text), nil
	case nameEnd(trimmed, 0) == len(trimmed) && !isLiteralWord(trimmed) && !words.isBound(trimmed):
		return constant(text, spec.LitString, trimmed), nil
	case isDate(trimmed):
		return constant(text, spec.LitString, text), []Problem{asksForQuotes(text, trimmed)}
	}
	root, problems := parse(text)
	if len(problems) > 0 {
		return words.unreadable(text, problems)
	}
	u := use{scope: words, text: text}
	u.look(root)
	switch {
	case u.reads:
		return Value{Root: root}, nil
	case len(u.unknown) > 0:
		return constant(text, spec.LitString, text), u.unknown
	case u.words:
		return constant(text, spec.LitString, text), []Problem{asksForQuotes(text, trimmed)}
	}
	lit, problem := Evaluate(root)
	if problem != nil {
		return constant(text, spec.LitString, text), []Problem{*problem}
	}
	return constant(text, lit.Kind, lit.Text), nil
}

// unreadable says what a text means that is not an expression.
func (s scope) unreadable(text string, problems []Problem) (Value, []Problem) {
	v := constant(text, spec.LitString, text)
	switch {
	case problems[0].limit:
		return v, problems
	case s.resemblesExpression(text):
		problems = slices.Clone(problems)
		problems[0].Message += "; if the whole is meant as a text, put it in quotes inside the YAML quotes"
		return v, problems
	}
	return v, nil
}

func constant(text string, kind spec.LitKind, value string) Value {
	return Value{Const: &spec.Lit{Where: span(0, len(text)), Kind: kind, Text: value}}
}

func asksForQuotes(text, trimmed string) Problem {
	quoted := "'" + strings.ReplaceAll(trimmed, "'", "\\'") + "'"
	message := fmt.Sprintf("`%s` is taken as a text, since it reads nothing; say so with quotes inside the YAML quotes", short(trimmed))
	if !strings.ContainsAny(quoted, "\"\\") {
		message += fmt.Sprintf(": \"%s\"", short(quoted))
	}
	return Problem{Range: span(0, len(text)), Warning: true, Text: true, Message: message}
}

// isDate tells whether a text looks like 2024-05-31, which nobody means as a subtraction.
func isDate(s string) bool {
	return len(s) == 10 && s[4] == '-' && s[7] == '-' && allDigits(s[:4]) && allDigits(s[5:7]) && allDigits(s[8:])
}

// scope knows which names can be the root of a path.
type scope struct {
	bound func(string) bool
}

func (s scope) isBound(name string) bool { return s.bound != nil && s.bound(name) }

func (s scope) isRoot(name string) bool {
	return s.isBound(name) || IsNamespace(name) || isForbiddenRoot(name)
}

// use finds out what a tree reads.
type use struct {
	scope
	text    string
	reads   bool      // a reference or a call
	words   bool      // a name that is neither
	unknown []Problem // paths whose root is nearly a namespace
}

func (u *use) look(n spec.Node) {
	switch n := n.(type) {
	case *spec.Ident:
		u.reads = u.reads || u.isBound(n.Name)
		u.words = true
	case *spec.Member:
		u.path(n.X)
	case *spec.Index:
		u.path(n.X)
		u.look(n.I)
	case *spec.Call:
		u.call(n)
	default:
		for _, c := range spec.Children(n) {
			u.look(c)
		}
	}
}

// path looks at what a member or an index is read from.
func (u *use) path(x spec.Node) {
	root, ok := x.(*spec.Ident)
	if !ok {
		u.words = true
		u.look(x)
		return
	}
	if u.isRoot(root.Name) {
		u.reads = true
		return
	}
	u.words = true
	if near := NearNamespace(root.Name); near != "" {
		u.unknown = append(u.unknown, Problem{
			Range:   root.Where,
			Message: fmt.Sprintf("unknown name `%s`: did you mean `%s`? A text needs quotes inside the YAML quotes", short(root.Name), near),
			Fix:     &Fix{Range: root.Where, New: near},
		})
	}
}

// call looks at a call. An unknown name with a space before the parenthesis is prose: "refund (partial)".
func (u *use) call(n *spec.Call) {
	if IsFunction(n.Name) || u.text[n.Fn.Range().To] == '(' {
		u.reads = true
		return
	}
	u.words = true
	for _, a := range n.Args {
		u.look(a)
	}
}

// resemblesExpression tells whether a text that is no expression holds something like a reference or a call, outside of
// quotes.
func (s scope) resemblesExpression(text string) bool {
	apostrophes := false // a quote was not closed, so the later ones close nothing either
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case (c == '\'' || c == '"') && !apostrophes:
			end := stringEnd(text, i)
			if apostrophes = !closed(text[i:end]); apostrophes {
				end = i + 1
			}
			i = end
		case isNamePart(c):
			end := i + 1
			for end < len(text) && isNamePart(text[end]) {
				end++
			}
			if s.resemblesPath(text[i:end], text[end:]) {
				return true
			}
			i = pathEnd(text, end)
		default:
			i++
		}
	}
	return false
}

// resemblesPath tells whether a name and what follows it look like a reference or a call.
func (s scope) resemblesPath(name, rest string) bool {
	end := pathEnd(rest, 0)
	switch {
	case strings.HasPrefix(rest[end:], "(") && IsFunction(name+rest[:end]):
		return true
	case end > 0, strings.HasPrefix(rest, "["):
		return s.isRoot(name) || NearNamespace(name) != ""
	}
	return false
}

// pathEnd returns the end of the members such as .a.b that start at from.
func pathEnd(text string, from int) int {
	for from < len(text) && text[from] == '.' {
		end := nameEnd(text, from+1)
		if end == from+1 {
			break
		}
		from = end
	}
	return from
}
