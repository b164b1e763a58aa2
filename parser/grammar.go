package parser

import "github.com/causetc/causetc/spec"

// grammar is the table of the language: every section and key with its name, its type, whether it is required, and a
// word about it. The decoder, the JSON Schema and the suggestions for unknown keys all read this one.
type grammar struct {
	root        record[spec.Program]
	includes    record[spec.Manifest]
	state       record[spec.State]
	field       record[spec.Field]
	namedField  record[spec.Field]
	event       record[spec.Event]
	action      record[spec.Action]
	phase       record[spec.Phase]
	rule        record[spec.Rule]
	op          record[spec.Op]
	limits      record[spec.Op]
	listenerOp  record[spec.Op]
	projection  record[spec.Projection]
	target      record[spec.Projection]
	mutation    record[spec.Mutation]
	aggregate   record[spec.Aggregate]
	index       record[spec.TableIndex]
	bucket      record[spec.Bucket]
	partition   record[spec.Partition]
	query       record[spec.Query]
	join        record[spec.Join]
	joinOn      record[spec.Join]
	joinPair    record[spec.JoinPair]
	window      record[spec.Query]
	relation    record[spec.Relationship]
	edgeEvents  record[spec.Relationship]
	listener    record[spec.Listener]
	saga        record[spec.Saga]
	sagaStep    record[spec.SagaStep]
	envelope    record[spec.Envelope]
	lifecycle   record[spec.Envelope]
	timeout     record[spec.Envelope]
	ordering    record[spec.Envelope]
	participant record[spec.Participant]
	gate        record[spec.Participant]
	provider    record[spec.Provider]
	prompt      record[spec.Prompt]
	decision    record[spec.Decision]
	memory      record[spec.Memory]
	embedding   record[spec.Memory]
}

// language is the table; nothing changes it.
var language = newGrammar()

func newGrammar() *grammar {
	g := &grammar{}
	g.sections()
	g.manifest()
	g.states()
	g.events()
	g.actions()
	g.operations()
	g.projections()
	g.projectionParts()
	g.queries()
	g.joins()
	g.relationships()
	g.listeners()
	g.sagas()
	g.envelopes()
	g.participants()
	g.models()
	g.memories()
	return g
}

// sections are the keys at the top of a file.
func (g *grammar) sections() {
	type p = spec.Program
	g.root = record[p]{def: "program", title: "a spec file", doc: "A file of a Causet program. Any file may carry any sections.", keys: []key[p]{
		manifestKey("dsl_version", "The version of the language: 1.", anInt(1), func(d *decoder, m *spec.Manifest, v *spec.Int) { d.once(&m.DSLVersion, v.Scalar, "dsl_version") }),
		manifestKey("app", "The name of the application.", aName, func(d *decoder, m *spec.Manifest, v *spec.Scalar) { d.once(&m.App, v, "app") }),
		manifestKey("includes", "The files of the program: a map of kind to globs, relative to the manifest.", asKind(&g.includes),
			func(_ *decoder, m *spec.Manifest, v *spec.Manifest) { m.Includes = append(m.Includes, v.Includes...) }),
		many("state", "Entity types with their fields, by name.", mapOf(asKind(&g.state), func(v *spec.State, n *spec.Scalar) { v.Name = n }),
			func(t *p) *[]*spec.State { return &t.States }),
		many("events", "Domain events with their payloads, by name.", mapOf(asKind(&g.event), func(v *spec.Event, n *spec.Scalar) { v.Name = n }),
			func(t *p) *[]*spec.Event { return &t.Events }),
		many("actions", "Intents that clients may submit, by name.", mapOf(asKind(&g.action), func(v *spec.Action, n *spec.Scalar) { v.Name = n }),
			func(t *p) *[]*spec.Action { return &t.Actions }),
		many("projections", "Read tables that events are folded into, by name.", mapOf(asKind(&g.projection), func(v *spec.Projection, n *spec.Scalar) { v.Name = n }),
			func(t *p) *[]*spec.Projection { return &t.Projections }),
		many("queries", "Named queries over projections.", mapOf(asKind(&g.query), func(v *spec.Query, n *spec.Scalar) { v.Name = n }),
			func(t *p) *[]*spec.Query { return &t.Queries }),
		many("relationships", "Edge types between states, by name.", mapOf(asKind(&g.relation), func(v *spec.Relationship, n *spec.Scalar) { v.Name = n }),
			func(t *p) *[]*spec.Relationship { return &t.Relationships }),
		many("listeners", "Reactions on entity state in the commit of an event.", listOf(asKind(&g.listener)),
			func(t *p) *[]*spec.Listener { return &t.Listeners }),
		many("sagas", "Processes followed over events, by name.", mapOf(asKind(&g.saga), func(v *spec.Saga, n *spec.Scalar) { v.Name = n }),
			func(t *p) *[]*spec.Saga { return &t.Sagas }),
		many("resources", "Constant tables: name, then key, then a scalar or an object.", resources, func(t *p) *[]*spec.Resource { return &t.Resources }),
		many("commit_envelopes", "Two-phase transfers, by name.", mapOf(asKind(&g.envelope), func(v *spec.Envelope, n *spec.Scalar) { v.Name = n }),
			func(t *p) *[]*spec.Envelope { return &t.Envelopes }),
		many("providers", "Model providers, by name.", mapOf(asKind(&g.provider), func(v *spec.Provider, n *spec.Scalar) { v.Name = n }),
			func(t *p) *[]*spec.Provider { return &t.Providers }),
		many("prompts", "Templates for decisions, by name.", mapOf(asKind(&g.prompt), func(v *spec.Prompt, n *spec.Scalar) { v.Name = n }),
			func(t *p) *[]*spec.Prompt { return &t.Prompts }),
		many("decisions", "Calls of a model with a checked output, by name.", mapOf(asKind(&g.decision), func(v *spec.Decision, n *spec.Scalar) { v.Name = n }),
			func(t *p) *[]*spec.Decision { return &t.Decisions }),
		many("memories", "Semantic memories fed by events, by name.", mapOf(asKind(&g.memory), func(v *spec.Memory, n *spec.Scalar) { v.Name = n }),
			func(t *p) *[]*spec.Memory { return &t.Memories }),
	}}
}
