package delivery

import (
	"fmt"
	"slices"
	"strings"

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
		if !slices.ContainsFunc(handlers, deletes) {
			continue
		}
		if p.Target == analysis.Causetc && rows.Class(table, func(pr *spec.Projection) bool { return lookups[pr] }) == ir.Convergent {
			continue
		}
		w := groupWriters(p.Symbols, handlers)
		for i := range handlers {
			if deletes(handlers[i]) {
				w.report(p, table, &handlers[i])
			}
		}
	}
	return nil
}

func deletes(h rows.Handler) bool { return h.Op == "delete" || h.Op == "soft_delete" }

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

// writers are the handlers that can make a row, by the columns of the key that are the id of their event's entity.
type writers struct {
	table *symbols.Table
	order []string // the keys of byOwn as they came
	byOwn map[string][]*rows.Handler
}

func groupWriters(t *symbols.Table, handlers []rows.Handler) *writers {
	w := &writers{table: t, byOwn: map[string][]*rows.Handler{}}
	seen := map[string]bool{}
	for i := range handlers {
		h := &handlers[i]
		if !h.Creates() || seen[h.Event.Value+"\n"+symbols.Text(h.Projection.Name)] {
			continue
		}
		seen[h.Event.Value+"\n"+symbols.Text(h.Projection.Name)] = true
		own := strings.Join(ownColumns(t, h), "\n")
		if w.byOwn[own] == nil {
			w.order = append(w.order, own)
		}
		w.byOwn[own] = append(w.byOwn[own], h)
	}
	return w
}

// ownColumns returns the columns of the key that are provably the id of the entity that the event belongs to.
func ownColumns(t *symbols.Table, h *rows.Handler) []string {
	var own []string
	for _, k := range h.Projection.PrimaryKey {
		if rows.OwnEntity(t, h, k.Value) {
			own = append(own, k.Value)
		}
	}
	return own
}

// against returns some of the writers of other events than the one that deletes; those that can
// belong to another entity than the delete of the same row, or if there are none, those of the same entity.
func (w *writers) against(del *rows.Handler) (found []*rows.Handler, apart bool) {
	mine := ownColumns(w.table, del)
	var near, far []*rows.Handler
	for _, own := range w.order {
		shared := slices.ContainsFunc(mine, func(c string) bool { return slices.Contains(strings.Split(own, "\n"), c) })
		list := &far
		if shared {
			list = &near
		}
		for _, h := range w.byOwn[own] {
			if len(*list) >= mostNamed {
				break
			}
			if h.Event.Value != del.Event.Value {
				*list = append(*list, h)
			}
		}
	}
	if len(far) > 0 {
		return far, true
	}
	return near, false
}

// mostNamed is how many places a finding names besides its own.
const mostNamed = 5

func (w *writers) report(p *analysis.Pass, table *symbols.TableInfo, del *rows.Handler) {
	found, apart := w.against(del)
	soft := del.Op == "soft_delete"
	if len(found) == 0 || soft && !apart { // a late upsert leaves deleted_at as it is
		return
	}
	d := spec.Diagnostic{Span: del.At().Span(), Key: docDeleteOrder.ID + " " + table.Name + " " + del.Event.Value}
	var events nameList
	for _, h := range found {
		events.add(h.Event.Value)
		d.Related = append(d.Related, spec.Related{Span: h.At().Span(), Message: h.Event.Value + " writes the row"})
	}
	d.Severity, d.Message = deleteMessage(del, table.Name, events.names, apart)
	if p.Target == analysis.Causetc {
		d.Message += " (causetc guards the order of deletes, but this table has other writes that depend on the order)"
	}
	p.Report(d)
}

func deleteMessage(del *rows.Handler, table string, events []string, apart bool) (spec.Severity, string) {
	event := del.Event.Value
	instead := fmt.Sprintf("let %s upsert a column of its own, such as removed_at: event.ts, and have queries leave such rows out", event)
	const eitherOrder = "the two can belong to different entities, so they can arrive in either order"
	switch {
	case del.Op == "soft_delete":
		return spec.Warning, fmt.Sprintf("%s marks rows of %s that %s, and %s: where the mark comes first, it finds no row and is lost; "+
			"emit both on one entity, or let %s upsert deleted_at: event.ts", event, table, writes(events), eitherOrder, event)
	case apart:
		return spec.Warning, fmt.Sprintf("%s deletes rows of %s that %s, and %s: where the delete comes first, the row is made again and stays; "+
			"emit both on one entity, or %s", event, table, writes(events), eitherOrder, instead)
	}
	return spec.Info, fmt.Sprintf("%s deletes rows of %s that %s; both belong to the entity that is the key, so they arrive in order, "+
		"but a late redelivery of %s brings the deleted row back; to be safe, %s", event, table, writes(events), some(events), instead)
}

// writes says who writes.
func writes(events []string) string {
	if len(events) == 1 {
		return events[0] + " writes"
	}
	return some(events) + " write"
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
