package sql

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// maxIdent is the length in bytes up to which Postgres keeps an identifier.
const maxIdent = 63

// hashDigits is how much of a name's hash stands in for what was cut off.
const hashDigits = 8

// Fit returns name followed by suffix as an identifier that Postgres keeps whole: where the two are too long, or name
// holds what no identifier may, the end of name gives way to a hash of it. Different names stay different.
func Fit(name, suffix string) string {
	clean := strings.ToValidUTF8(strings.ReplaceAll(name, "\x00", "?"), "?")
	if clean == name && len(name)+len(suffix) <= maxIdent {
		return name + suffix
	}
	sum := sha256.Sum256([]byte(name))
	tail := "~" + hex.EncodeToString(sum[:])[:hashDigits] + suffix
	keep := min(len(clean), max(0, maxIdent-len(tail)))
	for keep > 0 && keep < len(clean) && !utf8.RuneStart(clean[keep]) {
		keep--
	}
	return clean[:keep] + tail
}

// Ident quotes a name as an identifier, shortened where Postgres would cut it.
func Ident(name string) string {
	return `"` + strings.ReplaceAll(Fit(name, ""), `"`, `""`) + `"`
}

// Qualified quotes a name within a schema; an empty schema leaves the name to the search path.
func Qualified(schema, name string) string {
	if schema == "" {
		return Ident(name)
	}
	return Ident(schema) + "." + Ident(name)
}

// Literal quotes a text as a string constant that reads the same under every setting of standard_conforming_strings.
func Literal(text string) string {
	quoted := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.Contains(text, `\`) {
		return "E" + strings.ReplaceAll(quoted, `\`, `\\`)
	}
	return quoted
}

func identList(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = Ident(name)
	}
	return strings.Join(quoted, ", ")
}
