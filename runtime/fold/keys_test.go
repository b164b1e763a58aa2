package fold_test

import (
	"slices"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/fold"
)

// TestKeysOfFailedEvents: the keys of an event that can't be evaluated are what its key expressions give all the same.
func TestKeysOfFailedEvents(t *testing.T) {
	zero := binary("/", number("1"), payload("zero"))
	lets := []ir.Assign{{Column: "bad", Value: zero}, {Column: "good", Value: payload("id")}, {Column: "twice", Value: derived("good")}}
	key := func(e *ir.Expr) []ir.Assign { return []ir.Assign{{Column: "id", Value: e}} }
	whole := compile(t, oneHandler(stock(ir.Ordered), ir.Handler{Op: ir.Upsert}))
	effect, err := whole.Evaluate(newEvent(t, `{"id":7}`))
	if err != nil {
		t.Fatal(err)
	}
	seven := whole.Keys(&effect)
	if len(seven) != 1 || seven[0].IsAll() {
		t.Fatalf("keys %v", seven)
	}
	all := []fold.Key{{}}
	for what, test := range map[string]struct {
		handler ir.Handler
		class   ir.Class
		want    []fold.Key
	}{
		"a column fails":           {ir.Handler{Op: ir.Upsert, Set: []ir.Assign{{Column: "level", Value: zero}}}, ir.Ordered, seven},
		"a let beside the key":     {ir.Handler{Op: ir.Upsert, Lets: lets, Key: key(derived("twice"))}, ir.Ordered, seven},
		"the key fails":            {ir.Handler{Op: ir.Upsert, Key: key(zero)}, ir.Ordered, nil},
		"a let of the key":         {ir.Handler{Op: ir.Upsert, Lets: lets, Key: key(derived("bad"))}, ir.Ordered, nil},
		"the condition fails":      {ir.Handler{Op: ir.Upsert, Condition: zero}, ir.Ordered, seven},
		"the condition is false":   {ir.Handler{Op: ir.Upsert, Condition: payload("no")}, ir.Ordered, nil},
		"the condition is a let":   {ir.Handler{Op: ir.Upsert, Lets: lets, Condition: derived("bad")}, ir.Ordered, seven},
		"a bulk update":            {ir.Handler{Op: ir.BulkUpdate, Set: []ir.Assign{{Column: "level", Value: zero}}}, ir.Ordered, all},
		"an update":                {ir.Handler{Op: ir.Update, Set: []ir.Assign{{Column: "level", Value: zero}}}, ir.Ordered, seven},
		"a convergent table holds": {ir.Handler{Op: ir.Upsert, Set: []ir.Assign{{Column: "level", Value: zero}}}, ir.Convergent, nil},
	} {
		g := compile(t, oneHandler(stock(test.class), test.handler))
		if got := g.KeysOf(newEvent(t, `{"id":7,"zero":0,"no":false}`)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", what, got, test.want)
		}
		if g.Ordered() != (test.class == ir.Ordered) {
			t.Errorf("%s: ordered is %t", what, g.Ordered())
		}
	}
}

// TestKeysTellRowsApart: equal rows have equal keys however they are written, and other rows and tables other ones.
func TestKeysTellRowsApart(t *testing.T) {
	seen := map[fold.Key]string{}
	for _, table := range []string{"stock", "other"} {
		s := stock(ir.Ordered)
		s.Name = table
		g := compile(t, oneHandler(s, ir.Handler{Op: ir.Upsert}))
		for _, id := range []string{`7`, `8`} {
			for _, text := range []string{id, id + `.0`, `"` + id + `"`} {
				effect, err := g.Evaluate(newEvent(t, `{"id":`+text+`}`))
				if err != nil {
					t.Fatal(err)
				}
				keys := g.Keys(&effect)
				if len(keys) != 1 {
					t.Fatalf("keys %v", keys)
				}
				if row, known := seen[keys[0]]; known && row != table+id {
					t.Errorf("%s %s has the key of %s", table, text, row)
				}
				seen[keys[0]] = table + id
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d keys for 4 rows", len(seen))
	}
}
