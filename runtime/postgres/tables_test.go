package postgres

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/store"
)

// uniqueProgram is an ordered table with a unique index over seats and a sum.
func uniqueProgram() *ir.Program {
	p := ticketProgram(ir.Ordered)
	t := &p.Groups[0].Tables[0]
	t.Indexes = []ir.Index{{Columns: []string{"seat"}, Unique: true}}
	return p
}

// seatBatch gives tickets their seats in one batch.
func seatBatch(t *testing.T, g *Group, from int, seats ...string) store.Batch {
	t.Helper()
	b := batchOf(t, g, from, len(seats)/2)
	for i := range b.Entries {
		ev := sold(0)
		ev.Payload = expr.Object([]expr.Member{{Key: "id", Value: expr.String(seats[2*i])}, {Key: "seat", Value: expr.String(seats[2*i+1])}})
		effect, err := g.fold.Evaluate(ev)
		if err != nil {
			t.Fatal(err)
		}
		b.Entries[i].Effect = effect
	}
	return b
}

func TestUniqueIndex(t *testing.T) {
	g := deploy(t, open(t, newConfig(t)), uniqueProgram())
	commit(t, g, seatBatch(t, g, 0, "a", "1", "b", "2"))
	commit(t, g, seatBatch(t, g, 2, "a", "3", "b", "1", "a", "2")) // they swap
	b := seatBatch(t, g, 5, "c", "4", "d", "1")
	_, err := g.Commit(context.Background(), b)
	var data *store.DataError
	if !errors.As(err, &data) || data.SQLState != "23505" || !strings.Contains(data.Message, "(seat)=(1)") {
		t.Fatalf("a seat sold twice: %v", err)
	}
	if n := rowCount(t, g); n != 2 {
		t.Errorf("%d rows", n)
	}
}

func TestSumsBeyondTheColumn(t *testing.T) {
	for _, class := range []ir.Class{ir.Convergent, ir.Ordered} {
		for _, typ := range []ir.TypeName{ir.SmallInt, ir.Integer, ir.BigInt, ir.Real, ir.Double} {
			p := ticketProgram(class)
			table, handler := &p.Groups[0].Tables[0], &p.Groups[0].Projections[0].Handlers[0]
			table.Columns = append(table.Columns, ir.Column{Name: "n", Type: ir.SQLType{Name: typ}, Role: ir.RoleSum})
			most := map[ir.TypeName]string{ir.SmallInt: "32767", ir.Integer: "2147483647", ir.BigInt: "9223372036854775807",
				ir.Real: "3" + strings.Repeat("0", 38), ir.Double: "17" + strings.Repeat("0", 307)}[typ]
			handler.Sums = []ir.Sum{{Column: "n", Op: ir.SumAdd, By: &ir.Expr{Op: ir.OpDecimal, Text: most}}}
			g := deploy(t, open(t, newConfig(t)), p)
			b := batchOf(t, g, 0, 1)
			commit(t, g, b)
			b.From, b.To = b.To, batchOf(t, g, 1, 1).To
			b.Entries[0].Position.Offset = 1
			_, err := g.Commit(context.Background(), b)
			var data *store.DataError
			if !errors.As(err, &data) {
				t.Errorf("%s %s: %v", class, typ, err)
			}
			if n := rowCount(t, g); n != 1 {
				t.Errorf("%s %s: %d rows", class, typ, n)
			}
		}
	}
}

func TestPartitionedTables(t *testing.T) {
	for _, class := range []ir.Class{ir.Convergent, ir.Ordered} {
		for _, part := range []ir.Partition{{Strategy: "hash", Field: "id", Partitions: 3}, {Strategy: "list", Field: "id"}, {Strategy: "range", Field: "id"}} {
			p := ticketProgram(class)
			p.Groups[0].Tables[0].Partition = &part
			g := deploy(t, open(t, newConfig(t)), p)
			commit(t, g, batchOf(t, g, 0, 20))
			b := batchOf(t, g, 0, 20)
			b.From, b.To = batchOf(t, g, 20, 20).From, batchOf(t, g, 20, 20).To
			commit(t, g, b)
			if n := rowCount(t, g); n != 20 {
				t.Errorf("%s %s: %d rows", class, part.Strategy, n)
			}
		}
	}
}

func TestCanceledCommitLeavesNothing(t *testing.T) {
	g := deploy(t, open(t, newConfig(t)), ticketProgram(ir.Convergent))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := g.Commit(ctx, batchOf(t, g, 0, 3)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if n := rowCount(t, g); n != 0 {
		t.Errorf("%d rows", n)
	}
}

func TestHostileNamesAreWritten(t *testing.T) {
	p := ticketProgram(ir.Ordered)
	name := `we"ird 'table' ` + strings.Repeat("é", 20)
	p.Groups[0].Name, p.Groups[0].Tables[0].Name, p.Groups[0].Projections[0].Table = name, name, name
	rename := map[string]string{"id": `select"`, "show": "user", "seat": "order", "buyer": "@created", "status": "order@", "price": strings.Repeat("c", 63)}
	table, handler := &p.Groups[0].Tables[0], &p.Groups[0].Projections[0].Handlers[0]
	for i := range table.Columns {
		if to := rename[table.Columns[i].Name]; to != "" {
			table.Columns[i].Name = to
		}
	}
	for i := range handler.Set {
		if to := rename[handler.Set[i].Column]; to != "" {
			handler.Set[i].Column = to
		}
	}
	table.Key, handler.Key[0].Column = []string{rename["id"]}, rename["id"]
	for _, class := range []ir.Class{ir.Convergent, ir.Ordered} {
		table.Class = class
		db := open(t, newConfig(t))
		g := deploy(t, db, p)
		commit(t, g, batchOf(t, g, 0, 5))
		rows, err := g.Rows(context.Background(), name)
		if err != nil || len(rows) != 5 || rows[0][4].Text() != "sold" || rows[0][3].Text() != "somebody@example.com" {
			t.Errorf("%s: %v, %v", class, rows, err)
		}
		if _, err := cluster.admin.Exec(context.Background(), "SELECT "+sql.Ident(rename["price"])+" FROM "+sql.Qualified(db.viewSchema, name)); err != nil {
			t.Error(err)
		}
	}
}
