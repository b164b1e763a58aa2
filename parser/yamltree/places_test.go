package yamltree

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/causetc/causetc/spec"
)

// generator writes documents in which every scalar style stands at every depth.
type generator struct {
	r   *rand.Rand
	b   strings.Builder
	eol string
}

func (g *generator) pick(options ...string) string { return options[g.r.IntN(len(options))] }

// node writes a value behind a key or a dash, at an indentation.
func (g *generator) node(indent, depth int) {
	switch n := g.r.IntN(10); {
	case depth > 0 && n < 3:
		g.b.WriteString(g.eol)
		g.entries(indent+1+g.r.IntN(4), depth-1)
	case depth > 0 && n < 5:
		g.b.WriteString(g.eol)
		g.items(indent+1+g.r.IntN(3), depth-1)
	case n < 6:
		g.b.WriteString(" " + g.flow(depth) + g.eol)
	case n < 8:
		g.block(indent)
	default:
		g.b.WriteString(" " + g.pick("", "&anchor ", "!!str ", "!!str &x ", "&y !!str ") + g.text(indent) + g.pick("", " # a comment", "   ") + g.eol)
	}
}

func (g *generator) entries(indent, depth int) {
	for i := range 1 + g.r.IntN(3) {
		g.b.WriteString(strings.Repeat(" ", indent) + fmt.Sprintf(g.pick("k%d:", "é%d:", "'q%d':", "\"d\\x41%d\":"), i))
		g.node(indent, depth)
	}
}

func (g *generator) items(indent, depth int) {
	for range 1 + g.r.IntN(3) {
		g.b.WriteString(strings.Repeat(" ", indent) + "-")
		g.node(indent, depth)
	}
}

func (g *generator) flow(depth int) string {
	items := make([]string, g.r.IntN(4))
	for i := range items {
		items[i] = g.pick("a", "b?", "'c, d'", "\"e\\u00e9\"", "é ü", "x y?", "k: string?", "{a: b}", "[1, 2?]", "{ note: string? }")
	}
	return "[" + strings.Join(items, g.pick(", ", ","+g.eol+strings.Repeat(" ", 40), " , ")) + "]"
}

// text writes a scalar in one of the flow styles, perhaps over several lines.
func (g *generator) text(indent int) string {
	deeper := g.eol + strings.Repeat(" ", indent+2+g.r.IntN(3))
	fold := g.pick(" ", "  ", deeper, deeper+"", g.eol+deeper, " "+deeper, "\t"+deeper)
	switch g.r.IntN(3) {
	case 0:
		return g.pick("plain", "événement", "f(x, y)", "a:b", "x#y", "😀") + fold + g.pick("more", "é", "it's", "a.b == 'c'")
	case 1:
		return "'" + g.pick("single", "it''s", "", " ", "é") + fold + g.pick("", "end", "''", " ") + "'"
	}
	return "\"" + g.pick("double", "\\x41\\u00e9\\U0001F600", "\\n\\t", "", "\\\\ \\\"", "a \\"+deeper+"  b", "x\\"+deeper+"\\ y", "\\N\\L\\P\\_") +
		fold + g.pick("", "end", "é\\e", " ") + "\""
}

// block writes a literal or folded text.
func (g *generator) block(indent int) {
	width := 1 + g.r.IntN(4)
	number := ""
	if g.r.IntN(3) == 0 {
		number = fmt.Sprint(width)
	}
	chomp := g.pick("", "-", "+")
	header := g.pick("|", ">") + g.pick(number+chomp, chomp+number) + g.pick("", " # c", "  ")
	g.b.WriteString(" " + header + g.eol)
	for i := range g.r.IntN(5) {
		line := g.pick("text", "é 😀", "a: b", "# no comment", "- x", "'", "tab\there", "trailing  ")
		if i > 0 || number != "" {
			line = g.pick(line, "", "  more "+line, " ", "\tx")
		}
		if line == "" {
			g.b.WriteString(g.eol)
			continue
		}
		g.b.WriteString(strings.Repeat(" ", indent+width) + line + g.eol)
	}
	g.b.WriteString(g.pick("", "", g.eol))
}

// TestPlaces checks the places of all scalars of documents that hold every style at every depth.
func TestPlaces(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 2))
	styles := map[spec.Style]int{}
	for range 3_000 {
		g := &generator{r: r}
		g.eol = g.pick("\n", "\n", "\r\n", "\r", "\u0085", "\u2028")
		if r.IntN(4) == 0 {
			g.b.WriteString("\ufeff")
		}
		g.entries(0, 4)
		file := &spec.File{Text: []byte(g.b.String())}
		tree := Parse(file, testLimits)
		for _, p := range tree.Problems {
			t.Errorf("%v at %q", p.Message, file.Text[p.From:p.To])
		}
		for _, root := range tree.Roots {
			eachScalar(root, func(s *spec.Scalar) {
				styles[s.Style]++
				checkOffsets(t, s)
			})
		}
		if t.Failed() {
			t.Fatalf("seed %d: %q", seed, file.Text)
		}
	}
	for style := spec.Plain; style <= spec.Folded; style++ {
		if styles[style] < 500 {
			t.Errorf("style %d: only %d scalars", style, styles[style])
		}
	}
}

func eachScalar(n *Node, visit func(*spec.Scalar)) {
	if n.Kind == Scalar {
		visit(n.Scalar)
	}
	for _, e := range n.Entries {
		visit(e.Key)
		eachScalar(e.Value, visit)
	}
	for _, i := range n.Items {
		eachScalar(i, visit)
	}
}
