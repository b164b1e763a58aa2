package yamltree

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"

	"github.com/causetc/causetc/spec"
)

// Parse reads all documents of a file. It never fails: what is wrong becomes a Problem, and the parts that could be read
// are returned. The file need not have its place in a file set yet.
func Parse(file *spec.File, limits Limits) *Tree {
	t := &Tree{}
	c := &converter{file: file, limits: limits, tree: t, pos: newPositions(file.Text)}
	dec := yaml.NewDecoder(bytes.NewReader(file.Text))
	for {
		doc, err := decode(dec)
		if errors.Is(err, io.EOF) {
			return t
		}
		if err != nil {
			t.Broken = true
			c.problem(Problem{Code: Syntax, Message: err.Error()})
			return t
		}
		if root := c.node(doc.Content[0], -1, 0); !root.IsNull() {
			t.Roots = append(t.Roots, root)
		}
	}
}

// decode reads the next document. yaml.v3 reports its own errors by panics that it catches; should one escape, it is an
// error too.
func decode(dec *yaml.Decoder) (doc *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	doc = &yaml.Node{}
	err = dec.Decode(doc)
	if err == nil && len(doc.Content) == 0 {
		err = io.EOF
	}
	return doc, err
}
