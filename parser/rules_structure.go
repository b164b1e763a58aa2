package parser

import "github.com/causetc/causetc/spec"

// query returns a spec with one query, whose condition on the key is as written.
func query(condition string) string {
	return `state:
  seat: { entity_key: seat_id, fields: { title: string } }
events:
  TAKEN: { state: seat, entity_expr: event.seat_id, payload: { seat_id: string } }
projections:
  seats:
    source_events: [TAKEN]
    target: { table: seats, primary_key: [seat_id] }
    fields: { seat_id: TEXT }
    derive: { seat_id: event.payload.seat_id }
    mutations: { TAKEN: upsert }
queries:
  get_seat:
    from: seats
    input: { seat_id: { type: string, required: true } }
    where: { seat_id: ` + condition + ` }
`
}

var structureRules = []spec.RuleDoc{
	{
		ID: ruleUnknownKey, Name: "unknown-key", Severity: spec.Error, Since: "0.1.0",
		Title: "A key is not known where it stands",
		Why:   "It would be ignored, and what the author meant by it would not happen.",
		Bad:   "state:\n  seat: { entity_key: seat_id, feilds: { title: string }, fields: { row: string } }\n",
		Good:  seat,
		Fix:   "Correct the spelling, or move the key to where it belongs. `causetc schema` prints all keys for editors.",
	},
	{
		ID: ruleMissingKey, Name: "missing-key", Severity: spec.Error, Since: "0.1.0",
		Title: "A required key is missing",
		Why:   "Without it the definition has no meaning.",
		Bad:   "state:\n  seat: { fields: { title: string } }\n",
		Good:  seat,
		Fix:   "Add the key.",
	},
	{
		ID: ruleShape, Name: "wrong-shape", Severity: spec.Error, Since: "0.1.0",
		Title: "A value is a map, a list or a text where another of them is expected",
		Why:   "It can't be read as what the key means.",
		Bad:   "state:\n  seat: { entity_key: seat_id, fields: title }\n",
		Good:  seat,
		Fix:   "Write the value in the shape that the message names.",
	},
	{
		ID: ruleScalarType, Name: "wrong-value", Severity: spec.Error, Since: "0.1.0",
		Title: "A value is no number, or not true or false, where one is expected",
		Why:   "YAML reads yes, no, on, off and everything in quotes as texts.",
		Bad:   "state:\n  seat: { entity_key: seat_id, fields: { title: { type: string, required: yes } } }\n",
		Good:  "state:\n  seat: { entity_key: seat_id, fields: { title: { type: string, required: true } } }\n",
		Fix:   "Write true or false, or a number, without quotes.",
	},
	{
		ID: ruleChoice, Name: "unknown-word", Severity: spec.Error, Since: "0.1.0",
		Title: "A word is none of those that the key takes",
		Why:   "Its meaning is not known: an op, a kind, a direction.",
		Bad:   rule("intent.free\n          priority: 1") + "        - name: never\n          then:\n            - { op: rejct, code: NEVER }\n",
		Good:  rule("intent.free"),
		Fix:   "Use one of the words that the message names.",
	},
	{
		ID: ruleNoValue, Name: "no-value", Severity: spec.Error, Since: "0.1.0",
		Title: "A key has no value",
		Why:   "An empty value is null for YAML. It can't stand for a name, an expression or a required list.",
		Bad:   "state:\n  seat:\n    entity_key:\n    fields: { title: string }\n",
		Good:  seat,
		Fix:   "Write the value, or remove the key.",
	},
	{
		ID: ruleAliasKey, Name: "other-spelling", Severity: spec.Hint, Since: "0.1.0",
		Title: "A key is written in a spelling that is only tolerated",
		Why:   "It is understood, but other tools may not.",
		Bad:   seat + "actions:\n  TAKE: { state: seat, entity_id_expr: intent.id, input: { id: string }, side_effect: { rules: [] } }\n",
		Good:  seat + "actions:\n  TAKE: { state: seat, entity_id_expr: intent.id, input: { id: string }, side_effects: { rules: [] } }\n",
		Fix:   "Write the spelling that the message names.",
	},
	{
		ID: ruleTwoKeys, Name: "two-spellings", Severity: spec.Error, Since: "0.1.0",
		Title: "Two spellings of one key stand beside each other",
		Why:   "Only one of the values can count.",
		Bad: seat + "actions:\n  TAKE: { state: seat, entity_id_expr: intent.id, input: { id: string }, " +
			"side_effects: { rules: [{ name: lock, then: [{ op: lock, key: intent.id, lock_key: intent.id }] }] } }\n",
		Good: seat + "actions:\n  TAKE: { state: seat, entity_id_expr: intent.id, input: { id: string }, " +
			"side_effects: { rules: [{ name: lock, then: [{ op: lock, lock_key: intent.id }] }] } }\n",
		Fix: "Keep one of them.",
	},
	{
		ID: ruleType, Name: "unknown-type", Severity: spec.Error, Since: "0.1.0",
		Title: "A type is not known",
		Why:   "Fields have types such as string, integer or timestamp; columns of projections have SQL types such as TEXT, BIGINT or NUMERIC(12, 2).",
		Bad:   "state:\n  seat: { entity_key: seat_id, fields: { title: strng } }\n",
		Good:  seat,
		Fix:   "Use one of the types that the message names.",
	},
}

var textRules = []spec.RuleDoc{
	{
		ID: ruleExpression, Name: "expression-syntax", Severity: spec.Error, Since: "0.1.0",
		Title: "An expression can't be read",
		Why:   "What can't be read can't be evaluated.",
		Bad:   rule(`"intent.free && ("`),
		Good:  rule("intent.free"),
		Fix:   "Mend the place that the message names.",
	},
	{
		ID: ruleAmbiguousText, Name: "ambiguous-text", Severity: spec.Warning, Since: "0.1.0",
		Title: "A value may be meant as a text or as an expression",
		Why:   "Words with operators between them read nothing, so they are taken as a text. An author may have meant a reference and forgotten its namespace.",
		Bad:   "resources:\n  labels: { open: in-progress }\n",
		Good:  "resources:\n  labels: { open: \"'in-progress'\" }\n",
		Fix:   "Put a text in quotes inside of the YAML quotes; write a reference with its namespace, such as event.progress.",
	},
	{
		ID: ruleWhereText, Name: "condition-not-text", Severity: spec.Error, Since: "0.1.0",
		Title: "A condition that must be a text is a map or a list",
		Why:   "The where of filter, remove, find and listeners is one expression. Maps of operators belong to queries and bulk updates.",
		Bad: seat + `actions:
  TAKE:
    state: seat
    entity_id_expr: intent.id
    input: { id: string }
    core:
      rules:
        - name: drop
          then:
            - { op: remove, path: /rows, where: { row: { eq: A } } }
`,
		Good: seat + `actions:
  TAKE:
    state: seat
    entity_id_expr: intent.id
    input: { id: string }
    core:
      rules:
        - name: drop
          then:
            - { op: remove, path: /title, where: "it.row == 'A'" }
`,
		Fix: "Write the condition as a text over `it`.",
	},
	{
		ID: ruleOperator, Name: "condition-operator", Severity: spec.Error, Since: "0.1.0",
		Title: "A condition or an aggregate lacks its operator, or has an unknown one, or several",
		Why:   "A condition is a column with exactly one operator: eq, neq, gt, gte, lt, lte, in, nin, like, ilike or gte_window; an aggregate is one function of one column.",
		Bad:   query("input.seat_id"),
		Good:  query("{ eq: input.seat_id }"),
		Fix:   "Write the operator: { eq: input.seat_id }.",
	},
}
