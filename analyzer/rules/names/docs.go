package names

import "github.com/causetc/causetc/spec"

// seats is a small program that the examples change in one place.
const seats = `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string, seat: string } }
actions:
  TAKE_SEAT:
    state: show
    entity_id_expr: intent.show_id
    input: { show_id: string, seat: string }
    core:
      rules:
        - name: take
          then:
            - op: emit
              event_type: SEAT_TAKEN
              payload: { show_id: intent.show_id, seat: intent.seat }
`

// table is a projection that the examples change in one place.
const table = `projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
`

var docDuplicate = spec.RuleDoc{
	ID: "CS301", Name: "duplicate-name", Severity: spec.Error, Since: "0.1.0",
	Title: "A name is defined twice in the program",
	Why:   "Files of a program are read together. Of two things with one name only one can count, and which one would depend on the order of files.",
	Bad: seats + `queries: {}
---
events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string } }
`,
	Good: seats + `queries: {}
---
events:
  SEAT_FREED: { state: show, entity_expr: event.show_id, payload: { show_id: string } }
`,
	Fix: "Rename or remove one of the two.",
}

var docEvent = spec.RuleDoc{
	ID: "CS302", Name: "unknown-event", Severity: spec.Error, Since: "0.1.0",
	Title: "An event is used that is not declared",
	Why:   "What listens to an event that nobody declares never happens, and what emits it can't be read by anything.",
	Bad: seats + `projections:
  seats:
    source_events: [SEAT_TAKN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKN: { op: upsert }
`,
	Good: seats + table,
	Fix:  "Declare the event under events, or correct its name.",
}

var docState = spec.RuleDoc{
	ID: "CS303", Name: "unknown-state", Severity: spec.Error, Since: "0.1.0",
	Title: "A state or stream is used that is not declared",
	Why:   "Actions, events and lookups work on the entities of a declared state. A stream is called like its state, with or without _stream.",
	Bad: `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_TAKEN: { state: shows, entity_expr: event.show_id, payload: { show_id: string } }
`,
	Good: `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string } }
`,
	Fix: "Declare it under state, or correct its name.",
}

var docAction = spec.RuleDoc{
	ID: "CS304", Name: "unknown-action", Severity: spec.Error, Since: "0.1.0",
	Title: "An action is submitted, scheduled or started that is not declared",
	Why:   "The platform refuses an intent that no action handles.",
	Bad: seats + `    side_effects:
      rules:
        - name: confirm
          then:
            - { op: submit, action: SEND_MAIL, entity_id: intent.show_id, payload: { show_id: intent.show_id } }
`,
	Good: seats + `    side_effects:
      rules:
        - name: confirm
          then:
            - { op: submit, action: SEND_MAIL, entity_id: intent.show_id, payload: { show_id: intent.show_id } }
  SEND_MAIL:
    state: show
    entity_id_expr: intent.show_id
    input: { show_id: string }
`,
	Fix: "Declare the action, or correct its name.",
}

var docProjection = spec.RuleDoc{
	ID: "CS305", Name: "unknown-projection", Severity: spec.Error, Since: "0.1.0",
	Title: "A query or a dedup names a projection that is not declared",
	Why:   "A query reads the tables of projections (by the projection's name, or the table's), and dedup names a projection.",
	Bad: seats + table + `queries:
  free_seats: { from: seat, where: { seat: { eq: "A1" } } }
`,
	Good: seats + table + `queries:
  free_seats: { from: seats, where: { seat: { eq: "A1" } } }
`,
	Fix: "Declare the projection, or correct its name.",
}

var docColumn = spec.RuleDoc{
	ID: "CS306", Name: "unknown-column", Severity: spec.Error, Since: "0.1.0",
	Title: "A query or an index names a column that its table does not have",
	Why:   "Postgres refuses such a query, and does not create such an index.",
	Bad: seats + table + `queries:
  free_seats: { from: seats, fields: [seats.seta], where: { show_id: { eq: "s1" } } }
`,
	Good: seats + table + `queries:
  free_seats: { from: seats, fields: [seats.seat], where: { show_id: { eq: "s1" } } }
`,
	Fix: "Add the column to the projection, or correct its name.",
}

