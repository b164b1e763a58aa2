// Package fix applies the text edits that findings offer: to texts in memory, until no more of them apply, and then to the
// files.
package fix

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/causetc/causetc/spec"
)

// maxRounds bounds how often edits are applied and the result is judged again: an edit can uncover what another mends, but
// two that undo each other must not go on for ever. Of places that suffer from one cause, each round mends one.
const maxRounds = 100

// Judge reads a program and returns its files and the findings that are to be mended. texts holds what files contain
// instead of what is on the disk, by path as spec.File has it.
type Judge func(ctx context.Context, texts map[string][]byte) (*spec.FileSet, []spec.Diagnostic, error)

// Change is what becomes of a file.
type Change struct {
	Path     string // as spec.File has it
	Old, New []byte
}

// Result is what fixing a program comes to.
type Result struct {
	Changes  []Change          // by path
	Fixed    int               // fixes that were applied
	Set      *spec.FileSet     // the mended program
	Left     []spec.Diagnostic // its findings
	Finished bool              // no fix is left that could be applied; false where the rounds were used up
}

// Run applies the fixes of a program's findings until none is left: of each finding the first fix, an unsafe one only if
// asked for. Of edits that overlap, those of the first finding are made; the others wait for the next round, and are made
// if they are still offered then. Nothing is written.
func Run(ctx context.Context, judge Judge, unsafe bool) (*Result, error) {
	texts, old := map[string][]byte{}, map[string][]byte{}
	r := &Result{}
	for range maxRounds {
		set, findings, err := judge(ctx, texts)
		if err != nil {
			return nil, err
		}
		r.Set, r.Left = set, findings
		chosen, fixed := choose(set, findings, unsafe)
		if r.Finished = fixed == 0; r.Finished {
			break
		}
		r.Fixed += fixed
		for file, edits := range chosen {
			if _, ok := old[file.Path]; !ok {
				old[file.Path] = file.Text
			}
			texts[file.Path] = apply(file, edits)
		}
	}
	if !r.Finished { // judge what the last round left
		set, findings, err := judge(ctx, texts)
		if err != nil {
			return nil, err
		}
		_, more := choose(set, findings, unsafe)
		r.Set, r.Left, r.Finished = set, findings, more == 0
	}
	for path, text := range texts {
		if !bytes.Equal(text, old[path]) {
			r.Changes = append(r.Changes, Change{Path: path, Old: old[path], New: text})
		}
	}
	slices.SortFunc(r.Changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return r, nil
}

// Offered reports whether a finding has a fix that may be applied.
func Offered(d *spec.Diagnostic, unsafe bool) bool { return pick(d, unsafe) != nil }

// pick returns the fix of a finding that may be applied, or nil.
func pick(d *spec.Diagnostic, unsafe bool) *spec.Fix {
	for i := range d.Fixes {
		if f := &d.Fixes[i]; len(f.Edits) > 0 && (unsafe || !f.Unsafe) {
			return f
		}
	}
	return nil
}

// choose picks fixes none of whose edits overlap, and returns their edits by file in the order of the text.
func choose(set *spec.FileSet, findings []spec.Diagnostic, unsafe bool) (edits map[*spec.File][]spec.Edit, fixed int) {
	edits = map[*spec.File][]spec.Edit{}
	for i := range findings {
		f := pick(&findings[i], unsafe)
		if f == nil || !fits(set, edits, f.Edits) {
			continue
		}
		fixed++
		for _, e := range f.Edits {
			file := set.File(e.Span.Start)
			at, _ := slices.BinarySearchFunc(edits[file], e, compareEdits)
			edits[file] = slices.Insert(edits[file], at, e)
		}
	}
	return edits, fixed
}

func compareEdits(a, b spec.Edit) int {
	return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
}

// fits reports whether edits are sound, change something, and overlap neither each other nor those that are chosen.
func fits(set *spec.FileSet, chosen map[*spec.File][]spec.Edit, edits []spec.Edit) bool {
	changes := false
	for i, e := range edits {
		file := set.File(e.Span.Start)
		if file == nil || e.Span.End < e.Span.Start || file != set.File(e.Span.End) {
			return false
		}
		changes = changes || string(file.TextOf(e.Span)) != e.New
		if slices.ContainsFunc(edits[:i], func(other spec.Edit) bool { return overlap(e, other) }) {
			return false
		}
		list := chosen[file]
		at, _ := slices.BinarySearchFunc(list, e, compareEdits)
		if at > 0 && overlap(list[at-1], e) || at < len(list) && overlap(list[at], e) {
			return false
		}
	}
	return changes
}

// overlap reports whether two edits touch the same text; edits that meet count, since their order would decide what comes
// of them.
func overlap(a, b spec.Edit) bool { return a.Span.Start <= b.Span.End && b.Span.Start <= a.Span.End }

// apply makes edits that are in order and do not overlap.
func apply(file *spec.File, edits []spec.Edit) []byte {
	var out bytes.Buffer
	last := 0
	for _, e := range edits {
		out.Write(file.Text[last:file.Offset(e.Span.Start)])
		out.WriteString(e.New)
		last = file.Offset(e.Span.End)
	}
	out.Write(file.Text[last:])
	return out.Bytes()
}
