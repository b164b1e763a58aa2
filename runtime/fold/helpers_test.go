package fold_test

import (
	"errors"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
)

func payload(name string) *ir.Expr {
	return &ir.Expr{Op: ir.OpMember, Name: name, Args: []*ir.Expr{{Op: ir.OpPayload}}}
}

func number(text string) *ir.Expr { return &ir.Expr{Op: ir.OpDecimal, Text: text} }

func text(s string) *ir.Expr { return &ir.Expr{Op: ir.OpString, Text: s} }

func derived(name string) *ir.Expr { return &ir.Expr{Op: ir.OpDerived, Name: name} }

func binary(op string, a, b *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: ir.OpBinary, Name: op, Args: []*ir.Expr{a, b}}
}

func set(columns ...string) []ir.Assign {
	var list []ir.Assign
	for _, c := range columns {
		list = append(list, ir.Assign{Column: c, Value: payload(c)})
	}
	return list
}

var idKey = []ir.Assign{{Column: "id", Value: payload("id")}}

// stock is a table with a column of every role.
func stock(class ir.Class) ir.Table {
	return ir.Table{
		Name: "stock", Class: class, Key: []string{"id"}, Updates: true, Deletes: class == ir.Ordered,
		Columns: []ir.Column{
			{Name: "name", Type: ir.SQLType{Name: ir.Text}, Role: ir.RolePlain, Hidden: true},
			{Name: "id", Type: ir.SQLType{Name: ir.BigInt}, Role: ir.RoleKey},
			{Name: "count", Type: ir.SQLType{Name: ir.SmallInt}, Role: ir.RoleSum},
			{Name: "price", Type: ir.SQLType{Name: ir.Numeric, Precision: 6, Scale: 2}, Role: ir.RolePlain},
			{Name: "level", Type: ir.SQLType{Name: ir.Integer}, Role: ir.RolePlain, Default: "0", KeepOnReplace: true},
			{Name: "weight", Type: ir.SQLType{Name: ir.Double}, Role: ir.RoleSum},
		},
	}
}

// The indexes of stock's plain columns and aggregates.
const (
	nameSlot, priceSlot, levelSlot = 0, 1, 2
	countSlot, weightSlot          = 0, 1
)

// oneHandler is a program with one table and one projection of one event type, E.
func oneHandler(t ir.Table, h ir.Handler) *ir.Program {
	h.Event = "E"
	if h.Key == nil && h.Op != ir.BulkUpdate {
		h.Key = idKey
	}
	return &ir.Program{Groups: []ir.Group{{
		Name: t.Name, Tables: []ir.Table{t},
		Projections: []ir.Projection{{Name: "p", Table: t.Name, Handlers: []ir.Handler{h}}},
	}}}
}

func compile(t *testing.T, p *ir.Program) *fold.Group {
	t.Helper()
	g, err := fold.Compile(p, &p.Groups[0])
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newEvent(t testing.TB, body string) *event.Event {
	t.Helper()
	v, err := expr.ParseJSON([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return &event.Event{ID: "e-1", OwnID: true, Type: "E", EntityID: "entity", ForkID: "main", TS: 1700000000123, Payload: v}
}

// evaluateOne returns the only write of an event.
func evaluateOne(t *testing.T, p *ir.Program, body string) *fold.Write {
	t.Helper()
	effect, err := compile(t, p).Evaluate(newEvent(t, body))
	if err != nil {
		t.Fatal(err)
	}
	if len(effect.Writes) != 1 {
		t.Fatalf("%d writes, want 1", len(effect.Writes))
	}
	return &effect.Writes[0]
}

func wantEventError(t *testing.T, p *ir.Program, body, column string, code expr.Code) {
	t.Helper()
	_, err := compile(t, p).Evaluate(newEvent(t, body))
	var failed *fold.EventError
	var cause *expr.EvalError
	if !errors.As(err, &failed) || !errors.As(err, &cause) {
		t.Fatalf("%s: error %v, want an EventError around an EvalError", body, err)
	}
	if failed.Projection != "p" || failed.Column != column || cause.Code != code {
		t.Errorf("%s: projection %q, column %q, code %s; want p, %q, %s", body, failed.Projection, failed.Column, cause.Code, column, code)
	}
}
