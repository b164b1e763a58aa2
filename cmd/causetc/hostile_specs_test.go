package main

import (
	"fmt"
	"slices"
	"strings"
)

// fullFile is the most that a spec file may have.
const fullFile = 4 << 20

func hostileSpecs() []hostileSpec {
	return slices.Concat(brokenFiles(), brokenStructure(), bigFiles())
}

// brokenFiles are no YAML, or hardly.
func brokenFiles() []hostileSpec {
	return []hostileSpec{
		{name: "binary", text: "\x7fELF\x02\x01\x01\x00\x00\x00\xff\xfe\xfd", rule: "CS102"},
		{name: "NUL", text: "state:\n  a\x00b: 1\n", rule: "CS102"},
		{name: "escape sequences", text: "state:\n  \x1b[31mred: 1\n", rule: "CS102"},
		{name: "UTF-16 with a mark", text: "\xff\xfes\x00t\x00a\x00t\x00e\x00", rule: "CS102"},
		{name: "UTF-16 without a mark", text: "s\x00t\x00a\x00t\x00e\x00:\x00", rule: "CS102"},
		{name: "Latin-1", text: "state:\n  caf\xe9: 1\n", rule: "CS102"},
		{name: "a lone surrogate", text: "state:\n  a: \xed\xa0\x80\n", rule: "CS102"},
		{name: "tabs", text: "state:\n\ta: 1\n", rule: "CS103"},
		{name: "an open quote", text: "state: 'x\ny\n", rule: "CS101"},
		{name: "an open bracket", text: "state: [a, b\n", rule: "CS101"},
		{name: "a bracket too many", text: "state: {}}\n", rule: "CS101"},
		{name: "unknown alias", text: "state: *nobody\n", rule: "CS106"},
		{name: "self-reference", text: "state: &a\n  x: *a\n", rule: "CS106"},
		{name: "self-merge", text: "state: &a\n  x: 1\n  <<: *a\n", rule: "CS106"},
		{name: "mistake after CRLF", text: "state:\r\n  a: {entity_key: id, fields: [}\r\n", rule: "CS101"},
		{name: "mistake after a mark", text: "\ufeffstat: {}\n", rule: "CS201"},
		{name: "mistake after NEL", text: "state: {}\nevents: {\u0085}\nstat: {}\n", rule: "CS201"},
		{name: "mistake after a line separator", text: "app: \"a\u2028b\"\nstat: {}\n", rule: "CS201"},
		{name: "escape sequences in a key", text: "\"\\e[31mred\": 1\n", rule: "CS201"},
		{name: "a bell in a type", text: "state: {s: {entity_key: id, fields: {a: \"str\\aing\"}}}\n", rule: "CS209"},
		{name: "JSON", text: `{"a": [1, 2, {"b": null}]}`, rule: "CS201"},
		{name: "XML", text: "<?xml version=\"1.0\"?>\n<a/>\n", rule: "CS203"},
		{name: "a shell script", text: "#!/bin/sh\nset -e\nif true; then\n  echo \"x: $y\"\nfi\n", rule: "CS203"},
	}
}

// brokenStructure is YAML that is no spec.
func brokenStructure() []hostileSpec {
	list := []hostileSpec{
		{name: "a list", text: "- a\n- b\n", rule: "CS203"},
		{name: "a word", text: "hello\n", rule: "CS203"},
		{name: "a number", text: "42\n", rule: "CS203"},
		{name: "a map as a key", text: "? {a: b}\n: c\n", rule: "CS108"},
		{name: "two documents", text: "state: {}\n---\nstat: {}\n", rule: "CS201"},
		{name: "a second document in binary", text: "state: {}\n---\n\x00\x01\n", rule: "CS102"},
		{name: "a key twice", text: "state: {}\nevents: {}\nstate: {}\n", rule: "CS104"},
		{name: "unknown version", text: "dsl_version: 999\napp: x\n", rule: "CS116"},
		{name: "a version that is no number", text: "dsl_version: one\napp: x\n", rule: "CS204"},
		{name: "a huge version", text: "dsl_version: 1" + strings.Repeat("0", 500) + "\napp: x\n", rule: "CS204"},
		{name: "missing include", text: "dsl_version: 1\napp: x\nincludes:\n  events: [gone.causet]\n", rule: "CS110"},
		{name: "include from outside", text: "dsl_version: 1\napp: x\nincludes:\n  events: [../../../../../../../etc/passwd]\n", rule: "CS111"},
		{name: "a broken glob", text: "dsl_version: 1\napp: x\nincludes:\n  events: ['[a']\n", rule: "CS110"},
		{name: "a huge number", text: "resources: {r: {k: 1" + strings.Repeat("0", 5000) + "e99999999}}\nx: 1", rule: "CS201"},
	}
	for kind, value := range map[string]string{
		"a word": "word", "a number": "17", "a list of lists": "[[a], [[b]]]", "a map of lists": "{a: [x, [y]]}",
		"a map of numbers": "{a: 1, b: 2.5}", "nothing": "", "nulls": "{a: null, b: ~}", "maps of maps": "{a: {b: {c: {d: {e: f}}}}}",
	} {
		text := "zzz: 1\n"
		for _, section := range []string{"dsl_version", "app", "includes", "state", "events", "actions", "projections", "queries", "relationships",
			"listeners", "sagas", "resources", "commit_envelopes", "providers", "prompts", "decisions", "memories"} {
			text += section + ": " + value + "\n"
		}
		list = append(list, hostileSpec{name: "every section is " + kind, text: text, rule: "CS201"})
	}
	return list
}

