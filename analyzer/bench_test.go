package analyzer_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/parser"
)

// generate writes a program of n entities, each with an action whose values run through state, events and projections
// into keys, a query, and events that the next entity's projections read.
func generate(n int) string {
	var b strings.Builder
	section := func(name, format string) {
		b.WriteString(name + ":\n")
		for i := range n {
			b.WriteString(strings.NewReplacer("%M", fmt.Sprint((i+1)%n), "%N", fmt.Sprint(i)).Replace(format))
		}
	}
	section("state", `  shop%N:
    entity_key: shop_id
    fields:
      - { name: title, type: string, default: "" }
      - { name: visible/balance, type: integer, default: 0 }
      - { name: items, type: array, item_type: object, default: [] }
`)
	section("events", `  OPENED_%N: { state: shop%N, entity_expr: event.shop_id, payload: { shop_id: string, title: string, balance: integer } }
  SOLD_%N: { state: shop%N, entity_expr: event.shop_id, payload: { shop_id: string, sale: string, price: integer } }
`)
	section("actions", `  SELL_%N:
    state: shop%N
    entity_id_expr: intent.shop_id
    input: { shop_id: { type: string, required: true }, seat: { type: string, required: true }, price: integer }
    preflight:
      rules:
        - name: positive
          when: "intent.price <= 0 && entity.title != ''"
          then: [{ op: reject, code: NOT_POSITIVE, message: "price must be positive" }]
    core:
      rules:
        - name: sell
          then:
            - { op: set, path: /title, value: "concat('shop_', intent.shop_id)" }
            - { op: add, path: /visible/balance, value: intent.price }
            - { op: push, path: /items, value: { seat: intent.seat, price: intent.price } }
            - { op: emit, event_type: OPENED_%N, payload: { shop_id: intent.shop_id, title: entity.title, balance: entity.visible.balance } }
            - op: emit
              event_type: SOLD_%N
              payload:
                shop_id: intent.shop_id
                sale: "concat('sale_', intent.shop_id, '_', intent.seat)"
                price: intent.price
    side_effects:
      rules:
        - name: tell
          then:
            - { op: submit, action: SELL_%M, entity_id: intent.shop_id, payload: { shop_id: intent.shop_id, seat: intent.seat, price: 1 } }
`)
	section("projections", `  sales_%N:
    source_events: [SOLD_%N, SOLD_%M, OPENED_%N]
    target: { table: sales_%N, primary_key: [sale] }
    fields: { sale: TEXT, shop_id: TEXT, price: BIGINT, at: BIGINT }
    derive:
      sale: "coalesce(event.payload.sale, event.payload.shop_id)"
      shop_id: event.payload.shop_id
      price: event.payload.price
      at: event.ts
    mutations: { SOLD_%N: { op: upsert }, SOLD_%M: { op: upsert }, OPENED_%N: { op: upsert } }
    indexes: [{ columns: [shop_id] }]
`)
	section("queries", `  sales_of_%N:
    from: sales_%N
    input: { shop_id: { type: string, required: true } }
    fields: [sales_%N.sale, sales_%N.price]
    where: { shop_id: { eq: input.shop_id } }
    order_by: { at: desc }
`)
	return b.String()
}

// BenchmarkRun measures the analysis alone. Time by line must stay the same as programs grow.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		text := generate(n)
		r := load(b, text)
		lines := strings.Count(text, "\n")
		b.Run(fmt.Sprintf("lines=%d", lines), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run(b, r, analyzer.Options{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(lines), "ns/line")
		})
	}
}

// BenchmarkRandom measures a program in which every action makes ids by a function that is not allowed.
func BenchmarkRandom(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		text := strings.ReplaceAll(generate(n), "'sale_'", "uuid()")
		r := load(b, text)
		lines := strings.Count(text, "\n")
		b.Run(fmt.Sprintf("lines=%d", lines), func(b *testing.B) {
			for b.Loop() {
				run(b, r, analyzer.Options{PerRule: -1})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(lines), "ns/line")
		})
	}
}

// BenchmarkLint measures reading and judging a program, in the time that yaml.v3 needs to parse the same text.
func BenchmarkLint(b *testing.B) {
	text := generate(300)
	const rounds = 5
	start := time.Now()
	for range rounds {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(text), &n); err != nil {
			b.Fatal(err)
		}
	}
	bare := time.Since(start) / rounds
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r, err := parser.Load(context.Background(), parser.Options{Args: []string{"-"}, Stdin: strings.NewReader(text)})
		if err != nil {
			b.Fatal(err)
		}
		run(b, r, analyzer.Options{})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(bare.Nanoseconds()), "x-yaml")
}

// TestGenerated checks that the generated program has no findings, so that the benchmarks measure what they say, and that
// the one with forbidden ids has one for each of them.
func TestGenerated(t *testing.T) {
	r := load(t, generate(5))
	if found := run(t, r, analyzer.Options{}); len(found) > 0 {
		t.Errorf("findings:\n%s", printed(r, found))
	}
	r = load(t, strings.ReplaceAll(generate(5), "'sale_'", "uuid()"))
	found := run(t, r, analyzer.Options{})
	if len(found) != 5 {
		t.Errorf("want 5 findings:\n%s", printed(r, found))
	}
	for _, d := range found {
		if d.Rule != "CS501" {
			t.Errorf("a finding of %s", d.Rule)
		}
	}
}
