package delivery

import "github.com/causetc/causetc/spec"

var docLastWrite = spec.RuleDoc{
	ID: "CS606", Name: "last-write-wins", Severity: spec.Info, Since: "0.1.0",
	Title: "Events of different entities write one column",
	Why: "Events of one entity keep their order, since they share a partition; those of different entities do not. Whichever arrives last decides the value, " +
		"also if it happened first. causetc applies them in the order of their clocks unless the table has operations that can't be reordered.",
	Bad: tickets + `projections:
  shows:
    source_events: [TICKET_PURCHASED, SHOW_ANNOUNCED]
    target: { table: shows, primary_key: [show_id] }
    fields: { show_id: TEXT, news: TEXT }
    derive: { show_id: event.payload.show_id, news: event.type }
    mutations:
      TICKET_PURCHASED: { op: upsert }
      SHOW_ANNOUNCED: { op: upsert }
`,
	Good: tickets + `projections:
  shows:
    source_events: [TICKET_PURCHASED, SHOW_ANNOUNCED]
    target: { table: shows, primary_key: [show_id] }
    fields: { show_id: TEXT, sold_at: BIGINT, announced_at: BIGINT }
    derive: { show_id: event.payload.show_id }
    mutations:
      TICKET_PURCHASED: { op: upsert, set: { sold_at: event.ts } }
      SHOW_ANNOUNCED: { op: upsert, set: { announced_at: event.ts } }
`,
	Fix: "Give each event a column of its own, or both the same entity_expr, so that they keep their order.",
}

var docNotUnique = spec.RuleDoc{
	ID: "CS607", Name: "relationship-not-unique", Severity: spec.Info, Since: "0.1.0",
	Title: "A relationship does not say whether a second edge between the same two counts",
	Why:   "With unique: true, a relationship_create that runs again does nothing. Without, a retry makes a second edge.",
	Bad:   tickets + "relationships:\n  sold_for: { from: ticket, to: show }\n",
	Good:  tickets + "relationships:\n  sold_for: { from: ticket, to: show, unique: true }\n",
	Fix:   "Add unique: true, or unique: false where several edges are meant.",
}

// buying is an action that submits another with a payload as written.
func buying(payload string) string {
	return tickets + `actions:
  BUY_TICKET:
    state: ticket
    entity_id_expr: intent.ticket_id
    input: { ticket_id: string, show_id: string }
    core:
      rules:
        - name: buy
          then:
            - { op: emit, event_type: TICKET_PURCHASED, payload: { ticket_id: intent.ticket_id, show_id: intent.show_id } }
    side_effects:
      rules:
        - name: mail
          then:
            - { op: submit, action: SEND_MAIL, entity_id: intent.ticket_id, payload: ` + payload + ` }
  SEND_MAIL:
    state: ticket
    entity_id_expr: intent.ticket_id
    input: { ticket_id: string, idempotency_key: "string?" }
`
}

var docSubmit = spec.RuleDoc{
	ID: "CS608", Name: "submit-without-key", Severity: spec.Info, Since: "0.1.0",
	Title: "A submit carries nothing by which a second one can be told from the first",
	Why: "Side effects run at least once. What they start must either be harmless twice, or know the request: a key that is built from what identifies it, " +
		"which the service behind it remembers. Reported are submits of actions that do their work elsewhere, and of those that add without a check in preflight.",
	Bad:  buying("{ ticket_id: intent.ticket_id }"),
	Good: buying("{ ticket_id: intent.ticket_id, idempotency_key: \"concat('mail_', intent.ticket_id)\" }"),
	Fix:  "Add a payload field such as idempotency_key, built by concat from what identifies the request.",
}

// reserving is an action that gives an id to a ticket; its last part is as written.
func reserving(guard string) string {
	return `events:
  TICKET_RESERVED: { state: show, entity_expr: event.show_id, payload: { ticket_id: string, show_id: string, user_id: string } }
state:
  show: { entity_key: show_id, fields: { taken: { type: array, item_type: string, default: [] } } }
actions:
  RESERVE_TICKET:
    state: show
    entity_id_expr: intent.show_id
    input: { show_id: string, seat: string, user_id: string }
` + guard + `    core:
      rules:
        - name: reserve
          then:
            - { op: push, path: /taken, value: intent.seat }
            - op: emit
              event_type: TICKET_RESERVED
              payload: { ticket_id: "concat('ticket_', intent.show_id, '_', intent.seat)", show_id: intent.show_id, user_id: intent.user_id }
projections:
  reservations:
    source_events: [TICKET_RESERVED]
    target: { table: reservations, primary_key: [ticket_id] }
    fields: { ticket_id: TEXT, show_id: TEXT, user_id: TEXT }
    derive: { ticket_id: event.payload.ticket_id, show_id: event.payload.show_id, user_id: event.payload.user_id }
    mutations:
      TICKET_RESERVED: { op: upsert }
`
}

var docUnguarded = spec.RuleDoc{
	ID: "CS609", Name: "id-without-guard", Severity: spec.Info, Since: "0.1.0",
	Title: "An id leaves out who is asking, and nothing checks whether it is taken",
	Why: "An id that is built from the show and the seat is the same for whoever asks for that seat. That is right as long as preflight refuses the second; " +
		"without a check, the upsert of the second overwrites the first.",
	Bad: reserving(""),
	Good: reserving(`    preflight:
      rules:
        - name: free
          when: contains(entity.taken, intent.seat)
          then:
            - { op: reject, code: TAKEN }
`),
	Fix: "Reject in preflight what is taken already, or make who is asking a part of the id.",
}

var docLookup = spec.RuleDoc{
	ID: "CS610", Name: "lookup-in-projection", Severity: spec.Info, Since: "0.1.0",
	Title: "A projection reads another entity",
	Why: "lookup() sees the entity as it is when the event is handled. A retry, a replay from the dead letters or a rebuild sees another state than the first " +
		"time, and the row differs.",
	Bad: tickets + `projections:
  sales:
    source_events: [TICKET_PURCHASED]
    target: { table: sales, primary_key: [ticket_id] }
    fields: { ticket_id: TEXT, title: TEXT }
    derive: { ticket_id: event.payload.ticket_id, title: "lookup(show, event.payload.show_id).title" }
    mutations:
      TICKET_PURCHASED: { op: upsert }
`,
	Good: tickets + `projections:
  sales:
    source_events: [TICKET_PURCHASED]
    target: { table: sales, primary_key: [ticket_id] }
    fields: { ticket_id: TEXT, show_id: TEXT }
    derive: { ticket_id: event.payload.ticket_id, show_id: event.payload.show_id }
    mutations:
      TICKET_PURCHASED: { op: upsert }
`,
	Fix: "Emit the value in the event's payload and read it from there.",
}
