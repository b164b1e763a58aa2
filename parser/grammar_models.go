package parser

import (
	"github.com/causetc/causetc/spec"
)

func (g *grammar) envelopes() {
	type e = spec.Envelope
	g.envelope = record[e]{def: "commit_envelope", title: "a commit envelope", doc: "A two-phase transfer.", keys: []key[e]{
		one("start_action", "The action that starts it.", aName, func(t *e) **spec.Scalar { return &t.StartAction }).must(),
		one("envelope_state", "The state that coordinates it.", aName, func(t *e) **spec.Scalar { return &t.State }).must(),
		one("envelope_state_path", "Where in that state, a slash path.", aName, func(t *e) **spec.Scalar { return &t.StatePath }).must(),
		part("lifecycle", "Its events.", &g.lifecycle).must(),
		part("timeout", "When it is given up.", &g.timeout).must(),
		part("causal_ordering", "How its commits are ordered.", &g.ordering).must(),
		many("participants", "Its sides.", listOf(asKind(&g.participant)), func(t *e) *[]*spec.Participant { return &t.Participants }).must(),
	}}
	g.lifecycle = record[e]{def: "lifecycle", title: "lifecycle", doc: "The events of a transfer.", keys: []key[e]{
		one("prepare_event", "Asks a participant to prepare.", aName, func(t *e) **spec.Scalar { return &t.PrepareEvent }).must(),
		one("prepared_event", "A participant has prepared.", aName, func(t *e) **spec.Scalar { return &t.PreparedEvent }).must(),
		one("commit_event", "The transfer is done.", aName, func(t *e) **spec.Scalar { return &t.CommitEvent }).must(),
		one("abort_event", "The transfer is given up.", aName, func(t *e) **spec.Scalar { return &t.AbortEvent }).must(),
	}}
	g.timeout = record[e]{def: "envelope_timeout", title: "timeout", doc: "When a transfer is given up.", keys: []key[e]{
		one("abort_after_seconds", "Seconds from its start.", anInt(0), func(t *e) **spec.Int { return &t.AbortAfterSeconds }).must(),
		one("tick_event", "The event that makes time pass.", aName, func(t *e) **spec.Scalar { return &t.TickEvent }).must(),
	}}
	g.ordering = record[e]{def: "causal_ordering", title: "causal_ordering", doc: "How commits are ordered.", keys: []key[e]{
		one("mode", "What an order is kept for.", choice("a mode", "per_entity", "per_aggregate", "global"), func(t *e) **spec.Scalar { return &t.Mode }).must(),
		one("cursor_field", "Where the last sequence number is kept, a slash path.", aName, func(t *e) **spec.Scalar { return &t.CursorField }).must(),
		one("seq_source", "The sequence number.", anExpr, func(t *e) **spec.Expr { return &t.SeqSource }).must(),
	}}
}

func (g *grammar) participants() {
	type p = spec.Participant
	g.participant = record[p]{def: "participant", title: "a participant", doc: "One side of a transfer.", keys: []key[p]{
		one("name", "Its name.", aName, func(t *p) **spec.Scalar { return &t.Name }).must(),
		one("state", "Its state.", aName, func(t *p) **spec.Scalar { return &t.State }).must(),
		one("entity_expr", "Which entity it is.", anExpr, func(t *p) **spec.Expr { return &t.EntityExpr }).must(),
		one("delta_expr", "What it gains.", anExpr, func(t *p) **spec.Expr { return &t.DeltaExpr }),
		one("participant_type", "What sort it is, such as ledger.", aName, func(t *p) **spec.Scalar { return &t.Type }),
		part("visibility_gate", "How the change is hidden until the commit.", &g.gate),
	}}
	g.gate = record[p]{def: "visibility_gate", title: "visibility_gate", doc: "How a change is hidden until the commit.", keys: []key[p]{
		one("strategy", "shadow_state or immediate.", choice("a strategy", "shadow_state", "immediate"), func(t *p) **spec.Scalar { return &t.Strategy }).must(),
		one("visible_path", "Where the visible values are, a slash path.", aName, func(t *p) **spec.Scalar { return &t.VisiblePath }),
		one("pending_path", "Where the pending ones are, a slash path.", aName, func(t *p) **spec.Scalar { return &t.PendingPath }),
	}}
}

