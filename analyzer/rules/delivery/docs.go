package delivery

import "github.com/causetc/causetc/spec"

// tickets is the part that the examples share.
const tickets = `events:
  TICKET_PURCHASED: { state: ticket, entity_expr: event.ticket_id, payload: { ticket_id: string, show_id: string } }
  TICKET_REFUNDED: { state: ticket, entity_expr: event.ticket_id, payload: { ticket_id: string, show_id: string } }
  SHOW_CANCELLED: { state: show, entity_expr: event.show_id, payload: { show_id: string } }
  SHOW_ANNOUNCED: { state: show, entity_expr: event.show_id, payload: { show_id: string } }
state:
  ticket: { entity_key: ticket_id, fields: { seat: string } }
  show: { entity_key: show_id, fields: { title: string } }
`

var docCounter = spec.RuleDoc{
	ID: "CS601", Name: "counter-without-dedup", Severity: spec.Warning, Since: "0.1.0",
	Title: "A projection counts events without a record of those that it counted",
	Why: "Delivery is at least once: after a crash or a rebalance events come again. An upsert writes the same row again, but an add adds " +
		"again. Only a table keyed by the event's id tells a duplicate from a new event. The hosted worker knows no `dedup`; there, count by " +
		"a query over the deduplication table. causetc reads `dedup` and applies an event only when its id is new.",
	Bad: tickets + `projections:
  sales:
    source_events: [TICKET_PURCHASED]
    target: { table: sales, primary_key: [show_id] }
    fields: { show_id: TEXT, sold: BIGINT }
    derive: { show_id: event.payload.show_id }
    aggregates:
      TICKET_PURCHASED:
        sold: { op: add, by: 1 }
`,
	Good: tickets + `projections:
  ticket_sale_dedup:
    source_events: [TICKET_PURCHASED]
    target: { table: ticket_sale_dedup, primary_key: [event_id] }
    fields: { event_id: TEXT, show_id: TEXT }
    derive: { event_id: event.event_id, show_id: event.payload.show_id }
    mutations:
      TICKET_PURCHASED: { op: upsert }
queries:
  sales:
    from: ticket_sale_dedup
    input: { show_id: { type: string, required: true } }
    where: { show_id: { eq: input.show_id } }
    group_by: [show_id]
    aggregate: { sold: count }
`,
	Fix: "Record event.event_id in a deduplication table and count its rows in a query. If causetc runs the projection, `dedup: true` keeps the ids for " +
		"you, and `dedup: NAME` uses a deduplication table of your own. Where a rare double count is acceptable, say so: # causetc:ignore CS601 -- why.",
}

var docDeleteOrder = spec.RuleDoc{
	ID: "CS602", Name: "delete-before-upsert", Severity: spec.Warning, Since: "0.1.0",
	Title: "A row that one event deletes can be written again by an earlier event that arrives later",
	Why: "Events of different entities lie in different partitions and arrive in any order; a redelivery comes late in any case. If the delete " +
		"is applied first, the upsert makes the row again and nothing removes it. Where both events provably belong to the entity that is the " +
		"key, only a late redelivery does that, and the finding is informational. A soft delete that comes first finds no row and is lost. causetc guards the order of deletes: there, only tables " +
		"whose other writes depend on the order are reported.",
	Bad: tickets + `projections:
  shows:
    source_events: [TICKET_PURCHASED, SHOW_CANCELLED]
    target: { table: shows, primary_key: [show_id] }
    fields: { show_id: TEXT }
    derive: { show_id: event.payload.show_id }
    mutations:
      TICKET_PURCHASED: { op: upsert }
      SHOW_CANCELLED: { op: delete }
`,
	Good: tickets + `projections:
  shows:
    source_events: [TICKET_PURCHASED, SHOW_CANCELLED]
    target: { table: shows, primary_key: [show_id] }
    fields: { show_id: TEXT, removed_at: BIGINT }
    derive: { show_id: event.payload.show_id }
    mutations:
      TICKET_PURCHASED: { op: upsert }
      SHOW_CANCELLED: { op: upsert, set: { removed_at: event.ts } }
`,
	Fix: "Let the deleting event upsert a column of its own, such as removed_at, and have queries leave such rows out: that is right in any order. " +
		"Or give both events the same entity_expr, so that they keep their order.",
}

