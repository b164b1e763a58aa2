package types

import "github.com/causetc/causetc/spec"

var docColumn = rule(spec.RuleDoc{
	ID: "CS325", Name: "wrong-column-value", Severity: spec.Error,
	Title: "A column is given a value that its type does not hold",
	Why: "Such an event can never be applied: it ends among the dead letters. Where only some texts fit, which is the case for a text in a column of whole " +
		"numbers, it is a warning.",
	Fix: "Declare the column with the type of the value, or derive it from something else.",
}, inDerive, "event.payload.cents > 0", "event.payload.cents")

var docAggregate = rule(spec.RuleDoc{
	ID: "CS326", Name: "aggregate-without-number", Severity: spec.Error,
	Title: "An aggregate does not work on numbers",
	Why:   "add, sub and set change a number by a number, within bounds of which the floor is not above the ceil.",
	Fix:   "Declare the column BIGINT or NUMERIC, and give it a number.",
}, change{seatState + seatEvent + `projections:
  prices:
    source_events: [SEAT_TAKEN]
    target: { table: prices, primary_key: [show_id] }
    fields: { show_id: TEXT, cents: BIGINT }
    derive: { show_id: event.payload.show_id }
    aggregates:
      SEAT_TAKEN:
        cents: { op: set, by: `, " }\n"}, "event.payload.seat", "event.payload.cents")

var docStateValue = rule(spec.RuleDoc{
	ID: "CS327", Name: "wrong-state-value", Severity: spec.Error,
	Title: "An op writes a value that the field's type does not hold, or works on a field of another kind",
	Why:   "add needs a number to add to, push a list, merge a map, and what is set must be of the type that the state declares.",
	Fix:   "Write a value of the declared type, use another op, or correct the type.",
}, inCore, "{ op: set, path: free, value: intent.seat }", "{ op: set, path: free, value: 0 }")

var docDefault = rule(spec.RuleDoc{
	ID: "CS328", Name: "wrong-default", Severity: spec.Error,
	Title: "A default is not of its field's type",
	Why:   "Where no value is given the field would hold one that its type forbids.",
	Fix:   "Correct the default or the type.",
}, change{`state:
  show: { entity_key: show_id, fields: { free: { type: int, default: `, " } } }\n"}, "none", "0")

var docMissingField = rule(spec.RuleDoc{
	ID: "CS329", Name: "missing-payload-field", Severity: spec.Error,
	Title: "An emit lacks a field that the event declares",
	Why:   "A declared field must be given by every emit: projections rely on it, and a column that is derived from it stays empty.",
	Fix:   "Give the field, or declare it as optional, with a ? behind its type.",
}, inEmit, "{ show_id: intent.show_id, seat: intent.seat }", "{ show_id: intent.show_id, seat: intent.seat, cents: intent.cents }")

var docExtraField = rule(spec.RuleDoc{
	ID: "CS330", Name: "undeclared-payload-field", Severity: spec.Warning,
	Title: "An emit gives a field that the event does not declare",
	Why:   "What reads the event does not know of the field, and it has no type.",
	Fix:   "Declare the field in the event's payload, or leave it out.",
}, inEmit, "{ show_id: intent.show_id, seat: intent.seat, cents: intent.cents, row: 7 }",
	"{ show_id: intent.show_id, seat: intent.seat, cents: intent.cents }")

var docPayloadType = rule(spec.RuleDoc{
	ID: "CS331", Name: "wrong-payload-type", Severity: spec.Error,
	Title: "An event is given a value that is not of its field's type",
	Why:   "What is derived from the field fails for such an event, and the event can't be taken back.",
	Fix:   "Give a value of the declared type, or correct the type.",
}, inEmit, "{ show_id: intent.show_id, seat: intent.seat, cents: intent.seat }",
	"{ show_id: intent.show_id, seat: intent.seat, cents: intent.cents }")

var docMissingInput = rule(spec.RuleDoc{
	ID: "CS332", Name: "missing-input", Severity: spec.Error,
	Title: "A submit, schedule or decision lacks an input that is required",
	Why:   "The platform refuses an intent without its required inputs.",
	Fix:   "Give the input.",
}, inSubmit, "{ show_id: intent.show_id }", "{ show_id: intent.show_id, cents: intent.cents }")

var docExtraInput = rule(spec.RuleDoc{
	ID: "CS333", Name: "undeclared-input", Severity: spec.Warning,
	Title: "A submit, schedule or decision gives an input that is not declared",
	Why:   "Nothing reads it.",
	Fix:   "Declare the input, or leave it out.",
}, inSubmit, "{ show_id: intent.show_id, cents: intent.cents, urgent: true }", "{ show_id: intent.show_id, cents: intent.cents }")

var docInputType = rule(spec.RuleDoc{
	ID: "CS334", Name: "wrong-input-type", Severity: spec.Error,
	Title: "An action or a decision is given a value that is not of its input's type",
	Why:   "The intent is refused, or fails when the value is used.",
	Fix:   "Give a value of the declared type, or correct the type.",
}, inSubmit, "{ show_id: intent.show_id, cents: intent.seat }", "{ show_id: intent.show_id, cents: intent.cents }")

var docID = rule(spec.RuleDoc{
	ID: "CS335", Name: "wrong-id", Severity: spec.Error,
	Title: "An id is neither a text nor a number",
	Why:   "An id names one entity. A boolean would name two at most, and a list or a map has no text.",
	Fix:   "Name the field that identifies the entity.",
}, change{seatState + `events:
  SHOW_OPENED: { state: show, entity_expr: `, `, payload: { show_id: string, open: boolean } }
`}, "event.open", "event.show_id")

var docQueryValue = rule(spec.RuleDoc{
	ID: "CS336", Name: "wrong-query-value", Severity: spec.Error,
	Title: "A condition of a query compares a column with what it can't hold",
	Why:   "Postgres refuses the comparison, or it never holds. in and nin take a list, like compares texts, and gte_window needs a moment.",
	Fix:   "Compare with a value of the column's type.",
}, inQuery, "{ from: seats, where: { cents: { eq: many } } }", "{ from: seats, where: { cents: { eq: 500 } } }")

var docQueryNumber = rule(spec.RuleDoc{
	ID: "CS337", Name: "sum-of-no-number", Severity: spec.Error,
	Title: "A query adds up, or shows as 0, a column that holds no numbers",
	Why:   "Postgres refuses the query.",
	Fix:   "Name a column with numbers, or use count.",
}, inQuery, "{ from: seats, fields: [show_id], group_by: show_id, aggregate: { total: { sum: seat } } }",
	"{ from: seats, fields: [show_id], group_by: show_id, aggregate: { total: { sum: cents } } }")

var docJoin = rule(spec.RuleDoc{
	ID: "CS338", Name: "wrong-join-type", Severity: spec.Error,
	Title: "A join compares columns of different types",
	Why:   "Postgres refuses to compare a text with a number.",
	Fix:   "Join columns of one type.",
}, change{inQuery.before[:len(inQuery.before)-len("queries:\n  some_seats: ")] + `  shows:
    source_events: [SEAT_TAKEN]
    target: { table: shows, primary_key: [show_id] }
    fields: { show_id: TEXT, last_seat: TEXT }
    derive: { show_id: event.payload.show_id, last_seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
queries:
  some_seats: { from: seats, joins: { shows: { on: { `, ` } } } }
`}, "cents: show_id", "show_id: show_id")
