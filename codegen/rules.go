package codegen

import "github.com/causetc/causetc/spec"

// The rules of code generation. All are errors: what they find can't be compiled.
const (
	ruleIncomplete = "CS901"
	ruleExpression = "CS902"
	ruleKey        = "CS903"
	ruleType       = "CS904"
	ruleRole       = "CS905"
	ruleOp         = "CS906"
	ruleCycle      = "CS907"
	ruleDedup      = "CS908"
	ruleQuery      = "CS909"
	ruleLayout     = "CS910"
	ruleName       = "CS911"
	ruleInternal   = "CS999"
)

// Rules returns the documentation of the rules of code generation, by id.
func Rules() []spec.RuleDoc {
	return []spec.RuleDoc{
		docIncomplete,
		docExpression,
		docKey,
		docType,
		docRole,
		docOp,
		docCycle,
		docDedup,
		docQuery,
		docLayout,
		docName,
		docInternal,
	}
}

const since = "0.1.0"

// exampleBase declares what the examples refer to.
const exampleBase = `events:
  OPENED: { state: account, entity_expr: event.id, payload: { id: string, owner: string, amount: int } }
  CLOSED: { state: account, entity_expr: event.id, payload: { id: string } }
state:
  account: { entity_key: id, fields: { owner: string } }
`

var docIncomplete = spec.RuleDoc{
	ID: ruleIncomplete, Name: "incomplete-projection", Severity: spec.Error, Since: since,
	Title: "A projection lacks what it needs to write a row",
	Why:   "A projection needs source events, a table with a primary key, and mutations or aggregates: with neither, its events would do nothing.",
	Bad: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id] }
    derive: { id: event.payload.id }
`,
	Good: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id] }
    derive: { id: event.payload.id }
    mutations:
      OPENED: { op: upsert }
`,
	Fix: "Add what the message names; an event that is to write its derived columns needs `op: upsert`.",
}

var docExpression = spec.RuleDoc{
	ID: ruleExpression, Name: "expression-not-compilable", Severity: spec.Error, Since: since,
	Title: "An expression has no meaning where it stands",
	Why:   "A projection's row is a function of its events alone. An expression there reads the event, constants and other derived columns, and calls known functions.",
	Bad: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id] }
    derive: { id: event.payload.id, owner: entity.owner }
    mutations:
      OPENED: { op: upsert }
`,
	Good: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id] }
    derive: { id: event.payload.id, owner: event.payload.owner }
    mutations:
      OPENED: { op: upsert }
`,
	Fix: "Put what the row needs into the event's payload, and read it from there.",
}

var docKey = spec.RuleDoc{
	ID: ruleKey, Name: "key-without-value", Severity: spec.Error, Since: since,
	Title: "A column of the primary key gets no value, or a table has two keys",
	Why:   "Every event names the row that it writes by the primary key. All projections of one table must agree on that key.",
	Bad: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id, owner] }
    derive: { id: event.payload.id }
    mutations:
      OPENED: { op: upsert }
`,
	Good: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id, owner] }
    derive: { id: event.payload.id, owner: event.payload.owner }
    mutations:
      OPENED: { op: upsert }
`,
	Fix: "Derive the column, or set it in each mutation.",
}

var docType = spec.RuleDoc{
	ID: ruleType, Name: "column-type", Severity: spec.Error, Since: since,
	Title: "The type of a column is unknown, unusable or contradicted",
	Why:   "A table's DDL is the union of what its projections declare. One column can't have two types, an aggregate needs a number, and a key needs a type that can be compared.",
	Bad: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id] }
    fields: { id: TEXT, total: TEXT }
    derive: { id: event.payload.id }
    aggregates:
      OPENED:
        total: { op: add, by: event.payload.amount }
`,
	Good: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id] }
    fields: { id: TEXT, total: BIGINT }
    derive: { id: event.payload.id }
    aggregates:
      OPENED:
        total: { op: add, by: event.payload.amount }
`,
	Fix: "Declare one fitting type for the column in `fields`.",
}

var docRole = spec.RuleDoc{
	ID: ruleRole, Name: "column-written-both-ways", Severity: spec.Error, Since: since,
	Title: "A column is both an aggregate and a plain value",
	Why:   "A plain column keeps the last value, an aggregate adds up. Written both ways, its value would depend on the order in which events arrive.",
	Bad: exampleBase + `projections:
  accounts:
    source_events: [OPENED, CLOSED]
    target: { table: accounts, primary_key: [id] }
    fields: { id: TEXT, total: BIGINT }
    derive: { id: event.payload.id }
    mutations:
      CLOSED: { op: upsert, set: { total: 0 } }
    aggregates:
      OPENED:
        total: { op: add, by: event.payload.amount }
`,
	Good: exampleBase + `projections:
  accounts:
    source_events: [OPENED, CLOSED]
    target: { table: accounts, primary_key: [id] }
    fields: { id: TEXT, total: BIGINT }
    derive: { id: event.payload.id }
    aggregates:
      OPENED:
        total: { op: add, by: event.payload.amount }
      CLOSED:
        total: { op: set, by: 0 }
`,
	Fix: "Use an aggregate with `op: set`, or another column.",
}

