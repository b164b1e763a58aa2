package types

import "github.com/causetc/causetc/spec"

var docUnknownPath = rule(spec.RuleDoc{
	ID: "CS320", Name: "unknown-entity-path", Severity: spec.Error,
	Title: "A path into an entity's state leads to a field that is not declared",
	Why: "What nobody writes is always null, so a condition on it never holds. A field that ops write but the state does not declare has no type and no default: " +
		"a warning. Paths below _tmp, decisions and pending_envelopes are free.",
	Fix: "Declare the field under the state's fields, or correct the path.",
}, inWhen, "entity.fre <= 0", "entity.free <= 0")

var docMember = rule(spec.RuleDoc{
	ID: "CS321", Name: "no-such-member", Severity: spec.Error,
	Title: "A member is read of a value that can't have it",
	Why:   "A text, a number or a boolean has no members, an array has numbered items, and an object with declared fields has no others.",
	Fix:   "Read the value itself, name an item of the array, or correct the name.",
}, inWhen, "entity.title.length > 80", "size(entity.title) > 80")

var docOperand = rule(spec.RuleDoc{
	ID: "CS322", Name: "wrong-operand", Severity: spec.Error,
	Title: "An operator is used on values that it does not take",
	Why: "+ - * / and % take numbers, && || and ! take true or false, < and > order numbers or texts, and == compares values of one kind. Anything else is an " +
		"evaluation error at run time, which stops the event or the intent.",
	Fix: "Use a value of the right kind, or another operator: concat joins texts.",
}, inWhen, "entity.free == 'none'", "entity.free == 0")

var docArgument = rule(spec.RuleDoc{
	ID: "CS323", Name: "wrong-argument", Severity: spec.Error,
	Title: "A function is given an argument that it does not take",
	Why:   "The call fails at run time for every value but null.",
	Fix:   "Give the function what it takes.",
}, inWhen, "floor(entity.title) == 0", "floor(entity.free) == 0")

var docCondition = rule(spec.RuleDoc{
	ID: "CS324", Name: "not-a-condition", Severity: spec.Error,
	Title: "A condition is neither true nor false",
	Why:   "A text or a number decides nothing: there is no rule by which it would count as true.",
	Fix:   "Compare it with something.",
}, inWhen, "entity.free", "entity.free > 0")

var docZero = rule(spec.RuleDoc{
	ID: "CS340", Name: "division-by-zero", Severity: spec.Error,
	Title: "An expression divides by a constant zero",
	Why:   "It fails whenever it is evaluated.",
	Fix:   "Divide by something else, or guard the division with ? :.",
}, inDerive, "event.payload.cents / (5 - 5)", "event.payload.cents / 5")

var docConstant = rule(spec.RuleDoc{
	ID: "CS341", Name: "constant-condition", Severity: spec.Warning,
	Title: "A condition is the same whatever happens",
	Why:   "Either what it guards never happens, or it guards nothing. A value that is compared with itself is mostly a slip.",
	Fix:   "Remove the condition or what it guards, or compare with what was meant.",
}, inWhen, "intent.cents < 0 || 1 > 0", "intent.cents < 0")

var docUnreachable = rule(spec.RuleDoc{
	ID: "CS342", Name: "unreachable-op", Severity: spec.Warning,
	Title: "An op stands behind one that ends the rule",
	Why:   "Nothing behind stop, reject or continue runs.",
	Fix:   "Put it before, or remove one of the two.",
}, inCore, "op: stop", "{ op: set, path: open, value: true }")

var docRange = rule(spec.RuleDoc{
	ID: "CS343", Name: "number-out-of-range", Severity: spec.Error,
	Title: "A constant number makes no sense where it stands",
	Why:   "A limit is a whole number from 1 up, a delay is not negative, shard needs at least one bucket, and the least value is not above the most.",
	Fix:   "Write a number in range.",
}, inQuery, "{ from: seats, order_by: { cents: desc }, limit: 0 }", "{ from: seats, order_by: { cents: desc }, limit: 10 }")
