package yamltree

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/causetc/causetc/spec"
)

var testLimits = Limits{Depth: 100, Entries: 600_000, Aliased: 250_000}

// soup are pieces of YAML that are thrown together.
var soup = []string{
	"a", "b", "key", "x y", "12", "a: ", "b: ", "key: ", "é: ", "a:\n", "b:\n  ", "k:\n    ", "- ", "- ", "-", "\n", "\n", "\n", "\n  ", "\n    ",
	"\n ", "  ", " ", "'", "'", "''", "\"", "\"", "\\\"", " # c", "#", "\n# c", "[", "]", "{", "}", ", ", ",", "? ", "?", "?}", ": ", ":",
	"|\n  ", ">\n  ", "|-\n    ", ">+\n  ", "|2\n   ", ">1-\n  ", "&a ", "*a", "&b\n", "!t ", "!!str ", "!", "é", "ü", "\u2028", "\u0085",
	"\r\n", "\r", "\t", "---\n", "...\n", "\\x41", "\\u00e9", "\\\n", "😀", "\ufeff", "%", "@", "`", "*", "&", "|", ">", "'q r'", "\"q r\"", "'a\n  b'",
	"\"a\n  b\"", "\"a \\\n  b\"", "f(x, y)", "a ? b : c", "string?", "<<: ", "true", "null", "~",
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(14) {
		b.WriteString(soup[r.IntN(len(soup))])
	}
	return b.String()
}

// TestSoup throws pieces of YAML together. What yaml.v3 reads, the scanner must see the same way, and the places of all
// scalars must be exact.
func TestSoup(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	accepted, scalars := 0, 0
	for range 30_000 {
		text := randomText(r)
		n, ok := checkPlaces(t, text)
		if t.Failed() {
			t.Fatalf("seed %d: %q", seed, text)
		}
		if ok {
			accepted++
			scalars += n
		}
	}
	t.Logf("%d texts accepted, %d scalars", accepted, scalars)
	if accepted < 2_000 || scalars < 4_000 {
		t.Errorf("too few: %d texts, %d scalars", accepted, scalars)
	}
}

// checkPlaces compares the scanner, the tree and the offset maps with what yaml.v3 reads. It returns the number of scalars.
func checkPlaces(t *testing.T, text string) (int, bool) {
	t.Helper()
	if checkText([]byte(text)) != nil {
		Parse(&spec.File{Text: []byte(text)}, testLimits)
		return 0, false
	}
	s := &scanner{}
	var starts []int
	s = scanWith([]byte(text), testLimits, func(from, _ int, _ byte) { starts = append(starts, from) })
	file := &spec.File{Text: []byte(text)}
	tree := Parse(file, testLimits)
	nodes, err := bareNodes(text)
	if err != nil {
		if !tree.Broken && len(s.hide) == 0 {
			t.Errorf("yaml.v3 fails (%v), and the tree is not broken", err)
		}
		if tree.Broken && !slices.ContainsFunc(tree.Problems, func(p Problem) bool { return p.Message != "" }) {
			t.Errorf("broken without a problem")
		}
		return 0, false
	}
	if tree.Broken {
		t.Errorf("broken, though yaml.v3 reads it: %v", tree.Problems)
		return 0, false
	}
	var want []int
	c := &converter{file: file, pos: newPositions(file.Text), tree: &Tree{}}
	for _, y := range nodes {
		if y.Value == "" && y.Style&^yaml.TaggedStyle == 0 {
			continue // nothing was written
		}
		start := c.skipProperties(c.pos.offsetOf(y.Line, y.Column), false)
		want = append(want, start)
		checkScalar(t, file, y, start)
	}
	if !slices.Equal(starts, want) {
		t.Errorf("the scanner sees scalars at %v, yaml.v3 at %v", starts, want)
	}
	return len(want), true
}

// bareNodes returns the scalars of all documents in the order of the text.
func bareNodes(text string) (scalars []*yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	for {
		var doc yaml.Node
		if err := dec.Decode(&doc); err != nil {
			if err.Error() == "EOF" {
				err = nil
			}
			return scalars, err
		}
		var walk func(n *yaml.Node)
		walk = func(n *yaml.Node) {
			if n.Kind == yaml.ScalarNode {
				scalars = append(scalars, n)
			}
			for _, c := range n.Content {
				walk(c)
			}
		}
		walk(&doc)
	}
}

// checkScalar checks the offset map of a scalar. Its indentation is not known here, so block texts with an explicit width
// are left out.
func checkScalar(t *testing.T, file *spec.File, y *yaml.Node, start int) {
	t.Helper()
	s := &spec.Scalar{File: file, Start: start, Style: style(y.Style), Value: y.Value}
	if s.Style == spec.Literal || s.Style == spec.Folded {
		return // TestBlockPlaces knows the indentation
	}
	checkOffsets(t, s)
}

// checkOffsets checks that every byte of a scalar is where Sub says.
func checkOffsets(t *testing.T, s *spec.Scalar) {
	t.Helper()
	whole := s.Span()
	last := spec.Span{}
	for i := range len(s.Value) {
		at := s.Sub(i, i+1)
		if !within(whole, at) || at.Start < last.Start || at.End == at.Start && at.End != whole.End {
			t.Errorf("byte %d of %q is at %v, outside of %v or before %v", i, s.Value, at, whole, last)
			return
		}
		last = at
		source := s.File.Text[at.Start:at.End]
		switch b := s.Value[i]; {
		case b > ' ' && len(source) == 1 && source[0] != b:
			t.Errorf("byte %d of %q is at %v, which holds %q", i, s.Value, at, source)
		case len(source) > 1 && b > ' ' && b < 0x7F && source[0] != '\\' && string(source) != "''":
			t.Errorf("byte %d of %q is at %v, which holds %q", i, s.Value, at, source)
		}
	}
}

func within(a, b spec.Span) bool { return a.Start <= b.Start && b.End <= a.End }

// FuzzPlaces compares with yaml.v3 on any text.
func FuzzPlaces(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 4))
	for range 40 {
		f.Add(randomText(r))
	}
	f.Add("a: |2-\n   x\n\n  y\nb: >+\n z\n")
	f.Add("{ a: b?, \"c\\\n d\": 'e''f' }")
	f.Fuzz(func(t *testing.T, text string) { checkPlaces(t, text) })
}
