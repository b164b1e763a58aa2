package mutation

import (
	"strings"

	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// choices are the keys that take one of a few words.
var choices = []struct{ name, path, words string }{
	{"kind of an event", "events/*/kind", "event, system, fact, compute, command"},
	{"cardinality", "relationships/*/cardinality", "many_to_many, one_to_many, one_to_one"},
	{"mode of causal_ordering", "commit_envelopes/*/causal_ordering/mode", "per_entity, per_aggregate, global"},
	{"strategy of a visibility_gate", "commit_envelopes/*/participants/[]/visibility_gate/strategy", "shadow_state, immediate"},
	{"executor", "**/executor", "openai, anthropic, ollama, mock"},
	{"op of a mutation", "projections/*/mutations/*/op", "upsert, replace, update, delete, soft_delete, bulk_update, increment"},
	{"op of a mutation", "projections/*/mutations/*", "upsert, replace, update, delete, soft_delete, bulk_update, increment"},
	{"op of an aggregate", "projections/*/aggregates/*/*/op", "add, sub, set"},
	{"op of an aggregate", "projections/*/aggregates/*/*", "add, sub, set"},
	{"op of an action", "**/then/[]/op", "the ops of actions"},
	{"op of an action", "**/else/[]/op", "the ops of actions"},
	{"op of a listener", "listeners/[]/mutate/[]/op", "the ops that change state"},
	{"order direction", "queries/*/order_by/*", "asc, desc"},
	{"direction of an index", "projections/*/indexes/[]/direction", "asc, desc"},
	{"type of a join", "queries/*/joins/*/type", "left, right, inner, cross"},
	{"strategy of a partition", "projections/*/partition/strategy", "range, hash, list"},
	{"interval of a bucket", "projections/*/bucket/interval", "5m, 1h, 24h, 1d"},
	{"interval of a partition", "projections/*/partition/interval", "a number and a unit, such as 1 month"},
	{"retention of a partition", "projections/*/partition/retention", "a number and a unit, such as 6 months"},
	{"timeout", "providers/*/timeout", "a duration such as 45s"},
	{"timeout", "decisions/*/timeout", "a duration such as 45s"},
	{"aggregate of a query", "queries/*/aggregate/*", "count, or {function: column}"},
}

// truths are the keys that are true or false.
var truths = []string{
	"relationships/*/unique", "projections/*/indexes/[]/unique", "projections/*/partition/default_partition", "queries/*/distinct",
	"sagas/*/steps/[]/end", "actions/*/input/*/required", "events/*/payload/*/required", "state/*/fields/[]/nullable",
}

// integers are the keys that are whole numbers.
var integers = []string{
	"**/rules/[]/priority", "listeners/[]/priority", "providers/*/max_tokens", "decisions/*/max_tokens", "decisions/*/retries",
	"commit_envelopes/*/timeout/abort_after_seconds", "projections/*/partition/precreate", "projections/*/partition/partitions",
}

func wordKinds() []*Kind {
	kinds := []*Kind{
		{Name: "unknown truth value", Rule: "the key is true or false", make: func(p *program, out func(Mutant)) {
			p.setEach(truths, out, func(*entry) string { return "maybe" })
		}},
		{Name: "no whole number", Rule: "the key is a whole number", make: func(p *program, out func(Mutant)) {
			p.setEach(integers, out, func(*entry) string { return "few" })
		}},
		{Name: "negative number", Rule: "the number is not negative", make: func(p *program, out func(Mutant)) {
			p.setEach(integers[2:], out, func(*entry) string { return "-3" })
		}},
		{Name: "negative limit", Rule: "a limit is at least 1", make: func(p *program, out func(Mutant)) {
			p.setEach([]string{"queries/*/limit"}, out, func(*entry) string { return "-1" })
			p.setEach([]string{"queries/*/limit"}, out, func(*entry) string { return "0" })
		}},
		{Name: "unknown version", Rule: "dsl_version is 1", make: func(p *program, out func(Mutant)) {
			p.setEach([]string{"dsl_version"}, out, func(*entry) string { return "2" })
		}},
		{Name: "misspell type", Rule: "a type is one of the known ones", make: misspellTypes},
		{Name: "misspell column type", Rule: "a column has one of the known SQL types", make: misspellColumnTypes},
		{Name: "misspell operator of a where", Rule: "where has one of the operators eq neq gt gte lt lte in nin like ilike gte_window", make: misspellOperators},
		{Name: "misspell function of an aggregate", Rule: "aggregate has one of sum count avg min max first last", make: misspellFunctions},
		{Name: "misspell kind of includes", Rule: "includes has the known kinds", make: misspellIncludes},
		{Name: "glob that matches nothing", Rule: "a glob matches a file", Hint: true, make: wrongGlob},
		{Name: "unknown window", Rule: "window.allowed holds durations", make: wrongWindow},
	}
	seen := map[string]*Kind{}
	for _, c := range choices {
		if k := seen[c.name]; k != nil {
			first := k.make
			k.make = func(p *program, out func(Mutant)) { first(p, out); unknownWord(p, c.path, out) }
			continue
		}
		k := &Kind{Name: "unknown " + c.name, Rule: "it is one of: " + c.words, make: func(p *program, out func(Mutant)) { unknownWord(p, c.path, out) }}
		seen[c.name] = k
		kinds = append(kinds, k)
	}
	return kinds
}

// setEach writes another text for the scalars at some paths.
func (p *program) setEach(paths []string, out func(Mutant), text func(*entry) string) {
	for _, e := range p.matching(paths...) {
		if e.isWord() {
			m := e.setValue(text(e), e.key.Span())
			m.Label = e.key.Value + ": " + text(e)
			out(m)
		}
	}
}

func unknownWord(p *program, path string, out func(Mutant)) {
	for _, e := range p.matching(path) {
		if e.isWord() {
			wrong := p.misspell(e.value.Scalar.Value, e.value.Scalar.Span())
			if contains("interval retention timeout", e.key.Value) {
				wrong = e.value.Scalar.Value + "zz" // a slip may make another duration
			}
			m := e.setValue(wrong, e.key.Span())
			m.Label = e.value.Scalar.Value + " -> " + wrong
			out(m)
		}
	}
}

func misspellTypes(p *program, out func(Mutant)) {
	p.eachType(func(t *spec.TypeRef, _ *spec.Field, _ string) {
		if t != nil && t.Name != "" {
			at := t.Sub(0, len(t.Name))
			wrong := p.misspell(t.Name, at)
			m := p.replace(at, wrong)
			m.Label = t.Name + " -> " + wrong
			out(m)
		}
	})
}

// eachType visits all types of all fields of the program, with the field and what it is a field of.
func (p *program) eachType(visit func(t *spec.TypeRef, f *spec.Field, of string)) {
	var each func(fields []*spec.Field, of string)
	each = func(fields []*spec.Field, of string) {
		for _, f := range fields {
			visit(f.Type, f, of)
			visit(f.ItemType, f, of)
			each(f.ItemFields, of)
		}
	}
	for _, s := range p.spec.States {
		each(s.Fields, "state")
	}
	for _, e := range p.spec.Events {
		each(e.Payload, "event")
	}
	for _, a := range p.spec.Actions {
		each(a.Input, "action")
	}
	for _, q := range p.spec.Queries {
		each(q.Input, "query")
	}
	for _, d := range p.spec.Decisions {
		each(d.Input, "decision")
		each(d.Output, "decision")
	}
}

func misspellColumnTypes(p *program, out func(Mutant)) {
	for _, pr := range p.spec.Projections {
		for _, c := range pr.Fields {
			name, _, _ := strings.Cut(c.Type.Value, "(")
			at := c.Type.Sub(0, len(name))
			wrong := p.misspell(name, at)
			m := p.replace(at, wrong, c.Name.Span())
			m.Label = name + " -> " + wrong
			out(m)
		}
	}
}

func misspellOperators(p *program, out func(Mutant)) {
	for _, e := range p.matching("queries/*/where/*/*", "projections/*/mutations/*/where/*/*") {
		wrong := p.misspell(e.key.Value, e.key.Span())
		m := p.replace(e.key.Span(), wrong, e.around()...)
		m.Label = e.key.Value + " -> " + wrong
		out(m)
	}
}

func misspellFunctions(p *program, out func(Mutant)) {
	for _, e := range p.matching("queries/*/aggregate/*/*") {
		wrong := p.misspell(e.key.Value, e.key.Span())
		m := p.replace(e.key.Span(), wrong, e.around()...)
		m.Label = e.key.Value + " -> " + wrong
		out(m)
	}
}

func misspellIncludes(p *program, out func(Mutant)) {
	for _, e := range p.matching("includes/*") {
		wrong := p.misspell(e.key.Value, e.key.Span())
		m := p.replace(e.key.Span(), wrong, e.around()...)
		m.Label = e.key.Value + " -> " + wrong
		out(m)
	}
}

func wrongGlob(p *program, out func(Mutant)) {
	for _, e := range p.matching("includes/*") {
		if e.isWord() && strings.Contains(e.value.Scalar.Value, "*") {
			m := e.setValue("nowhere/*.causet", e.key.Span())
			m.Label = e.key.Value + ": nowhere/*.causet"
			out(m)
		}
	}
}

func wrongWindow(p *program, out func(Mutant)) {
	for _, e := range p.matching("queries/*/window/allowed") {
		if e.value.Kind != yamltree.List {
			continue
		}
		for _, it := range e.value.Items {
			m := p.replace(it.Scalar.Span(), "7dd", e.key.Span())
			m.Label = it.Scalar.Value + " -> 7dd"
			out(m)
		}
	}
}
