package postgres

import (
	"context"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/causetc/causetc/codegen/sql"
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

// benchmarkKeys is after how many events the keys come around again.
const benchmarkKeys = 100_000

func benchmarkCommit(b *testing.B, class ir.Class, size int) {
	g := deploy(b, open(b, newConfig(b)), ticketProgram(class))
	cursor := store.Cursor{Topic: "events", TopicID: [16]byte{1}}
	events := 0
	for b.Loop() {
		b.StopTimer()
		batch := store.Batch{From: cursor}
		for range size {
			ev := sold(events % benchmarkKeys)
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

// BenchmarkBareUpsert is the reference: the same columns of the same events in one upsert by unnest, in a plain table,
// with nothing that makes it right: no orders, no cursor, no ids.
func BenchmarkBareUpsert(b *testing.B) {
	cfg := newConfig(b)
	g := deploy(b, open(b, cfg), ticketProgram(ir.Convergent))
	name := sql.Qualified(cfg.ViewSchema, "bare")
	exec(b, "CREATE TABLE "+name+" (id text PRIMARY KEY, show text, seat text, buyer text, status text, price numeric(12, 2), sold_at timestamptz)")
	text := "INSERT INTO " + name + ` SELECT a, b, c, d, e, f::numeric, g::timestamptz
		FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS u(a, b, c, d, e, f, g) ORDER BY a
		ON CONFLICT (id) DO UPDATE SET show = EXCLUDED.show, seat = EXCLUDED.seat, buyer = EXCLUDED.buyer,
		status = EXCLUDED.status, price = EXCLUDED.price, sold_at = EXCLUDED.sold_at`
	for _, size := range []int{100, 1000, 5000} {
		b.Run(fmt.Sprintf("batch=%d", size), func(b *testing.B) {
			events := 0
			for b.Loop() {
				b.StopTimer()
				columns := bareColumns(b, g, &events, size)
				b.StartTimer()
				if _, err := g.db.pool.Exec(context.Background(), text, columns...); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

func bareColumns(b *testing.B, g *Group, events *int, size int) []any {
	b.Helper()
	columns := make([]pgtype.FlatArray[pgtype.Text], 7)
	cellText := func(v expr.Value, t ir.SQLType) pgtype.Text {
		return pgtype.Text{String: expr.SQLText(v, t), Valid: true}
	}
	for range size {
		effect, err := g.fold.Evaluate(sold(*events % benchmarkKeys))
		if err != nil {
			b.Fatal(err)
		}
		t, w := g.fold.Tables[0], &effect.Writes[0]
		columns[0] = append(columns[0], cellText(w.Key[0], t.Columns[0].Type))
		for i, cell := range w.Cells {
			columns[1+i] = append(columns[1+i], cellText(cell.Value, t.Columns[t.Plain[cell.Column]].Type))
		}
		*events++
	}
	args := make([]any, len(columns))
	for i := range columns {
		args[i] = columns[i]
	}
	return args
}
