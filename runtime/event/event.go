// Package event decodes the records of the event topic: the envelope and its payload.
package event

import "github.com/causetc/causetc/ir/expr"

// DefaultFork is the fork of an event that names none.
const DefaultFork = "main"

// SourceHeader is the header of a record that was published from a file: it names the place as FILE:LINE.
const SourceHeader = "causetc-source"

// Event is one domain event as a record delivered it.
type Event struct {
	ID       string // identity; "topic/partition/offset" where the record has none
	OwnID    bool   // the record carried its own identity
	Type     string
	EntityID string
	StreamID string     // empty where the record has none
	ForkID   string     // DefaultFork where the record has none
	TS       int64      // milliseconds since the epoch; the record's own time where the event has none
	Version  expr.Value // the ledger cursor, or missing
	Payload  expr.Value // an object, empty where the record has none
}

// Position is where a record stands in the log.
type Position struct {
	Topic     string
	Partition int32
	Offset    int64
}