var docPayload = spec.RuleDoc{
	ID: "CS307", Name: "unknown-payload-field", Severity: spec.Error, Since: "0.1.0",
	Title: "An expression reads a payload field that the event does not have",
	Why: "The value is missing in every event, so the column stays empty. A field that only some of a projection's source events have is fine, " +
		"and is not reported.",
	Bad: seats + `projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seta }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Good: seats + table,
	Fix:  "Declare the field in the event's payload and give it where the event is emitted, or correct its name.",
}

var docFunction = spec.RuleDoc{
	ID: "CS308", Name: "unknown-function", Severity: spec.Error, Since: "0.1.0",
	Title: "A function is called that does not exist",
	Why:   "Names of functions are case-sensitive, and there are no others than those of the language.",
	Bad: `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_TAKEN: { state: show, entity_expr: "concatt(event.show_id, ':', event.seat)", payload: { show_id: string, seat: string } }
`,
	Good: `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_TAKEN: { state: show, entity_expr: "concat(event.show_id, ':', event.seat)", payload: { show_id: string, seat: string } }
`,
	Fix: "Use a function of the language.",
}

var docNamespace = spec.RuleDoc{
	ID: "CS309", Name: "unknown-name", Severity: spec.Error, Since: "0.1.0",
	Title: "A name in an expression means nothing where it stands",
	Why: "A path begins with event, intent, entity and the like, or with a name that as or into has bound. A projection sees nothing but the event: not the " +
		"entity's state, which may have moved on when the event arrives, nor its own row.",
	Bad: seats + `projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT, title: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, title: entity.title }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Good: seats + `projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT, title: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, title: "concat('seat ', event.payload.seat)" }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Fix: "Correct the name, put a text in quotes, or emit the value in the event's payload.",
}

var docInput = spec.RuleDoc{
	ID: "CS310", Name: "unknown-input", Severity: spec.Error, Since: "0.1.0",
	Title: "An expression reads an input that the query or action does not declare",
	Why:   "A query's parameter needs a declared type. An input that an action does not declare is null, unless a caller sends it anyway (a warning).",
	Bad: seats + table + `queries:
  show_seats: { from: seats, input: { show_id: string }, where: { show_id: { eq: input.show } } }
`,
	Good: seats + table + `queries:
  show_seats: { from: seats, input: { show_id: string }, where: { show_id: { eq: input.show_id } } }
`,
	Fix: "Declare the input, or correct its name.",
}

var docReference = spec.RuleDoc{
	ID: "CS311", Name: "unknown-reference", Severity: spec.Error, Since: "0.1.0",
	Title: "A decision, provider, prompt, memory, relationship or resource is used that is not declared",
	Why:   "There is nothing of that name to use.",
	Bad: seats + `resources:
  prices: { front: 20, back: 10 }
projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT, price: BIGINT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, price: "resources.price['front']" }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Good: seats + `resources:
  prices: { front: 20, back: 10 }
projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT, price: BIGINT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, price: "resources.prices['front']" }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Fix: "Declare it, or correct its name.",
}

var docArguments = spec.RuleDoc{
	ID: "CS312", Name: "wrong-argument-count", Severity: spec.Error, Since: "0.1.0",
	Title: "A function is called with too few or too many arguments",
	Why:   "Every function takes a fixed number of arguments, or at least some number.",
	Bad: `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_TAKEN: { state: show, entity_expr: shard(event.show_id), payload: { show_id: string } }
`,
	Good: `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_TAKEN: { state: show, entity_expr: "shard(event.show_id, 16)", payload: { show_id: string } }
`,
	Fix: "Give the function the arguments that it takes.",
}
