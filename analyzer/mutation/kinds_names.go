package mutation

import (
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// nameRules says for each kind of name what a use of an unknown one breaks.
var nameRules = []struct{ kind, rule string }{
	{"event", "a reference to an event names a declared event"},
	{"event of a mutation", "mutations and aggregates name source events of their projection"},
	{"state", "a reference to a state names a declared state"},
	{"stream", "a stream is that of a declared state: wallet or wallet_stream"},
	{"action", "submit, schedule and start_action name a declared action"},
	{"projection", "from, joins and dedup name a declared projection"},
	{"table", "from and joins name a projection or a table that projections write"},
	{"table of a column", "table.column names a table that the query reads"},
	{"column", "a column that is written is declared in fields, and a declared one is written"},
	{"column of a key", "every column of the primary key is derived or set"},
	{"column of an index", "an index names columns of the table"},
	{"column of a partition", "partition.field names a column of the primary key"},
	{"column of a query", "fields, where, order_by, group_by and aggregate name columns of the query's tables"},
	{"column of a join", "a join pairs columns of the query's tables"},
	{"derived column", "derived.NAME names a column that is derived for the same event"},
	{"input", "intent.NAME and input.NAME name declared inputs, and a submit gives declared ones"},
	{"payload field", "event.NAME names a declared payload field, and an emit gives declared ones"},
	{"entity path", "a path of an op names a declared field of the state"},
	{"entity path in an expression", "entity.NAME names a declared field of the state"},
	{"item field", "item.NAME and it.NAME name declared fields of the items"},
	{"bound name", "a name is bound by as or into before it is used"},
	{"namespace", "a dotted path begins with a namespace or a bound name"},
	{"function", "a call names a known function"},
	{"relationship", "relationship_create and relationship_remove name a declared relationship"},
	{"decision", "the op decision and entity.decisions name a declared decision"},
	{"decision input", "the input of the op decision has the declared fields"},
	{"decision output", "entity.decisions.REF.output.NAME names a declared output"},
	{"prompt", "a decision names a declared prompt"},
	{"prompt variable", "{{ name }} in a prompt names an input of the decision"},
	{"provider", "provider names a declared provider"},
	{"memory", "memories names declared memories"},
	{"memory variable", "{{ event.NAME }} names a payload field of a source event"},
	{"resource", "resources.NAME names a declared resource"},
	{"resource field", "resources.NAME[key].field names a field that its rows have"},
}

// nameKinds are the slips in names: where they are used, and where they are defined.
func nameKinds() []*Kind {
	var kinds []*Kind
	for _, r := range nameRules {
		kinds = append(kinds, &Kind{Name: "misspell " + r.kind, Rule: r.rule, make: func(p *program, out func(Mutant)) {
			for _, t := range p.tokens {
				if t.kind == r.kind && !t.def && !t.soft {
					out(p.misspelt(t))
				}
			}
		}})
	}
	kinds = append(kinds, &Kind{
		Name: "misspell written column", Rule: "a column that is written is declared in fields, and a declared one is written", Hint: true,
		make: func(p *program, out func(Mutant)) {
			for _, t := range p.tokens {
				if t.soft && p.declaredColumn(t) {
					out(p.misspelt(t))
				}
			}
		}})
	for _, kind := range []string{"event", "state", "action", "projection", "table", "column", "input", "payload field", "entity path", "item field",
		"bound name", "relationship", "decision", "decision input", "decision output", "prompt", "provider", "memory", "resource"} {
		kinds = append(kinds, &Kind{
			Name: "misspell definition of " + kind, Rule: "what is used is defined by that name", Hint: kind == "column",
			make: func(p *program, out func(Mutant)) {
				for _, t := range p.tokens {
					if t.kind == kind && t.def {
						out(p.misdefined(t))
					}
				}
			}})
	}
	return kinds
}

func (p *program) misspelt(t token) Mutant {
	right := p.text(t.at)
	wrong := p.misspell(right, t.at)
	m := p.replace(t.at, wrong, p.definitionOf(t)...)
	if t.kind == "column" {
		t.kind = "column of a key"
		m.At = append(m.At, p.uses(t)...)
	}
	m.Label = right + " -> " + wrong
	return m
}

// definitionOf returns where a column is declared, which lint may point at when nothing writes it any more.
func (p *program) definitionOf(t token) []spec.Span {
	var list []spec.Span
	for _, o := range p.tokens {
		if t.soft && o.def && o.kind == t.kind && o.name == t.name && sameScope(o.scope, t.scope) {
			list = append(list, o.at)
		}
	}
	return list
}

// declaredColumn reports whether the projections of a table say of which columns it consists.
func (p *program) declaredColumn(t token) bool { return len(p.definitionOf(t)) > 0 }

// related are kinds of uses of one kind of definition.
var related = map[string][]string{
	"column":         {"column of a key", "column of an index", "column of a partition", "column of a query", "column of a join", "derived column"},
	"entity path":    {"entity path in an expression"},
	"event":          {"event of a mutation"},
	"state":          {"stream"},
	"projection":     {"table of a column"},
	"table":          {"table of a column"},
	"decision input": {"prompt variable"},
	"payload field":  {"memory variable"},
}

func (p *program) misdefined(t token) Mutant {
	right := p.text(t.at)
	wrong := p.misspell(right, t.at)
	places := p.uses(t)
	for _, kind := range related[t.kind] {
		o := t
		o.kind = kind
		if kind == "stream" || kind == "memory variable" || kind == "table of a column" || kind == "event of a mutation" {
			o.scope = nil
		}
		places = append(places, p.uses(o)...)
	}
	if t.kind == "state" {
		for _, kind := range []string{"stream", "state"} {
			places = append(places, p.uses(token{kind: kind, name: t.name + "_stream"})...)
		}
	}
	uses := len(places)
	switch t.kind {
	case "payload field":
		for _, d := range p.table.Deciders(t.scope[0]) {
			places = append(places, d.Emits.Span())
		}
	case "item field":
		places = append(places, p.members(t.name)...)
	}
	m := p.replace(t.at, wrong, places...)
	m.Label = right + " -> " + wrong
	m.Legal = p.stillDefined(t, uses)
	return m
}

// needed reports whether a name is used where nothing but this definition can be meant.
func (p *program) needed(t token) bool {
	for _, o := range p.tokens {
		if !o.def && o.kind == t.kind && o.name == t.name && len(o.scope) == 1 && o.scope[0] == t.scope[0] {
			return true
		}
	}
	return false
}

// members are the places of a name behind a dot, in any expression.
func (p *program) members(name string) []spec.Span {
	var list []spec.Span
	for i := range p.sites {
		e := p.sites[i].Expr
		spec.Walk(e.Root, func(n spec.Node) bool {
			if m, ok := n.(*spec.Member); ok && m.Name == name {
				list = append(list, e.At(m.NameAt))
			}
			return true
		})
	}
	return list
}

// stillDefined says why a name that is defined under another name breaks nothing.
func (p *program) stillDefined(t token, uses int) string {
	switch {
	case uses == 0:
		return "nothing uses the name"
	case t.kind == "projection" && p.table.Tables[t.name] != nil:
		return "the table has the same name"
	case t.kind == "table" && p.table.Projections[t.name] != nil:
		return "the projection has the same name"
	case t.kind == "table" && len(p.table.Tables[t.name].Projections) > 1:
		return "another projection writes the table"
	case t.kind == "payload field" && len(p.table.EnvelopesOf(t.scope[0])) > 0:
		return "the platform fills the event"
	case t.kind == "payload field" && !p.needed(t):
		return "other source events still have the field"
	case t.kind == "column" && p.count(t) > 1:
		return "another projection of the table declares it"
	}
	return ""
}

func (p *program) count(t token) int {
	n := 0
	for _, o := range p.tokens {
		if o.def && o.kind == t.kind && o.name == t.name && sameScope(o.scope, t.scope) {
			n++
		}
	}
	return n
}

// tableOf returns what the program knows of a projection's table.
func (p *program) tableOf(pr *spec.Projection) *symbols.TableInfo {
	return p.table.Tables[symbols.TableName(pr)]
}
