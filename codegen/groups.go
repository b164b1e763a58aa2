package codegen

import (
	"cmp"
	"maps"
	"slices"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// groups joins the tables that move together: those that a deduplication link ties.
func (c *compiler) groups() []ir.Group {
	at := map[*table]int{}
	for i, t := range c.tables {
		at[t] = i
	}
	joined := ir.NewComponents(len(c.tables))
	links := map[*projection]ir.ExactIDs{}
	for _, p := range c.projections {
		link, source := c.dedupLink(p)
		if link.Name == "" {
			continue
		}
		links[p] = link
		if source != nil {
			joined.Join(at[p.table], at[source.table])
		}
	}
	tables, projections := map[int][]*table{}, map[int][]*projection{} // by the smallest table that they belong together with
	for i, t := range c.tables {
		tables[joined.Find(i)] = append(tables[joined.Find(i)], t)
	}
	for _, p := range c.projections {
		first := joined.Find(at[p.table])
		projections[first] = append(projections[first], p)
	}
	out := make([]ir.Group, 0, len(tables))
	for _, first := range slices.Sorted(maps.Keys(tables)) { // by name, as the tables are
		out = append(out, c.group(tables[first], projections[first], links))
	}
	return out
}

// group makes a group of what belongs together, each in the order of the names.
func (c *compiler) group(tables []*table, projections []*projection, links map[*projection]ir.ExactIDs) ir.Group {
	g := ir.Group{Name: tables[0].name}
	for _, p := range projections {
		link := links[p]
		g.Projections = append(g.Projections, ir.Projection{Name: p.name, Table: p.table.name, Handlers: p.handlers, Dedup: link.Name})
		if link.Name != "" && !slices.Contains(g.ExactIDs, link) {
			g.ExactIDs = append(g.ExactIDs, link)
		}
	}
	slices.SortFunc(g.ExactIDs, func(a, b ir.ExactIDs) int { return cmp.Compare(a.Name, b.Name) })
	for _, t := range tables {
		g.Tables = append(g.Tables, c.irTable(t, g.Projections))
	}
	return g
}

// dedupLink returns the exact ids that admit events to a projection, and the projection whose key they are, if any.
func (c *compiler) dedupLink(p *projection) (ir.ExactIDs, *projection) {
	d := p.src.Dedup
	switch {
	case d == nil || d.Off:
		return ir.ExactIDs{}, nil
	case d.Auto:
		return ir.ExactIDs{Name: c.autoSet(p)}, nil
	}
	source := c.byName[d.Src.Value]
	switch {
	case source == nil:
		c.report(ruleDedup, d.Src.Span(), "dedup names %s, which is not a projection", d.Src.Value)
		return ir.ExactIDs{}, nil
	case source == p:
		c.report(ruleDedup, d.Src.Span(), "dedup names the projection itself: name the one that records the applied events, or write true")
		return ir.ExactIDs{}, nil
	}
	c.checkRecords(d, p, source)
	return ir.ExactIDs{Name: source.name, Projection: source.name}, source
}

// autoSet names the set of event ids that `dedup: true` makes. It has the projection's name, unless another projection
// is linked to that one's key.
func (c *compiler) autoSet(p *projection) string {
	for _, other := range c.projections {
		if d := other.src.Dedup; d != nil && !d.Auto && !d.Off && d.Src.Value == p.name {
			return p.name + ":event_id"
		}
	}
	return p.name
}

// checkRecords requires that the source inserts a row for every event that is counted.
func (c *compiler) checkRecords(d *spec.Dedup, p, source *projection) {
	for _, h := range p.handlers {
		i := slices.IndexFunc(source.handlers, func(s ir.Handler) bool { return s.Event == h.Event })
		if i < 0 && h.Counts() {
			c.report(ruleDedup, d.Src.Span(), "%s does not take %s: those events could not be told from duplicates", source.name, h.Event)
		}
		if i < 0 {
			continue // not counted, so not gated
		}
		if op := source.handlers[i].Op; op != ir.Upsert && op != ir.Replace {
			c.report(ruleDedup, d.Src.Span(), "%s does not insert a row for %s (it has %s): those events could not be told from duplicates",
				source.name, h.Event, op)
		}
	}
}

// irTable assembles a table once its columns are settled and its handlers lowered.
func (c *compiler) irTable(t *table, projections []ir.Projection) ir.Table {
	traits := ir.Traits(t.name, projections)
	out := ir.Table{Name: t.name, Deletes: traits.Deletes, Updates: traits.Updates}
	for _, s := range t.key {
		out.Key = append(out.Key, s.Value)
	}
	for _, col := range t.columns {
		role := col.role()
		column := ir.Column{Name: col.name, Type: col.typ, Role: role}
		if role == ir.RolePlain {
			column.Hidden = slices.Contains(traits.Hidden, col.name)
			if col.sum != nil {
				column.Default, column.KeepOnReplace = "0", true
			}
		}
		out.Columns = append(out.Columns, column)
	}
	out.Indexes = c.indexes(t)
	out.Partition = c.partition(t, out.Indexes)
	class, reasons := ir.Classify(&out, projections)
	out.Class, out.Reasons = class, ir.Messages(reasons)
	return out
}
