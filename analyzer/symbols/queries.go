package symbols

import (
	"strings"

	"github.com/causetc/causetc/spec"
)

// ColumnUse is a column that a query names.
type ColumnUse struct {
	At     *spec.Scalar
	Prefix string // the table or projection before the dot, empty without one
	Column string
	// Table is the table that has the column, or nil where none of the query's tables has it.
	Table *TableInfo
	// Known is false where a table that the column could belong to is unknown, so that nothing can be said about it.
	Known bool
	// Prefixed tells that the prefix names a table of the query.
	Prefixed bool
	// Owner is the name of the only table that can have the column, empty where there are several.
	Owner string
}

// source is one table that a query reads, under the name that the author gave.
type source struct {
	name string
	info *TableInfo
}

// Sources returns the names in `from` and in joins.
func Sources(q *spec.Query) []*spec.Scalar {
	var list []*spec.Scalar
	if q.From != nil {
		list = append(list, q.From)
	}
	for _, j := range q.Joins {
		if j.Projection != nil {
			list = append(list, j.Projection)
		}
	}
	return list
}

// ColumnUses returns the columns that a query names, aliases of its own aggregates excepted.
func (t *Table) ColumnUses(q *spec.Query) []ColumnUse { return t.queryColumns[q] }

func (t *Table) collectColumns(q *spec.Query) []ColumnUse {
	var list []ColumnUse
	var all []source
	for _, s := range Sources(q) {
		all = append(all, source{s.Value, t.Table(s.Value)})
	}
	aliases := map[string]bool{}
	for _, a := range q.Aggregate {
		aliases[Text(a.Alias)] = true
	}
	use := func(s *spec.Scalar, among []source) {
		if s != nil && s.Value != "" {
			list = append(list, t.columnUse(s, among))
		}
	}
	orAlias := func(s *spec.Scalar) {
		if !aliases[Text(s)] {
			use(s, all)
		}
	}
	for _, f := range q.Fields {
		orAlias(f)
	}
	for _, c := range q.Where {
		use(c.Column, all)
	}
	for _, o := range q.OrderBy {
		orAlias(o.Column)
	}
	for _, g := range q.GroupBy {
		use(g, all)
	}
	for _, a := range q.Aggregate {
		if Text(a.Column) != "*" {
			use(a.Column, all)
		}
	}
	for _, z := range q.CoalesceZero {
		orAlias(z)
	}
	for _, j := range q.Joins {
		t.eachJoinColumn(j, all, use)
	}
	return list
}

// eachJoinColumn visits the columns of a join: fields are of the joined table, pairs of any.
func (t *Table) eachJoinColumn(j *spec.Join, all []source, use func(*spec.Scalar, []source)) {
	own := []source{{Text(j.Projection), t.Table(Text(j.Projection))}}
	for _, f := range j.Fields {
		use(f, own)
	}
	for _, p := range j.Pairs {
		use(p.Left, all)
		use(p.Right, all)
	}
}

func (t *Table) columnUse(s *spec.Scalar, among []source) ColumnUse {
	u := ColumnUse{At: s, Column: s.Value, Known: true}
	if prefix, column, ok := strings.Cut(s.Value, "."); ok {
		u.Prefix, u.Column = prefix, column
	}
	if len(among) == 1 {
		u.Owner = among[0].name
	}
	for _, src := range among {
		if u.Prefix != "" && u.Prefix != src.name && (src.info == nil || t.Table(u.Prefix) != src.info) {
			continue
		}
		u.Prefixed = u.Prefix != ""
		switch {
		case src.info == nil:
			u.Known = false
		case src.info.Has(u.Column) && u.Table == nil:
			u.Table = src.info
		}
	}
	u.Known = u.Known && (u.Prefix == "" || u.Prefixed)
	return u
}
