package fold_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/fold"
)

// cellsText prints the cells of a write by slot, such as "0=a 2=NULL".
func cellsText(w *fold.Write) string {
	cells := slices.Clone(w.Cells)
	slices.SortFunc(cells, func(a, b fold.CellWrite) int { return a.Column - b.Column })
	var parts []string
	for _, c := range cells {
		value := "NULL"
		if !c.Value.IsNull() {
			value = c.Value.Text()
		}
		parts = append(parts, fmt.Sprintf("%d=%s", c.Column, value))
	}
	return strings.Join(parts, " ")
}

func TestCellsOfAWrite(t *testing.T) {
	level := []ir.Sum{{Column: "level", Op: ir.SumSet, By: payload("level"), Ceil: number("9")}}
	for _, test := range []struct {
		what, body, want string
		handler          ir.Handler
	}{
		{"missing is left out, null is written", `{"id":1,"price":null}`, "1=NULL", ir.Handler{Op: ir.Upsert, Set: set("name", "price")}},
		{"values take the column's type", `{"id":1,"name":12.50,"price":"3.10"}`, "0=12.5 1=3.1", ir.Handler{Op: ir.Upsert, Set: set("name", "price")}},
		{"a replace resets what it does not write", `{"id":1,"name":"a"}`, "0=a 1=NULL", ir.Handler{Op: ir.Replace, Set: set("name", "price")}},
		{"a replace resets what it does not name", `{"id":1}`, "0=NULL 1=NULL", ir.Handler{Op: ir.Replace}},
		{"a replace keeps what only set writes", `{"id":1,"level":7}`, "0=NULL 1=NULL 2=7", ir.Handler{Op: ir.Replace, Sums: level}},
		{"set is clamped", `{"id":1,"level":77}`, "2=9", ir.Handler{Op: ir.Upsert, Sums: level}},
		{"set to null writes nothing", `{"id":1,"level":null}`, "", ir.Handler{Op: ir.Upsert, Sums: level}},
		{"set to missing writes nothing", `{"id":1}`, "", ir.Handler{Op: ir.Upsert, Sums: level}},
		{"a derived value", `{"id":1,"a":2}`, "0=3", ir.Handler{Op: ir.Upsert,
			Lets: []ir.Assign{{Column: "a", Value: payload("a")}, {Column: "b", Value: binary("+", derived("a"), &ir.Expr{Op: ir.OpInt, Text: "1"})}},
			Set:  []ir.Assign{{Column: "name", Value: derived("b")}}}},
		{"a derived value that is missing", `{"id":1}`, "", ir.Handler{Op: ir.Upsert,
			Lets: []ir.Assign{{Column: "a", Value: payload("a")}}, Set: []ir.Assign{{Column: "name", Value: derived("a")}}}},
	} {
		w := evaluateOne(t, oneHandler(stock(ir.Ordered), test.handler), test.body)
		if got := cellsText(w); got != test.want {
			t.Errorf("%s: cells %q, want %q", test.what, got, test.want)
		}
	}
}

