package main

import (
	"testing"

	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
)

// TestWorkloads holds the specs to the events: each compiles, and every group does something with an event, and fails on
// a poisoned one where it divides.
func TestWorkloads(t *testing.T) {
	for name, w := range workloads {
		p, err := compile(t.Context(), w)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range p.Groups {
			g, err := fold.Compile(p, &p.Groups[i])
			if err != nil {
				t.Fatal(err)
			}
			if effect, err := g.Evaluate(decode(t, load{}, 99)); err != nil || len(effect.Writes) != 1 {
				t.Errorf("%s: %d writes, %v", name, len(effect.Writes), err)
			}
			_, err = g.Evaluate(decode(t, load{PoisonParts: true}, 99))
			if divides := w.bare == nil; divides != (err != nil) {
				t.Errorf("%s: a poisoned event gives the error %v", name, err)
			}
		}
	}
}

// TestLoad: every hundredth event is poisoned, and tickets come around only where there are few.
func TestLoad(t *testing.T) {
	seen := map[int]bool{}
	for i := range 1000 {
		seen[load{}.ticket(i)] = true
		price := decode(t, load{PoisonPrice: true}, i).Payload.Field("price")
		if bad := expr.Order(price, expr.Int(0)) < 0; bad != (i%100 == 99) {
			t.Errorf("event %d has the price %s", i, price)
		}
		if n := (load{Keys: 7}).ticket(i); n < 0 || n >= 7 {
			t.Errorf("event %d is about ticket %d of 7", i, n)
		}
	}
	if len(seen) != 1000 {
		t.Errorf("1000 events are about %d tickets", len(seen))
	}
}

func decode(t *testing.T, l load, i int) *event.Event {
	t.Helper()
	ev, skipped, err := event.Decode([]byte(l.value(i)), event.Position{}, 0)
	if err != nil || ev == nil {
		t.Fatalf("event %d: %s, %v", i, skipped, err)
	}
	return ev
}
