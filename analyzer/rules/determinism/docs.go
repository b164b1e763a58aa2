package determinism

import "github.com/causetc/causetc/spec"

var docRandomID = spec.RuleDoc{
	ID: "CS501", Name: "nondeterministic-id", Severity: spec.Error, Since: "0.1.0",
	Title: "An id is built from a function that gives another value on every run",
	Why: "Intents are retried and events are delivered and replayed more than once. An id that is made by uuid(), random() or now() is " +
		"another one each time, so the second attempt looks like a new thing: rows are doubled, and duplicates can't be recognised. " +
		"The flow of the finding names every step from the call to the id.",
	Bad: `events:
  TICKET_RESERVED:
    state: show
    entity_expr: event.show_id
    payload: { ticket_id: string, show_id: string, seat: string }
state:
  show: { entity_key: show_id, fields: { title: string } }
actions:
  RESERVE_TICKET:
    state: show
    entity_id_expr: intent.show_id
    input: { show_id: string, seat: string }
    core:
      rules:
        - name: reserve
          then:
            - op: emit
              event_type: TICKET_RESERVED
              payload: { ticket_id: uuid(), show_id: intent.show_id, seat: intent.seat }
`,
	Good: `events:
  TICKET_RESERVED:
    state: show
    entity_expr: event.show_id
    payload: { ticket_id: string, show_id: string, seat: string }
state:
  show: { entity_key: show_id, fields: { title: string } }
actions:
  RESERVE_TICKET:
    state: show
    entity_id_expr: intent.show_id
    input: { show_id: string, seat: string }
    core:
      rules:
        - name: reserve
          then:
            - op: emit
              event_type: TICKET_RESERVED
              payload:
                ticket_id: concat('ticket_', intent.show_id, '_', intent.seat)
                show_id: intent.show_id
                seat: intent.seat
`,
	Fix: "Build the id from the input that identifies the thing, with a separator between the parts: concat('ticket_', intent.show_id, '_', intent.seat). " +
		"Where there is no such input, let the caller choose an id and send the same one again when it retries.",
}

var docRandomValue = spec.RuleDoc{
	ID: "CS502", Name: "nondeterministic-value", Severity: spec.Error, Since: "0.1.0",
	Title: "A function is used that gives another value on every run",
	Why: "State is rebuilt by running the same rules on the same events. A clock, a random number or anything else that is not in the " +
		"input makes the rebuilt state differ from the one that was there, and conditions go another way.",
	Bad: `state:
  show: { entity_key: show_id, fields: { opened_at: integer } }
actions:
  OPEN_SHOW:
    state: show
    entity_id_expr: intent.show_id
    input: { show_id: string }
    core:
      rules:
        - name: open
          then:
            - op: set
              path: /opened_at
              value: now()
`,
	Good: `state:
  show: { entity_key: show_id, fields: { opened_at: integer } }
actions:
  OPEN_SHOW:
    state: show
    entity_id_expr: intent.show_id
    input: { show_id: string }
    core:
      rules:
        - name: open
          then:
            - op: set
              path: /opened_at
              value: event.ts
`,
	Fix: "For the time write event.ts, which is recorded with the event. For random values, let the caller choose one and pass it as input.",
}

var docUnseparated = spec.RuleDoc{
	ID: "CS503", Name: "id-without-separator", Severity: spec.Warning, Since: "0.1.0",
	Title: "An id joins two parts with nothing between them",
	Why:   "concat('a', 'bc') and concat('ab', 'c') are the same text. Two different things get one id, and one overwrites the other.",
	Bad: `events:
  SEAT_TAKEN:
    state: show
    entity_expr: concat(event.payload.show_id, event.payload.seat)
    payload: { show_id: string, seat: string }
state:
  show: { entity_key: show_id, fields: { title: string } }
`,
	Good: `events:
  SEAT_TAKEN:
    state: show
    entity_expr: concat(event.payload.show_id, '_', event.payload.seat)
    payload: { show_id: string, seat: string }
state:
  show: { entity_key: show_id, fields: { title: string } }
`,
	Fix: "Put a text between the parts that can't occur inside them, such as '_' or ':'.",
}

var docTimeKey = spec.RuleDoc{
	ID: "CS504", Name: "time-as-key", Severity: spec.Warning, Since: "0.1.0",
	Title: "The primary key of a table holds only the time of the event",
	Why:   "event.ts counts milliseconds. Two events in one millisecond have one key, and the second row overwrites the first.",
	Bad: `events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string } }
state:
  show: { entity_key: show_id, fields: { title: string } }
projections:
  seat_log:
    source_events: [SEAT_TAKEN]
    target: { table: seat_log, primary_key: [at] }
    fields: { at: BIGINT, show_id: TEXT }
    derive: { at: event.ts, show_id: event.payload.show_id }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Good: `events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string } }
state:
  show: { entity_key: show_id, fields: { title: string } }
projections:
  seat_log:
    source_events: [SEAT_TAKEN]
    target: { table: seat_log, primary_key: [id] }
    fields: { id: TEXT, at: BIGINT, show_id: TEXT }
    derive: { id: event.event_id, at: event.ts, show_id: event.payload.show_id }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Fix: "Key the table by event.event_id, or add the column that tells the events of one moment apart.",
}
