package spec

// Program is one application: all sections of all its files, in the order of files (by path) and of the text.
type Program struct {
	Set           *FileSet
	Manifest      *Manifest // nil where the input has none
	States        []*State
	Events        []*Event
	Actions       []*Action
	Projections   []*Projection
	Queries       []*Query
	Relationships []*Relationship
	Listeners     []*Listener
	Sagas         []*Saga
	Resources     []*Resource
	Envelopes     []*Envelope
	Providers     []*Provider
	Prompts       []*Prompt
	Decisions     []*Decision
	Memories      []*Memory
	Suppressions  []Suppression
	// Incomplete tells that a part of the program could not be read, which has been reported: what seems to be missing may
	// be defined there.
	Incomplete bool
}

// Manifest is what app.causet says of the program as a whole.
type Manifest struct {
	File       *File
	DSLVersion *Scalar
	App        *Scalar
	Includes   []Include
}

// Include is one kind of includes with its globs.
type Include struct {
	Kind  *Scalar
	Globs []*Scalar
}

// TypeRef is a type as an author writes it, such as "string?".
type TypeRef struct {
	*Scalar
	Name     string // without the question mark
	Nullable bool
}

// Field is a field of a state, a payload, an input, an item or an output.
type Field struct {
	Name        *Scalar
	Type        *TypeRef // nil where the author left it out
	Required    *Bool
	Nullable    *Bool
	Default     *Value
	Description *Scalar
	ItemType    *TypeRef
	ItemFields  []*Field
}

// State is an entity type.
type State struct {
	Name        *Scalar
	EntityKey   *Scalar
	Description *Scalar
	Fields      []*Field
}

// Event is a declared domain event.
type Event struct {
	Name        *Scalar
	State       *Scalar
	EntityExpr  *Expr
	Payload     []*Field
	Kind        *Scalar
	Description *Scalar
}

// Action is an intent.
type Action struct {
	Name         *Scalar
	State        *Scalar
	EntityIDExpr *Expr
	Description  *Scalar
	Input        []*Field
	Preflight    *Phase
	Core         *Phase
	SideEffects  *Phase
}

// Phase is one phase of an action.
type Phase struct {
	Key   *Scalar // preflight, core, side_effects or side_effect, as written
	Rules []*Rule
}

// Rule is one rule of a phase.
type Rule struct {
	Name     *Scalar
	When     *Expr // nil where it always holds
	Priority *Int
	Then     []*Op
}

// Op is one operation of a rule. Which keys an op may have is the parser's table; keys that are absent are nil.
type Op struct {
	Kind *Scalar // the value of "op"
	At   Span    // its first key

	Path, From   *Scalar // slash paths; From may be an expression as FromExpr
	FromExpr     *Expr
	Value        *Value
	CapMin       *Value
	CapMax       *Value
	Where        *Expr
	As, Into     *Scalar
	By           *Expr
	Expr         *Expr // of if
	Then, Else   []*Op
	ForEach      *Expr
	EventType    *Scalar
	Payload      []ValueEntry
	PayloadAt    *Scalar // the key "payload"
	Action       *Scalar // action or intent_type
	TargetStream *Scalar
	TargetEntity *Value // target_entity or entity_id
	Ref          *Scalar
	Input        []ValueEntry
	InputAt      *Scalar
	Code         *Scalar
	Message      *Scalar
	DelaySeconds *Value
	LockKey      *Value // key or lock_key
	Stream       *Scalar
	EntityIDExpr *Expr
	Relationship *Scalar
	FromID, ToID *Value
	Field        *Scalar // of a listener's mutation, which has the same ops
}

// Relationship is an edge type between states.
type Relationship struct {
	Name        *Scalar
	From, To    *Scalar
	Cardinality *Scalar
	Unique      *Bool
	Created     *Scalar // emit_events.created
	Removed     *Scalar // emit_events.removed
}

// Listener reacts to an event in the same commit.
type Listener struct {
	On       *Scalar
	Where    *Expr
	Priority *Int
	Mutate   []*Op
}

// Saga follows a process over events.
type Saga struct {
	Name      *Scalar
	State     *Scalar
	StatePath *Scalar
	Steps     []*SagaStep
}

// SagaStep is one step of a saga.
type SagaStep struct {
	Name *Scalar
	On   *Scalar
	Set  []ValueEntry
	End  *Bool
}

// Resource is a constant table.
type Resource struct {
	Name *Scalar
	Rows []ValueEntry
}

// Envelope is a two-phase transfer.
type Envelope struct {
	Name              *Scalar
	StartAction       *Scalar
	State             *Scalar // envelope_state
	StatePath         *Scalar // envelope_state_path
	PrepareEvent      *Scalar
	PreparedEvent     *Scalar
	CommitEvent       *Scalar
	AbortEvent        *Scalar
	AbortAfterSeconds *Int
	TickEvent         *Scalar
	Mode              *Scalar // causal_ordering.mode
	CursorField       *Scalar
	SeqSource         *Expr
	Participants      []*Participant
}

// Participant is one side of an envelope.
type Participant struct {
	Name        *Scalar
	State       *Scalar
	EntityExpr  *Expr
	DeltaExpr   *Expr
	Type        *Scalar // participant_type
	Strategy    *Scalar // visibility_gate.strategy
	VisiblePath *Scalar
	PendingPath *Scalar
}

// Provider is a model provider.
type Provider struct {
	Name        *Scalar
	Executor    *Scalar
	Model       *Scalar
	Temperature *Scalar
	MaxTokens   *Int
	Timeout     *Scalar
}

// Prompt is a template for a decision.
type Prompt struct {
	Name         *Scalar
	Instructions *Scalar
}

// Decision is a call of a model with a checked output.
type Decision struct {
	Name        *Scalar
	Provider    *Scalar
	Executor    *Scalar
	Model       *Scalar
	Prompt      *Scalar
	Emits       *Scalar
	Input       []*Field
	Output      []*Field
	Memories    []*Scalar
	Temperature *Scalar
	MaxTokens   *Int
	Timeout     *Scalar
	Retries     *Int
}

// Memory is a semantic memory fed by events.
type Memory struct {
	Name         *Scalar
	SourceEvents []*Scalar
	PartitionBy  *Scalar
	Provider     *Scalar // embedding.provider
	Executor     *Scalar
	Model        *Scalar
	Content      *Scalar
}
