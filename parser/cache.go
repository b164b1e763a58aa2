package parser

import (
	"bytes"

	"github.com/causetc/causetc/spec"
)

// Cache keeps what a Load made of each file for the next one. The zero value is empty and ready to use, by one Load at a
// time.
type Cache struct {
	files map[string]parsed // by path as shown
	set   spec.FileSet      // knows the places of all files so far
}

// find returns what is known of a file with a text.
func (c *Cache) find(path string, text []byte) (parsed, bool) {
	if c == nil {
		return parsed{}, false
	}
	p, ok := c.files[path]
	return p, ok && bytes.Equal(p.file.Text, text)
}

// fileSet gives the files of a program their places; those that have one keep it.
func (c *Cache) fileSet(sources []*source) *spec.FileSet {
	set := &spec.FileSet{}
	if c != nil {
		var known []*spec.File
		for _, s := range sources {
			if s.file.Base != spec.NoPos {
				known = append(known, s.file)
			}
		}
		set = c.set.With(known)
	}
	for _, s := range sources {
		if s.file.Base == spec.NoPos {
			set.Register(s.file)
		}
	}
	return set
}

// keep notes the files of a program instead of those that were known.
func (c *Cache) keep(set *spec.FileSet, sources []*source) {
	if c == nil {
		return
	}
	c.set = *set.With(nil)
	c.files = make(map[string]parsed, len(sources))
	for _, s := range sources {
		if s.tree != nil {
			c.files[s.shown] = s.parsed
		}
	}
}
