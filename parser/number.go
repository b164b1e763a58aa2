package parser

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/causetc/causetc/spec"
)

// literal returns the constant that YAML itself reads in a scalar (a number, a boolean or null), or nil for a text.
func (d *decoder) literal(s *spec.Scalar) *spec.Lit {
	lit := &spec.Lit{Where: spec.Range{To: int32(len(s.Value))}, Text: s.Value}
	switch s.Tag {
	case spec.TagNull:
		lit.Kind, lit.Text = spec.LitNull, "null"
	case spec.TagBool:
		lit.Kind, lit.Text = spec.LitBool, strings.ToLower(s.Value)
	case spec.TagInt, spec.TagFloat:
		kind, text, ok := number(s.Value)
		if !ok {
			d.report(ruleScalarType, s.Span(), "%s is not a number that an expression can hold; put a text in quotes", s.Value)
			return lit
		}
		d.surprisingNumber(s, text)
		lit.Kind, lit.Text = kind, text
	default:
		return nil
	}
	return lit
}

// number brings what YAML takes for a number into plain digits. It reports false for infinities and what is no number.
func number(text string) (kind spec.LitKind, digits string, ok bool) {
	text = strings.ReplaceAll(text, "_", "")
	if i, ok := yamlInt(text); ok {
		return intKind(i), i.String(), true
	}
	rest := strings.TrimLeft(text, "+-")
	if rest == "" || (rest[0] < '0' || rest[0] > '9') && rest[0] != '.' || strings.ContainsAny(rest, "xXpPnNiI") {
		return 0, "", false
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil && !isRange(err) {
		return 0, "", false
	}
	text = strings.TrimPrefix(text, "+")
	if strings.Trim(text, "-0123456789") != "" {
		return spec.LitDecimal, text, true
	}
	i, ok := new(big.Int).SetString(text, 10) // 08, which is no octal number
	if !ok {
		return 0, "", false
	}
	return intKind(i), i.String(), true
}

// intKind is the kind of a whole number: beyond 64 bits it can only be a decimal.
func intKind(i *big.Int) spec.LitKind {
	if i.IsInt64() {
		return spec.LitInt
	}
	return spec.LitDecimal
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// yamlInt reads an integer as yaml.v3 does: decimal, or with one of the prefixes 0x, 0o, 0b, or a leading zero for octal.
func yamlInt(text string) (*big.Int, bool) {
	if strings.ContainsAny(text, ".") || len(text) > 1000 {
		return nil, false
	}
	return new(big.Int).SetString(text, 0)
}

// surprisingNumber warns of a number whose digits are not the ones that the author wrote.
func (d *decoder) surprisingNumber(s *spec.Scalar, digits string) {
	bare := strings.TrimLeft(strings.ReplaceAll(s.Value, "_", ""), "+-")
	if len(bare) < 2 || bare[0] != '0' || strings.Trim(bare, "0123456789") != "" || strings.TrimLeft(bare, "0") == strings.TrimLeft(digits, "+-0") {
		return
	}
	d.report(ruleNumber, s.Span(), "YAML reads %s as an octal number, which is %s; write %s, or put it in quotes if it is a text",
		s.Value, digits, strings.TrimLeft(bare, "0"))
}
