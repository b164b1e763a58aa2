package names

import (
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// derivation is what one column of a projection is derived from: the columns that it reads as derived.NAME.
type derivation struct {
	projection *spec.Projection
	order      []string // the columns that read others, as they stand in the text
	reads      map[string][]derivedRead
}

type derivedRead struct {
	column string
	at     spec.Span
}

// runCycles finds columns that are derived from themselves.
func runCycles(p *analysis.Pass) error {
	byProjection := map[*spec.Projection]*derivation{}
	var list []*derivation
	eachPath(p, func(s *sites.Site, ref sites.Ref) {
		column := symbols.Text(s.Key)
		if ref.Kind != sites.RefDerived || s.Place != sites.Derive || column == "" {
			return
		}
		d := byProjection[s.Projection]
		if d == nil {
			d = &derivation{projection: s.Projection, reads: map[string][]derivedRead{}}
			byProjection[s.Projection] = d
			list = append(list, d)
		}
		if d.reads[column] == nil {
			d.order = append(d.order, column)
		}
		d.reads[column] = append(d.reads[column], derivedRead{sites.FirstSegment(ref.Path), s.Expr.At(ref.Field)})
	})
	for _, d := range list {
		d.report(p)
	}
	return nil
}

// report walks the derivations; each column is looked at once, and each circle reported once.
func (d *derivation) report(p *analysis.Pass) {
	done := map[string]bool{}
	var path []string
	var visit func(column string)
	visit = func(column string) {
		path = append(path, column)
		for _, r := range d.reads[column] {
			if i := slices.Index(path, r.column); i >= 0 {
				p.Reportf(r.at, "column %s of projection %s is derived from itself (%s); derive one of them from the event", r.column,
					symbols.Text(d.projection.Name), strings.Join(append(slices.Clone(path[i:]), r.column), " reads "))
			} else if !done[r.column] && len(path) < 1000 {
				visit(r.column)
			}
		}
		path = path[:len(path)-1]
		done[column] = true
	}
	for _, column := range d.order {
		if !done[column] {
			visit(column)
		}
	}
}
