package mutation

import (
	"strings"

	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// requiredKeys are the keys that the language asks for, by the path of the map that holds them.
var requiredKeys = []struct{ in, keys string }{
	{"state/*", "entity_key fields"},
	{"state/*/fields/[]", "name type"},
	{"state/*/fields/*", "type"},
	{"events/*", "state"},
	{"events/*/payload/*", "type"},
	{"actions/*", "state"},
	{"actions/*/input/*", "type"},
	{"actions/*/preflight", "rules"},
	{"actions/*/core", "rules"},
	{"actions/*/side_effects", "rules"},
	{"**/rules/[]", "name then"},
	{"projections/*", "source_events target"},
	{"projections/*/target", "table primary_key"},
	{"projections/*/indexes/[]", "columns"},
	{"projections/*/bucket", "field"},
	{"projections/*/partition", "field"},
	{"queries/*", "from"},
	{"queries/*/joins/*", "on"},
	{"queries/*/joins/*/on/pairs/[]", "left right"},
	{"queries/*/window", "allowed"},
	{"relationships/*", "from to"},
	{"listeners/[]", "on mutate"},
	{"listeners/[]/mutate/[]", "op field"},
	{"sagas/*", "state state_path steps"},
	{"sagas/*/steps/[]", "name"},
	{"commit_envelopes/*", "start_action envelope_state envelope_state_path lifecycle timeout causal_ordering participants"},
	{"commit_envelopes/*/lifecycle", "prepare_event prepared_event commit_event abort_event"},
	{"commit_envelopes/*/timeout", "abort_after_seconds tick_event"},
	{"commit_envelopes/*/causal_ordering", "mode cursor_field seq_source"},
	{"commit_envelopes/*/participants/[]", "name state entity_expr"},
	{"commit_envelopes/*/participants/[]/visibility_gate", "strategy"},
	{"providers/*", "executor"},
	{"prompts/*", "instructions"},
	{"decisions/*", "provider executor prompt emits input output"},
	{"memories/*", "source_events partition_by embedding content"},
	{"memories/*/embedding", "provider executor"},
}

// requiredOpKeys are those of the ops, beside op itself.
var requiredOpKeys = map[string]string{
	"set": "path value", "add": "path value", "sub": "path value", "unset": "path", "merge": "path value", "push": "path value",
	"remove": "path where", "filter": "path where", "find": "path where", "map": "path from", "sort": "path from", "clone": "path from",
	"if": "expr then", "for_each": "for_each then", "emit": "event_type", "emit_each": "from event_type",
	"submit": "action intent_type", "schedule": "action intent_type delay_seconds", "decision": "ref", "reject": "code",
	"lock": "lock_key key", "unlock": "lock_key key", "lookup": "into stream entity_id_expr",
	"relationship_create": "relationship to_id", "relationship_remove": "relationship to_id",
}

// isOp reports whether the entry stands in an op.
func (e *entry) isOp() bool {
	return child(e.in, "op") != nil && (e.path[0] == "actions" || e.path[0] == "listeners")
}

func keyKinds() []*Kind {
	return []*Kind{
		{Name: "delete required key", Rule: "a map has the keys that are required in it", make: deleteRequired},
		{Name: "delete required key of an op", Rule: "an op has the keys that its kind requires", make: deleteOpKey},
		{Name: "misspell key", Rule: "a key is one of those known where it stands", make: misspellKey},
		{Name: "duplicate key", Rule: "a key stands once in a map", make: duplicateKey},
		{Name: "unknown key", Rule: "a key is one of those known where it stands", make: unknownKey},
		{Name: "key without value", Rule: "a key has a value", make: emptyKey},
		{Name: "wrong shape", Rule: "a value is a map, a list or a text as its key asks", make: wrongShape},
	}
}

func deleteRequired(p *program, out func(Mutant)) {
	for _, r := range requiredKeys {
		for _, key := range strings.Fields(r.keys) {
			for _, e := range p.matching(r.in + "/" + key) {
				m := e.without()
				m.Label = "no " + key + " in " + strings.Join(e.path[:len(e.path)-1], "/")
				out(m)
			}
		}
	}
	for _, e := range p.matching("dsl_version", "app") {
		m := e.without()
		m.At = append(m.At, e.file.Span(0, len(e.file.Text)))
		m.Label = "no " + e.key.Value
		if p.spec.Manifest.Includes == nil {
			m.Legal = "a program of one file needs no manifest"
		}
		out(m)
	}
}

func deleteOpKey(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if !e.isOp() {
			continue
		}
		op := scalarText(e.sibling("op"))
		if e.key.Value == "op" || e.path[0] == "actions" && contains(requiredOpKeys[op], e.key.Value) {
			m := e.without()
			m.Label = "no " + e.key.Value + " in op " + op
			out(m)
		}
	}
}