// bigFiles are made to cost time or memory.
func bigFiles() []hostileSpec {
	list := []hostileSpec{
		{name: "flow entries", text: "{" + strings.Repeat("a,", fullFile/2-1) + "}", rule: "CS105"},
		{name: "too large", text: strings.Repeat("# 45678\n", fullFile/8+1), rule: "CS105"},
		{name: "flow nesting", text: "a: " + strings.Repeat("[", 100_000), rule: "CS105"},
		{name: "braces", text: strings.Repeat("{a: ", 100_000), rule: "CS105"},
		{name: "block nesting", text: strings.Repeat("- ", 100_000) + "x", rule: "CS105"},
		{name: "question marks", text: strings.Repeat("? ", 100_000) + "x", rule: "CS105"},
		{name: "deep lines", text: deepBlock(2800), rule: "CS105"},
		{name: "alias bomb", text: laughs(), rule: "CS105"},
		{name: "open parentheses", text: "resources: {a: {b: '" + strings.Repeat("(", 200_000) + "1'}}\nzzz: 1\n", rule: "CS201"},
		{name: "open parentheses in an expression", text: inDerive(strings.Repeat("(", 200_000) + "event.a"), rule: "CS210"},
		{name: "open calls", text: inDerive(strings.Repeat("max(", 200_000) + "event.a"), rule: "CS210"},
		{name: "minus signs", text: inDerive(strings.Repeat("-", 200_000) + "event.a"), rule: "CS210"},
		{name: "question marks in an expression", text: inDerive(strings.Repeat("event.a ? ", 200_000) + "1"), rule: "CS210"},
		{name: "a long sum", text: inDerive("event.a" + strings.Repeat(" + 1", 200_000)), rule: "CS210"},
		{name: "a long path", text: inDerive("event" + strings.Repeat(".a", 200_000)), rule: "CS210"},
		{name: "unknown keys", text: numbered(200_000, "stat_%d: 1\n"), rule: "CS201"},
		{name: "unknown long keys", text: numbered(1000, strings.Repeat("projections", 370)+"_%d: 1\n"), rule: "CS123"},
		{name: "a line", text: "state: {a: {entity_key: id, fields: [" + strings.Repeat("{name: a, type: strin}, ", 50_000) + "]}}\n", rule: "CS209"},
		{name: "a word of 4 MiB", text: strings.Repeat("x", fullFile-1), rule: "CS203"},
		{name: "a quoted text of 4 MiB", text: "stat: \"" + strings.Repeat(`\u00e9`, fullFile/6-10) + "\"\n", rule: "CS201"},
		{name: "documents", text: strings.Repeat("---\na: 1\n", 60_000), rule: "CS201"},
		{name: "the same key", text: strings.Repeat("state: {}\n", 140_000), rule: "CS104"},
		{name: "unknown names", text: manyNames(20_000), rule: "CS302"},
	}
	for i := range list {
		list[i].big = true
	}
	return list
}

func deepBlock(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// laughs is the well-known bomb of aliases of aliases.
func laughs() string {
	text := "state:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 12; i++ {
		text += fmt.Sprintf("  a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	return text
}

// inDerive is a spec whose one projection derives a column from an expression.
func inDerive(expr string) string {
	return `state: {s: {entity_key: id, fields: {a: number}}}
events: {E: {state: s, entity_expr: event.entity_id, payload: {a: number}}}
projections:
  p:
    source_events: [E]
    target: {table: t, primary_key: [id], entity_key: s}
    derive: {id: event.entity_id, x: "` + expr + `"}
    mutations: {E: upsert}
`
}

// manyNames is a spec with many references to events that there are not, near to many that there are.
func manyNames(n int) string {
	var b strings.Builder
	b.WriteString("events:\n")
	for i := range n {
		fmt.Fprintf(&b, "  EVENT_NUMBER_%d: {state: s, entity_expr: event.entity_id}\n", i)
	}
	b.WriteString("projections:\n  p:\n    source_events:\n")
	for i := range n {
		fmt.Fprintf(&b, "    - EVENT_NUMBR_%d\n", i)
	}
	return b.String()
}
