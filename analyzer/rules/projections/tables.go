package projections

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// write is a place that writes a column.
type write struct {
	at         *spec.Scalar
	projection *spec.Projection
}

// runWrittenTwice finds columns of a table that are written both as plain values and as sums.
func runWrittenTwice(p *analysis.Pass) error {
	for _, name := range symbols.Names(p.Symbols.Tables) {
		plain, sums := map[string]write{}, map[string]write{}
		for _, pr := range p.Symbols.Tables[name].Projections {
			notePlain(pr, plain)
			noteSums(pr, sums)
		}
		for _, column := range symbols.Names(sums) {
			sum := sums[column]
			value, both := plain[column]
			if !both {
				continue
			}
			p.Report(spec.Diagnostic{
				Span: sum.at.Span(),
				Message: fmt.Sprintf("column %s of %s is an aggregate here and a plain value there, and each would undo the other; "+
					"give one of the two a column of its own", column, name),
				Related: []spec.Related{{Span: value.at.Span(), Message: fmt.Sprintf("projection %s writes %s as a value", nameOf(value.projection), column)}},
			})
		}
	}
	return nil
}

func note(into map[string]write, at *spec.Scalar, pr *spec.Projection) {
	if at == nil {
		return
	}
	if _, seen := into[at.Value]; !seen {
		into[at.Value] = write{at, pr}
	}
}

func notePlain(pr *spec.Projection, into map[string]write) {
	for _, d := range pr.Derive {
		note(into, d.Key, pr)
	}
	for _, m := range pr.Mutations {
		if symbols.Text(m.Op) == "increment" {
			continue
		}
		for _, s := range m.Set {
			note(into, s.Key, pr)
		}
	}
}

func noteSums(pr *spec.Projection, into map[string]write) {
	for _, a := range pr.Aggregates {
		for _, c := range a.Columns {
			note(into, c.Column, pr)
		}
	}
	for _, m := range pr.Mutations {
		if symbols.Text(m.Op) != "increment" {
			continue
		}
		for _, s := range m.Set {
			note(into, s.Key, pr)
		}
	}
}

// runTableConflict finds projections that write one table with different keys or column types.
func runTableConflict(p *analysis.Pass) error {
	for _, name := range symbols.Names(p.Symbols.Tables) {
		projections := p.Symbols.Tables[name].Projections
		if len(projections) > 1 {
			keyConflicts(p, name, projections)
			typeConflicts(p, name, projections)
		}
	}
	return nil
}

func keyConflicts(p *analysis.Pass, table string, projections []*spec.Projection) {
	first := projections[0]
	for _, other := range projections[1:] {
		if len(first.PrimaryKey) == 0 || len(other.PrimaryKey) == 0 || keyText(first) == keyText(other) {
			continue
		}
		p.Report(spec.Diagnostic{
			Span: other.PrimaryKey[0].Span(),
			Message: fmt.Sprintf("projection %s writes table %s with the key (%s), but projection %s with (%s); a table has one key, "+
				"so write another table, or use the same key", nameOf(other), table, keyText(other), nameOf(first), keyText(first)),
			Related: []spec.Related{{Span: first.PrimaryKey[0].Span(), Message: "the other key"}},
		})
	}
}

func keyText(pr *spec.Projection) string {
	names := make([]string, len(pr.PrimaryKey))
	for i, k := range pr.PrimaryKey {
		names[i] = k.Value
	}
	return strings.Join(names, ", ")
}

func typeConflicts(p *analysis.Pass, table string, projections []*spec.Projection) {
	first := map[string]*spec.Column{}
	for _, pr := range projections {
		for _, c := range pr.Fields {
			if c.Name == nil || c.Type == nil {
				continue
			}
			before, seen := first[c.Name.Value]
			switch {
			case !seen:
				first[c.Name.Value] = c
			case sqlName(before) != sqlName(c) || !slices.Equal(before.Mods, c.Mods):
				p.Report(spec.Diagnostic{
					Span: c.Type.Span(),
					Message: fmt.Sprintf("column %s of table %s is %s here and %s in another projection of the table; use one type",
						c.Name.Value, table, c.Type.Value, before.Type.Value),
					Related: []spec.Related{{Span: before.Type.Span(), Message: "the other type"}},
				})
			}
		}
	}
}

// sqlName resolves the names that mean one type.
func sqlName(c *spec.Column) string {
	switch c.TypeName {
	case "INT", "SERIAL":
		return "INTEGER"
	case "TINYINT":
		return "SMALLINT"
	case "FLOAT", "DOUBLE":
		return "DOUBLE PRECISION"
	case "DECIMAL":
		return "NUMERIC"
	}
	return c.TypeName
}
