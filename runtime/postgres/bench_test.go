package postgres

import (
	"context"
	"fmt"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// ticketProgram is a plain upsert of seven columns; class makes the table ordered or not.
func ticketProgram(class ir.Class) *ir.Program {
	text := ir.SQLType{Name: ir.Text}
	columns := []ir.Column{{Name: "id", Type: text, Role: ir.RoleKey}}
	member := func(name string) *ir.Expr {
		return &ir.Expr{Op: ir.OpMember, Name: name, Args: []*ir.Expr{{Op: ir.OpPayload}}}
	}
	handler := ir.Handler{Event: "SOLD", Op: ir.Upsert, Key: []ir.Assign{{Column: "id", Value: member("id")}}}
	for _, c := range []ir.Column{{Name: "show", Type: text}, {Name: "seat", Type: text}, {Name: "buyer", Type: text},
		{Name: "status", Type: text}, {Name: "price", Type: ir.SQLType{Name: ir.Numeric, Precision: 12, Scale: 2}},
		{Name: "sold_at", Type: ir.SQLType{Name: ir.TimestampTZ}}} {
		c.Role = ir.RolePlain
		columns = append(columns, c)
		handler.Set = append(handler.Set, ir.Assign{Column: c.Name, Value: member(c.Name)})
	}
	return &ir.Program{Format: ir.FormatVersion, App: "bench", Groups: []ir.Group{{Name: "tickets", Hash: "bench",
		Tables:      []ir.Table{{Name: "tickets", Class: class, Columns: columns, Key: []string{"id"}}},
		Projections: []ir.Projection{{Name: "tickets", Table: "tickets", Handlers: []ir.Handler{handler}}}}}}
}

func sold(n int) *event.Event {
	members := []expr.Member{
		{Key: "id", Value: expr.String(fmt.Sprintf("ticket-%d", n))}, {Key: "show", Value: expr.String(fmt.Sprintf("show-%d", n%100))},
		{Key: "seat", Value: expr.String("A12")}, {Key: "buyer", Value: expr.String("somebody@example.com")},
		{Key: "status", Value: expr.String("sold")}, {Key: "price", Value: expr.Int(25)}, {Key: "sold_at", Value: expr.Int(1_700_000_000_000 + int64(n))},
	}
	return &event.Event{ID: fmt.Sprintf("event-%d", n), OwnID: true, Type: "SOLD", EntityID: "x", TS: int64(n), Payload: expr.Object(members)}
}

// BenchmarkCommit measures events a second through Commit: evaluated before, in batches of upserts of distinct keys that
// come around again after 100,000 events.
func BenchmarkCommit(b *testing.B) {
	for _, class := range []ir.Class{ir.Convergent, ir.Ordered} {
		for _, size := range []int{100, 1000, 5000} {
			b.Run(fmt.Sprintf("%s/batch=%d", class, size), func(b *testing.B) { benchmarkCommit(b, class, size) })
		}
	}
}

func benchmarkCommit(b *testing.B, class ir.Class, size int) {
	const keys = 100_000
	g := deploy(b, open(b, newConfig(b)), ticketProgram(class))
	cursor := store.Cursor{Topic: "events", TopicID: [16]byte{1}}
	events := 0
	for b.Loop() {
		b.StopTimer()
		batch := store.Batch{From: cursor}
		for range size {
			ev := sold(events % keys)
			effect, err := g.fold.Evaluate(ev)
			if err != nil {
				b.Fatal(err)
			}
			batch.Entries = append(batch.Entries, store.Entry{Position: event.Position{Topic: "events", Offset: int64(events)},
				Clock: int64(events), ID: fold.HashID(fmt.Sprint(events)), Effect: effect})
			events++
		}
		cursor.Next, cursor.Clock = int64(events), int64(events)
		batch.To = cursor
		b.StartTimer()
		if _, err := g.Commit(context.Background(), batch); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}
