package declarations

import "github.com/causetc/causetc/spec"

// show is the part that the examples share.
const show = `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string, seat: string } }
`

// seats is a projection with source events as written.
func seats(sources string) string {
	return show + `projections:
  seats:
    source_events: ` + sources + `
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
`
}

var docListedTwice = spec.RuleDoc{
	ID: "CS415", Name: "listed-twice", Severity: spec.Warning, Since: "0.1.0",
	Title: "A name stands twice in one list",
	Why: "Once would do, so one of the two was probably meant to be another name. Postgres refuses a column that stands twice in a key or an index, " +
		"and a result has each column once: there it is an error.",
	Bad:  seats("[SEAT_TAKEN, SEAT_TAKEN]"),
	Good: seats("[SEAT_TAKEN]"),
	Fix:  "Remove one of them, or correct the name.",
}

var docField = spec.RuleDoc{
	ID: "CS416", Name: "duplicate-field", Severity: spec.Error, Since: "0.1.0",
	Title: "A state declares a field twice",
	Why:   "Only one of the two can count. Paths with and without a leading slash, and with dots, name the same field.",
	Bad:   "state:\n  show: { entity_key: show_id, fields: [{ name: seats/free, type: integer }, { name: /seats/free, type: number }] }\n",
	Good:  "state:\n  show: { entity_key: show_id, fields: [{ name: seats/free, type: integer }, { name: /seats/taken, type: number }] }\n",
	Fix:   "Rename or remove one of them.",
}

var docDuration = spec.RuleDoc{
	ID: "CS417", Name: "wrong-duration", Severity: spec.Error, Since: "0.1.0",
	Title: "A length of time can't be read",
	Why: "The interval of a bucket is a number with s, m, h, d or w, such as 5m, 1h or 1d; one that does not divide a day starts at other times every day, which is a warning. Partitions go by the calendar: 1 month, 7 days. The timeout of a provider or a " +
		"decision is written as 45s.",
	Bad:  show + "providers:\n  quick: { executor: mock, model: m1, timeout: 45 seconds }\n",
	Good: show + "providers:\n  quick: { executor: mock, model: m1, timeout: 45s }\n",
	Fix:  "Write a number and a unit, as the message shows.",
}

var docNaming = spec.RuleDoc{
	ID: "CS450", Name: "naming", Severity: spec.Hint, Since: "0.1.0",
	Title: "A name does not follow the conventions",
	Why:   "Events and actions are written in SCREAMING_SNAKE, everything else in snake_case, so that readers can tell what a name stands for.",
	Bad: `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SeatTaken: { state: show, entity_expr: event.show_id, payload: { show_id: string } }
`,
	Good: show,
	Fix:  "Write the name as the message says, everywhere.",
}

var docReserved = spec.RuleDoc{
	ID: "CS451", Name: "reserved-field", Severity: spec.Error, Since: "0.1.0",
	Title: "A field is called like a field of every event's envelope",
	Why: "event.type, event.ts and event.entity_id always read the envelope, so a payload field of such a name can't be read. An input of an action so named is " +
		"a warning. A field called id, event_id, stream_id, fork_id or version wins over the envelope's, which is confusing: a hint.",
	Bad: `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string, ts: timestamp } }
`,
	Good: `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string, taken_at: timestamp } }
`,
	Fix: "Rename the field, or leave it out and read event.ts.",
}

var docEntityExpr = spec.RuleDoc{
	ID: "CS452", Name: "event-without-entity", Severity: spec.Hint, Since: "0.1.0",
	Title: "An event does not say which entity it belongs to",
	Why:   "entity_expr decides in whose stream the event stands, and so with which events it keeps its order. Without it, that is the entity of the action that emits it.",
	Bad: `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_TAKEN: { state: show, payload: { show_id: string } }
`,
	Good: show,
	Fix:  "Add entity_expr, such as event.show_id.",
}

var docShape = spec.RuleDoc{
	ID: "CS453", Name: "loose-field", Severity: spec.Hint, Since: "0.1.0",
	Title: "An array has no type of items, or an array or object no default",
	Why:   "What reads the items can't be checked. Without a default the field is null until something is written.",
	Bad:   "state:\n  show: { entity_key: show_id, fields: { seats: { type: array, default: [] } } }\n",
	Good:  "state:\n  show: { entity_key: show_id, fields: { seats: { type: array, item_type: string, default: [] } } }\n",
	Fix:   "Add item_type and default; a field that may be null has a type that ends in ?.",
}

var docCredential = spec.RuleDoc{
	ID: "CS454", Name: "credential", Severity: spec.Warning, Since: "0.1.0",
	Title: "A spec holds what looks like a credential",
	Why:   "Specs are shared and kept in version control, where everyone can read them for ever.",
	Bad:   show + "resources:\n  mail: { sender: tickets, api_key: q8Zr2vLm5Tn1 }\n",
	Good:  show + "resources:\n  mail: { sender: tickets }\n",
	Fix:   "Take it out, revoke it, and let the platform's configuration hold the new one.",
}

var docItems = spec.RuleDoc{
	ID: "CS455", Name: "items-of-no-array", Severity: spec.Warning, Since: "0.1.0",
	Title: "A field says what its items are, and has none",
	Why: "item_type and item_fields describe the items of an array, and item_fields the values of an object. Beside another type nothing reads them, " +
		"so one of the two types is probably not the one that is meant.",
	Bad:  "state:\n  show: { entity_key: show_id, fields: [{ name: seats, type: array, item_type: integer, item_fields: { row: string }, default: [] }] }\n",
	Good: "state:\n  show: { entity_key: show_id, fields: [{ name: seats, type: array, item_type: object, item_fields: { row: string }, default: [] }] }\n",
	Fix:  "Correct the type, or remove the key.",
}
