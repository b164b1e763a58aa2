package parser

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// damage are single characters that authors mistype.
var damage = []string{"", "\"", "'", "{", "}", "[", "]", ":", ",", "#", "\t", "\n", " ", "-", "&", "*", "!", "|", ">", "%", "@", "`", "?", "\u0085", "\u2028"}

// TestDamage deletes, inserts or replaces a character of a file: what can't be read as YAML for it is told once, and what other
// sections hold is still read. What comes of a character that tears a line in two can look like two mistakes.
func TestDamage(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	files, err := filepath.Glob("../testdata/specs/*/*.causet")
	files = slices.DeleteFunc(files, func(f string) bool { return strings.Contains(f, "/CS1") }) // which are damaged as they are
	if err != nil || len(files) == 0 {
		t.Fatalf("no test specs: %v", err)
	}
	broken, twice, lost := 0, 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		whole := sectionsOf(loadText(t, string(text)))
		for range 12 {
			at := random.IntN(len(text))
			end := at + random.IntN(2)
			r := loadText(t, string(text[:at])+damage[random.IntN(len(damage))]+string(text[end:]))
			switch n := syntaxErrors(r); {
			case n == 0:
				continue
			case n > 1:
				twice++
			}
			broken++
			if sectionsOf(r) < whole-1 {
				lost++
			}
		}
	}
	t.Logf("of %d damaged texts %d have several findings, and %d lose more than one section", broken, twice, lost)
	if broken < len(files) {
		t.Errorf("only %d texts are no YAML", broken)
	}
	if 100*twice > 5*broken || 100*lost > 3*broken {
		t.Errorf("of %d damaged texts %d have several findings, and %d lose more than one section", broken, twice, lost)
	}
}

func syntaxErrors(r *Result) int {
	n := 0
	for _, d := range r.Diagnostics {
		if d.Rule == ruleSyntax {
			n++
		}
	}
	return n
}

// sectionsOf counts the sections of which anything was read.
func sectionsOf(r *Result) int {
	p, n := r.Program, 0
	for _, items := range []int{len(p.States), len(p.Events), len(p.Actions), len(p.Projections), len(p.Queries)} {
		n += min(items, 1)
	}
	return n
}

// TestInvisibleBreaks gives texts in which a character that no editor shows as a line break ends a line for YAML.
func TestInvisibleBreaks(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"comment": {"state: {}\n# a\u0085b\n", "<stdin>:2:4: error: the invisible character U+0085 ends a line for YAML, so what follows is read as a line of its own; " +
			"remove it, or write \\u0085 in double quotes [CS101] \"\\u0085\"\n  fix: remove it: \"\\u0085\" -> \"\"\n"},
		"text": {"state:\n  show:\n    entity_key: id\n    description: one\u2028two: three\n    fields: { a: string }\n",
			"<stdin>:4:21: error: the invisible character U+2028 ends a line for YAML, so what follows is read as a line of its own; " +
				"remove it, or write \\u2028 in double quotes [CS101] \"\\u2028\"\n  fix: remove it: \"\\u2028\" -> \"\"\n"},
		"quotes":               {"state:\n  show:\n    entity_key: id\n    description: \"one\u2029two: three\"\n    fields: { a: string }\n", ""},
		"comment that goes on": {"# a\u2029# b\nstate: {}\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := show(loadText(t, c.text)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