var docDedupKey = spec.RuleDoc{
	ID: "CS603", Name: "dedup-key-not-identity", Severity: spec.Warning, Since: "0.1.0",
	Title: "The key of a deduplication table does not identify the event",
	Why: "event.entity_id is the same for all events of one entity. A deduplication table with such a key records the first event and takes every " +
		"further one for a duplicate, so it is not counted.",
	Bad: tickets + `projections:
  sale_dedup:
    source_events: [TICKET_PURCHASED]
    target: { table: sale_dedup, primary_key: [event_id] }
    fields: { event_id: TEXT, show_id: TEXT }
    derive: { event_id: event.entity_id, show_id: event.payload.show_id }
    mutations:
      TICKET_PURCHASED: { op: upsert }
`,
	Good: tickets + `projections:
  sale_dedup:
    source_events: [TICKET_PURCHASED]
    target: { table: sale_dedup, primary_key: [event_id] }
    fields: { event_id: TEXT, show_id: TEXT }
    derive: { event_id: event.event_id, show_id: event.payload.show_id }
    mutations:
      TICKET_PURCHASED: { op: upsert }
`,
	Fix: "Key the table by event.event_id. Where an entity has at most one event of that type, the entity's id identifies the event as well; say so in a suppression.",
}

var docClamp = spec.RuleDoc{
	ID: "CS604", Name: "order-dependent-aggregate", Severity: spec.Info, Since: "0.1.0",
	Title: "The result of an aggregate depends on the order of events",
	Why: "Adding commutes, but a floor or ceil that is applied after every event does not, and neither does a set beside an add: another order of arrival " +
		"gives another number.",
	Bad: tickets + `projections:
  ticket_balance:
    dedup: true
    source_events: [TICKET_PURCHASED, TICKET_REFUNDED]
    target: { table: ticket_balance, primary_key: [show_id] }
    fields: { show_id: TEXT, sold: BIGINT }
    derive: { show_id: event.payload.show_id }
    aggregates:
      TICKET_PURCHASED:
        sold: { op: add } # causetc:ignore CS601 -- causetc runs this
      TICKET_REFUNDED:
        sold: { op: sub, floor: 0 }
`,
	Good: tickets + `projections:
  ticket_balance:
    dedup: true
    source_events: [TICKET_PURCHASED, TICKET_REFUNDED]
    target: { table: ticket_balance, primary_key: [show_id] }
    fields: { show_id: TEXT, sold: BIGINT }
    derive: { show_id: event.payload.show_id }
    aggregates:
      TICKET_PURCHASED:
        sold: { op: add } # causetc:ignore CS601 -- causetc runs this
      TICKET_REFUNDED:
        sold: { op: sub }
`,
	Fix: "Guard limits where the change is made, in a preflight rule, and let the projection only add and subtract.",
}

var docDedupEvents = spec.RuleDoc{
	ID: "CS605", Name: "dedup-misses-event", Severity: spec.Error, Since: "0.1.0",
	Title: "A deduplication table does not record an event that is counted with it",
	Why:   "By its link, a projection counts an event when its row in the deduplication table is new. An event that has no row there can't be told from its duplicate. Events that are not counted need no row, and are applied without asking the table.",
	Bad: tickets + `projections:
  sale_dedup:
    source_events: [TICKET_PURCHASED]
    target: { table: sale_dedup, primary_key: [event_id] }
    fields: { event_id: TEXT }
    derive: { event_id: event.event_id }
    mutations:
      TICKET_PURCHASED: { op: upsert }
  sales:
    dedup: sale_dedup
    source_events: [TICKET_PURCHASED, TICKET_REFUNDED]
    target: { table: sales, primary_key: [show_id] }
    fields: { show_id: TEXT, sold: BIGINT }
    derive: { show_id: event.payload.show_id }
    aggregates:
      TICKET_PURCHASED:
        sold: { op: add } # causetc:ignore CS601 -- causetc runs this
      TICKET_REFUNDED:
        sold: { op: sub }
`,
	Good: tickets + `projections:
  sale_dedup:
    source_events: [TICKET_PURCHASED, TICKET_REFUNDED]
    target: { table: sale_dedup, primary_key: [event_id] }
    fields: { event_id: TEXT }
    derive: { event_id: event.event_id }
    mutations:
      TICKET_PURCHASED: { op: upsert }
      TICKET_REFUNDED: { op: upsert }
  sales:
    dedup: sale_dedup
    source_events: [TICKET_PURCHASED, TICKET_REFUNDED]
    target: { table: sales, primary_key: [show_id] }
    fields: { show_id: TEXT, sold: BIGINT }
    derive: { show_id: event.payload.show_id }
    aggregates:
      TICKET_PURCHASED:
        sold: { op: add } # causetc:ignore CS601 -- causetc runs this
      TICKET_REFUNDED:
        sold: { op: sub }
`,
	Fix: "Add the event to the source_events of the deduplication table, with the op upsert.",
}
