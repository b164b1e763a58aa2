package names

import "github.com/causetc/causetc/spec"

// judge is a decision that the examples change in one place.
const judge = `prompts:
  judge_seat: "Is seat {{ seat }} a good one?"
decisions:
  judge: { executor: mock, model: m1, prompt: judge_seat, emits: SEAT_JUDGED, input: { show_id: string, seat: string }, output: { verdict: string } }
`

const judged = `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SEAT_JUDGED: { state: show, entity_expr: event.show_id, payload: { show_id: string, seat: string, verdict: string } }
`

var docTemplate = spec.RuleDoc{
	ID: "CS313", Name: "unknown-template-variable", Severity: spec.Error, Since: "0.1.0",
	Title: "A variable of a prompt or of a memory's content stands for nothing",
	Why: "{{ name }} in a prompt is an input of the decisions that use it, {{ memories.NAME }} a memory that they list; {{ event.FIELD }} in the content of a " +
		"memory is a field of one of its events. Anything else is empty when the model reads it.",
	Bad: judged + `prompts:
  judge_seat: "Is seat {{ seta }} a good one?"
` + judge[len("prompts:\n  judge_seat: \"Is seat {{ seat }} a good one?\"\n"):],
	Good: judged + judge,
	Fix:  "Correct the name, add it to the decision's input, or list the memory.",
}

var docDerived = spec.RuleDoc{
	ID: "CS314", Name: "unknown-derived-column", Severity: spec.Error, Since: "0.1.0",
	Title: "derived.NAME reads a column that the projection does not derive",
	Why:   "derived holds the columns of the same projection's derive, for the event at hand.",
	Bad: seats + `projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT, label: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, label: "concat('seat ', derived.seta)" }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Good: seats + `projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT, label: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, label: "concat('seat ', derived.seat)" }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Fix: "Derive the column, or correct its name.",
}

// transfer is a commit envelope whose cursor the examples change.
func transfer(cursor string) string {
	return `state:
  account: { entity_key: account_id, fields: [{ name: visible/cents, type: integer }, { name: visible/seq, type: integer }] }
  payment: { entity_key: payment_id, fields: { phase: string } }
events:
  PAY_PREPARE: { state: payment, entity_expr: event.payment_id, payload: { payment_id: string } }
  PAY_PREPARED: { state: payment, entity_expr: event.payment_id, payload: { payment_id: string } }
  PAY_DONE: { state: payment, entity_expr: event.payment_id, payload: { payment_id: string } }
  PAY_FAILED: { state: payment, entity_expr: event.payment_id, payload: { payment_id: string } }
  PAY_TICK: { state: payment, entity_expr: event.payment_id, kind: system, payload: { payment_id: string } }
actions:
  PAY: { state: payment, entity_id_expr: intent.payment_id, input: { payment_id: string, payer: string, cents: integer, seq: integer } }
commit_envelopes:
  pay:
    start_action: PAY
    envelope_state: payment
    envelope_state_path: /envelope
    lifecycle: { prepare_event: PAY_PREPARE, prepared_event: PAY_PREPARED, commit_event: PAY_DONE, abort_event: PAY_FAILED }
    timeout: { abort_after_seconds: 30, tick_event: PAY_TICK }
    causal_ordering: { mode: per_entity, cursor_field: ` + cursor + `, seq_source: envelope.seq }
    participants:
      - name: payer
        state: account
        entity_expr: intent.payer
        delta_expr: 0 - event.cents
        visibility_gate: { strategy: shadow_state, visible_path: /visible, pending_path: /pending_envelopes }
`
}

var docPlatformPath = spec.RuleDoc{
	ID: "CS315", Name: "unknown-platform-path", Severity: spec.Error, Since: "0.1.0",
	Title: "A commit envelope or a saga works on a path that the state does not declare",
	Why: "The platform keeps the cursor and the visible values of a participant there. At a path that nothing declares it finds nothing, and the order of " +
		"transfers is not kept. Places that the platform makes itself, such as _tmp, envelope and pending_envelopes, need no declaration.",
	Bad:  transfer("/visible/sqe"),
	Good: transfer("/visible/seq"),
	Fix:  "Declare the field in the participant's state, or correct the path.",
}

var docUndeclaredColumn = spec.RuleDoc{
	ID: "CS316", Name: "column-without-type", Severity: spec.Hint, Since: "0.1.0",
	Title: "A column that a projection writes is not among its fields",
	Why: "The hosted compiler makes such a column TEXT; causetc infers its type from the expressions. Where a declared column of a similar name is never written, " +
		"the name is probably misspelled, which is a warning.",
	Bad: seats + `projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Good: seats + table,
	Fix:  "Add the column to fields with its SQL type, or correct the name.",
}

var docCycle = spec.RuleDoc{
	ID: "CS317", Name: "derived-in-a-circle", Severity: spec.Error, Since: "0.1.0",
	Title: "A column is derived from itself",
	Why:   "Derived columns may read each other as derived.NAME, in any order of the text, but not in a circle: none of them would ever have a value.",
	Bad: seats + `projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT, label: TEXT, title: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, label: derived.title, title: "concat('seat ', derived.label)" }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Good: seats + `projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT, label: TEXT, title: TEXT }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, label: derived.title, title: "concat('seat ', derived.seat)" }
    mutations:
      SEAT_TAKEN: { op: upsert }
`,
	Fix: "Derive one of the columns from the event.",
}
