package store

import (
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
)

// Failure is an event that has failed, or waits for one, with all that is needed to try it again.
type Failure struct {
	Position   event.Position
	Clock      int64 // the partition's clock after the event
	EventID    string
	EventType  string
	EntityID   string
	ForkID     string
	Projection string // the projection that failed, or else the first that reads the event
	Attempts   int    // that have begun
	FirstAt    time.Time
	LastAt     time.Time
	ErrorClass string // event, undecodable; empty where there was no attempt yet
	SQLState   string
	Message    string // of the last error, bounded
	Record
}

// Record is a record of the topic as it was.
type Record struct {
	Key, Value []byte // nil for absent
	Headers    []Header
	Timestamp  int64 // milliseconds since the epoch
}

// Header is a record header.
type Header struct {
	Key   string
	Value []byte
}

// ParkedEvent is an event that is tried again later, or one that waits for such an event. Times
// are whole microseconds.
type ParkedEvent struct {
	Failure
	NextAt  time.Time // when the next attempt is due; zero for a waiting event
	Waiting bool      // for an earlier event that shares a key; there was no attempt yet
	Keys    []fold.Key
}

// Same reports whether nothing has begun or ended an attempt between the two states of one event.
func (p *ParkedEvent) Same(other *ParkedEvent) bool {
	return p.Position == other.Position && p.Attempts == other.Attempts && p.Waiting == other.Waiting
}

// DeadLetter is an event that the group gave up on.
type DeadLetter struct {
	Failure
	ID          string // deterministic: a duplicate on the topic is recognisable
	Group       string
	Version     int
	PublishedAt time.Time // zero: not yet
}
