package projections

import "github.com/causetc/causetc/spec"

// seats is the part that the examples share.
const seats = `events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string, seat: string, price: integer } }
  SEAT_FREED: { state: show, entity_expr: event.show_id, payload: { show_id: string, seat: string } }
state:
  show: { entity_key: show_id, fields: { title: string } }
projections:
  seats:
    source_events: [SEAT_TAKEN, SEAT_FREED]
    target: { table: seats, primary_key: [show_id, seat] }
`

var docNoWrites = spec.RuleDoc{
	ID: "CS401", Name: "projection-without-writes", Severity: spec.Error, Since: "0.1.0",
	Title: "A projection has neither mutations nor aggregates",
	Why:   "derive only says how columns get their values. What an event does to a row is said by mutations and aggregates; without any, the table stays empty.",
	Bad: seats + `    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
`,
	Good: seats + `    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
      SEAT_FREED: { op: upsert }
`,
	Fix: "Name what each event does: mutations: { EVENT: { op: upsert } }.",
}

var docKeyNotSet = spec.RuleDoc{
	ID: "CS402", Name: "key-without-value", Severity: spec.Error, Since: "0.1.0",
	Title: "A column of the primary key has no value for some event",
	Why:   "The key says which row an event writes. Every column of it must be derived, or be set by each mutation.",
	Bad: seats + `    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id }
    mutations:
      SEAT_TAKEN: { op: upsert }
      SEAT_FREED: { op: upsert }
`,
	Good: seats + `    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
      SEAT_FREED: { op: upsert }
`,
	Fix: "Add the column to derive, or to set of every mutation.",
}

var docSoftDelete = spec.RuleDoc{
	ID: "CS403", Name: "soft-delete-without-column", Severity: spec.Error, Since: "0.1.0",
	Title: "A soft delete has no column deleted_at to write",
	Why:   "soft_delete keeps the row and stores the time of the event in deleted_at. Without that column it has nothing to do.",
	Bad: seats + `    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
      SEAT_FREED: { op: soft_delete }
`,
	Good: seats + `    fields: { show_id: TEXT, seat: TEXT, deleted_at: BIGINT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
      SEAT_FREED: { op: soft_delete }
`,
	Fix: "Declare deleted_at among the fields: BIGINT for milliseconds, or TIMESTAMPTZ.",
}

var docDeleteCounts = spec.RuleDoc{
	ID: "CS404", Name: "aggregate-beside-delete", Severity: spec.Error, Since: "0.1.0",
	Title: "An event deletes a row and adds to it",
	Why:   "The row is gone, and the sum with it.",
	Bad: seats + `    fields: { show_id: TEXT, seat: TEXT, freed: BIGINT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: update }
      SEAT_FREED: { op: delete }
    aggregates:
      SEAT_FREED:
        freed: { op: set, by: 1 }
`,
	Good: seats + `    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: update }
      SEAT_FREED: { op: delete }
`,
	Fix: "Leave one of the two out, or count in a projection with another key.",
}

var docWrittenTwice = spec.RuleDoc{
	ID: "CS405", Name: "column-written-two-ways", Severity: spec.Error, Since: "0.1.0",
	Title: "A column is both a plain value and an aggregate",
	Why:   "A derived value overwrites the sum, and the next add starts from that value. A column of a table is written in one way only.",
	Bad: seats + `    fields: { show_id: TEXT, seat: TEXT, price: BIGINT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, price: event.payload.price }
    aggregates:
      SEAT_TAKEN:
        price: { op: set, by: event.payload.price }
`,
	Good: seats + `    fields: { show_id: TEXT, seat: TEXT, price: BIGINT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    aggregates:
      SEAT_TAKEN:
        price: { op: set, by: event.payload.price }
`,
	Fix: "Give the value and the aggregate a column each.",
}

var docTableConflict = spec.RuleDoc{
	ID: "CS406", Name: "table-conflict", Severity: spec.Error, Since: "0.1.0",
	Title: "Two projections of one table disagree on its key or on the type of a column",
	Why:   "Several projections may write one table, each with some of its columns, but the table has one key and every column one type.",
	Bad: seats + `    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
      SEAT_FREED: { op: upsert }
  prices:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: BIGINT, price: BIGINT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, price: event.payload.price }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Good: seats + `    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
      SEAT_FREED: { op: upsert }
  prices:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT, price: BIGINT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, price: event.payload.price }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Fix: "Use the same key and types in both, or write two tables.",
}

var docNotSourced = spec.RuleDoc{
	ID: "CS407", Name: "handler-without-source", Severity: spec.Warning, Since: "0.1.0",
	Title: "A projection says what an event does that is not among its source_events",
	Why:   "Only the events in source_events reach a projection. A mutation or aggregate for another one never happens.",
	Bad: seats + `    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
      SEAT_SOLD: { op: upsert }
`,
	Good: seats + `    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
      SEAT_FREED: { op: upsert }
`,
	Fix: "Add the event to source_events, or correct its name.",
}

var docPartitionKey = spec.RuleDoc{
	ID: "CS408", Name: "partition-outside-key", Severity: spec.Error, Since: "0.1.0",
	Title: "The partition field is not in the primary key, or not in a unique index",
	Why:   "Postgres enforces uniqueness within a partition only, so the field that chooses the partition must be part of every unique key.",
	Bad: seats + `    fields: { show_id: TEXT, seat: TEXT, taken_at: TIMESTAMPTZ }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, taken_at: event.ts }
    mutations:
      SEAT_TAKEN: { op: upsert }
    partition: { field: taken_at, interval: 1 month }
`,
	Good: seats + `    fields: { show_id: TEXT, seat: TEXT, taken_at: TIMESTAMPTZ }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, taken_at: event.ts }
    mutations:
      SEAT_TAKEN: { op: upsert }
    partition: { strategy: list, field: show_id }
`,
	Fix: "Add the field to primary_key (and to the unique indexes), or partition by a column that is there.",
}
