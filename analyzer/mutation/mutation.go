// Package mutation measures how well the checks of the language find mistakes. It takes programs without errors, makes one
// mistake at a time in their text, and asks whether lint then finds something new at the place of the mistake. Each kind
// of mistake states the rule of the language that it breaks; a change that keeps to all rules is legal, and only listed.
package mutation

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// Kind is one kind of mistake.
type Kind struct {
	Name string
	Rule string // what the language says, which the mistake breaks
	// Hint tells that the language asks for no more than a hint.
	Hint bool
	make func(*program, func(Mutant))
}

// Mutant is a program with one mistake, as one edit of the text of one file.
type Mutant struct {
	Kind  *Kind
	Label string // what was done, for people
	File  *spec.File
	Span  spec.Span // the bytes that are replaced, in the program without the mistake
	New   string
	// At are the places, in the program without the mistake, where a finding is about it. The edit itself always is one.
	At []spec.Span
	// Legal is why this change breaks no rule after all; empty for a mistake.
	Legal string
}

// program is a program without mistakes, and what the mutators need to know of it.
type program struct {
	name    string
	loaded  *parser.Result
	spec    *spec.Program
	table   *symbols.Table
	sites   []sites.Site
	entries []*entry // of all maps of all files
	tokens  []token  // names, where they are defined and used
	words   map[string]bool
	seed    uint64
}

// limits are those of the parser.
var limits = yamltree.Limits{Depth: 100, Entries: 600_000, Aliased: 250_000}

// load reads a program: a folder, or one file.
func load(ctx context.Context, path string, seed uint64) (*program, error) {
	r, err := parser.Load(ctx, parser.Options{Args: []string{path}})
	if err != nil {
		return nil, err
	}
	if r.Program.Incomplete {
		return nil, fmt.Errorf("%s: a part of the program can't be read", path)
	}
	p := &program{name: filepath.Base(path), loaded: r, spec: r.Program, seed: seed, words: map[string]bool{}}
	if ext := filepath.Ext(path); ext != "" {
		p.name = filepath.Base(filepath.Dir(path))
	}
	p.table = symbols.New(p.spec)
	p.sites = sites.List(p.spec, p.table)
	for _, f := range p.spec.Set.Files() {
		for _, w := range word.FindAllString(string(f.Text), -1) {
			p.words[w] = true
		}
		for _, root := range yamltree.Parse(f, limits).Roots {
			p.collect(f, nil, []string{}, root)
		}
	}
	for _, list := range []string{typeNames, columnTypes, functionNames, opWords} {
		for _, w := range strings.Fields(list) {
			p.words[w], p.words[strings.ToLower(w)] = true, true
		}
	}
	p.tokens = namesOf(p)
	return p, nil
}

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// file returns the file that holds a place.
func (p *program) file(at spec.Span) *spec.File { return p.spec.Set.File(at.Start) }

// text returns the text of a place.
func (p *program) text(at spec.Span) string {
	return string(p.file(at).TextOf(at))
}

// replace is a mutant that has another text at a place.
func (p *program) replace(at spec.Span, text string, places ...spec.Span) Mutant {
	return Mutant{File: p.file(at), Span: at, New: text, At: places}
}

// insert is a mutant with more text in front of a place.
func (p *program) insert(at spec.Pos, text string, places ...spec.Span) Mutant {
	return Mutant{File: p.spec.Set.File(at), Span: spec.Span{Start: at, End: at}, New: text, At: places}
}

// random is the source of chances for one place: the same for every run with one seed, whatever other mutants are made.
func (p *program) random(at spec.Span) *rand.Rand {
	h := fnv.New64a()
	f := p.file(at)
	_, _ = fmt.Fprintf(h, "%s %s %d", p.name, filepath.Base(f.Path), f.Offset(at.Start))
	return rand.New(rand.NewPCG(p.seed, h.Sum64()))
}

// misspell returns a word with one slip of the keyboard that is no word of the program or of the language.
func (p *program) misspell(name string, at spec.Span) string {
	r := p.random(at)
	for range 40 {
		if w := slip(r, name); w != name && !p.words[w] && !p.words[strings.ToUpper(w)] {
			return w
		}
	}
	return name + "_zz"
}

// slip swaps, drops, doubles or changes a letter.
func slip(r *rand.Rand, name string) string {
	var letters []int
	for i, c := range name {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			letters = append(letters, i)
		}
	}
	if len(letters) == 0 {
		return name + "x"
	}
	i := letters[r.IntN(len(letters))]
	switch r.IntN(4) {
	case 0:
		if slices.Contains(letters, i+1) {
			return name[:i] + name[i+1:i+2] + name[i:i+1] + name[i+2:]
		}
	case 1:
		if len(letters) > 2 {
			return name[:i] + name[i+1:]
		}
	case 2:
		return name[:i] + name[i:i+1] + name[i:]
	}
	c := byte('a')
	if name[i] < 'a' {
		c = 'A'
	}
	return name[:i] + string(c+byte(r.IntN(26))) + name[i+1:]
}
