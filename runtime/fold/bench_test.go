package fold_test

import (
	"fmt"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
)

// benchGroup is a counter and three plain columns, one of them derived.
func benchGroup(b *testing.B) *fold.Group {
	h := ir.Handler{
		Op:   ir.Upsert,
		Lets: []ir.Assign{{Column: "label", Value: &ir.Expr{Op: ir.OpElvis, Args: []*ir.Expr{payload("label"), text("none")}}}},
		Set: []ir.Assign{{Column: "name", Value: derived("label")}, {Column: "price", Value: payload("price")},
			{Column: "level", Value: payload("level")}},
		Sums: []ir.Sum{{Column: "count", Op: ir.SumAdd}},
	}
	table := stock(ir.Convergent)
	table.Columns[2].Type = ir.SQLType{Name: ir.BigInt}
	p := oneHandler(table, h)
	g, err := fold.Compile(p, &p.Groups[0])
	if err != nil {
		b.Fatal(err)
	}
	return g
}

func benchEvents(b *testing.B) []*event.Event {
	events := make([]*event.Event, 1024)
	for i := range events {
		body := fmt.Sprintf(`{"id":%d,"label":"item %d","price":"%d.25","level":%d,"more":{"a":[1,2,3]},"other":true}`, i%200, i, i%900, i)
		events[i] = newEvent(b, body)
	}
	return events
}

func BenchmarkEvaluate(b *testing.B) {
	g, events := benchGroup(b), benchEvents(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := g.Evaluate(events[i%len(events)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvaluateAndMerge is the whole fold of an event into a convergent table's rows in memory.
func BenchmarkEvaluateAndMerge(b *testing.B) {
	g, events := benchGroup(b), benchEvents(b)
	table := g.Tables[0]
	rows := map[string]*fold.Row{}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		effect, err := g.Evaluate(events[i%len(events)])
		if err != nil {
			b.Fatal(err)
		}
		w := &effect.Writes[0]
		row := rows[w.KeyID]
		if row == nil {
			fresh := table.NewRow()
			row = &fresh
			rows[w.KeyID] = row
		}
		table.Absorb(row, w, fold.MakeOrder(int64(i), 0, int64(i), w.Ordinal))
	}
}

// BenchmarkEvaluateAndApply is the same for an ordered table.
func BenchmarkEvaluateAndApply(b *testing.B) {
	g, events := benchGroup(b), benchEvents(b)
	table := g.Tables[0]
	rows := map[string]*fold.Row{}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		effect, err := g.Evaluate(events[i%len(events)])
		if err != nil {
			b.Fatal(err)
		}
		w := &effect.Writes[0]
		row := rows[w.KeyID]
		if row == nil {
			fresh := table.NewRow()
			row = &fresh
			rows[w.KeyID] = row
		}
		if err := table.Apply(row, w, fold.MakeOrder(int64(i), 0, int64(i), w.Ordinal)); err != nil {
			b.Fatal(err)
		}
	}
}
