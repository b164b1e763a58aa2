// Package rows says what the events of a projection do to the rows of its table, with the language's defaults filled in.
package rows

import (
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// Handler is what one source event does to a row.
type Handler struct {
	Projection *spec.Projection
	Event      *spec.Scalar // as named in source_events
	Op         string       // upsert where the author names none
	Mutation   *spec.Mutation
	Aggregates *spec.EventAggregates
}

// At returns the place that names what the handler does: the op, the event in mutations or aggregates, or the source event.
func (h *Handler) At() *spec.Scalar {
	switch {
	case h.Mutation != nil && h.Mutation.Op != nil:
		return h.Mutation.Op
	case h.Mutation != nil && h.Mutation.Event != nil:
		return h.Mutation.Event
	case h.Aggregates != nil && h.Aggregates.Event != nil:
		return h.Aggregates.Event
	}
	return h.Event
}

// Creates reports whether the event makes a row that is not there.
func (h *Handler) Creates() bool {
	switch h.Op {
	case "upsert", "replace", "increment":
		return true
	}
	return false
}

// Handlers returns what the source events of a projection do, in their order.
func Handlers(p *spec.Projection) []Handler {
	mutations := map[string]*spec.Mutation{}
	for _, m := range p.Mutations {
		mutations[symbols.Text(m.Event)] = m
	}
	aggregates := map[string]*spec.EventAggregates{}
	for _, a := range p.Aggregates {
		aggregates[symbols.Text(a.Event)] = a
	}
	list := make([]Handler, 0, len(p.SourceEvents))
	for _, e := range p.SourceEvents {
		h := Handler{Projection: p, Event: e, Op: "upsert", Mutation: mutations[e.Value], Aggregates: aggregates[e.Value]}
		if h.Mutation != nil && h.Mutation.Op != nil {
			h.Op = h.Mutation.Op.Value
		}
		list = append(list, h)
	}
	return list
}

// Of returns the handlers of all projections that write a table.
func Of(t *symbols.TableInfo) []Handler {
	var list []Handler
	for _, p := range t.Projections {
		list = append(list, Handlers(p)...)
	}
	return list
}

// Count is one place where an event is added to a column.
type Count struct {
	Event  *spec.Scalar
	Column *spec.Scalar
	At     *spec.Scalar // the op, or the column where the op is left out
}

// Counts returns the places where a projection adds to its columns or subtracts from them. A plain set is none.
func Counts(p *spec.Projection) []Count {
	var list []Count
	for _, a := range p.Aggregates {
		for _, c := range a.Columns {
			at := c.Op
			if at == nil {
				at = c.Column
			}
			if at != nil && (c.Op == nil || c.Op.Value == "add" || c.Op.Value == "sub") {
				list = append(list, Count{Event: a.Event, Column: c.Column, At: at})
			}
		}
	}
	for _, m := range p.Mutations {
		if symbols.Text(m.Op) == "increment" {
			var column *spec.Scalar
			if len(m.Set) > 0 {
				column = m.Set[0].Key
			}
			list = append(list, Count{Event: m.Event, Column: column, At: m.Op})
		}
	}
	return list
}

// Class classifies a table as the compiled program does.
func Class(t *symbols.TableInfo, looksUp func(*spec.Projection) bool) ir.Class {
	table := &ir.Table{Name: t.Name}
	var projections []ir.Projection
	for _, p := range t.Projections {
		for _, index := range p.Indexes {
			if index.Unique != nil && index.Unique.V {
				table.Indexes = append(table.Indexes, ir.Index{Unique: true})
			}
		}
		projections = append(projections, outline(t.Name, p, looksUp(p)))
	}
	class, _ := ir.Classify(table, projections)
	return class
}

// outline is what classification needs to know of a projection.
func outline(table string, p *spec.Projection, looksUp bool) ir.Projection {
	out := ir.Projection{Name: symbols.Text(p.Name), Table: table}
	for _, h := range Handlers(p) {
		handler := ir.Handler{Event: h.Event.Value, Op: ir.HandlerOp(h.Op)}
		if h.Op == "increment" {
			handler.Op = ir.Upsert
			for _, s := range h.Mutation.Set {
				handler.Sums = append(handler.Sums, ir.Sum{Column: symbols.Text(s.Key), Op: ir.SumAdd})
			}
		}
		if h.Aggregates != nil {
			handler.Sums = append(handler.Sums, sums(h.Aggregates)...)
		}
		if looksUp {
			handler.Set = []ir.Assign{{Value: &ir.Expr{Op: ir.OpLookup}}}
		}
		out.Handlers = append(out.Handlers, handler)
	}
	return out
}

func sums(a *spec.EventAggregates) []ir.Sum {
	var list []ir.Sum
	for _, c := range a.Columns {
		s := ir.Sum{Column: symbols.Text(c.Column), Op: ir.SumAdd}
		if c.Op != nil {
			s.Op = c.Op.Value
		}
		if c.Floor != nil {
			s.Floor = &ir.Expr{Op: ir.OpNull}
		}
		if c.Ceil != nil {
			s.Ceil = &ir.Expr{Op: ir.OpNull}
		}
		list = append(list, s)
	}
	return list
}
