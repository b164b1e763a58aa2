package symbols

import (
	"slices"

	"github.com/causetc/causetc/spec"
)

// TableInfo is one read table: the projections that write it, in the order of the program, and its columns.
type TableInfo struct {
	Name        string
	Projections []*spec.Projection
	Columns     map[string]ColumnIs
}

// ColumnIs says how the projections of a table name a column.
type ColumnIs uint8

// What a column can be.
const (
	Named    ColumnIs = 1 << iota // in the primary key
	Declared                      // in fields
	Written                       // by derive, set, aggregates, a bucket or soft_delete
)

// Has reports whether a table has a column: one that a projection names in its key, declares or writes.
func (t *TableInfo) Has(column string) bool { return t.Columns[column] != 0 }

func (t *Table) collectTables(p *spec.Program) {
	t.Tables = map[string]*TableInfo{}
	for _, projection := range p.Projections {
		name := TableName(projection)
		if name == "" {
			continue
		}
		info := t.Tables[name]
		if info == nil {
			info = &TableInfo{Name: name, Columns: map[string]ColumnIs{}}
			t.Tables[name] = info
		}
		info.Projections = append(info.Projections, projection)
		addColumns(info.Columns, projection)
	}
	for _, projection := range p.Projections {
		if t := t.Tables[TableName(projection)]; t != nil && t.Has("deleted_at") && softDeletes(projection) {
			t.Columns["deleted_at"] |= Written
		}
	}
}

// TableName returns the name of the table that a projection writes; without target.table it is that of the projection.
func TableName(p *spec.Projection) string {
	if n := Text(p.Table); n != "" {
		return n
	}
	return Text(p.Name)
}

func addColumns(columns map[string]ColumnIs, p *spec.Projection) {
	for _, c := range p.Fields {
		columns[Text(c.Name)] |= Declared
	}
	for _, k := range p.PrimaryKey {
		columns[Text(k)] |= Named
	}
	EachWritten(p, func(column *spec.Scalar) { columns[column.Value] |= Written })
	if column := BucketColumn(p); column != "" {
		columns[column] |= Written
	}
}

// softDeletes reports whether some event of a projection marks rows as deleted.
func softDeletes(p *spec.Projection) bool {
	return slices.ContainsFunc(p.Mutations, func(m *spec.Mutation) bool { return Text(m.Op) == "soft_delete" })
}

// BucketColumn returns the column that a projection's time bucket fills, or nothing where it has no bucket.
func BucketColumn(p *spec.Projection) string {
	if p.Bucket == nil {
		return ""
	}
	for _, c := range p.Fields {
		if Text(c.Name) == "bucket_ts" {
			return "bucket_ts"
		}
	}
	for _, k := range p.PrimaryKey {
		if Text(k) == "bucket_ts" {
			return "bucket_ts"
		}
	}
	return "bucket_start"
}

// Table returns the table that a query's `from` or a join names: by a projection's name, or by the table's own.
func (t *Table) Table(name string) *TableInfo {
	if p := t.Projections[name]; p != nil {
		return t.Tables[TableName(p)]
	}
	return t.Tables[name]
}

// EachWritten calls visit for every place of a projection that writes a column: in derive, set and aggregates.
func EachWritten(p *spec.Projection, visit func(column *spec.Scalar)) {
	each := func(s *spec.Scalar) {
		if s != nil {
			visit(s)
		}
	}
	for _, d := range p.Derive {
		each(d.Key)
	}
	for _, m := range p.Mutations {
		for _, s := range m.Set {
			each(s.Key)
		}
	}
	for _, a := range p.Aggregates {
		for _, c := range a.Columns {
			each(c.Column)
		}
	}
}
