package mutation

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/analyzer/fix"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// lossy are the kinds of mistakes that leave nothing of what was meant, so that no fix can bring it back.
var lossy = map[string]bool{
	"where without operator": true, "forbidden function": true, "compare different kinds": true,
}

// mendable are kinds of mistakes that have one right answer, nearly all of which are mended.
var mendable = []string{
	"misspell key", "misspell kind of includes", "misspell type", "misspell column type", "misspell namespace",
	"other spelling of side_effects", "tag for a negation", "unquoted comma",
}

// mend applies the safe fixes of a program in which texts stand instead of files. It returns also what the result says.
func mend(t *testing.T, p *program, texts map[string][]byte) (*fix.Result, string) {
	t.Helper()
	var last *spec.Program
	cache := &parser.Cache{}
	judge := func(ctx context.Context, changed map[string][]byte) (*spec.FileSet, []spec.Diagnostic, error) {
		opts := parser.Options{Args: []string{p.root()}, Texts: maps.Clone(texts), Cache: cache}
		maps.Copy(opts.Texts, changed)
		r, err := parser.Load(ctx, opts)
		if err != nil {
			return nil, nil, err
		}
		last = r.Program
		found, err := analyzer.Run(ctx, r, analyzer.Options{PerRule: -1})
		return r.Program.Set, found, err
	}
	r, err := fix.Run(context.Background(), judge, false)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Finished {
		t.Errorf("%s: the fixes come to no end", p.name)
	}
	return r, meaning(last)
}

// meaning prints a syntax tree without its places, so that two texts that say the same give the same.
func meaning(p *spec.Program) string {
	var b strings.Builder
	tree := *p
	tree.Set = nil
	writeTree(&b, reflect.ValueOf(tree))
	return b.String()
}

func writeTree(b *strings.Builder, v reflect.Value) {
	switch x := v.Interface().(type) {
	case spec.Span, spec.Range, *spec.File, *spec.FileSet:
		return
	case spec.Scalar:
		fmt.Fprintf(b, "%q;", x.Value)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("-;")
			return
		}
		writeTree(b, v.Elem())
	case reflect.Struct:
		b.WriteString(v.Type().Name() + "{")
		for i := range v.NumField() {
			writeTree(b, v.Field(i))
		}
		b.WriteString("}")
	case reflect.Slice:
		b.WriteString("[")
		for i := range v.Len() {
			writeTree(b, v.Index(i))
		}
		b.WriteString("]")
	default:
		fmt.Fprintf(b, "%v;", v.Interface())
	}
}

// TestFixes makes one mistake at a time. Where a safe fix is offered for it, the fixes give a program that says what was meant;
// nothing more is then to be done, and most mistakes with one right answer have a fix.
func TestFixes(t *testing.T) {
	most := 3
	switch {
	case *full:
		most = 40
	case testing.Short():
		most = 1
	}
	t.Logf("seed %d", *seed)
	made, mended := map[string]int{}, map[string]int{}
	for _, path := range programs(t, *full) {
		p, err := load(context.Background(), path, *seed)
		if err != nil {
			t.Fatal(err)
		}
		_, meant := mend(t, p, map[string][]byte{})
		for _, k := range kinds() {
			for _, m := range someMutants(p, k, most) {
				made[k.Name]++
				r, got := mend(t, p, map[string][]byte{m.File.Path: m.text()})
				if len(r.Changes) == 0 {
					continue
				}
				if strings.EqualFold(got, meant) { // types of columns in capitals
					mended[k.Name]++
				} else if !lossy[k.Name] {
					pos := m.File.Position(m.Span.Start)
					t.Errorf("%s: %s at %s:%d is mended to something else:\n%s", k.Name, m.Label, m.File.Path, pos.Line, fix.Diff(r.Changes[0]))
				}
				checkMended(t, p, r)
			}
		}
	}
	for _, name := range mendable {
		if mended[name]*2 < made[name] || made[name] == 0 && *only == "" {
			t.Errorf("%s: %d of %d are mended", name, mended[name], made[name])
		}
	}
	t.Logf("mended: %v", mended)
}

// someMutants draws mistakes of a kind.
func someMutants(p *program, k *Kind, most int) []Mutant {
	var mutants []Mutant
	k.make(p, func(m Mutant) {
		if m.Kind = k; m.Legal == "" && m.New != p.text(m.Span) {
			mutants = append(mutants, m)
		}
	})
	rand.New(rand.NewPCG(*seed, 0)).Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	return mutants[:min(most, len(mutants))]
}

// checkMended checks that fixes have nothing more to do in their own result.
func checkMended(t *testing.T, p *program, r *fix.Result) {
	t.Helper()
	texts := map[string][]byte{}
	for _, c := range r.Changes {
		texts[c.Path] = c.New
	}
	if again, _ := mend(t, p, texts); len(again.Changes) > 0 {
		t.Errorf("a second time, the fixes change more:\n%s", fix.Diff(again.Changes[0]))
	}
}
