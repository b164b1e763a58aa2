package parser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// generated writes a program of n parts and returns its folder and the texts of its files.
func generated(tb testing.TB, n int) (dir string, texts [][]byte) {
	tb.Helper()
	dir = tb.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
		texts = append(texts, []byte(text))
	}
	write("app.causet", "dsl_version: 1\napp: generated\nincludes:\n  states: ./part*.causet\n")
	for i := range n {
		write(fmt.Sprintf("part%04d.causet", i), strings.ReplaceAll(programPart, "NN", fmt.Sprint(i)))
	}
	return dir, texts
}

// programPart is one part of a generated program, with a bit of everything that programs hold much of.
const programPart = `# One part of a generated program.
state:
  order_NN:
    entity_key: order_id
    fields:
      - name: status
        type: string
        default: "open"   # open -> paid
      - name: visible/total
        type: int
        default: 0
events:
  ORDER_NN_PAID:
    state: order_NN
    entity_expr: event.order_id
    payload: { order_id: string, total: integer, note: string? }
actions:
  PAY_ORDER_NN:
    state: order_NN
    entity_id_expr: intent.order_id
    description: Pays an order of kind NN
    input:
      order_id: { type: string, required: true }
      total: { type: integer, required: true }
    preflight:
      rules:
        - name: positive
          when:
            expr: 'event.total <= 0 || entity.status == "paid"'
          then:
            - op: reject
              code: INVALID_NN
              message: "total must be positive"
    core:
      rules:
        - name: pay
          then:
            - op: set
              path: /status
              value: "paid"
            - op: add
              path: /visible/total
              value: event.total
            - op: emit
              event_type: ORDER_NN_PAID
              payload:
                order_id: concat('order_', intent.order_id, '_NN')
                total: entity.visible.total
                note: 'coalesce(intent.note, "none")'
projections:
  orders_NN:
    description: Orders by id
    source_events:
      - ORDER_NN_PAID
    target:
      table: orders_NN
      primary_key: [order_id]
    fields:
      order_id: TEXT
      total: BIGINT
      paid_at: TIMESTAMP
    derive:
      order_id: event.payload.order_id
      total: event.payload.total + NN
      paid_at: event.ts
    mutations:
      ORDER_NN_PAID: { op: upsert }
    indexes:
      - columns: [paid_at]
        direction: desc
queries:
  get_order_NN:
    from: orders_NN
    input:
      order_id: { type: string, required: true }
    fields:
      - orders_NN.order_id
      - orders_NN.total
    where:
      order_id: { eq: input.order_id }
    limit: 1
`

func BenchmarkLoad(b *testing.B) {
	dir, texts := generated(b, 400)
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		r, err := Load(context.Background(), Options{Args: []string{dir}})
		if err != nil || len(r.Diagnostics) > 0 {
			b.Fatal(err, r.Diagnostics[0])
		}
	}
}

// BenchmarkBareYAML is what yaml.v3 needs for the same files, without what authors write that it refuses.
func BenchmarkBareYAML(b *testing.B) {
	_, texts := generated(b, 400)
	size := 0
	for i := range texts {
		texts[i] = []byte(strings.ReplaceAll(string(texts[i]), "string?", "string_"))
		size += len(texts[i])
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			var n yaml.Node
			if err := yaml.Unmarshal(text, &n); err != nil {
				b.Fatal(err)
			}
		}
	}
}
