package codegen_test

import (
	"strings"
	"testing"

	"github.com/causetc/causetc/codegen"
)

// errorBase declares what the cases refer to; %s is what a case adds to the projection p.
const errorBase = `events:
  A: { state: s, entity_expr: event.id, payload: { id: string, n: int, text: string, big: boolean } }
  B: { state: s, entity_expr: event.id, payload: { id: string } }
state:
  s: { entity_key: id, fields: { x: string } }
projections:
  other:
    source_events: [A]
    target: { table: other_table, primary_key: [id] }
    fields: { id: TEXT, x: INT, deleted_at: BIGINT }
    derive: { id: event.id, x: 1 }
    mutations: { A: upsert }
`

const projection = `  p:
    source_events: [A, B]
    target: { table: t, primary_key: [id] }
`

// Every error points at the token at fault, and at nothing else.
func TestErrorsPointAtTheToken(t *testing.T) {
	for name, c := range map[string]struct{ text, rule, token, message string }{
		"unknown namespace": {projection + `    derive: { id: event.id, x: "entity.x" }
    mutations: { A: upsert }
`, "CS902", "entity", "can't be read in a projection"},
		"unknown function": {projection + `    derive: { id: event.id, x: 'concat("é", upperr(event.text))' }
    mutations: { A: upsert }
`, "CS902", "upperr", "there is no function"},
		"unknown derived": {projection + `    derive: { id: event.id, x: derived.nothing }
    mutations: { A: upsert }
`, "CS902", "nothing", "no column `nothing`"},
		"unknown resource": {projection + `    derive: { id: event.id, x: "resources.fees[event.text].y" }
    mutations: { A: upsert }
`, "CS902", "fees", "no resource"},
		"unknown stream": {projection + `    derive: { id: event.id, x: "lookup(wallet, event.id).y" }
    mutations: { A: upsert }
`, "CS902", "wallet", "no state or stream"},
		"in a condition": {projection + `    derive: { id: event.id }
    mutations: { A: { op: upsert, condition: "input.x > 1" } }
`, "CS902", "input", "known only to actions"},
		"in a nested map": {projection + `    derive: { id: event.id, x: { a: [1, "intent.x"] } }
    mutations: { A: upsert }
`, "CS902", "intent", "known only to actions"},
		"in an aggregate": {projection + `    derive: { id: event.id }
    aggregates: { A: { n: { op: add, by: "event.n * item.x" } } }
`, "CS902", "item", "no meaning"},
		"key twice": {strings.Replace(projection, "[id]", "[id, id]", 1) + `    derive: { id: event.id }
    mutations: { A: upsert }
`, "CS903", "id", "in the primary key twice"},
		"key without value": {projection + `    derive: { x: event.n }
    mutations: { A: { op: upsert, set: { id: event.id } } }
`, "CS903", "id", "gets no value from B"},
		"another key": {strings.Replace(projection, "table: t, primary_key: [id]", "table: other_table, primary_key: [x]", 1) + `    derive: { x: event.n }
    mutations: { A: upsert }
`, "CS903", "x", "(x) here, and (id) in the projection other"},
		"other type": {strings.Replace(projection, "table: t", "table: other_table", 1) + `    fields: { x: BIGINT }
    derive: { id: event.id }
    mutations: { A: upsert }
`, "CS904", "BIGINT", "is BIGINT here and INTEGER elsewhere"},
		"modifier": {projection + `    fields: { x: "NUMERIC(3,9)" }
    derive: { id: event.id }
    mutations: { A: upsert }
`, "CS904", `"NUMERIC(3,9)"`, "scale 9"},
		"JSON key": {projection + `    fields: { id: JSON }
    derive: { id: event.id }
    mutations: { A: upsert }
`, "CS904", "JSON", "declare it JSONB"},
		"values of two types": {projection + `    derive: { id: event.id, x: event.n }
    mutations: { A: upsert, B: { op: upsert, set: { x: true } } }
`, "CS904", "x", "values of different types"},
		"aggregate in the key": {projection + `    derive: { id: event.id }
    mutations: { B: upsert }
    aggregates: { A: { id: { op: add } } }
`, "CS905", "id", "an aggregate would change it"},
		"counted twice": {projection + `    derive: { id: event.id }
    mutations: { A: { op: increment, set: { n: 1 } } }
    aggregates: { A: { n: { op: add } } }
`, "CS905", "n", "counted twice at A"},
		"aggregate beside delete": {projection + `    derive: { id: event.id }
    mutations: { A: delete }
    aggregates: { A: { n: { op: add } } }
`, "CS906", "n", "beside a delete"},
		"increment of nothing": {projection + `    derive: { id: event.id }
    mutations: { A: increment }
`, "CS906", "increment", "increment needs set"},
		"bulk update of nothing": {projection + `    derive: { id: event.id }
    mutations: { A: bulk_update }
`, "CS906", "bulk_update", "bulk_update needs set"},
		"bulk update of the key": {projection + `    derive: { id: event.id }
    mutations: { A: { op: bulk_update, set: { id: event.id } } }
`, "CS906", "id", "can't write id"},
		"where of an upsert": {projection + `    derive: { id: event.id, x: 1 }
    mutations: { A: { op: upsert, where: { x: { eq: 1 } } } }
`, "CS906", "x", "where belongs to bulk_update"},
		"where of no column": {projection + `    derive: { id: event.id, x: 1 }
    mutations: { A: { op: bulk_update, set: { x: 1 }, where: { y: { eq: 1 } } } }
`, "CS906", "y", "has no column y"},
		"soft delete of another": {strings.Replace(projection, "table: t", "table: other_table", 1) + `    derive: { id: event.id }
    mutations: { A: { op: soft_delete, set: { x: 1 } } }
`, "CS906", "x", "nothing but deleted_at"},
		"cycle through set": {projection + `    derive: { id: event.id, x: "derived.y + 1" }
    mutations: { A: { op: upsert, set: { y: "derived.x + 1" } }, B: { op: upsert, set: { x: 1 } } }
`, "CS907", `"derived.y + 1"`, "derived from itself"},
		"dedup with nothing": {projection + `    dedup: nothing
    derive: { id: event.id }
    aggregates: { A: { n: { op: add } } }
`, "CS908", "nothing", "not a projection"},
		"dedup with itself": {projection + `    dedup: p
    derive: { id: event.id }
    aggregates: { A: { n: { op: add } } }
`, "CS908", "p", "names the projection itself"},
		"dedup that misses a counted event": {projection + `    dedup: seen
    derive: { id: event.id }
    aggregates: { A: { n: { op: add } } }
  seen:
    source_events: [B]
    target: { table: seen, primary_key: [id] }
    derive: { id: event.id }
    mutations: { B: upsert }
`, "CS908", "seen", "seen does not take A"},
		"bucket of a condition": {strings.Replace(projection, "[id]", "[id, bucket_start]", 1) + `    bucket: { field: big }
    derive: { id: event.id }
    mutations: { A: upsert }
`, "CS910", "big", "a moment, which is milliseconds or RFC 3339 text"},
		"bucket's length": {projection + `    bucket: { field: event.ts, interval: 1y }
    derive: { id: event.id }
    mutations: { A: upsert }
`, "CS910", "1y", "is not the length of a bucket"},
		"index of nothing": {projection + `    derive: { id: event.id }
    mutations: { A: upsert }
    indexes: [{ columns: [id, y] }]
`, "CS910", "y", "has no column y"},
		"length of a partition": {projection + `    derive: { id: event.id }
    mutations: { A: upsert }
    partition: { field: id, interval: a month }
`, "CS910", "a month", "not a length of time"},
		"long name": {projection + `    derive: { id: event.id, ` + strings.Repeat("x", 64) + `: 1 }
    mutations: { A: upsert }
`, "CS911", strings.Repeat("x", 64), "longer than 63 bytes"},
		"query of nothing": {`queries:
  q: { from: otter }
`, "CS909", "otter", "neither a projection nor a table"},
		"query's column": {`queries:
  q: { from: other, fields: [other.y] }
`, "CS909", "other.y", "no column other.y"},
		"query's input": {`queries:
  q: { from: other, where: { x: { eq: input.y } } }
`, "CS909", "y", "there is no input y"},
		"query's limit": {`queries:
  q: { from: other, limit: 0 }
`, "CS909", "0", "the limit is a whole number"},
		"query's join": {`queries:
  q: { from: other, joins: { other: { on: { id: id } } } }
`, "CS909", "other", "reads the table other_table already"},
		"query's grouping": {`queries:
  q: { from: other, fields: [id], aggregate: { n: count } }
`, "CS909", "q", "neither grouped nor an aggregate"},
		"query's zero": {`queries:
  q: { from: other, fields: [id], coalesce_zero: x }
`, "CS909", "x", "not in the result"},
	} {
		t.Run(name, func(t *testing.T) {
			prog := loadText(t, errorBase+c.text)
			out, diagnostics := codegen.Compile(prog, codegen.Options{})
			if out != nil || len(diagnostics) != 1 {
				t.Errorf("%d diagnostics, want one", len(diagnostics))
			}
			for _, d := range diagnostics {
				f := prog.Set.File(d.Span.Start)
				token := string(f.Text[f.Offset(d.Span.Start):f.Offset(d.Span.End)])
				if d.Rule != c.rule || token != c.token || !strings.Contains(d.Message, c.message) {
					t.Errorf("[%s] at %s: %s", d.Rule, token, d.Message)
				}
			}
		})
	}
}
