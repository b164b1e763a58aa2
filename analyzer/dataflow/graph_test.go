package dataflow_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer/dataflow"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/parser"
)

func build(t *testing.T, text string) *dataflow.Graph {
	t.Helper()
	r, err := parser.Load(context.Background(), parser.Options{Args: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	table := symbols.New(r.Program)
	return dataflow.Build(r.Program, table, sites.List(r.Program, table))
}

// action wraps ops into a program with one action on one state, two events and a decision.
func action(ops ...string) string {
	return `state:
  shop: { entity_key: shop_id, fields: { title: string, list: array, map: object } }
events:
  E: { state: shop, entity_expr: event.shop_id, payload: { shop_id: string, x: string, m: object } }
  F: { state: shop, payload: { y: string } }
  D: { state: shop, entity_expr: event.shop_id, payload: { shop_id: string, ask: string, say: string } }
decisions:
  judge: { executor: mock, model: m, prompt: ask, emits: D, input: { shop_id: string, ask: string }, output: { say: string } }
prompts: { ask: hello }
actions:
  B: { state: shop, entity_id_expr: intent.shop_id, input: { shop_id: string, z: string } }
  A:
    state: shop
    entity_id_expr: intent.shop_id
    input: { shop_id: string, a: string, m: object, rows: array }
    side_effects:
      rules:
        - name: r
          then:
            - ` + strings.Join(ops, "\n            - ") + `
listeners:
  - { on: E, mutate: [{ op: set, field: seen, value: event.payload.x }] }
sagas:
  s: { state: shop, state_path: _tmp/s, steps: [{ name: one, on: E, set: { last: event.payload.x } }] }
projections:
  p:
    source_events: [E, F]
    target: { table: p, primary_key: [k] }
    fields: { k: TEXT, c: TEXT, n: BIGINT }
    derive: { k: event.payload.x, c: "derived.k" }
    mutations: { E: { op: upsert, set: { n: event.payload.m.n } }, F: { op: update, set: { k: event.payload.y } } }
queries:
  q: { from: p, fields: [p.c], where: { k: { eq: "a" } } }
`
}

// reached returns the places that values from a start come to, as text.
func reached(t *testing.T, text string, kind dataflow.RootKind, owner, path string) []string {
	t.Helper()
	var out []string
	for _, l := range build(t, text).Reach([]dataflow.Loc{{Root: dataflow.Root{Kind: kind, Owner: owner}, Path: path}}).Locs()[1:] {
		out = append(out, l.Describe())
	}
	return out
}

func TestEdges(t *testing.T) {
	input := func(path string) (dataflow.RootKind, string, string) { return dataflow.Input, "A", path }
	cases := []struct {
		name, path string
		ops        []string
		want       []string // all of these
		never      []string // none of these
	}{
		{"set", "a", []string{"{ op: set, path: /map, value: { in: { ner: intent.a }, other: intent.m } }"},
			[]string{"/map/in/ner of state shop"}, []string{"/map/other of state shop"}},
		{"emit to key, column and query", "a", []string{"{ op: emit, event_type: E, payload: { shop_id: intent.shop_id, x: intent.a } }"},
			[]string{"payload field x of E", "column k of projection p", "primary key column k of projection p", "column c of projection p", "column c of query q",
				"/seen of state shop", "/_tmp/s/last of state shop"},
			[]string{"payload field shop_id of E", "the entity id of event E", "column n of projection p"}},
		{"only the event of a set", "a", []string{"{ op: emit, event_type: F, payload: { y: intent.a } }"},
			[]string{"column k of projection p"}, []string{"/seen of state shop", "column n of projection p"}},
		{"entity of an event without entity_expr", "shop_id", []string{"{ op: emit, event_type: F, payload: { y: intent.a } }"},
			[]string{"the entity id of action A", "the entity id of event F"}, []string{"payload field y of F"}},
		{"nested payload", "m.n", []string{"{ op: emit, event_type: E, payload: { m: intent.m } }"},
			[]string{"payload field m.n of E", "column n of projection p"}, []string{"column k of projection p"}},
		{"a neighbour in a map", "m.o", []string{"{ op: emit, event_type: E, payload: { m: intent.m } }"},
			[]string{"payload field m.o of E"}, []string{"column n of projection p"}},
		{"computed from all of a map", "m.o", []string{`{ op: emit, event_type: E, payload: { x: "hash(intent.m)" } }`},
			[]string{"payload field x of E"}, nil},
		{"an index that is computed", "a", []string{`{ op: emit, event_type: E, payload: { x: "intent.m[intent.a]" } }`},
			[]string{"payload field x of E"}, nil},
		{"submit", "a", []string{"{ op: submit, action: B, entity_id: intent.a, payload: { shop_id: intent.a, z: intent.shop_id } }"},
			[]string{"the target entity of submit of B", "input shop_id of B", "the entity id of action B"}, []string{"input z of B"}},
		{"decision", "a", []string{"{ op: decision, ref: judge, input: { shop_id: intent.shop_id, ask: intent.a } }"},
			[]string{"input ask of decision judge", "payload field ask of D", "output say of decision judge", "payload field say of D"},
			[]string{"payload field shop_id of D", "the entity id of event D"}},
		{"result of a decision", "a", []string{"{ op: decision, ref: judge, input: { ask: intent.a } }", "{ op: emit, event_type: E, payload: { x: entity.decisions.judge.output.say } }"},
			[]string{"payload field x of E"}, nil},
		{"for_each", "rows.*.id", []string{"{ op: for_each, for_each: intent.rows, as: row, then: [{ op: emit, event_type: E, payload: { x: row.id, shop_id: row.name } }] }"},
			[]string{"payload field x of E"}, []string{"payload field shop_id of E"}},
		{"item", "rows.*.id", []string{"{ op: emit_each, from: intent.rows, event_type: E, payload: { x: item.id, shop_id: item.name } }"},
			[]string{"payload field x of E"}, []string{"payload field shop_id of E"}},
		{"push and find", "a", []string{"{ op: push, path: /list, value: { id: intent.a, n: 1 } }", `{ op: find, path: /list, where: "it.n == 1", into: hit }`,
			"{ op: emit, event_type: E, payload: { x: hit.id, shop_id: hit.n } }"},
			[]string{"/list/*/id of state shop", "payload field x of E"}, []string{"payload field shop_id of E"}},
		{"map", "a", []string{`{ op: map, path: /list, by: "concat(it.n, intent.a)", into: names }`, `{ op: emit, event_type: E, payload: { x: "join(names, ',')" } }`},
			[]string{"payload field x of E"}, nil},
		{"lookup", "a", []string{"{ op: set, path: /title, value: intent.a }", "{ op: lookup, into: other, stream: shop_stream, entity_id_expr: intent.shop_id }",
			"{ op: emit, event_type: E, payload: { x: other.title, shop_id: other.code } }"},
			[]string{"payload field x of E"}, []string{"payload field shop_id of E"}},
		{"lookup()", "a", []string{"{ op: set, path: /title, value: intent.a }", `{ op: emit, event_type: E, payload: { x: "lookup(shop, intent.shop_id).title" } }`},
			[]string{"payload field x of E"}, nil},
		{"conditions end it", "a", []string{"{ op: if, expr: \"intent.a == 'x'\", then: [{ op: emit, event_type: E, payload: { x: 'c' } }] }"},
			[]string{"a condition"}, []string{"payload field x of E"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			kind, owner, path := input(c.path)
			got := reached(t, action(c.ops...), kind, owner, path)
			for _, w := range c.want {
				if !slices.Contains(got, w) {
					t.Errorf("%q is not reached, only %q", w, got)
				}
			}
			for _, n := range c.never {
				if slices.Contains(got, n) {
					t.Errorf("%q is reached", n)
				}
			}
		})
	}
}

// TestReachIsBounded stores parts of a state inside each other in many ways: without a bound, the places would multiply
// at every step.
func TestReachIsBounded(t *testing.T) {
	var ops []string
	for i := range 40 {
		ops = append(ops, fmt.Sprintf("{ op: set, path: /x/f%d, value: entity.y }", i), fmt.Sprintf("{ op: set, path: /y/g%d, value: entity.x }", i),
			fmt.Sprintf("{ op: lookup, into: /_tmp/l%d, stream: shop, entity_id_expr: intent.shop_id }", i))
	}
	ops = append(ops, "{ op: set, path: /x, value: intent.a }")
	g := build(t, action(ops...))
	locs := g.Reach([]dataflow.Loc{{Root: dataflow.Root{Kind: dataflow.Input, Owner: "A"}, Path: "a"}}).Locs()
	if most := 2000 + 8*g.Edges(); len(locs) > most {
		t.Errorf("%d places from %d edges, want at most %d", len(locs), g.Edges(), most)
	}
}

func TestShortestWay(t *testing.T) {
	g := build(t, action("{ op: set, path: /one, value: intent.a }", "{ op: set, path: /two, value: entity.one }",
		"{ op: emit, event_type: E, payload: { x: entity.two } }", "{ op: emit, event_type: E, payload: { x: entity.one } }"))
	start := dataflow.Loc{Root: dataflow.Root{Kind: dataflow.Input, Owner: "A"}, Path: "a"}
	routes := g.Reach([]dataflow.Loc{start}).Routes(func(l dataflow.Loc) bool { return l.Root.Kind == dataflow.Key })
	hops, ok := routes.From(start)
	if !ok {
		t.Fatal("there is no way to the key")
	}
	var told []string
	for _, r := range dataflow.Flow(hops) {
		if !r.Span.IsValid() {
			t.Errorf("%q has no place", r.Message)
		}
		told = append(told, r.Message)
	}
	want := []string{"is stored in /one of state shop", "is emitted as payload field x of E", "fills column k of projection p",
		"column k is in the primary key of projection p"}
	if !slices.Equal(told, want) {
		t.Errorf("got %q, want %q", told, want)
	}
}
