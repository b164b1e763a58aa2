package analyzer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/spec"
)

// order compares places by the path of their file and the offset in it, so that it does not matter in which order files
// were read.
type order struct {
	set *spec.FileSet
}

func newOrder(set *spec.FileSet) *order { return &order{set: set} }

// path returns the path of the file that holds a place, empty for no place.
func (o *order) path(p spec.Pos) string {
	if f := o.set.File(p); f != nil {
		return f.Path
	}
	return ""
}

func (o *order) compare(a, b spec.Pos) int {
	fa, fb := o.set.File(a), o.set.File(b)
	if fa == fb {
		return int(a - b)
	}
	if c := strings.Compare(o.path(a), o.path(b)); c != 0 {
		return c
	}
	return int(a - b)
}

// sorted orders findings by place, rule and message, and drops those that say the same twice.
func (o *order) sorted(list []analysis.Finding) []analysis.Finding {
	slices.SortStableFunc(list, func(a, b analysis.Finding) int {
		if c := o.compare(a.Span.Start, b.Span.Start); c != 0 {
			return c
		}
		if c := int(a.Span.End-a.Span.Start) - int(b.Span.End-b.Span.Start); c != 0 {
			return c
		}
		if c := strings.Compare(a.Rule, b.Rule); c != 0 {
			return c
		}
		return strings.Compare(a.Message, b.Message)
	})
	return slices.CompactFunc(list, func(a, b analysis.Finding) bool {
		return a.Span == b.Span && a.Rule == b.Rule && a.Message == b.Message
	})
}

// InOrder sorts findings by the path of their file and their place in it.
func InOrder(set *spec.FileSet, list []spec.Diagnostic) []spec.Diagnostic {
	o := newOrder(set)
	slices.SortStableFunc(list, func(a, b spec.Diagnostic) int { return o.compare(a.Span.Start, b.Span.Start) })
	return list
}

// mostRelated bounds the places that a finding names besides its own.
const mostRelated = 5

// merged keeps the first finding of each cause, and puts the others beside it.
func merged(list []analysis.Finding) []spec.Diagnostic {
	type cause struct{ rule, name string }
	first := map[cause]int{}
	kept := make([]spec.Diagnostic, 0, len(list))
	for _, f := range list {
		c := cause{f.Rule, f.Cause}
		i, seen := first[c]
		switch {
		case f.Cause != "" && seen:
			if d := &kept[i]; len(d.Related) < mostRelated {
				d.Related = append(d.Related, spec.Related{Span: f.Span, Message: f.Further})
			}
			continue
		case f.Cause != "":
			first[c] = len(kept)
			f.Key, f.Placeless = f.Rule+" "+f.Cause, true
		}
		kept = append(kept, f.Diagnostic)
	}
	return kept
}

// Cap keeps the first findings of each rule in each file; the last that is kept says how many more there are. most is 50
// where it is 0; a negative number keeps all.
func Cap(set *spec.FileSet, list []spec.Diagnostic, most int) []spec.Diagnostic {
	switch {
	case most == 0:
		most = 50
	case most < 0:
		return list
	}
	o := newOrder(set)
	type group struct{ file, rule string }
	counts := map[group]int{}
	of := func(d *spec.Diagnostic) group { return group{o.path(d.Span.Start), d.Rule} }
	for i := range list {
		counts[of(&list[i])]++
	}
	seen := map[group]int{}
	kept := list[:0:0]
	for _, d := range list {
		g := of(&d)
		seen[g]++
		if seen[g] > most {
			continue
		}
		if more := counts[g] - most; seen[g] == most && more > 0 {
			d.Message += fmt.Sprintf(" (and %d more of this rule in the file)", more)
		}
		kept = append(kept, d)
	}
	return kept
}

// inOrder returns the program with its sections sorted by file and place, so that "first" means the same whatever the
// order of files was.
func inOrder(p *spec.Program) *spec.Program {
	o := newOrder(p.Set)
	q := *p
	q.States = byName(o, p.States, func(x *spec.State) *spec.Scalar { return x.Name })
	q.Events = byName(o, p.Events, func(x *spec.Event) *spec.Scalar { return x.Name })
	q.Actions = byName(o, p.Actions, func(x *spec.Action) *spec.Scalar { return x.Name })
	q.Projections = byName(o, p.Projections, func(x *spec.Projection) *spec.Scalar { return x.Name })
	q.Queries = byName(o, p.Queries, func(x *spec.Query) *spec.Scalar { return x.Name })
	q.Relationships = byName(o, p.Relationships, func(x *spec.Relationship) *spec.Scalar { return x.Name })
	q.Listeners = byName(o, p.Listeners, func(x *spec.Listener) *spec.Scalar { return x.On })
	q.Sagas = byName(o, p.Sagas, func(x *spec.Saga) *spec.Scalar { return x.Name })
	q.Resources = byName(o, p.Resources, func(x *spec.Resource) *spec.Scalar { return x.Name })
	q.Envelopes = byName(o, p.Envelopes, func(x *spec.Envelope) *spec.Scalar { return x.Name })
	q.Providers = byName(o, p.Providers, func(x *spec.Provider) *spec.Scalar { return x.Name })
	q.Prompts = byName(o, p.Prompts, func(x *spec.Prompt) *spec.Scalar { return x.Name })
	q.Decisions = byName(o, p.Decisions, func(x *spec.Decision) *spec.Scalar { return x.Name })
	q.Memories = byName(o, p.Memories, func(x *spec.Memory) *spec.Scalar { return x.Name })
	return &q
}

func byName[T any](o *order, list []*T, name func(*T) *spec.Scalar) []*T {
	compare := func(a, b *T) int {
		x, y := name(a), name(b)
		switch {
		case x == nil || y == nil:
			return 0
		case x.File == y.File:
			return x.Start - y.Start
		}
		return strings.Compare(x.File.Path, y.File.Path)
	}
	if slices.IsSortedFunc(list, compare) {
		return list
	}
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, compare)
	return sorted
}
