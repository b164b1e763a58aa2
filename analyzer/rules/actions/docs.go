package actions

import "github.com/causetc/causetc/spec"

// show is the part that the examples share.
const show = `state:
  show: { entity_key: show_id, fields: { title: string, sold: integer } }
events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string, seat: string } }
actions:
  TAKE_SEAT:
    state: show
    entity_id_expr: intent.show_id
    input: { show_id: string, seat: string }
`

const take = `    core:
      rules:
        - name: take
          then:
            - { op: emit, event_type: SEAT_TAKEN, payload: { show_id: intent.show_id, seat: intent.seat } }
`

const check = `    preflight:
      rules:
        - name: check
          when: entity.sold > 100
          then:
            - { op: reject, code: SOLD_OUT }
`

var docPhase = spec.RuleDoc{
	ID: "CS410", Name: "op-in-wrong-phase", Severity: spec.Error, Since: "0.1.0",
	Title: "An op stands in a phase in which it can't run",
	Why: "preflight decides whether an intent is taken, and changes nothing. core is one transaction with the ledger write: the entity's own state, its " +
		"relationships and events. side_effects come after the commit: they submit, schedule and ask models. A submit in core is a warning.",
	Bad: show + take + `    preflight:
      rules:
        - name: count
          then:
            - { op: add, path: /sold, value: 1 }
`,
	Good: show + `    core:
      rules:
        - name: take
          then:
            - { op: add, path: /sold, value: 1 }
            - { op: emit, event_type: SEAT_TAKEN, payload: { show_id: intent.show_id, seat: intent.seat } }
`,
	Fix: "Move the op to the phase that the message names.",
}

var docReject = spec.RuleDoc{
	ID: "CS411", Name: "reject-outside-preflight", Severity: spec.Warning, Since: "0.1.0",
	Title: "A reject stands outside of preflight",
	Why:   "preflight is where an intent is refused before anything happens. In core other ops have run already; after the commit, in side_effects, a reject undoes nothing.",
	Bad: show + `    core:
      rules:
        - name: check
          when: entity.sold > 100
          then:
            - { op: reject, code: SOLD_OUT }
        - name: take
          then:
            - { op: emit, event_type: SEAT_TAKEN, payload: { show_id: intent.show_id, seat: intent.seat } }
`,
	Good: show + check + take,
	Fix:  "Move the check to preflight.",
}

var docLookup = spec.RuleDoc{
	ID: "CS412", Name: "lookup-outside-preflight", Severity: spec.Error, Since: "0.1.0",
	Title: "Another entity is read outside of preflight and projections",
	Why: "A commit sees its own entity only; what another one holds may change meanwhile. What the action needs of it is looked up in preflight. What others " +
		"need of the event is carried in its payload.",
	Bad: show + `    core:
      rules:
        - name: take
          when: lookup(show, intent.seat).title != ''
          then:
            - { op: emit, event_type: SEAT_TAKEN, payload: { show_id: intent.show_id, seat: intent.seat } }
`,
	Good: show + take + `    preflight:
      rules:
        - name: known
          when: lookup(show, intent.seat).title == ''
          then:
            - { op: reject, code: UNKNOWN }
`,
	Fix: "Look it up in preflight and read what it bound, or carry the value in the event's payload.",
}

var docRuleName = spec.RuleDoc{
	ID: "CS413", Name: "duplicate-rule-name", Severity: spec.Warning, Since: "0.1.0",
	Title: "Two rules of an action have one name",
	Why:   "Traces and errors name rules, and can't tell which of the two ran.",
	Bad: show + take + `        - name: take
          when: intent.seat == 'A1'
          then:
            - { op: add, path: /sold, value: 1 }
`,
	Good: show + take + `        - name: count
          when: intent.seat == 'A1'
          then:
            - { op: add, path: /sold, value: 1 }
`,
	Fix: "Rename one of them.",
}

var docContinue = spec.RuleDoc{
	ID: "CS414", Name: "continue-outside-loop", Severity: spec.Error, Since: "0.1.0",
	Title: "A continue stands outside of a loop",
	Why:   "continue goes on with the next item of the for_each around it. stop ends a rule.",
	Bad: show + take + `        - name: count
          then:
            - op: if
              expr: intent.seat == 'A1'
              then:
                - { op: continue }
            - { op: add, path: /sold, value: 1 }
`,
	Good: show + take + `        - name: count
          then:
            - op: if
              expr: intent.seat == 'A1'
              then:
                - { op: stop }
            - { op: add, path: /sold, value: 1 }
`,
	Fix: "Write stop, or put the ops into a for_each.",
}

// course is a saga with a second step as written.
func course(step string) string {
	return `state:
  show: { entity_key: show_id, fields: { title: string, sold: integer } }
events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string, seat: string } }
  SEAT_FREED: { state: show, entity_expr: event.show_id, payload: { show_id: string, seat: string } }
sagas:
  seat_course:
    state: show
    state_path: _tmp/seat_course
    steps:
      - { name: idle, set: { status: idle } }
      - { name: taken, on: SEAT_TAKEN, set: { status: taken } }
      - ` + step + "\n"
}

var docStepName = spec.RuleDoc{
	ID: "CS440", Name: "duplicate-step", Severity: spec.Error, Since: "0.1.0",
	Title: "A saga has two steps, or a commit envelope two participants, of one name",
	Why:   "The platform keeps where a process stands by the names of its parts.",
	Bad:   course("{ name: taken, on: SEAT_FREED, set: { status: freed }, end: true }"),
	Good:  course("{ name: freed, on: SEAT_FREED, set: { status: freed }, end: true }"),
	Fix:   "Rename one of them.",
}

var docStepEvent = spec.RuleDoc{
	ID: "CS441", Name: "step-without-event", Severity: spec.Warning, Since: "0.1.0",
	Title: "A step of a saga waits for no event",
	Why:   "Steps react to events, whatever their order in the file. Only the first may go without one: it says what holds before any event.",
	Bad:   course("{ name: freed, set: { status: freed }, end: true }"),
	Good:  course("{ name: freed, on: SEAT_FREED, set: { status: freed }, end: true }"),
	Fix:   "Add on: EVENT, or remove the step.",
}
