package expr

// Envelope is what event.NAME can read of an event besides its payload. A field that the event does not have is missing
// (the zero Value). TS is a number of milliseconds since the epoch, Version a number, the others are strings.
type Envelope struct {
	Type     Value
	TS       Value
	EntityID Value
	EventID  Value
	StreamID Value
	ForkID   Value
	Version  Value
}

// envelopeField returns what reads the envelope field of that name, or false for any other name.
func envelopeField(name string) (func(*Envelope) Value, bool) {
	switch name {
	case "type":
		return func(e *Envelope) Value { return e.Type }, true
	case "ts":
		return func(e *Envelope) Value { return e.TS }, true
	case "entity_id":
		return func(e *Envelope) Value { return e.EntityID }, true
	case "event_id":
		return func(e *Envelope) Value { return e.EventID }, true
	case "stream_id":
		return func(e *Envelope) Value { return e.StreamID }, true
	case "fork_id":
		return func(e *Envelope) Value { return e.ForkID }, true
	case "version":
		return func(e *Envelope) Value { return e.Version }, true
	default:
		return nil, false
	}
}

// Env is everything that an expression can read. Its fields may be changed between evaluations; an Env is used by one
// goroutine at a time, and reusing one saves allocations.
type Env struct {
	Event   Envelope
	Payload Value // an object
	// Derived holds the values of the names that were given to Compile, in that order.
	Derived   []Value
	Resources map[string]Value
	// Snapshot reads the current state of an entity for lookup: missing where there is none. Its error is returned by
	// Eval wrapped, so that the caller can tell an unreachable database from an evaluation error. Nil: a lookup is an
	// evaluation error.
	Snapshot func(stream, entityID string) (Value, error)
	// NonDeterministic gives a non-deterministic function a value in a simulation. Nil: its call is an evaluation error.
	NonDeterministic func(name string, args []Value) (Value, error)

	it     Value   // of the innermost map
	stack  []Value // arguments of the calls under way
	text   []byte  // scratch for texts under construction
	budget int64   // work left for this evaluation
}

// The bounds of one evaluation.
const (
	// MaxTextBytes bounds each text that an expression builds, and about the canonical JSON of each array and object:
	// items that are shared in memory count as often as they show.
	MaxTextBytes = 16 << 20
	// MaxWork bounds the work of one evaluation, in about the bytes that it reads or writes. Only map can multiply work,
	// and only values of megabytes come near.
	MaxWork = 64 << 20
)

// built returns a container that an expression has built, or an error if it stands for too much.
func built(v Value) (Value, error) {
	if v.weight() > MaxTextBytes {
		return Value{}, evalErrorf(CodeLimit, "the expression builds an %s of more than %d bytes", v.kind, MaxTextBytes)
	}
	return v, nil
}

// spend charges work to the evaluation.
func (e *Env) spend(work int64) error {
	e.budget -= work
	if e.budget < 0 {
		return evalErrorf(CodeLimit, "the expression does too much work on this event")
	}
	return nil
}
