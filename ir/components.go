package ir

// Components keeps which of n things belong together (union-find). The zero value has no things.
type Components struct {
	parent []int
}

// NewComponents returns n things, each on its own.
func NewComponents(n int) *Components {
	c := &Components{parent: make([]int, n)}
	for i := range c.parent {
		c.parent[i] = i
	}
	return c
}

// Join puts the things of a and b together.
func (c *Components) Join(a, b int) {
	if ra, rb := c.Find(a), c.Find(b); ra < rb {
		c.parent[rb] = ra
	} else {
		c.parent[ra] = rb
	}
}

// Find returns the smallest thing that belongs together with a.
func (c *Components) Find(a int) int {
	for c.parent[a] != a {
		c.parent[a] = c.parent[c.parent[a]]
		a = c.parent[a]
	}
	return a
}
