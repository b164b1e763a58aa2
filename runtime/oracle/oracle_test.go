package oracle_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/oracle"
)

func payload(name string) *ir.Expr {
	return &ir.Expr{Op: ir.OpMember, Name: name, Args: []*ir.Expr{{Op: ir.OpPayload}}}
}

// shop is a group with one table that PUT, COUNT, FIX and DROP write, by id.
func shop(class ir.Class) *ir.Group {
	key := []ir.Assign{{Column: "id", Value: payload("id")}}
	set := []ir.Assign{{Column: "name", Value: payload("name")}}
	return &ir.Group{
		Name: "shop",
		Tables: []ir.Table{{Name: "shop", Class: class, Key: []string{"id"}, Columns: []ir.Column{
			{Name: "id", Type: ir.SQLType{Name: ir.Integer}, Role: ir.RoleKey},
			{Name: "name", Type: ir.SQLType{Name: ir.Text}, Role: ir.RolePlain},
			{Name: "count", Type: ir.SQLType{Name: ir.BigInt}, Role: ir.RoleSum},
		}}},
		Projections: []ir.Projection{{Name: "shop", Table: "shop", Handlers: []ir.Handler{
			{Event: "PUT", Op: ir.Upsert, Key: key, Set: set},
			{Event: "COUNT", Op: ir.Upsert, Key: key, Sums: []ir.Sum{{Column: "count", Op: ir.SumAdd}}},
			{Event: "FIX", Op: ir.Update, Key: key, Set: set},
			{Event: "DROP", Op: ir.Delete, Key: key},
		}}},
	}
}

// records reads a log such as "3 e1 PUT 1 a": clock, id, type, key and name ("-" for null, nothing for missing). They
// arrive in that order, in one partition.
func records(t *testing.T, lines ...string) []oracle.Record {
	t.Helper()
	var list []oracle.Record
	for offset, line := range lines {
		var clock, key int64
		var id, eventType, name string
		n, err := fmt.Sscan(line, &clock, &id, &eventType, &key, &name)
		if n < 4 {
			t.Fatalf("%q: %v", line, err)
		}
		members := []expr.Member{{Key: "id", Value: expr.Int(key)}}
		switch name {
		case "":
		case "-":
			members = append(members, expr.Member{Key: "name", Value: expr.Null()})
		default:
			members = append(members, expr.Member{Key: "name", Value: expr.String(name)})
		}
		list = append(list, oracle.Record{Position: event.Position{Offset: int64(offset)}, Clock: clock,
			Event: &event.Event{ID: id, Type: eventType, Payload: expr.Object(members)}})
	}
	return list
}

// TestFoldOfKnownLogs pins the truth itself.
func TestFoldOfKnownLogs(t *testing.T) {
	for _, test := range []struct {
		what, convergent, ordered string // the tables by class
		log                       []string
	}{
		{"nothing", "", "", nil},
		{"the latest wins", "1:b:0", "1:a:0", []string{"2 e1 PUT 1 b", "1 e2 PUT 1 a"}},
		{"missing leaves alone, null does not", "1:a:0 2:NULL:0", "1:a:0 2:NULL:0",
			[]string{"1 e1 PUT 1 a", "2 e2 PUT 1", "3 e3 PUT 2 a", "4 e4 PUT 2 -"}},
		{"a duplicate counts once", "1:NULL:2", "1:NULL:2", []string{"1 e1 COUNT 1", "2 e1 COUNT 1", "3 e2 COUNT 1", "4 e1 COUNT 1"}},
		{"an update needs its row", "1:b:0", "1:a:0", []string{"2 e1 FIX 1 b", "1 e2 PUT 1 a"}},
		{"a delete takes what is before it", "", "1:a:0", []string{"2 e1 DROP 1", "1 e2 PUT 1 a"}},
		{"a row starts anew", "1:NULL:1", "1:NULL:1", []string{"1 e1 PUT 1 a", "2 e2 COUNT 1", "3 e3 DROP 1", "4 e4 COUNT 1"}},
	} {
		for class, want := range map[ir.Class]string{ir.Convergent: test.convergent, ir.Ordered: test.ordered} {
			tables, err := oracle.Fold(shop(class), records(t, test.log...), 100, oracle.NewCoverage())
			if err != nil {
				t.Fatal(err)
			}
			if got := tableText(tables["shop"]); got != want {
				t.Errorf("%s, %s: %q, want %q", test.what, class, got, want)
			}
		}
	}
}

func tableText(rows [][]expr.Value) string {
	var parts []string
	for _, row := range rows {
		name := "NULL"
		if !row[1].IsNull() {
			name = row[1].Text()
		}
		parts = append(parts, row[0].Text()+":"+name+":"+row[2].Text())
	}
	return strings.Join(parts, " ")
}

func TestWindowOfTheFold(t *testing.T) {
	log := records(t, "1 e1 COUNT 1", "2 e2 COUNT 1", "3 e1 COUNT 1", "4 e3 COUNT 1", "5 e1 COUNT 1")
	for window, want := range map[int]string{0: "1:NULL:5", 1: "1:NULL:5", 2: "1:NULL:4", 3: "1:NULL:3"} {
		tables, err := oracle.Fold(shop(ir.Convergent), log, window, oracle.NewCoverage())
		if err != nil {
			t.Fatal(err)
		}
		if got := tableText(tables["shop"]); got != want {
			t.Errorf("window of %d: %q, want %q", window, got, want)
		}
	}
}

// TestCasesRepeat: a printed seed gives the same program and the same log again.
func TestCasesRepeat(t *testing.T) {
	for i := range uint64(30) {
		text := func() string {
			r := rand.New(rand.NewPCG(5, i))
			c := oracle.NewCase(r, oracle.Shape(i%3))
			out := c.Program.Hash
			for _, record := range c.NewLog(r, oracle.LogOptions{Records: 30, Partitions: 2, Duplicates: 0.2, Bad: 0.01}) {
				out += fmt.Sprint(record.Position, record.Clock, record.Event.ID, string(record.Event.Payload.AppendJSON(nil)))
			}
			return out
		}
		if first, again := text(), text(); first != again {
			t.Fatalf("case %d differs when it is made again", i)
		}
	}
}
