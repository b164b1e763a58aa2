package parser

import "github.com/causetc/causetc/spec"

// event returns a spec with one event, whose entity is the text, as written.
func event(entity string) string {
	return seat + "events:\n  TAKEN:\n    state: seat\n    entity_expr: " + entity + "\n    payload: { seat_id: string, row: string }\n"
}

// rule returns a spec with one action, whose rule holds when the text, as written, does.
func rule(when string) string {
	return seat + `actions:
  TAKE:
    state: seat
    entity_id_expr: intent.seat_id
    input: { seat_id: string, free: boolean }
    preflight:
      rules:
        - name: must_be_free
          when: ` + when + `
          then:
            - { op: reject, code: TAKEN }
`
}

var trapRules = []spec.RuleDoc{
	{
		ID: ruleTag, Name: "yaml-tag", Severity: spec.Error, Since: "0.1.0",
		Title: "A text that starts with ! is a tag for YAML",
		Why:   "YAML drops the word behind the !, so nothing of the expression would be left.",
		Bad:   rule("!intent.free"),
		Good:  rule(`"!intent.free"`),
		Fix:   "Put the whole value in quotes.",
	},
	{
		ID: ruleComment, Name: "yaml-comment", Severity: spec.Error, Since: "0.1.0",
		Title: "A # cuts an expression in two",
		Why:   "A # behind a space starts a comment, also in the middle of a call or of quotes inside of a text without quotes of its own.",
		Bad:   event(`concat(event.row, " # ", event.seat_id)`),
		Good:  event(`'concat(event.row, " # ", event.seat_id)'`),
		Fix:   "Put the whole value in quotes of the other kind.",
	},
	{
		ID: ruleComma, Name: "yaml-comma", Severity: spec.Error, Since: "0.1.0",
		Title: "A comma cuts an expression in two",
		Why:   "In braces and brackets a comma separates entries, also in the middle of a call.",
		Bad:   seat + "events:\n  TAKEN: { state: seat, entity_expr: concat(event.row, event.seat_id), payload: { seat_id: string, row: string } }\n",
		Good:  event("concat(event.row, '-', event.seat_id)"),
		Fix:   "Put the whole value in quotes, or write the map on lines of its own.",
	},
	{
		ID: ruleColon, Name: "yaml-colon", Severity: spec.Error, Since: "0.1.0",
		Title: "A colon makes a key of a part of a text",
		Why:   "A colon with a space behind it ends a key in YAML, also that of `condition ? a : b` and of a text in quotes inside of a call.",
		Bad:   rule("intent.free ? false : true"),
		Good:  rule(`"intent.free ? false : true"`),
		Fix:   "Put the whole value in quotes.",
	},
	{
		ID: ruleQuote, Name: "yaml-quote", Severity: spec.Error, Since: "0.1.0",
		Title: "A text that starts with a quote ends at the next one",
		Why:   "YAML takes the quotes at the start of a value for its own, and can't read what follows.",
		Bad:   rule(`"A" == intent.seat_id`),
		Good:  rule(`'"A" == intent.seat_id'`),
		Fix:   "Put the whole value in quotes of the other kind. Inside of quotes, write '' for ' and \\\" for \".",
	},
	{
		ID: ruleNumber, Name: "yaml-number", Severity: spec.Warning, Since: "0.1.0",
		Title: "YAML reads another number than the digits say",
		Why:   "A whole number with a leading zero is octal in YAML: 010 is 8.",
		Bad:   "resources:\n  codes: { vienna: 0100 }\n",
		Good:  "resources:\n  codes: { vienna: \"'0100'\" }\n",
		Fix:   "Write the number without the zero, or put a text such as a code in quotes inside of the YAML quotes.",
	},
	{
		ID: ruleSuppression, Name: "malformed-suppression", Severity: spec.Warning, Since: "0.1.0",
		Title: "A comment to causetc can't be read",
		Why:   "It suppresses nothing.",
		Bad:   "# causetc:ignore -- not yet\n" + seat,
		Good:  "# seats have no events yet\n" + seat,
		Fix:   "Write # causetc:ignore RULE -- reason behind a line or above a node, or # causetc:ignore-file RULE -- reason.",
	},
}
