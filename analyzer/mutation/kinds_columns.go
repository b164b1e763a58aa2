package mutation

import (
	"strings"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// column returns the declaration of a column of a table, or nil.
func (p *program) column(table *symbols.TableInfo, name string) *spec.Column {
	if table == nil {
		return nil
	}
	for _, pr := range table.Projections {
		for _, c := range pr.Fields {
			if symbols.Text(c.Name) == name {
				return c
			}
		}
	}
	return nil
}

// columnPlaces are where a column of a table is declared, written or read.
func (p *program) columnPlaces(table, name string) []spec.Span {
	var list []spec.Span
	for _, t := range p.tokens {
		if strings.Contains(t.kind, "column") && t.name == name && sameScope(t.scope, []string{table}) {
			list = append(list, t.at)
		}
	}
	for i := range p.sites {
		s := &p.sites[i]
		if s.Projection != nil && symbols.TableName(s.Projection) == table && s.Key != nil && s.Key.Value == name {
			list = append(list, s.Expr.Src.Span())
		}
	}
	return list
}

func changeColumnType(p *program, out func(Mutant)) {
	for _, pr := range p.spec.Projections {
		for _, c := range pr.Fields {
			if kind := p.writtenKind(pr, c.Name.Value); kind != "" && kindOfColumn(c) == kind {
				wrong := map[string]string{"text": "BIGINT", "number": "BOOLEAN", "truth": "INTEGER"}[kind]
				m := p.replace(c.Type.Span(), wrong, p.columnPlaces(symbols.TableName(pr), c.Name.Value)...)
				m.Label = c.Name.Value + ": " + c.Type.Value + " -> " + wrong
				out(m)
			}
		}
	}
}

// writtenKind is of what kind the values are that a projection derives or sets for a column.
func (p *program) writtenKind(pr *spec.Projection, column string) string {
	for i := range p.sites {
		s := &p.sites[i]
		if s.Projection == pr && (s.Place == sites.Derive || s.Place == sites.MutationSet) && s.Path == column {
			if k := p.kindOf(s, s.Expr.Root); k != "" {
				return k
			}
		}
	}
	return ""
}

func changeQueryInput(p *program, out func(Mutant)) {
	for i := range p.sites {
		s := &p.sites[i]
		f := p.fieldOf(s, s.Expr.Root)
		if s.Place != sites.QueryWhere || f == nil || f.Type == nil || f.Default != nil {
			continue
		}
		c := p.queryColumn(s.Query, s.Key)
		if c == nil || kindOfColumn(c) != kindOfType(f.Type.Name) || kindOfColumn(c) == "" {
			continue
		}
		out(p.retype(f, []spec.Span{s.Expr.Src.Span(), s.Key.Span()}))
	}
}

// queryColumn is the declaration of a column that a query names.
func (p *program) queryColumn(q *spec.Query, name *spec.Scalar) *spec.Column {
	var found *spec.Column
	for _, u := range p.table.ColumnUses(q) {
		if u.At == name {
			found = p.column(u.Table, u.Column)
		}
	}
	return found
}

func textAggregate(p *program, out func(Mutant)) {
	for _, q := range p.spec.Queries {
		for _, a := range q.Aggregate {
			if f := symbols.Text(a.Func); f != "sum" && f != "avg" || a.Column == nil {
				continue
			}
			t := p.table.Table(symbols.Text(q.From))
			if t == nil || strings.Contains(a.Column.Value, ".") {
				continue
			}
			for _, name := range symbols.Names(t.Columns) {
				if c := p.column(t, name); c != nil && kindOfColumn(c) == "text" {
					m := p.replace(bare(a.Column), name, a.Func.Span(), a.Alias.Span())
					m.Label = a.Func.Value + " of " + name
					out(m)
				}
			}
		}
	}
}

func textSum(p *program, out func(Mutant)) {
	for _, pr := range p.spec.Projections {
		for _, a := range pr.Aggregates {
			for _, g := range a.Columns {
				if c := p.column(p.tableOf(pr), g.Column.Value); c != nil {
					m := p.replace(c.Type.Span(), "TEXT", p.columnPlaces(symbols.TableName(pr), g.Column.Value)...)
					if g.Op != nil {
						m.At = append(m.At, g.Op.Span())
					}
					m.Label = c.Name.Value + ": TEXT"
					out(m)
				}
			}
		}
	}
}

func conflict(p *program, out func(Mutant)) {
	for _, pr := range p.spec.Projections {
		for _, other := range p.tableOf(pr).Projections {
			if other == pr {
				continue
			}
			for _, c := range pr.Fields {
				for _, d := range other.Fields {
					if c.Name.Value == d.Name.Value {
						m := p.replace(c.Type.Span(), "BYTEA", c.Name.Span(), d.Name.Span(), d.Type.Span())
						m.Label = c.Name.Value + ": BYTEA and " + d.Type.Value
						out(m)
					}
				}
			}
		}
	}
}

// whereKind compares a column of numbers or truths with a text, and one of texts with a map.
func whereKind(p *program, out func(Mutant)) {
	for _, q := range p.spec.Queries {
		for _, c := range q.Where {
			for _, t := range c.Tests {
				column := p.queryColumn(q, c.Column)
				if column == nil || t.Value.Src == nil || t.Op == nil {
					continue
				}
				wrong := map[string]string{"number": "'many'", "truth": "'perhaps'", "text": "{ a: 1 }"}[kindOfColumn(column)]
				if wrong != "" {
					m := p.replace(t.Value.Src.Span(), wrong, c.Column.Span(), t.Op.Span())
					m.Label = c.Column.Value + " " + t.Op.Value + " " + wrong
					out(m)
				}
			}
		}
	}
}