var docOp = spec.RuleDoc{
	ID: ruleOp, Name: "operation-not-possible", Severity: spec.Error, Since: since,
	Title: "An operation can't do what is asked of it",
	Why:   "A delete leaves no row for an aggregate, soft_delete needs the column deleted_at, bulk_update writes the rows that match `where` and needs `set`.",
	Bad: exampleBase + `projections:
  accounts:
    source_events: [OPENED, CLOSED]
    target: { table: accounts, primary_key: [id] }
    derive: { id: event.payload.id }
    mutations:
      OPENED: { op: upsert }
      CLOSED: { op: soft_delete }
`,
	Good: exampleBase + `projections:
  accounts:
    source_events: [OPENED, CLOSED]
    target: { table: accounts, primary_key: [id] }
    fields: { id: TEXT, deleted_at: TIMESTAMPTZ }
    derive: { id: event.payload.id }
    mutations:
      OPENED: { op: upsert }
      CLOSED: { op: soft_delete }
`,
	Fix: "See the message: it names the part that is missing or that can't stand there.",
}

var docCycle = spec.RuleDoc{
	ID: ruleCycle, Name: "derived-from-itself", Severity: spec.Error, Since: since,
	Title: "A column is derived from itself",
	Why:   "Derived columns may use each other through `derived.NAME`, in any order of the text, but not in a circle.",
	Bad: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id] }
    derive:
      id: event.payload.id
      a: derived.b + 1
      b: derived.a + 1
    mutations:
      OPENED: { op: upsert }
`,
	Good: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id] }
    derive:
      id: event.payload.id
      a: derived.b + 1
      b: event.payload.amount + 1
    mutations:
      OPENED: { op: upsert }
`,
	Fix: "Derive one of them from the event.",
}

var docDedup = spec.RuleDoc{
	ID: ruleDedup, Name: "dedup-link", Severity: spec.Error, Since: since,
	Title: "A deduplication link leads nowhere",
	Why:   "`dedup: NAME` counts an event only if the projection NAME newly inserted a row for it. That needs a projection that inserts a row for every event that is counted.",
	Bad: exampleBase + `projections:
  applied:
    source_events: [OPENED]
    target: { table: applied, primary_key: [event_id] }
    derive: { event_id: event.event_id }
    mutations:
      OPENED: { op: upsert }
  totals:
    source_events: [OPENED, CLOSED]
    target: { table: totals, primary_key: [id] }
    dedup: applied
    derive: { id: event.payload.id }
    aggregates:
      OPENED: { changes: { op: add } }
      CLOSED: { changes: { op: add } }
`,
	Good: exampleBase + `projections:
  applied:
    source_events: [OPENED, CLOSED]
    target: { table: applied, primary_key: [event_id] }
    derive: { event_id: event.event_id }
    mutations:
      OPENED: { op: upsert }
      CLOSED: { op: upsert }
  totals:
    source_events: [OPENED, CLOSED]
    target: { table: totals, primary_key: [id] }
    dedup: applied
    derive: { id: event.payload.id }
    aggregates:
      OPENED: { changes: { op: add } }
      CLOSED: { changes: { op: add } }
`,
	Fix: "List the event in the deduplication projection, with an upsert.",
}

var docQuery = spec.RuleDoc{
	ID: ruleQuery, Name: "query-not-compilable", Severity: spec.Error, Since: since,
	Title: "A query can't be turned into SQL",
	Why:   "A query reads the tables of its projections: every column, join and input must be there, and grouping, ordering and limits must make sense together.",
	Bad: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id] }
    derive: { id: event.payload.id, owner: event.payload.owner }
    mutations:
      OPENED: { op: upsert }
queries:
  by_owner:
    from: accounts
    fields: [accounts.id, accounts.ovner]
`,
	Good: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id] }
    derive: { id: event.payload.id, owner: event.payload.owner }
    mutations:
      OPENED: { op: upsert }
queries:
  by_owner:
    from: accounts
    fields: [accounts.id, accounts.owner]
`,
	Fix: "Correct the part that the message names.",
}

var docLayout = spec.RuleDoc{
	ID: ruleLayout, Name: "table-layout", Severity: spec.Error, Since: since,
	Title: "An index, a bucket or a partition does not fit its table",
	Why:   "Indexes are over columns of the table. Postgres wants the column of a partition in the primary key and in every unique index. A bucket is the start of the interval that holds a moment.",
	Bad: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id] }
    derive: { id: event.payload.id, opened_at: event.ts }
    mutations:
      OPENED: { op: upsert }
    partition: { field: opened_at, interval: 1 month }
`,
	Good: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: accounts, primary_key: [id, opened_at] }
    derive: { id: event.payload.id, opened_at: event.ts }
    mutations:
      OPENED: { op: upsert }
    partition: { field: opened_at, interval: 1 month }
`,
	Fix: "Correct the part that the message names.",
}

var docName = spec.RuleDoc{
	ID: ruleName, Name: "name-not-usable", Severity: spec.Error, Since: since,
	Title: "A name can't be that of a table, column or query",
	Why:   "Postgres cuts names off after 63 bytes, so that two long ones could become one. A dot separates a table from its column. A name stands for one thing.",
	Bad: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: bank.accounts, primary_key: [id] }
    derive: { id: event.payload.id }
    mutations:
      OPENED: { op: upsert }
`,
	Good: exampleBase + `projections:
  accounts:
    source_events: [OPENED]
    target: { table: bank_accounts, primary_key: [id] }
    derive: { id: event.payload.id }
    mutations:
      OPENED: { op: upsert }
`,
	Fix: "Choose a shorter name without dots.",
}

var docInternal = spec.RuleDoc{
	ID: ruleInternal, Name: "internal-error", Severity: spec.Error, Since: since,
	Title: "The compiled program is not well-formed",
	Why:   "The compiler checks its own result before anyone runs it. This finding is a bug of causetc, not of the spec.",
	Fix:   "Please report it, with the spec if you can share it.",
}
