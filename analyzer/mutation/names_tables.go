package mutation

import (
	"strings"

	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// projection lists the names in a projection: events, and the columns of its table.
func (n *namer) projection(p *spec.Projection) {
	table := symbols.TableName(p)
	n.define("projection", p.Name)
	n.define("table", p.Table)
	for _, e := range p.SourceEvents {
		n.use("event", e)
	}
	for _, c := range p.Fields {
		n.define("column", c.Name, table)
	}
	key := map[string]bool{}
	for _, k := range p.PrimaryKey {
		key[k.Value] = true
		n.use("column of a key", k, table)
	}
	n.use("column of a key", p.EntityKey, table)
	written := func(s *spec.Scalar) {
		n.use("column", s, table)
		n.list[len(n.list)-1].soft = !key[s.Value]
	}
	for _, d := range p.Derive {
		written(d.Key)
	}
	for _, m := range p.Mutations {
		n.use("event of a mutation", m.Event)
		for _, s := range m.Set {
			written(s.Key)
			if symbols.Text(m.Op) == "bulk_update" { // which needs no key
				n.list[len(n.list)-1].soft = true
			}
		}
		for _, c := range m.Where {
			n.use("column", c.Column, table)
		}
	}
	for _, a := range p.Aggregates {
		n.use("event of a mutation", a.Event)
		for _, c := range a.Columns {
			written(c.Column)
		}
	}
	n.storage(p, table)
}

// storage lists the columns in indexes and partitions, and the projection for deduplication.
func (n *namer) storage(p *spec.Projection, table string) {
	for _, i := range p.Indexes {
		for _, c := range i.Columns {
			n.use("column of an index", c, table)
		}
	}
	if p.Partition != nil {
		n.use("column of a partition", p.Partition.Field, table)
	}
	if p.Dedup != nil && !p.Dedup.Auto && !p.Dedup.Off {
		n.use("projection", p.Dedup.Src)
	}
}

// query lists the names in a query.
func (n *namer) query(q *spec.Query) {
	who := "query " + q.Name.Value
	for _, f := range q.Input {
		if f.Name.Value != "limit" {
			n.define("input", f.Name, who)
		}
	}
	source := func(s *spec.Scalar) {
		switch {
		case s == nil:
		case n.p.table.Projections[s.Value] != nil:
			n.use("projection", s)
		default:
			n.use("table", s)
		}
	}
	for _, s := range symbols.Sources(q) {
		source(s)
	}
	joined := map[*spec.Scalar]bool{}
	for _, j := range q.Joins {
		for _, pair := range j.Pairs {
			joined[pair.Left], joined[pair.Right] = true, true
		}
	}
	for _, u := range n.p.table.ColumnUses(q) {
		if u.Table == nil {
			continue
		}
		kind := "column of a query"
		if joined[u.At] {
			kind = "column of a join"
		}
		prefix, _, dotted := strings.Cut(u.At.Value, ".")
		if dotted {
			n.useAt("table of a column", prefix, u.At.Sub(0, len(prefix)))
		}
		n.useAt(kind, u.Column, u.At.Sub(len(u.At.Value)-len(u.Column), len(u.At.Value)), u.Table.Name)
	}
}
