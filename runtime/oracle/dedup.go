package oracle

import "github.com/causetc/causetc/ir"

// dedup links projections to a set of exact ids: the events' own, or the key of a projection that records it in a table
// of its own.
func (b *builder) dedup(g *ir.Group) {
	if !b.chance(0.5) {
		return
	}
	set := ir.ExactIDs{Name: "ids"}
	if b.chance(0.5) {
		set = ir.ExactIDs{Name: recorder, Projection: recorder}
		b.ledger(g)
	}
	g.ExactIDs = []ir.ExactIDs{set}
	linked := 0
	for i := range g.Projections {
		if p := &g.Projections[i]; p.Name != recorder && (linked == 0 || b.chance(0.5)) {
			p.Dedup = set.Name
			linked++
		}
	}
}

// ledger adds the recording projection, which comes before or after those that it admits.
func (b *builder) ledger(g *ir.Group) {
	g.Tables = append(g.Tables, ir.Table{Name: ledgerTable, Key: []string{"id"}, Columns: []ir.Column{
		{Name: "id", Type: ir.SQLType{Name: ir.Text}, Role: ir.RoleKey},
		{Name: "note", Type: ir.SQLType{Name: ir.Text}, Role: ir.RolePlain},
	}})
	identity := &ir.Expr{Op: ir.OpEnvelope, Name: "event_id"}
	if b.chance(0.3) {
		identity = payload("key0")
	}
	p := ir.Projection{Name: recorder, Table: ledgerTable}
	for i := range eventTypes {
		h := ir.Handler{Event: eventType(i), Op: ir.Upsert, Key: []ir.Assign{{Column: "id", Value: identity}},
			Set: []ir.Assign{{Column: "note", Value: payload("flag")}}}
		if b.chance(0.2) {
			h.Condition = payload("flag")
		}
		if b.chance(0.9) {
			p.Handlers = append(p.Handlers, h)
		}
	}
	if len(p.Handlers) == 0 {
		p.Handlers = append(p.Handlers, ir.Handler{Event: eventType(0), Op: ir.Upsert,
			Key: []ir.Assign{{Column: "id", Value: identity}}})
	}
	g.Projections = append(g.Projections, p)
}