var executor = choice("an executor", "openai", "anthropic", "ollama", "mock")

func (g *grammar) models() {
	type v = spec.Provider
	g.provider = record[v]{def: "provider", title: "a provider", doc: "A model provider.", keys: []key[v]{
		one("executor", "Who runs the model.", executor, func(t *v) **spec.Scalar { return &t.Executor }).must(),
		one("model", "The model.", aName, func(t *v) **spec.Scalar { return &t.Model }),
		one("temperature", "How free the answers are.", aNumber, func(t *v) **spec.Scalar { return &t.Temperature }),
		one("max_tokens", "The longest answer.", anInt(1), func(t *v) **spec.Int { return &t.MaxTokens }),
		one("timeout", "A duration such as 45s.", aName, func(t *v) **spec.Scalar { return &t.Timeout }),
	}}
	type p = spec.Prompt
	g.prompt = record[p]{def: "prompt", title: "a prompt", doc: "A template: the text, or a map.", short: &aText,
		expand: func(_ *decoder, t *p, s *spec.Scalar) { t.Instructions = s }, keys: []key[p]{
			one("instructions", "The text, with {{ name }} for inputs and {{ memories.NAME }}.", aText, func(t *p) **spec.Scalar { return &t.Instructions }).must(),
		}}
	type c = spec.Decision
	g.decision = record[c]{def: "decision", title: "a decision", doc: "A call of a model with a checked output.", oneOf: [][]string{{"provider", "executor"}}, keys: []key[c]{
		one("provider", "The provider.", aName, func(t *c) **spec.Scalar { return &t.Provider }),
		one("executor", "Who runs the model, without a provider.", executor, func(t *c) **spec.Scalar { return &t.Executor }),
		one("model", "The model.", aName, func(t *c) **spec.Scalar { return &t.Model }),
		one("prompt", "The prompt.", aName, func(t *c) **spec.Scalar { return &t.Prompt }).must(),
		one("emits", "The event that carries the result.", aName, func(t *c) **spec.Scalar { return &t.Emits }).must(),
		many("input", "What the model is told, by name.", g.fields(), func(t *c) *[]*spec.Field { return &t.Input }).must(),
		many("output", "What it must answer, by name.", g.fields(), func(t *c) *[]*spec.Field { return &t.Output }).must(),
		many("memories", "Memories that the prompt may use.", names, func(t *c) *[]*spec.Scalar { return &t.Memories }).or("memory"),
		one("temperature", "How free the answers are.", aNumber, func(t *c) **spec.Scalar { return &t.Temperature }),
		one("max_tokens", "The longest answer.", anInt(1), func(t *c) **spec.Int { return &t.MaxTokens }),
		one("timeout", "A duration such as 45s.", aName, func(t *c) **spec.Scalar { return &t.Timeout }),
		one("retries", "How often to ask again.", anInt(0), func(t *c) **spec.Int { return &t.Retries }),
	}}
}

func (g *grammar) memories() {
	type m = spec.Memory
	g.memory = record[m]{def: "memory", title: "a memory", doc: "A semantic memory fed by events.", keys: []key[m]{
		many("source_events", "The events it takes.", names, func(t *m) *[]*spec.Scalar { return &t.SourceEvents }).must(),
		one("partition_by", "The payload field that separates memories.", aName, func(t *m) **spec.Scalar { return &t.PartitionBy }).must(),
		part("embedding", "Who embeds the content.", &g.embedding).must(),
		one("content", "The text, with {{ event.FIELD }}.", aText, func(t *m) **spec.Scalar { return &t.Content }).must(),
	}}
	g.embedding = record[m]{def: "embedding", title: "embedding", doc: "Who embeds the content.", oneOf: [][]string{{"provider", "executor"}}, keys: []key[m]{
		one("provider", "The provider.", aName, func(t *m) **spec.Scalar { return &t.Provider }),
		one("executor", "Who runs the model, without a provider.", executor, func(t *m) **spec.Scalar { return &t.Executor }),
		one("model", "The model.", aName, func(t *m) **spec.Scalar { return &t.Model }),
	}}
}
