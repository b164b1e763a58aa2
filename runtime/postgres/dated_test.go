package postgres

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/store"
)

// datedProgram keys its rows by a moment and parts them by month.
func datedProgram(class ir.Class, typ ir.TypeName) *ir.Program {
	p := ticketProgram(class)
	t, handler := &p.Groups[0].Tables[0], &p.Groups[0].Projections[0].Handlers[0]
	i := slices.IndexFunc(t.Columns, func(c ir.Column) bool { return c.Name == "sold_at" })
	t.Columns[i].Role, t.Columns[i].Type.Name = ir.RoleKey, typ
	t.Key = []string{"id", "sold_at"}
	j := slices.IndexFunc(handler.Set, func(a ir.Assign) bool { return a.Column == "sold_at" })
	handler.Key = append(handler.Key, handler.Set[j])
	handler.Set = slices.Delete(handler.Set, j, j+1)
	t.Columns = append(t.Columns, ir.Column{Name: "n", Type: ir.SQLType{Name: ir.Double}, Role: ir.RoleSum})
	t.Indexes = []ir.Index{{Columns: []string{"show"}}}
	t.Partition = &ir.Partition{Strategy: "range", Field: "sold_at", Interval: "1 month", Default: true}
	return p
}

func datedBatch(t *testing.T, g *Group, from int, moments ...string) store.Batch {
	t.Helper()
	b := batchOf(t, g, from, len(moments))
	for i, moment := range moments {
		ev := sold(from + i)
		ev.Payload = expr.Object([]expr.Member{{Key: "id", Value: expr.Int(int64(from + i))}, {Key: "sold_at", Value: expr.String(moment)}})
		effect, err := g.fold.Evaluate(ev)
		if err != nil {
			t.Fatal(err)
		}
		b.Entries[i].Effect = effect
	}
	return b
}

// rowsByPartition counts the rows in each partition.
func rowsByPartition(t *testing.T, db *DB) map[string]int {
	t.Helper()
	rows, err := cluster.admin.Query(context.Background(), "SELECT c.relname, count(x.ctid)::int FROM "+sql.Qualified(db.schema, "tickets@1")+
		" AS x RIGHT JOIN pg_inherits AS i ON i.inhrelid = x.tableoid JOIN pg_class AS c ON c.oid = i.inhrelid "+
		"WHERE i.inhparent = $1::regclass GROUP BY c.relname", sql.Qualified(db.schema, "tickets@1"))
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[string]int)
	var name string
	var n int
	if _, err := pgx.ForEachRow(rows, []any{&name, &n}, func() error { counts[name] = n; return nil }); err != nil {
		t.Fatal(err)
	}
	return counts
}

func TestDatedPartitionsFollowTheEvents(t *testing.T) {
	for _, class := range []ir.Class{ir.Convergent, ir.Ordered} {
		for _, typ := range []ir.TypeName{ir.Timestamp, ir.TimestampTZ, ir.Date} {
			p := datedProgram(class, typ)
			db := open(t, newConfig(t))
			g := deploy(t, db, p)
			// A row that some other version left in the default partition keeps its month there.
			exec(t, "INSERT INTO "+db.table("tickets@1")+` (id, sold_at, "@created") VALUES ('old', '2020-01-15', '\x01')`)
			commit(t, g, datedBatch(t, g, 0, "2024-01-31T23:59:59Z", "2024-02-01T00:00:00Z", "2020-01-20T00:00:00Z"))
			commit(t, g, datedBatch(t, g, 3, "2024-02-02T00:00:00Z", "1969-12-31T23:59:59Z"))
			want := map[string]int{"tickets@1@default": 2, "tickets@1@20240101T000000": 1, "tickets@1@20240201T000000": 2, "tickets@1@19691201T000000": 1}
			got := rowsByPartition(t, db)
			for name := range want {
				if got[name] != want[name] || len(got) != len(want) {
					t.Errorf("%s %s: %v, want %v", class, typ, got, want)
					break
				}
			}
			if n := rowCount(t, g); n != 6 {
				t.Errorf("%s %s: %d rows", class, typ, n)
			}
			checkGroups(t, db, p, nil)
		}
	}
}

func TestDatedPartitionsAreMadeAtOnce(t *testing.T) {
	db := open(t, newConfig(t))
	p := datedProgram(ir.Convergent, ir.TimestampTZ)
	g := deploy(t, db, p)
	var all sync.WaitGroup
	for partition := range int32(4) {
		fresh, err := db.Group(&p.Groups[0], g.fold, 1) // another worker, which knows no partitions
		if err != nil {
			t.Fatal(err)
		}
		b := datedBatch(t, g, 0, "2024-01-01T00:00:00Z", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z")
		b.From.Partition, b.To.Partition = partition, partition
		for i := range b.Entries {
			b.Entries[i].Position.Partition = partition
		}
		all.Go(func() {
			if _, err := fresh.Commit(context.Background(), b); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := rowsByPartition(t, db); len(got) != 4 || got["tickets@1@20240201T000000"] != 1 {
		t.Errorf("%v", got)
	}
}
