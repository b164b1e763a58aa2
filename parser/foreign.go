package parser

import (
	"path/filepath"
	"regexp"

	"github.com/causetc/causetc/parser/nearest"
	"github.com/causetc/causetc/parser/yamltree"
)

// topKey matches a key that is not indented.
var topKey = regexp.MustCompile(`(?m)^(\w+)[ \t]*:(?:[ \t\r\n]|$)`)

// isForeign reports whether a YAML file belongs to another tool: most of its top keys are no sections of ours, and none that
// is misspelt.
func (s *source) isForeign() bool {
	if s.err != nil || filepath.Ext(s.shown) == ".causet" {
		return false
	}
	keys, names := s.topKeys(), rootKeys()
	known := 0
	for _, k := range keys {
		if language.root.find(k) != nil || nearest.Word(k, names) != "" {
			known++
		}
	}
	return 2*known <= len(keys)
}

// topKeys returns the keys of the file; of one that YAML can't read, those that begin a line.
func (s *source) topKeys() []string {
	var keys []string
	for _, root := range s.tree.Roots {
		if root.Kind == yamltree.Map {
			for _, e := range root.Entries {
				keys = append(keys, e.Key.Value)
			}
		}
	}
	if len(keys) > 0 {
		return keys
	}
	for _, m := range topKey.FindAllSubmatch(s.file.Text, -1) {
		keys = append(keys, string(m[1]))
	}
	return keys
}

func rootKeys() []string {
	var keys []string
	for i := range language.root.keys {
		keys = append(keys, language.root.keys[i].name)
	}
	return keys
}
