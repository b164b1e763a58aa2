package expr

import (
	"sync"

	"github.com/causetc/causetc/spec"
)

// Cache remembers the trees of texts, since programs repeat themselves. It keeps every text that it was asked for, so it
// should live no longer than what it was made for, such as one run over one program. The zero value is ready to use, by
// several goroutines at once. A nil *Cache parses without remembering.
type Cache struct {
	parsed sync.Map // string -> *parsed
}

type parsed struct {
	node     spec.Node
	problems []Problem
}

// Parse is the function Parse. Trees and problems are shared between all who ask for an equal text.
func (c *Cache) Parse(text string) (spec.Node, []Problem) {
	if c == nil {
		return Parse(text)
	}
	if hit, ok := c.parsed.Load(text); ok {
		p := hit.(*parsed)
		return p.node, p.problems
	}
	node, problems := Parse(text)
	hit, _ := c.parsed.LoadOrStore(text, &parsed{node, problems})
	p := hit.(*parsed)
	return p.node, p.problems
}

// ParseValue is the function ParseValue on remembered trees.
func (c *Cache) ParseValue(text string, bound func(string) bool) (Value, []Problem) {
	return parseValue(text, bound, c.Parse)
}
