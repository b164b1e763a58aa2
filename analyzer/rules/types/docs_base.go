package types

import "github.com/causetc/causetc/spec"

const since = "0.1.0"

// change is a small program that an example writes with one part in two versions.
type change struct {
	before, after string
}

func (c change) with(part string) string { return c.before + part + c.after }

// rule documents a rule by a program and the two versions of its part.
func rule(d spec.RuleDoc, c change, bad, good string) spec.RuleDoc {
	d.Since = since
	d.Bad, d.Good = c.with(bad), c.with(good)
	return d
}

// seatState and seatEvent are what most of the examples are about.
const (
	seatState = `state:
  show:
    entity_key: show_id
    fields: { title: string, free: { type: int, default: 10 }, open: { type: boolean, default: false } }
`
	seatEvent = `events:
  SEAT_TAKEN: { state: show, entity_expr: event.show_id, payload: { show_id: string, seat: string, cents: int } }
`
	seatAction = `actions:
  TAKE_SEAT:
    state: show
    entity_id_expr: intent.show_id
    input: { show_id: { type: string, required: true }, seat: string, cents: int }
`
)

// inWhen is a program with a condition to write.
var inWhen = change{seatState + seatAction + `    preflight:
      rules:
        - name: check
          when: `, `
          then: [{ op: reject, code: REFUSED }]
`}

// inCore is a program with an op to write.
var inCore = change{seatState + seatEvent + seatAction + `    core:
      rules:
        - name: take
          then:
            - `, `
            - op: emit
              event_type: SEAT_TAKEN
              payload: { show_id: intent.show_id, seat: intent.seat, cents: intent.cents }
`}

// inEmit is a program with a payload to write.
var inEmit = change{seatState + seatEvent + seatAction + `    core:
      rules:
        - name: take
          then:
            - op: emit
              event_type: SEAT_TAKEN
              payload: `, "\n"}

// inSubmit is a program with the payload of a submit to write.
var inSubmit = change{seatState + seatAction + `    side_effects:
      rules:
        - name: tell
          then:
            - { op: submit, action: SEND_MAIL, entity_id: intent.show_id, payload: `, ` }
  SEND_MAIL:
    state: show
    entity_id_expr: intent.show_id
    input: { show_id: { type: string, required: true }, cents: { type: int, required: true } }
`}

const seatTable = `projections:
  seats:
    source_events: [SEAT_TAKEN]
    target: { table: seats, primary_key: [show_id, seat] }
    fields: { show_id: TEXT, seat: TEXT, cents: BIGINT, taken_at: TIMESTAMPTZ }
    derive: { show_id: event.payload.show_id, seat: event.payload.seat, taken_at: event.ts, cents: `

const seatMutations = ` }
    mutations:
      SEAT_TAKEN: { op: upsert }
`

// inDerive is a program with the value of a column to write.
var inDerive = change{seatState + seatEvent + seatTable, seatMutations}

// inQuery is a program with a query to write.
var inQuery = change{seatState + seatEvent + seatTable + "event.payload.cents" + seatMutations + `queries:
  some_seats: `, "\n"}
