package expr

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// The kinds of tokens. What can't be a token becomes tokBad, which the parser reports where it meets it.
const (
	tokName   lexer.TokenType = lexer.EOF - 1 - iota
	tokNumber                 // a digit and what sticks to it; the parser judges the form
	tokString                 // with its quotes; the closing one may be missing
	tokPunct
	tokBad
)

var symbols = map[string]lexer.TokenType{
	"EOF": lexer.EOF, "Name": tokName, "Number": tokNumber, "String": tokString, "Punct": tokPunct, "Bad": tokBad,
}

// definition is our lexer as participle sees it. Tokens carry only their offset as a position.
type definition struct{}

func (definition) Symbols() map[string]lexer.TokenType { return symbols }

func (d definition) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return d.LexString(name, string(b))
}

func (definition) LexString(_, text string) (lexer.Lexer, error) {
	return &scanner{text: text}, nil
}

// scanner cuts a text into tokens.
type scanner struct {
	text string
	at   int
}

// Next returns the next token, without an error whatever the text holds.
func (s *scanner) Next() (lexer.Token, error) {
	for s.at < len(s.text) && isSpace(s.text[s.at]) {
		s.at++
	}
	if s.at == len(s.text) {
		return lexer.Token{Type: lexer.EOF, Pos: lexer.Position{Offset: s.at}}, nil
	}
	from := s.at
	kind, end := s.scan()
	s.at = end
	return lexer.Token{Type: kind, Value: s.text[from:end], Pos: lexer.Position{Offset: from}}, nil
}

func (s *scanner) scan() (lexer.TokenType, int) {
	switch c := s.text[s.at]; {
	case isNameStart(c):
		return s.word()
	case isDigit(c):
		return tokNumber, s.numberEnd()
	case c == '\'' || c == '"':
		return tokString, stringEnd(s.text, s.at)
	case c < utf8.RuneSelf:
		return s.punct()
	}
	return s.word()
}

// word scans a name; with letters outside ASCII in it, it is bad, as is any other character outside ASCII.
func (s *scanner) word() (lexer.TokenType, int) {
	end, ascii := s.at, true
	for end < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if r >= utf8.RuneSelf {
			if r == utf8.RuneError && n == 1 || !unicode.IsLetter(r) && !unicode.IsMark(r) {
				break
			}
			ascii = false
		} else if !isNamePart(byte(r)) {
			break
		}
		end += n
	}
	switch {
	case end == s.at:
		_, n := utf8.DecodeRuneInString(s.text[s.at:])
		return tokBad, s.at + n
	case ascii:
		return tokName, end
	}
	return tokBad, end
}

func (s *scanner) numberEnd() int {
	end := s.at
	for end < len(s.text) && (isNamePart(s.text[end]) || s.text[end] == '.') {
		end++
	}
	return end
}

// stringEnd returns the offset after the quoted text that starts at from, or the text's end.
func stringEnd(text string, from int) int {
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[from]:
			return i + 1
		}
	}
	return len(text)
}

// operator is a punctuation of the language, or one of another language that authors write for it.
type operator struct {
	text    string
	foreign bool
}

// operators holds what starts with the same character, the longest first.
var operators = [...][]operator{
	'|': {{text: "||"}, {"|", true}},
	'&': {{text: "&&"}, {"&", true}},
	'=': {{"===", true}, {text: "=="}, {"=>", true}, {"=<", true}, {"=", true}},
	'!': {{"!==", true}, {text: "!="}, {text: "!"}},
	'<': {{"<>", true}, {text: "<="}, {text: "<"}},
	'>': {{text: ">="}, {text: ">"}},
	'?': {{"??", true}, {"?.", true}, {text: "?:"}, {text: "?"}},
	':': {{":=", true}, {text: ":"}},
	'*': {{"**", true}, {text: "*"}},
	'+': {{"++", true}, {text: "+"}},
	'-': {{text: "-"}}, '/': {{text: "/"}}, '%': {{text: "%"}}, '.': {{text: "."}}, ',': {{text: ","}},
	'(': {{text: "("}}, ')': {{text: ")"}}, '[': {{text: "["}}, ']': {{text: "]"}},
}

func (s *scanner) punct() (lexer.TokenType, int) {
	rest := s.text[s.at:]
	if int(rest[0]) < len(operators) {
		for _, op := range operators[rest[0]] {
			switch {
			case !strings.HasPrefix(rest, op.text):
			case op.foreign:
				return tokBad, s.at + len(op.text)
			default:
				return tokPunct, s.at + len(op.text)
			}
		}
	}
	end := s.at + 1
	for end < len(s.text) && s.text[end] == rest[0] { // {{ is one mistake
		end++
	}
	return tokBad, end
}

// nameEnd returns the end of the name that starts at from, or from where none does.
func nameEnd(text string, from int) int {
	if from == len(text) || !isNameStart(text[from]) {
		return from
	}
	end := from + 1
	for end < len(text) && isNamePart(text[end]) {
		end++
	}
	return end
}

func isSpace(c byte) bool     { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func isDigit(c byte) bool     { return '0' <= c && c <= '9' }
func isNameStart(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }
func isNamePart(c byte) bool  { return isNameStart(c) || isDigit(c) }