func contains(words, word string) bool {
	for _, w := range strings.Fields(words) {
		if w == word {
			return true
		}
	}
	return false
}

// freeMaps are the maps whose keys are names, by the last key before them.
const freeMaps = `state events actions projections queries relationships sagas resources commit_envelopes providers prompts decisions memories
	payload input output fields item_fields derive set value mutations aggregates joins where order_by aggregate on override includes default`

// fixedKey reports whether a key is a word of the language, rather than a name.
func (e *entry) fixedKey() bool {
	if len(e.path) == 1 {
		return true
	}
	if e.path[0] == "resources" || e.inValue() {
		return false
	}
	in := e.path[len(e.path)-2]
	if e.up != nil && e.up.up != nil && e.up.up.key.Value == "aggregates" {
		return false // EVENT: {column: ...}
	}
	if contains(freeMaps, in) {
		return e.value.Kind != yamltree.Scalar && e.key.Value == "pairs"
	}
	return true
}

// inValue reports whether an entry stands deep in a value, whose keys are all names.
func (e *entry) inValue() bool {
	for i, key := range e.path[1 : len(e.path)-1] {
		deep := i+2 < len(e.path)-1
		switch {
		case key == "value" || key == "default",
			deep && (key == "set" || key == "derive"),
			deep && e.path[0] == "actions" && (key == "payload" || key == "input" && i > 1):
			return true
		}
	}
	return false
}

func misspellKey(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if e.fixedKey() {
			wrong := p.misspell(e.key.Value, e.key.Span())
			m := p.replace(e.key.Span(), wrong, e.around()...)
			m.Label = e.key.Value + " -> " + wrong
			out(m)
		}
	}
}

func duplicateKey(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if e.value.Kind != yamltree.Scalar || e.value.Scalar.Style > spec.DoubleQuoted {
			continue
		}
		m := e.withSibling(p.text(e.extent()), e.key.Span())
		m.Label = e.key.Value + " twice"
		out(m)
	}
}

func unknownKey(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if e.fixedKey() && e.pos == 0 {
			m := e.withSibling("zzz_more: 1", e.around()...)
			m.Label = "zzz_more in " + strings.Join(e.path[:len(e.path)-1], "/")
			out(m)
		}
	}
}

// maybeNothing are keys where null is a value, or nothing means something.
const maybeNothing = `description message default value code timeout by when floor ceil limit entity_id target_entity from_id to_id delay_seconds
	lock_key key min max eq neq gt gte lt lte in nin like ilike gte_window`

func emptyKey(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if !e.fixedKey() || e.value.Kind != yamltree.Scalar || contains(maybeNothing, e.key.Value) {
			continue
		}
		m := e.setValue("", append(e.around(), e.key.Span())...)
		m.Label = "nothing behind " + e.key.Value
		out(m)
	}
}

// wrongShape writes a list where a text belongs, and a text where a map or a list of maps belongs.
func wrongShape(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if !e.fixedKey() || e.path[0] == "includes" {
			continue
		}
		switch {
		case e.value.Kind == yamltree.Scalar && !contains("value default by columns group_by coalesce_zero primary_key from_id to_id entity_id target_entity lock_key limit floor ceil min max delay_seconds", e.key.Value):
			m := e.setValue("[[zzz]]", e.key.Span())
			m.Label = "a list for " + e.key.Value
			out(m)
		case contains("rules then target lifecycle timeout causal_ordering participants steps fields payload input output", e.key.Value) && e.value.Kind != yamltree.Scalar:
			to := end(e.file, e.value)
			m := p.replace(e.file.Span(int(e.file.Offset(e.key.Span().End)), to), ": 12", e.key.Span())
			m.Label = "a number for " + e.key.Value
			if e.path[0] == "queries" && e.key.Value == "fields" || e.path[0] == "queries" && len(e.path) > 3 && e.path[2] == "joins" {
				m.Legal = "one column may be written as a text"
			}
			out(m)
		}
	}
}
