package expr

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// grammarEBNF prints the declarative grammar, with the tokens' patterns.
func grammarEBNF() string {
	var b strings.Builder
	b.WriteString(reference.String())
	b.WriteString("\n\n")
	for _, r := range tokenRules {
		pattern := r.Pattern
		if r.Name == "Number" {
			pattern = strings.Trim(numberForm.String(), "^$")
		}
		b.WriteString("(* " + strings.ToLower(r.Name) + " = /" + pattern + "/ *)\n")
	}
	return b.String()
}

// The grammar in the documentation is this file.
func TestGrammarFile(t *testing.T) {
	path := filepath.Join("testdata", "grammar.ebnf")
	if *update {
		if err := os.WriteFile(path, []byte(grammarEBNF()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := grammarEBNF(); got != string(want) {
		t.Errorf("%s is not what the grammar prints (-update rewrites it):\n%s", path, got)
	}
}
