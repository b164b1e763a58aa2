package queries

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/spec"
)

// seats is the part that the examples share; sales are by show and seat.
const seats = `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_SOLD: { state: show, entity_expr: event.show_id, payload: { show_id: string, seat: string, cents: integer } }
projections:
  sales:
    source_events: [SEAT_SOLD]
    target: { table: sales, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT, cents: BIGINT, sold_at: TIMESTAMPTZ }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, cents: event.payload.cents, sold_at: event.ts }
    mutations:
      SEAT_SOLD: { op: upsert }
`

// joined is a program whose query joins some tables of that kind.
func joined(n int) string {
	var b strings.Builder
	b.WriteString(seats)
	for i := range n {
		fmt.Fprintf(&b, `  sales%d:
    source_events: [SEAT_SOLD]
    target: { table: sales%[1]d, primary_key: [show_id] }
    fields: { show_id: TEXT }
    derive: { show_id: event.payload.show_id }
    mutations:
      SEAT_SOLD: { op: upsert }
`, i+1)
	}
	b.WriteString("queries:\n  all_sales:\n    from: sales\n    fields: [sales.seat]\n    joins:\n")
	for i := range n {
		fmt.Fprintf(&b, "      sales%d: { on: { show_id: show_id } }\n", i+1)
	}
	return b.String()
}

var docJoins = spec.RuleDoc{
	ID: "CS430", Name: "too-many-joins", Severity: spec.Error, Since: "0.1.0",
	Title: "A query joins more than five projections",
	Why:   "Read tables are made for the questions that are asked of them. A projection can fold all the events that matter into one table.",
	Bad:   joined(6), Good: joined(5),
	Fix: "Let a projection hold what is needed together, and query that.",
}

var docGroup = spec.RuleDoc{
	ID: "CS431", Name: "grouping", Severity: spec.Error, Since: "0.1.0",
	Title: "A query groups without aggregates, or shows a column beside them that has many values in a group",
	Why:   "A group of rows becomes one row: of the columns of group_by, which are equal in it, and of aggregates. Postgres refuses everything else.",
	Bad:   seats + "queries:\n  by_show: { from: sales, fields: [show_id, seat], group_by: show_id, aggregate: { cents: { sum: cents } } }\n",
	Good:  seats + "queries:\n  by_show: { from: sales, fields: [show_id], group_by: show_id, aggregate: { cents: { sum: cents } } }\n",
	Fix:   "Add the column to group_by, aggregate it, or leave it out.",
}

var docFirst = spec.RuleDoc{
	ID: "CS432", Name: "first-without-order", Severity: spec.Error, Since: "0.1.0",
	Title: "first or last stands in a query without order_by",
	Why:   "Rows of a table have no order of their own, so the first would be any.",
	Bad:   seats + "queries:\n  last_seat: { from: sales, group_by: show_id, aggregate: { seat: { last: seat } } }\n",
	Good:  seats + "queries:\n  last_seat: { from: sales, group_by: show_id, aggregate: { seat: { last: seat } }, order_by: { sold_at: asc } }\n",
	Fix:   "Add order_by.",
}

var docWindow = spec.RuleDoc{
	ID: "CS433", Name: "window", Severity: spec.Error, Since: "0.1.0",
	Title: "gte_window and window do not go together",
	Why: "A condition with gte_window takes a window of time that the caller chooses among those that window allows. One without the other has no meaning; " +
		"windows that no condition uses are a warning.",
	Bad: seats + `queries:
  recent:
    from: sales
    input: { show_id: { type: string, required: true }, window: string }
    where: { show_id: { eq: input.show_id }, sold_at: { gte_window: input.window } }
`,
	Good: seats + `queries:
  recent:
    from: sales
    input: { show_id: { type: string, required: true }, window: string }
    where: { show_id: { eq: input.show_id }, sold_at: { gte_window: input.window } }
    window: { allowed: [1h, 24h] }
`,
	Fix: "Add window: { allowed: [...] }, or remove it.",
}

var docIndex = spec.RuleDoc{
	ID: "CS434", Name: "query-without-index", Severity: spec.Hint, Since: "0.1.0",
	Title: "No key and no index serves a query",
	Why:   "Postgres reads the whole table, and sorts it for an order with a limit. That is fine for small tables.",
	Bad:   seats + "queries:\n  cheap: { from: sales, input: { cents: integer }, where: { cents: { lte: input.cents } } }\n",
	Good: strings.Replace(seats, "    mutations:", "    indexes: [{ columns: [cents] }]\n    mutations:", 1) +
		"queries:\n  cheap: { from: sales, input: { cents: integer }, where: { cents: { lte: input.cents } } }\n",
	Fix: "Add an index to the projection that begins with the column.",
}

var docJoinOn = spec.RuleDoc{
	ID: "CS435", Name: "join-without-columns", Severity: spec.Error, Since: "0.1.0",
	Title: "A join does not say by which columns",
	Why:   "Without columns that must agree, a join would pair every row with every other; only a cross join does that on purpose. A cross join with columns is a warning.",
	Bad:   strings.Replace(joined(1), "{ on: { show_id: show_id } }", "{ type: inner }", 1),
	Good:  joined(1),
	Fix:   "Add on: { left_column: right_column }.",
}