func TestSumsOfAWrite(t *testing.T) {
	when := binary(">", payload("n"), number("10"))
	for _, test := range []struct {
		what, body, want string
		sum              ir.Sum
	}{
		{"one by default", `{"id":1}`, "+ 1", ir.Sum{Op: ir.SumAdd}},
		{"sub is negated", `{"id":1,"n":3}`, "+ -3", ir.Sum{Op: ir.SumSub, By: payload("n")}},
		{"null adds nothing", `{"id":1,"n":null}`, "", ir.Sum{Op: ir.SumAdd, By: payload("n")}},
		{"missing adds nothing", `{"id":1}`, "", ir.Sum{Op: ir.SumSub, By: payload("n")}},
		{"when true", `{"id":1,"n":11}`, "+ 1", ir.Sum{Op: ir.SumAdd, When: when}},
		{"when false", `{"id":1,"n":10}`, "", ir.Sum{Op: ir.SumAdd, When: when}},
		{"when null", `{"id":1}`, "", ir.Sum{Op: ir.SumAdd, When: when}},
		{"when false guards by", `{"id":1,"n":0}`, "", ir.Sum{Op: ir.SumAdd, When: when, By: binary("/", number("1"), payload("n"))}},
		{"set with bounds", `{"id":1,"n":5}`, "= 5 floor 2 ceil 5", ir.Sum{Op: ir.SumSet, By: payload("n"), Floor: number("2"), Ceil: payload("n")}},
		{"a null bound is none", `{"id":1,"n":5}`, "= 5 floor 2", ir.Sum{Op: ir.SumSet, By: payload("n"), Floor: number("2"), Ceil: payload("no")}},
	} {
		test.sum.Column = "count"
		w := evaluateOne(t, oneHandler(stock(ir.Ordered), ir.Handler{Op: ir.Upsert, Sums: []ir.Sum{test.sum}}), test.body)
		if got := sumsText(w); got != test.want {
			t.Errorf("%s: %q, want %q", test.what, got, test.want)
		}
	}
}

func sumsText(w *fold.Write) string {
	text := ""
	for _, s := range w.Sums {
		sign := "+ "
		if s.Set {
			sign = "= "
		}
		text += sign + s.By.Text()
		if s.Floor != nil {
			text += " floor " + s.Floor.Text()
		}
		if s.Ceil != nil {
			text += " ceil " + s.Ceil.Text()
		}
	}
	return text
}

