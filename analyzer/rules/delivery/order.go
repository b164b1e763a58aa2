package delivery

import (
	"fmt"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/rows"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// runDeleteOrder finds rows that one event deletes and another writes.
func runDeleteOrder(p *analysis.Pass) error {
	lookups := projectionsThatLookUp(p)
	for _, name := range symbols.Names(p.Symbols.Tables) {
		table := p.Symbols.Tables[name]
		handlers := rows.Of(table)
		for i := range handlers {
			if handlers[i].Op != "delete" {
				continue
			}
			writers := writersAgainst(handlers, &handlers[i])
			if len(writers) == 0 {
				continue
			}
			if p.Target == analysis.Causetc && rows.Class(table, func(pr *spec.Projection) bool { return lookups[pr] }) == ir.Convergent {
				continue
			}
			reportDelete(p, table, &handlers[i], writers)
		}
	}
	return nil
}

func projectionsThatLookUp(p *analysis.Pass) map[*spec.Projection]bool {
	found := map[*spec.Projection]bool{}
	for i := range p.Sites {
		s := &p.Sites[i]
		if s.Projection == nil {
			continue
		}
		spec.Walk(s.Expr.Root, func(n spec.Node) bool {
			if c, ok := n.(*spec.Call); ok && (c.Name == "lookup" || c.Name == "LOOKUP_FIELD") {
				found[s.Projection] = true
			}
			return true
		})
	}
	return found
}

// writersAgainst returns the handlers of other events that can make a row which del deletes.
func writersAgainst(handlers []rows.Handler, del *rows.Handler) []*rows.Handler {
	var list []*rows.Handler
	for i := range handlers {
		h := &handlers[i]
		if h.Creates() && h.Event.Value != del.Event.Value {
			list = append(list, h)
		}
	}
	return list
}

func reportDelete(p *analysis.Pass, table *symbols.TableInfo, del *rows.Handler, writers []*rows.Handler) {
	apart := apartFrom(p.Symbols, del, writers)
	d := spec.Diagnostic{Span: del.At().Span(), Key: docDeleteOrder.ID + " " + table.Name + " " + del.Event.Value}
	named := writers
	if len(apart) > 0 {
		named = apart
	}
	var events []string
	for _, w := range named {
		events = appendNew(events, w.Event.Value)
		if len(d.Related) < 5 {
			d.Related = append(d.Related, spec.Related{Span: w.At().Span(), Message: w.Event.Value + " writes the row"})
		}
	}
	what := fmt.Sprintf("%s deletes rows of %s that %s writes", del.Event.Value, table.Name, some(events))
	const instead = "let %s upsert a column of its own, such as removed_at: event.ts, and have queries leave such rows out"
	if len(apart) > 0 {
		d.Message = fmt.Sprintf("%s, and the two can belong to different entities, so they can arrive in either order: where the delete comes first, "+
			"the row is made again and stays; emit both on one entity, or "+instead, what, del.Event.Value)
	} else {
		d.Severity = spec.Info
		d.Message = fmt.Sprintf("%s; both belong to the entity that is the key, so they arrive in order, but a late redelivery of %s "+
			"brings the deleted row back; to be safe, "+instead, what, some(events), del.Event.Value)
	}
	if p.Target == analysis.Causetc {
		d.Message += " (causetc guards the order of deletes, but this table has other writes that depend on the order)"
	}
	p.Report(d)
}

// apartFrom returns the writers that are not provably of the same entity as the delete of the same row.
func apartFrom(t *symbols.Table, del *rows.Handler, writers []*rows.Handler) []*rows.Handler {
	var apart []*rows.Handler
	for _, w := range writers {
		if !sameEntity(t, del, w) {
			apart = append(apart, w)
		}
	}
	return apart
}

func sameEntity(t *symbols.Table, a, b *rows.Handler) bool {
	for _, k := range a.Projection.PrimaryKey {
		if rows.OwnEntity(t, a, k.Value) && rows.OwnEntity(t, b, k.Value) {
			return true
		}
	}
	return false
}

// clamp is what the events of a table do to one aggregated column.
type clamp struct {
	add, sub, set *spec.Aggregate
	bound         *spec.Value
	events        map[*spec.Aggregate]string
}

// runClamp finds aggregates whose result depends on the order of events.
func runClamp(p *analysis.Pass) error {
	for _, name := range symbols.Names(p.Symbols.Tables) {
		table := p.Symbols.Tables[name]
		var order []string
		columns := map[string]*clamp{}
		for _, pr := range table.Projections {
			for _, a := range pr.Aggregates {
				for _, c := range a.Columns {
					column := symbols.Text(c.Column)
					if columns[column] == nil {
						columns[column] = &clamp{events: map[*spec.Aggregate]string{}}
						order = append(order, column)
					}
					columns[column].note(c, symbols.Text(a.Event))
				}
			}
		}
		for _, column := range order {
			reportClamp(p, table.Name, column, columns[column])
		}
	}
	return nil
}

func (c *clamp) note(a *spec.Aggregate, event string) {
	c.events[a] = event
	slot := &c.add
	switch symbols.Text(a.Op) {
	case "sub":
		slot = &c.sub
	case "set":
		slot = &c.set
	}
	if *slot == nil {
		*slot = a
	}
	for _, b := range []*spec.Value{a.Floor, a.Ceil} {
		if c.bound == nil {
			c.bound = b
		}
	}
}

func reportClamp(p *analysis.Pass, table, column string, c *clamp) {
	key := docClamp.ID + " " + table + "." + column
	switch other := firstOf(c.add, c.sub); {
	case c.set != nil && other != nil:
		p.Report(spec.Diagnostic{
			Span: c.set.Op.Span(), Key: key,
			Related: []spec.Related{{Span: other.Column.Span(), Message: c.events[other] + " adds to it here"}},
			Message: fmt.Sprintf("%s sets %s of %s and %s adds to it, so the result depends on which arrives first; "+
				"keep the two in columns of their own", c.events[c.set], column, table, c.events[other]),
		})
	case c.bound != nil && c.add != nil && c.sub != nil:
		p.Report(spec.Diagnostic{
			Span: c.bound.Span(), Key: key,
			Related: []spec.Related{
				{Span: c.add.Column.Span(), Message: c.events[c.add] + " adds"},
				{Span: c.sub.Column.Span(), Message: c.events[c.sub] + " subtracts"},
			},
			Message: fmt.Sprintf("the bound of %s in %s is applied after every event, so adding %s and subtracting %s give another result in another order; "+
				"guard the limit in a preflight rule, and leave the column unbounded", column, table, c.events[c.add], c.events[c.sub]),
		})
	}
}

func firstOf(list ...*spec.Aggregate) *spec.Aggregate {
	for _, a := range list {
		if a != nil {
			return a
		}
	}
	return nil
}
