package parser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("spec.json", bytes.NewReader(JSONSchema())); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("spec.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// toJSON turns a tree into what a JSON Schema judges.
func toJSON(n *yamltree.Node) any {
	switch n.Kind {
	case yamltree.Map:
		m := map[string]any{}
		for _, e := range n.Entries {
			m[e.Key.Value] = toJSON(e.Value)
		}
		return m
	case yamltree.List:
		l := []any{}
		for _, i := range n.Items {
			l = append(l, toJSON(i))
		}
		return l
	case yamltree.Bad:
		return "bad"
	}
	switch s := n.Scalar; s.Tag {
	case spec.TagNull:
		return nil
	case spec.TagBool:
		return strings.EqualFold(s.Value, "true")
	case spec.TagInt, spec.TagFloat:
		if _, digits, ok := number(s.Value); ok {
			return json.Number(digits)
		}
		return s.Value
	default:
		return s.Value
	}
}

// structural tells the rules that the JSON Schema knows too.
var structural = map[string]bool{
	ruleUnknownKey: true, ruleMissingKey: true, ruleShape: true, ruleScalarType: true, ruleChoice: true, ruleNoValue: true,
	ruleTwoKeys: true, ruleType: true, ruleWhereText: true, ruleOperator: true,
}

// decodeTree decodes a tree and returns the findings about its structure.
func decodeTree(file *spec.File, root *yamltree.Node) []spec.Diagnostic {
	s := &source{parsed: parsed{file: file, tree: &yamltree.Tree{Roots: []*yamltree.Node{root}}}}
	s.decode(nil)
	var found []spec.Diagnostic
	for _, d := range s.diags {
		if structural[d.Rule] {
			found = append(found, d)
		}
	}
	return found
}

// specFiles are the files of all test specs.
func specFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, dir := range []string{"testdata", filepath.Join("..", "testdata"), os.Getenv("CAUSETC_CORPUS")} {
		if dir == "" {
			continue
		}
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && isSpecFile(path) {
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestSchemaAgrees holds the decoder and the JSON Schema to each other, on every test spec and on changed ones.
func TestSchemaAgrees(t *testing.T) {
	schema := compiled(t)
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 3))
	valid, invalid := 0, 0
	for _, path := range specFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file := &spec.File{Path: path, Text: text}
		new(spec.FileSet).Register(file)
		for i := range 12 {
			tree := yamltree.Parse(file, yamltree.Limits{Depth: 100, Entries: 1e6, Aliased: 1e5})
			if tree.Broken || len(tree.Problems) > 0 || len(tree.Roots) == 0 {
				break
			}
			root := tree.Roots[0]
			change := ""
			if i > 0 {
				change = mutate(r, root)
			}
			found := decodeTree(file, root)
			err := schema.Validate(toJSON(root))
			if (err == nil) != (len(found) == 0) {
				t.Fatalf("seed %d: %s: %s: the schema says %v, the decoder %v", seed, path, change, err, found)
			}
			if err == nil {
				valid++
			} else {
				invalid++
			}
		}
	}
	t.Logf("%d valid, %d invalid", valid, invalid)
	if valid < 50 || invalid < 100 {
		t.Errorf("too few specs: %d valid, %d invalid", valid, invalid)
	}
}

// mutate changes one place of a tree.
func mutate(r *rand.Rand, root *yamltree.Node) string {
	var nodes []*yamltree.Node
	var walk func(n *yamltree.Node)
	walk = func(n *yamltree.Node) {
		nodes = append(nodes, n)
		for _, e := range n.Entries {
			walk(e.Value)
		}
		for _, i := range n.Items {
			walk(i)
		}
	}
	walk(root)
	n := nodes[1+r.IntN(len(nodes)-1)] // never the root
	if n.Kind == yamltree.Map && len(n.Entries) > 0 && r.IntN(2) == 0 {
		i := r.IntN(len(n.Entries))
		e := n.Entries[i]
		switch r.IntN(3) {
		case 0:
			n.Entries = append(n.Entries[:i:i], n.Entries[i+1:]...)
			return "without " + e.Key.Value
		case 1:
			key := *e.Key
			key.Value += "x"
			n.Entries[i].Key = &key
			return "renamed " + e.Key.Value
		}
		donor := nodes[r.IntN(len(nodes))]
		if donor.Kind == yamltree.Map && len(donor.Entries) > 0 {
			stolen := donor.Entries[r.IntN(len(donor.Entries))]
			taken := slices.ContainsFunc(n.Entries, func(e yamltree.Entry) bool { return e.Key.Value == stolen.Key.Value })
			if taken || holds(stolen.Value, n) {
				return "nothing"
			}
			n.Entries = append(n.Entries, stolen)
			return "with " + stolen.Key.Value
		}
	}
	return replaceNode(r, n)
}

func holds(n, wanted *yamltree.Node) bool {
	return n == wanted ||
		slices.ContainsFunc(n.Entries, func(e yamltree.Entry) bool { return holds(e.Value, wanted) }) ||
		slices.ContainsFunc(n.Items, func(i *yamltree.Node) bool { return holds(i, wanted) })
}

// replaceNode puts something else in the place of a node.
func replaceNode(r *rand.Rand, n *yamltree.Node) string {
	scalar := func(value string, tag spec.Tag) string {
		s := &spec.Scalar{File: nil, Start: n.Start, Value: value, Tag: tag}
		if n.Scalar != nil {
			s.File = n.Scalar.File
		} else {
			s.File = &spec.File{Base: 1}
		}
		*n = yamltree.Node{Kind: yamltree.Scalar, Scalar: s, Start: n.Start}
		return fmt.Sprintf("%q instead of what stands at %d", value, n.Start)
	}
	switch r.IntN(9) {
	case 0:
		return scalar("", spec.TagNull)
	case 1:
		return scalar("7", spec.TagInt)
	case 2:
		return scalar("-3", spec.TagInt)
	case 3:
		return scalar("2.5", spec.TagFloat)
	case 4:
		return scalar("true", spec.TagBool)
	case 5:
		return scalar("some words", spec.TagString)
	case 6:
		return scalar("", spec.TagString)
	case 7:
		*n = yamltree.Node{Kind: yamltree.Map, Start: n.Start, Flow: true}
		return "an empty map"
	}
	*n = yamltree.Node{Kind: yamltree.List, Start: n.Start, Flow: true}
	return "an empty list"
}

// TestSchemaIsValid checks the schema itself, and that it describes every key.
func TestSchemaIsValid(t *testing.T) {
	compiled(t)
	var s struct {
		Properties map[string]struct{ Description string }
	}
	if err := json.Unmarshal(JSONSchema(), &s); err != nil {
		t.Fatal(err)
	}
	for name, p := range s.Properties {
		if p.Description == "" {
			t.Errorf("%s has no description", name)
		}
	}
	if len(s.Properties) != 3+14 {
		t.Errorf("%d keys at the top", len(s.Properties))
	}
}
