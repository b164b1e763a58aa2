// Package store is the contract between the worker and what keeps a group's rows, cursor and ids.
package store

import (
	"context"
	"errors"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
)

// ErrFenced says that the cursor was not where this worker left it: another worker owns the partition, or a commit whose
// result was unknown did succeed. Nothing was written; the caller drops its state and loads the cursor again.
var ErrFenced = errors.New("another worker moved the cursor")

// Cursor is a group's position in one partition.
type Cursor struct {
	Topic     string
	TopicID   [16]byte
	Partition int32
	Next      int64 // offset of the next record to consume
	Clock     int64 // running maximum of min(event time, record time), in milliseconds
}

// Outcome is what became of one record.
type Outcome uint8

// The outcomes. Every record below the cursor has exactly one.
const (
	Applied   Outcome = iota // its effect is in the tables
	Skipped                  // tombstone, other fork, no event type, or no projection names it
	Duplicate                // its id was seen before: it does nothing at all
	Dead                     // it goes to the dead letters
)

// Entry is one record of a batch.
type Entry struct {
	Position event.Position
	Clock    int64    // the partition's clock after this record
	ID       [16]byte // 128-bit hash of the event's id; zero for records that have none (they enter no window)
	Outcome  Outcome
	Effect   fold.Effect // of Applied
	Dead     *DeadLetter // of Dead
}

// Batch is a run of records of one partition for one group, to be written in one transaction.
type Batch struct {
	From    Cursor // where the stored cursor must be (all fields)
	To      Cursor // where it is afterwards
	Entries []Entry
}

// Counts tells what a committed batch did.
type Counts struct {
	Applied, Skipped, Duplicates, Dead int
}

// DeadLetter is an event that the group gave up on, with all that is needed to replay it.
type DeadLetter struct {
	ID          string // deterministic: a duplicate on the topic is recognisable
	Group       string
	Version     int
	Projection  string // the projection that failed, or empty
	Position    event.Position
	Clock       int64
	EventID     string
	EventType   string
	EntityID    string
	ForkID      string
	Attempts    int
	FirstAt     time.Time
	LastAt      time.Time
	ErrorClass  string // event, undecodable
	SQLState    string
	Message     string // bounded
	Key, Value  []byte // as the source record had them; nil for absent
	Headers     []Header
	PublishedAt time.Time // zero: not yet
}

// Header is a record header.
type Header struct {
	Key   string
	Value []byte
}

// DataError is an error that lies in the events of a batch: the database refused the data. The caller finds the culprit
// by committing smaller batches.
type DataError struct {
	SQLState string
	Message  string
	Err      error
}

func (e *DataError) Error() string { return e.Message }

// Unwrap returns the database's error.
func (e *DataError) Unwrap() error { return e.Err }

// EnvironmentError is an error of the surroundings: connection lost, server starting or read-only, disk full, deadlock.
// Trying again later may succeed, and no event is to blame.
type EnvironmentError struct{ Err error }

func (e *EnvironmentError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *EnvironmentError) Unwrap() error { return e.Err }

// DeploymentError says that what is deployed does not fit the program: missing or different tables, another app or fork,
// a newer layout. The message says what to do.
type DeploymentError struct{ Message string }

func (e *DeploymentError) Error() string { return e.Message }

// Group keeps one group's rows, cursors, ids and dead letters. A Group is used by one goroutine a partition; partitions
// are independent.
type Group interface {
	// LoadCursor returns the stored position and clock of a partition, with found false where there is none yet.
	LoadCursor(ctx context.Context, topic string, partition int32) (c Cursor, found bool, err error)
	// LoadWindow returns the ids of the partition's window, oldest first.
	LoadWindow(ctx context.Context, topic string, partition int32) ([][16]byte, error)
	// Commit moves the cursor from From to To and applies the entries, all or nothing. The first batch of a partition has
	// a From with Next at the start of the log and creates the cursor. Errors are ErrFenced, *DataError,
	// *EnvironmentError or *DeploymentError, or the context's.
	Commit(ctx context.Context, b Batch) (Counts, error)
	// UnpublishedDeadLetters returns dead letters that are not yet on the topic, oldest first, at most limit.
	UnpublishedDeadLetters(ctx context.Context, limit int) ([]DeadLetter, error)
	// MarkPublished notes that dead letters reached the topic, each at its PublishedAt.
	MarkPublished(ctx context.Context, letters []DeadLetter) error
}
