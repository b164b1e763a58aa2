package types_test

import (
	"strings"
	"testing"
	"time"

	"github.com/causetc/causetc/analyzer/types"
)

// TestCycles checks that names and columns that depend on each other end as unknown.
func TestCycles(t *testing.T) {
	c := typed(t, `
state:
  show: { entity_key: id, fields: { list: array } }
events:
  SHOWN: { state: show, payload: { id: string, n: int } }
actions:
  DO:
    state: show
    core:
      rules:
        - name: loops
          then:
            - { op: filter, path: /_tmp/b, where: it.x, into: /_tmp/a }
            - { op: filter, path: /_tmp/a, where: it.x, into: /_tmp/b }
            - { op: for_each, for_each: one, as: two, then: [{ op: set, path: /list, value: two.x + item.y }] }
            - { op: for_each, for_each: two, as: one, then: [{ op: set, path: /list, value: one.x + item.y }] }
            - { op: for_each, for_each: item, then: [{ op: set, path: /list, value: "entity._tmp.a[0].b + 1" }] }
projections:
  shows:
    source_events: [SHOWN]
    target: { table: shows, primary_key: [id] }
    derive: { id: event.payload.id, a: derived.b + derived.n, b: derived.a + 1, n: event.payload.n }
`)
	for _, p := range c.info.Problems {
		t.Errorf("%s: %s", p.Site.Expr.Src.Value, p.Message)
	}
	if len(c.sites) < 10 {
		t.Errorf("only %d expressions", len(c.sites))
	}
}

// TestTakes checks which types fit which.
func TestTakes(t *testing.T) {
	c := typed(t, "events:\n  E: { state: s, payload: { string: string, uuid: uuid, int: int, number: number, boolean: boolean, date: date, array: array, object: object, any: any,\n"+
		"    ints: { type: array, item_type: int }, texts: { type: array, item_type: string } } }\n"+
		"projections:\n  p:\n    source_events: [E]\n    target: { table: t, primary_key: [string] }\n    derive: { string: event.string }\n")
	fields := c.info.Payload(c.sites[0].Sources[0]).Fields
	for name, takes := range map[string]string{
		"string":  "string uuid date any",
		"uuid":    "string uuid any",
		"int":     "int number date any",
		"number":  "int number date any",
		"boolean": "boolean any",
		"date":    "date string int number any",
		"array":   "array ints texts any",
		"ints":    "array ints any",
		"texts":   "array texts any",
		"object":  "object any",
		"any":     "string uuid int number boolean date array object any ints texts",
	} {
		for other, have := range fields {
			want := strings.Contains(" "+takes+" ", " "+other+" ")
			if got := fields[name].Takes(have); got != want {
				t.Errorf("%s takes %s: %t, want %t", name, other, got, want)
			}
		}
	}
}

// TestJoin checks that what is joined takes both sides, and that it does not matter which is first.
func TestJoin(t *testing.T) {
	c := check(t, []string{"event.payload.s"})
	fields := c.info.Payload(c.sites[0].Sources[0]).Fields
	for x, a := range fields {
		for y, b := range fields {
			joined := types.Join(a, b)
			if !joined.Takes(a) || !joined.Takes(b) {
				t.Errorf("%s, which %s and %s are joined to, does not take both", joined, x, y)
			}
			if other := types.Join(b, a); other.Kind != joined.Kind || other.Format != joined.Format || other.Word != joined.Word {
				t.Errorf("%s and %s are %s one way and %s the other", x, y, joined, other)
			}
		}
	}
}

// TestDeep checks that no part of a deep or long expression is typed again and again for the parts around it.
func TestDeep(t *testing.T) {
	texts := []string{
		"event.payload.b && " + strings.Repeat("1 == 1 && ", 80) + "event.payload.b",
		strings.Repeat("event.payload.i + ", 300) + "1",
		"event.payload.o" + strings.Repeat("['a']", 80),
		strings.Repeat("coalesce(event.payload.i, ", 80) + "1" + strings.Repeat(")", 80),
		strings.Repeat("map(event.payload.nums, ", 80) + "it" + strings.Repeat(")", 80),
		strings.Repeat("(event.payload.b ? 1 : ", 45) + "1" + strings.Repeat(")", 45),
	}
	start := time.Now()
	c := check(t, texts)
	for i := range c.sites {
		c.info.Results(c.sites[i].Expr)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %s", d)
	}
	read := map[string]bool{}
	for i := range c.sites {
		read[c.sites[i].Expr.Src.Value] = true
	}
	for _, text := range texts {
		if !read[text] {
			t.Errorf("could not be read: %.40s...", text)
		}
	}
}
