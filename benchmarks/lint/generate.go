package main

import (
	_ "embed" // the text of a part
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// part is the text of one file, with NN for its number and MM for that of the next.
//
//go:embed part.causet.tmpl
var part string

// generate writes a program of n projections, and returns how many files and bytes it has. Its parts refer to each other
// in a ring.
func generate(dir string, n int) (files, size int, err error) {
	parts := (n + perFile - 1) / perFile
	write := func(name, text string) {
		if err == nil {
			files, size = files+1, size+len(text)
			err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
		}
	}
	write("app.causet", "dsl_version: 1\napp: generated\nincludes:\n  states: part*.causet\n")
	for i := range parts {
		r := strings.NewReplacer("NN", strconv.Itoa(i), "MM", strconv.Itoa((i+1)%parts))
		write(fmt.Sprintf("part%05d.causet", i), r.Replace(part))
	}
	return files, size, err
}