func TestSumOverDoubleStaysExact(t *testing.T) {
	h := ir.Handler{Op: ir.Upsert, Sums: []ir.Sum{{Column: "weight", Op: ir.SumAdd, By: payload("w")}}}
	g := compile(t, oneHandler(stock(ir.Ordered), h))
	table := g.Tables[0]
	row := table.NewRow()
	for i, w := range []string{"1e16", "1", "-1e16", "0.1", "0.2"} {
		effect, err := g.Evaluate(newEvent(t, `{"id":1,"w":`+w+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if err := table.Apply(&row, &effect.Writes[0], fold.MakeOrder(1, 0, int64(i), 0)); err != nil {
			t.Fatal(err)
		}
	}
	if got := row.Sums[weightSlot].Text(); got != "1.3" {
		t.Errorf("the exact sum is %s, want 1.3", got)
	}
	values, _ := table.View([]expr.Value{expr.Int(1)}, &row)
	shown := values[table.ColumnIndex("weight")]
	if shown.Kind() != expr.KindFloat || shown.Text() != "1.3" {
		t.Errorf("the view shows %s %s, want the float 1.3", shown.Kind(), shown.Text())
	}
}

func TestEventErrors(t *testing.T) {
	zero := binary("/", number("1"), payload("zero"))
	for _, test := range []struct {
		what, body, column string
		code               expr.Code
		handler            ir.Handler
	}{
		{"null key", `{"id":null}`, "id", expr.CodeType, ir.Handler{Op: ir.Upsert}},
		{"missing key", `{}`, "id", expr.CodeType, ir.Handler{Op: ir.Delete}},
		{"key of another type", `{"id":"x"}`, "id", expr.CodeFormat, ir.Handler{Op: ir.Update}},
		{"cell out of range", `{"id":1,"price":10000}`, "price", expr.CodeRange, ir.Handler{Op: ir.Upsert, Set: set("price")}},
		{"cell too precise", `{"id":1,"price":0.001}`, "price", expr.CodePrecision, ir.Handler{Op: ir.Replace, Set: set("price")}},
		{"division by zero", `{"id":1,"zero":0}`, "name", expr.CodeDivisionByZero,
			ir.Handler{Op: ir.Upsert, Set: []ir.Assign{{Column: "name", Value: zero}}}},
		{"in a derived value", `{"id":1,"zero":0}`, "ratio", expr.CodeDivisionByZero,
			ir.Handler{Op: ir.Upsert, Lets: []ir.Assign{{Column: "ratio", Value: zero}}}},
		{"condition that is no bool", `{"id":1,"name":"x"}`, "", expr.CodeType, ir.Handler{Op: ir.Upsert, Condition: payload("name")}},
		{"when that is no bool", `{"id":1,"n":1}`, "count", expr.CodeType,
			ir.Handler{Op: ir.Upsert, Sums: []ir.Sum{{Column: "count", Op: ir.SumAdd, When: payload("n")}}}},
		{"fraction on an integer aggregate", `{"id":1,"n":0.5}`, "count", expr.CodePrecision,
			ir.Handler{Op: ir.Upsert, Sums: []ir.Sum{{Column: "count", Op: ir.SumAdd, By: payload("n")}}}},
		{"by beyond the column", `{"id":1,"n":40000}`, "count", expr.CodeRange,
			ir.Handler{Op: ir.Upsert, Sums: []ir.Sum{{Column: "count", Op: ir.SumSub, By: payload("n")}}}},
		{"bound beyond the column", `{"id":1,"n":40000}`, "count", expr.CodeRange,
			ir.Handler{Op: ir.Upsert, Sums: []ir.Sum{{Column: "count", Op: ir.SumAdd, Ceil: payload("n")}}}},
		{"beyond a double", `{"id":1,"n":1e309}`, "weight", expr.CodeRange,
			ir.Handler{Op: ir.Upsert, Sums: []ir.Sum{{Column: "weight", Op: ir.SumAdd, By: payload("n")}}}},
		{"just beyond a double", `{"id":1,"n":1.79769313486231575e308}`, "weight", expr.CodeRange,
			ir.Handler{Op: ir.Upsert, Sums: []ir.Sum{{Column: "weight", Op: ir.SumAdd, By: payload("n")}}}},
		{"too small for a double", `{"id":1,"n":1e-320}`, "weight", expr.CodeRange,
			ir.Handler{Op: ir.Upsert, Sums: []ir.Sum{{Column: "weight", Op: ir.SumAdd, By: payload("n")}}}},
		{"where of another type", `{"id":1,"n":"x"}`, "count", expr.CodeFormat,
			ir.Handler{Op: ir.BulkUpdate, Where: []ir.Predicate{{Column: "count", Op: "gt", Value: payload("n")}}}},
		{"in without a list", `{"id":1,"n":1}`, "count", expr.CodeType,
			ir.Handler{Op: ir.BulkUpdate, Where: []ir.Predicate{{Column: "count", Op: "in", Value: payload("n")}}}},
		{"item of a list of another type", `{"id":1,"n":[1,"x"]}`, "count", expr.CodeFormat,
			ir.Handler{Op: ir.BulkUpdate, Where: []ir.Predicate{{Column: "count", Op: "nin", Value: payload("n")}}}},
		{"pattern that ends in its escape", `{"id":1}`, "name", expr.CodeFormat,
			ir.Handler{Op: ir.BulkUpdate, Where: []ir.Predicate{{Column: "name", Op: "like", Value: text(`a\`)}}}},
	} {
		t.Run(test.what, func(t *testing.T) {
			wantEventError(t, oneHandler(stock(ir.Ordered), test.handler), test.body, test.column, test.code)
		})
	}
}

func TestLongKeyIsRefused(t *testing.T) {
	table := stock(ir.Ordered)
	table.Columns[1].Type = ir.SQLType{Name: ir.Text}
	p := oneHandler(table, ir.Handler{Op: ir.Upsert})
	long := strings.Repeat("x", fold.MaxKeyBytes)
	wantEventError(t, p, `{"id":"`+long+`"}`, "", expr.CodeLength)
	evaluateOne(t, p, `{"id":"`+long[:fold.MaxKeyBytes-10]+`"}`)
}

func TestConditions(t *testing.T) {
	// The condition guards the division, and the aggregate falls with it.
	h := ir.Handler{
		Op:        ir.Upsert,
		Condition: binary("!=", payload("n"), number("0")),
		Lets:      []ir.Assign{{Column: "ratio", Value: binary("/", number("1"), payload("n"))}},
		Set:       []ir.Assign{{Column: "name", Value: derived("ratio")}},
		Sums:      []ir.Sum{{Column: "count", Op: ir.SumAdd}},
	}
	g := compile(t, oneHandler(stock(ir.Ordered), h))
	for body, writes := range map[string]int{`{"id":1,"n":0}`: 0, `{"id":1,"n":4}`: 1} {
		effect, err := g.Evaluate(newEvent(t, body))
		if err != nil || len(effect.Writes) != writes {
			t.Errorf("%s: %d writes, error %v; want %d", body, len(effect.Writes), err, writes)
		}
	}
	h.Condition = derived("ratio") // a condition over a derived value needs it first
	wantEventError(t, oneHandler(stock(ir.Ordered), h), `{"id":1,"n":0}`, "ratio", expr.CodeDivisionByZero)
	h.Condition, h.Lets = payload("flag"), nil
	h.Set = nil
	for _, body := range []string{`{"id":1}`, `{"id":1,"flag":null}`, `{"id":1,"flag":false}`} {
		effect, err := compile(t, oneHandler(stock(ir.Ordered), h)).Evaluate(newEvent(t, body))
		if err != nil || len(effect.Writes) != 0 {
			t.Errorf("%s: %d writes, error %v; want none", body, len(effect.Writes), err)
		}
	}
}

func TestKeysAreCanonical(t *testing.T) {
	p := oneHandler(stock(ir.Ordered), ir.Handler{Op: ir.Upsert})
	one := evaluateOne(t, p, `{"id":1}`)
	for _, body := range []string{`{"id":1.0}`, `{"id":"1"}`, `{"id":10e-1}`} {
		if w := evaluateOne(t, p, body); w.KeyID != one.KeyID || !w.Key[0].Equal(expr.Int(1)) {
			t.Errorf("%s has another key", body)
		}
	}
	if w := evaluateOne(t, p, `{"id":11}`); w.KeyID == one.KeyID {
		t.Error("11 has the key of 1")
	}
}

func TestEnvelopeIsReadable(t *testing.T) {
	table := stock(ir.Ordered)
	names := []string{"type", "entity_id", "event_id", "stream_id", "fork_id", "ts"}
	for _, name := range names {
		h := ir.Handler{Op: ir.Upsert, Set: []ir.Assign{{Column: "name", Value: &ir.Expr{Op: ir.OpEnvelope, Name: name}}}}
		got := cellsText(evaluateOne(t, oneHandler(table, h), `{"id":1}`))
		want := map[string]string{"type": "0=E", "entity_id": "0=entity", "event_id": "0=e-1", "stream_id": "",
			"fork_id": "0=main", "ts": "0=1700000000123"}[name]
		if got != want {
			t.Errorf("event.%s: %q, want %q", name, got, want)
		}
	}
}

func TestUnknownEventHasNoEffect(t *testing.T) {
	g := compile(t, oneHandler(stock(ir.Ordered), ir.Handler{Op: ir.Upsert}))
	ev := newEvent(t, `{}`)
	ev.Type = "OTHER"
	effect, err := g.Evaluate(ev)
	if err != nil || len(effect.Writes)+len(effect.Exact) > 0 || g.Handles("OTHER") || !g.Handles("E") {
		t.Errorf("effect %+v, error %v", effect, err)
	}
}

// exactGroup has a counter of E that a recorder of E and F admits, or the event's id where recorder is nil.
func exactGroup(recorder *ir.Handler) *ir.Program {
	ledger := ir.Table{Name: "ledger", Class: ir.Convergent, Deletes: true, Key: []string{"id"},
		Columns: []ir.Column{{Name: "id", Type: ir.SQLType{Name: ir.Text}, Role: ir.RoleKey}}}
	p := oneHandler(stock(ir.Convergent), ir.Handler{Op: ir.Upsert, Sums: []ir.Sum{{Column: "count", Op: ir.SumAdd}}})
	g := &p.Groups[0]
	g.Projections[0].Dedup = "seen"
	g.ExactIDs = []ir.ExactIDs{{Name: "seen"}}
	if recorder != nil {
		g.Tables = append(g.Tables, ledger)
		g.ExactIDs[0].Projection = "recorder"
		g.Projections = append(g.Projections, ir.Projection{Name: "recorder", Table: "ledger", Handlers: []ir.Handler{*recorder}})
	}
	return p
}

func TestExactIdentities(t *testing.T) {
	key := []ir.Assign{{Column: "id", Value: payload("purchase")}}
	for _, test := range []struct {
		what, eventType, body string
		recorder              *ir.Handler
		dedup, identity       string // of the writes by ordinal; of the event
	}{
		{"the event's id", "E", `{"id":1}`, nil, "0", "e-1"},
		{"the recorder's key", "E", `{"id":1,"purchase":"x"}`, &ir.Handler{Event: "E", Op: ir.Upsert, Key: key}, "0 -1", "s\x01x"},
		{"the recorder skips the event", "E", `{"id":1,"purchase":"x"}`,
			&ir.Handler{Event: "E", Op: ir.Upsert, Key: key, Condition: payload("flag")}, "", ""},
		{"the recorder deletes", "E", `{"id":1,"purchase":"x"}`, &ir.Handler{Event: "E", Op: ir.Delete, Key: key}, "-1", ""},
		{"the recorder does not list the event", "E", `{"id":1,"purchase":"x"}`, &ir.Handler{Event: "F", Op: ir.Upsert, Key: key}, "-1", ""},
		{"recorded without a counter", "F", `{"id":1,"purchase":"x"}`, &ir.Handler{Event: "F", Op: ir.Upsert, Key: key}, "-1", "s\x01x"},
	} {
		ev := newEvent(t, test.body)
		ev.Type = test.eventType
		effect, err := compile(t, exactGroup(test.recorder)).Evaluate(ev)
		if err != nil {
			t.Fatal(err)
		}
		var dedup []string
		for _, w := range effect.Writes {
			dedup = append(dedup, fmt.Sprint(w.Dedup))
		}
		identity := ""
		for _, k := range effect.Exact {
			identity += string(k.Key)
		}
		if strings.Join(dedup, " ") != test.dedup || identity != test.identity {
			t.Errorf("%s: writes %v, identity %q; want %q, %q", test.what, dedup, identity, test.dedup, test.identity)
		}
	}
}

func TestLongEventIDIsRefusedWhereItIsKept(t *testing.T) {
	ev := newEvent(t, `{"id":1}`)
	ev.ID = strings.Repeat("x", fold.MaxKeyBytes+1)
	if _, err := compile(t, oneHandler(stock(ir.Ordered), ir.Handler{Op: ir.Upsert})).Evaluate(ev); err != nil {
		t.Errorf("without exact ids: %v", err)
	}
	var failed *fold.EventError
	if _, err := compile(t, exactGroup(nil)).Evaluate(ev); !errors.As(err, &failed) || failed.Projection != "p" {
		t.Errorf("with exact ids: error %v, want an EventError", err)
	}
}

// TestEvaluateConcurrently is for the race detector: a group is shared by all partitions.
func TestEvaluateConcurrently(t *testing.T) {
	h := ir.Handler{Op: ir.Upsert, Lets: []ir.Assign{{Column: "a", Value: payload("name")}},
		Set: []ir.Assign{{Column: "name", Value: derived("a")}}}
	g := compile(t, oneHandler(stock(ir.Ordered), h))
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for i := range 200 {
				want := fmt.Sprintf("%d-%d", worker, i)
				effect, err := g.Evaluate(newEvent(t, fmt.Sprintf(`{"id":%d,"name":%q}`, i, want)))
				if err != nil || effect.Writes[0].Cells[0].Value.Text() != want {
					t.Errorf("%s: %v, %v", want, effect, err)
				}
			}
		})
	}
	wg.Wait()
}
