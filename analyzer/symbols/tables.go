package symbols

import "github.com/causetc/causetc/spec"

// TableInfo is one read table: the projections that write it, in the order of the program, and its columns.
type TableInfo struct {
	Name        string
	Projections []*spec.Projection
	Columns     map[string]bool
}

func (t *Table) collectTables(p *spec.Program) {
	t.Tables = map[string]*TableInfo{}
	for _, projection := range p.Projections {
		name := TableName(projection)
		if name == "" {
			continue
		}
		info := t.Tables[name]
		if info == nil {
			info = &TableInfo{Name: name, Columns: map[string]bool{}}
			t.Tables[name] = info
		}
		info.Projections = append(info.Projections, projection)
		addColumns(info.Columns, projection)
	}
}

// TableName returns the name of the table that a projection writes; without target.table it is that of the projection.
func TableName(p *spec.Projection) string {
	if n := Text(p.Table); n != "" {
		return n
	}
	return Text(p.Name)
}

func addColumns(columns map[string]bool, p *spec.Projection) {
	for _, c := range p.Fields {
		columns[Text(c.Name)] = true
	}
	for _, d := range p.Derive {
		columns[Text(d.Key)] = true
	}
	for _, k := range p.PrimaryKey {
		columns[Text(k)] = true
	}
	for _, m := range p.Mutations {
		for _, s := range m.Set {
			columns[Text(s.Key)] = true
		}
	}
	for _, a := range p.Aggregates {
		for _, c := range a.Columns {
			columns[Text(c.Column)] = true
		}
	}
	if column := BucketColumn(p); column != "" {
		columns[column] = true
	}
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
