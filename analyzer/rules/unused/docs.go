package unused

import (
	"strings"

	"github.com/causetc/causetc/spec"
)

// show is the part that the examples share.
const show = `state:
  show: { entity_key: show_id, fields: { title: string } }
`

// seatTaken is an action that emits the event of the examples, the projection that takes it, and a query that reads that.
const seatTaken = `actions:
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

const seatsTable = `projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
`

const seatsQuery = `queries:
  seats_of_show:
    from: seats
    input: { show_id: { type: string, required: true } }
    fields: [seat]
    where: { show_id: { eq: input.show_id } }
`

const takenEvent = `events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string, seat: string } }
`

const freedEvent = `  SEAT_FREED: { state: show, entity_expr: event.show_id, payload: { show_id: string, seat: string } }
`

var docNeverEmitted = spec.RuleDoc{
	ID: "CS360", Name: "event-never-emitted", Severity: spec.Hint, Since: "0.1.0",
	Title: "An event is declared that nothing emits",
	Why: "What waits for it never runs. Events of kind system, those of commit envelopes and relationships, and those that decisions emit come from the " +
		"platform and are not reported; nor is anything in a program without actions.",
	Bad:  show + takenEvent + freedEvent + seatTaken,
	Good: show + takenEvent + seatTaken,
	Fix:  "Emit the event where it happens, or remove it.",
}

var docNeverConsumed = spec.RuleDoc{
	ID: "CS361", Name: "event-never-consumed", Severity: spec.Hint, Since: "0.1.0",
	Title: "Nothing takes an event",
	Why: "No projection, listener, saga or memory names it, so nothing changes when it happens. It may be meant for other services that read the topic. " +
		"A program without projections is not judged.",
	Bad:  show + takenEvent + freedEvent + seatsTable,
	Good: show + takenEvent + seatsTable,
	Fix:  "List the event where it matters, or remove it.",
}

var docInput = spec.RuleDoc{
	ID: "CS362", Name: "unused-input", Severity: spec.Hint, Since: "0.1.0",
	Title: "An action never reads one of its inputs",
	Why: "Callers fill it in for nothing, or the action forgot it. The inputs of an action that starts a commit envelope, those of actions without rules and " +
		"an idempotency_key are read by the platform and are not reported.",
	Bad:  show + takenEvent + with(seatTaken, "seat: string }", "seat: string, row: string }"),
	Good: show + takenEvent + seatTaken,
	Fix:  "Use the input, or remove it.",
}

var docColumn = spec.RuleDoc{
	ID: "CS363", Name: "column-never-written", Severity: spec.Hint, Since: "0.1.0",
	Title: "A column is declared that no event writes",
	Why:   "It is null in every row. Neither derive nor set nor an aggregate of any projection of the table names it.",
	Bad:   show + takenEvent + with(seatsTable, "seat: TEXT }", "seat: TEXT, price: BIGINT }"),
	Good:  show + takenEvent + seatsTable,
	Fix:   "Derive the column, or remove it from fields.",
}

var docProjection = spec.RuleDoc{
	ID: "CS364", Name: "projection-never-queried", Severity: spec.Hint, Since: "0.1.0",
	Title: "No query reads a projection",
	Why:   "The worker keeps a table that nobody asks for, unless programs read it directly. A deduplication table is read by the projections that link it. A program without queries is not judged.",
	Bad: show + takenEvent + seatsTable + `  shows:
    source_events: [SEAT_TAKEN]
    target: { table: shows, primary_key: [show_id] }
    fields: { show_id: TEXT }
    derive: { show_id: event.payload.show_id }
    mutations:
      SEAT_TAKEN: { op: upsert }
` + seatsQuery,
	Good: show + takenEvent + seatsTable + seatsQuery,
	Fix:  "Add a query, or remove the projection.",
}

var docParameter = spec.RuleDoc{
	ID: "CS365", Name: "unused-parameter", Severity: spec.Hint, Since: "0.1.0",
	Title: "A query never uses one of its inputs",
	Why:   "The result is the same whatever a caller gives. An input named limit sets the limit and is not reported.",
	Bad:   show + takenEvent + seatsTable + with(seatsQuery, "required: true } }", "required: true }, seat: string }"),
	Good:  show + takenEvent + seatsTable + seatsQuery,
	Fix:   "Use it in where, or remove it.",
}

var docDefinition = spec.RuleDoc{
	ID: "CS366", Name: "unused-definition", Severity: spec.Hint, Since: "0.1.0",
	Title: "A decision, prompt, provider, memory, relationship or resource is never used",
	Why:   "It has no effect. The name where it was to be used may be misspelled.",
	Bad:   show + takenEvent + seatTaken + "resources:\n  prices: { front: 20, back: 10 }\n",
	Good:  show + takenEvent + seatTaken,
	Fix:   "Use it, or remove it.",
}

var docBound = spec.RuleDoc{
	ID: "CS367", Name: "unused-bound-name", Severity: spec.Hint, Since: "0.1.0",
	Title: "A name that as or into binds is never read",
	Why:   "The op has no effect, or what follows reads another name.",
	Bad: show + takenEvent + seatTaken + `    preflight:
      rules:
        - name: look
          then:
            - { op: lookup, into: other, stream: show_stream, entity_id_expr: intent.show_id }
`,
	Good: show + takenEvent + seatTaken + `    preflight:
      rules:
        - name: look
          then:
            - { op: lookup, into: other, stream: show_stream, entity_id_expr: intent.show_id }
            - op: if
              expr: other.title == ''
              then:
                - { op: reject, code: NO_SUCH_SHOW }
`,
	Fix: "Read the name, or remove the op.",
}

// with returns an example with one part replaced.
func with(example, old, text string) string { return strings.Replace(example, old, text, 1) }
