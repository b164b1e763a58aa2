package mutation

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// Options says what is measured.
type Options struct {
	Programs []string // folders or files of programs without errors
	Seed     uint64
	// Most bounds the mutants of one kind in one program, drawn at random; 0 means all.
	Most int
}

// Result is how one kind fared.
type Result struct {
	Kind    *Kind
	Mutants int // mistakes, legal changes left out
	Found   int // of which lint says something new anywhere
	AtSpan  int // of which it does so at the place
	Legal   int
	Misses  []Miss
}

// Miss is a mistake that lint does not find, or finds elsewhere only.
type Miss struct {
	Program string
	Place   string // file:line:column
	Label   string
	Found   string // a finding elsewhere, if any
}

// Run makes the mutants of all kinds and lints each.
func Run(ctx context.Context, opts Options) ([]*Result, error) {
	list := kinds()
	results := make([]*Result, len(list))
	for i, k := range list {
		results[i] = &Result{Kind: k}
	}
	for _, path := range opts.Programs {
		p, err := load(ctx, path, opts.Seed)
		if err != nil {
			return nil, err
		}
		before, err := lint(ctx, p, nil)
		if err != nil {
			return nil, err
		}
		clean := map[key]int{}
		for _, f := range before {
			if f.severity == spec.Error {
				return nil, fmt.Errorf("%s is not free of errors: %s: %s [%s]", path, f.file, f.message, f.rule)
			}
			clean[f.key]++
		}
		for i, k := range list {
			if err := measure(ctx, p, k, clean, opts.Most, results[i]); err != nil {
				return nil, err
			}
		}
	}
	return results, nil
}

// measure lints the mutants of one kind of one program.
func measure(ctx context.Context, p *program, k *Kind, clean map[key]int, most int, r *Result) error {
	var mutants []Mutant
	k.make(p, func(m Mutant) {
		m.Kind = k
		if m.New != p.text(m.Span) {
			mutants = append(mutants, m)
		}
	})
	if most > 0 && len(mutants) > most {
		rnd := p.random(mutants[0].Span)
		rnd.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
		mutants = mutants[:most]
	}
	verdicts := make([]verdict, len(mutants))
	var next, failed = make(chan int), error(nil)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				v, err := judge(ctx, p, &mutants[i], clean)
				mu.Lock()
				verdicts[i], failed = v, cmp.Or(failed, err)
				mu.Unlock()
			}
		})
	}
	for i := range mutants {
		next <- i
	}
	close(next)
	wg.Wait()
	for i, v := range verdicts {
		r.add(p, &mutants[i], v)
	}
	return failed
}

func (r *Result) add(p *program, m *Mutant, v verdict) {
	if m.Legal != "" {
		r.Legal++
		return
	}
	r.Mutants++
	if v.found {
		r.Found++
	}
	if v.atSpan {
		r.AtSpan++
		return
	}
	pos := m.File.Position(m.Span.Start)
	r.Misses = append(r.Misses, Miss{Program: p.name, Place: place(m.File.Path, pos), Label: m.Label, Found: v.elsewhere})
}

// verdict is what lint says of a mutant.
type verdict struct {
	found, atSpan bool
	elsewhere     string
}

// finding is a finding in the places of a file.
type finding struct {
	key
	file     string
	from, to int
	message  string
}

// key tells findings of the clean program from new ones: their rule and severity, and where they start in the clean text.
type key struct {
	rule, file string
	start      int
	severity   spec.Severity
}

func judge(ctx context.Context, p *program, m *Mutant, clean map[key]int) (verdict, error) {
	found, err := lint(ctx, p, m)
	if err != nil {
		return verdict{}, err
	}
	least := spec.Warning
	if m.Kind.Hint {
		least = spec.Hint
	}
	var v verdict
	for _, f := range found {
		if f.severity < least || clean[f.key] > 0 {
			continue
		}
		v.found = true
		switch {
		case m.covers(p, f):
			v.atSpan = true
		case v.elsewhere == "":
			pos := p.position(m, f)
			v.elsewhere = place(f.file, pos) + ": " + f.message + " [" + f.rule + "]"
		}
	}
	return v, nil
}

// lint judges a program, or a mutant of it.
func lint(ctx context.Context, p *program, m *Mutant) ([]finding, error) {
	opts := parser.Options{Args: []string{p.root()}}
	if m != nil {
		opts.Stdin, opts.StdinFilename = bytes.NewReader(m.text()), m.File.Path
	}
	r, err := parser.Load(ctx, opts)
	if err != nil {
		return nil, err
	}
	found, err := analyzer.Run(ctx, r, analyzer.Options{PerRule: -1})
	if err != nil {
		return nil, err
	}
	list := make([]finding, 0, len(found))
	for _, d := range found {
		file := r.Program.Set.File(d.Span.Start)
		if file == nil {
			continue
		}
		f := finding{file: file.Path, from: file.Offset(d.Span.Start), to: file.Offset(d.Span.End), message: d.Message}
		f.key = key{d.Rule, file.Path, m.before(file.Path, f.from), d.Severity}
		list = append(list, f)
	}
	return list, nil
}

// root is the argument that loads the program.
func (p *program) root() string {
	if p.spec.Manifest != nil {
		return p.spec.Manifest.File.Path
	}
	return p.spec.Set.Files()[0].Path
}

// text returns the text of the file with the mistake.
func (m *Mutant) text() []byte {
	from, to := m.File.Offset(m.Span.Start), m.File.Offset(m.Span.End)
	return slices.Concat(m.File.Text[:from], []byte(m.New), m.File.Text[to:])
}

// before maps an offset of the mutant to the program without the mistake.
func (m *Mutant) before(file string, offset int) int {
	if m == nil || file != m.File.Path {
		return offset
	}
	from, to := m.File.Offset(m.Span.Start), m.File.Offset(m.Span.End)
	switch {
	case offset <= from:
		return offset
	case offset >= from+len(m.New):
		return offset - len(m.New) + to - from
	}
	return -1 // within the mistake
}

// after maps an offset of the program to the mutant.
func (m *Mutant) after(file *spec.File, offset int, ends bool) int {
	from, to := m.File.Offset(m.Span.Start), m.File.Offset(m.Span.End)
	switch {
	case file != m.File || offset < from || offset == from && !ends:
		return offset
	case offset >= to:
		return offset - (to - from) + len(m.New)
	case ends:
		return from + len(m.New)
	}
	return from
}

// covers reports whether a finding stands at the mistake.
func (m *Mutant) covers(p *program, f finding) bool {
	from := m.File.Offset(m.Span.Start)
	if f.file == m.File.Path && touches(f, from, from+len(m.New)) {
		return true
	}
	for _, at := range m.At {
		file := p.file(at)
		if file.Path == f.file && touches(f, m.after(file, file.Offset(at.Start), false), m.after(file, file.Offset(at.End), true)) {
			return true
		}
	}
	return false
}

// touches reports whether a finding overlaps a place; one without extent touches what is beside it.
func touches(f finding, from, to int) bool {
	if f.from == f.to || from == to {
		return f.from <= to && from <= f.to
	}
	return f.from < to && from < f.to
}
