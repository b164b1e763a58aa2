// Package store is the contract between the worker and what keeps a group's rows, cursor and ids.
package store

import (
	"context"
	"errors"

	"github.com/causetc/causetc/runtime/event"
)

// ErrFenced says that the cursor or a parked event was not as this worker left it: another worker owns the partition, or a
// transaction whose result was unknown did succeed. Nothing was written; the caller drops its state and loads it again.
var ErrFenced = errors.New("another worker moved the cursor or took the event")

// Cursor is a group's position in one partition.
type Cursor struct {
	Topic     string
	TopicID   [16]byte
	Partition int32
	Next      int64 // offset of the next record to consume
	Clock     int64 // running maximum of min(event time, record time), in milliseconds
}

// DataError is an error that lies in the events of a batch: the database refused the data. Where it does not say which
// events are at fault, the caller finds them by committing smaller batches.
type DataError struct {
	SQLState string
	Message  string
	Err      error
	Refused  []Refusal // some or all of those at fault, in the order of the log
}

// Refusal says that one of the entries of a transaction was refused.
type Refusal struct {
	Index int // of the entry
	Err   *DataError
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

// Group keeps one group's rows, cursors, ids, parked events and dead letters. A partition is used by one goroutine;
// partitions are independent.
type Group interface {
	// LoadCursor returns the stored position and clock of a partition, with found false where there is none yet.
	LoadCursor(ctx context.Context, topic string, partition int32) (c Cursor, found bool, err error)
	// LoadWindow returns the ids of the partition's window, oldest first.
	LoadWindow(ctx context.Context, topic string, partition int32) ([][16]byte, error)
	// LoadParked returns the partition's parked and waiting events in the order of the log, each without its Record and
	// Message, of which there may be too much for memory.
	LoadParked(ctx context.Context, topic string, partition int32) ([]ParkedEvent, error)
	// LoadFailures returns parked and waiting events whole, in the order of the log; offsets that have none are left out.
	LoadFailures(ctx context.Context, topic string, partition int32, offsets []int64) ([]ParkedEvent, error)

	// LoadPartitions returns the partitions of a topic with this id in which the group has cursors, in order.
	LoadPartitions(ctx context.Context, topic string, id [16]byte) ([]int32, error)
	// Begin gives a group that has no cursors in the topic these, and does nothing where it has some.
	Begin(ctx context.Context, topic string, cursors []Cursor) error
	// LoadBarriers returns the barriers of a topic with this id, in the order of Before and Partition. All groups that share
	// a database share them.
	LoadBarriers(ctx context.Context, topic string, id [16]byte) ([]Barrier, error)
	// Grow notes the barriers of one growth, one for each partition that was there, unless that growth is noted. It returns
	// ErrFenced where a cursor is beyond its barrier already.
	Grow(ctx context.Context, barriers []Barrier) error
	// Split gives the children of a barrier cursors at the offsets given, with the window of the parent and its clock, or
	// the barrier's if that is later. The parent's cursor must be From, and in a group whose events wait for failed ones none
	// may be parked in the parent; or else it is fenced. All or nothing.
	Split(ctx context.Context, from Cursor, b Barrier, starts map[int32]int64) error

	// BeginRun notes that the work on a partition begins, whoever worked on it before, and returns the run with what is known
	// of those before it.
	BeginRun(ctx context.Context, r Run) (Run, error)
	// BeginDecoding notes, before it does so, that a process decodes a record alone, and returns how many processes were noted,
	// with this one. All groups of a database count together.
	BeginDecoding(ctx context.Context, at event.Position, process string) (int, error)
	// EndDecoding forgets who decoded a record: it kills nobody.
	EndDecoding(ctx context.Context, at event.Position) error
	// BeginTrial notes, before anything is made of it, that the record at the run's Trial is worked on alone. It is fenced where
	// another run has begun.
	BeginTrial(ctx context.Context, r Run) error
	// EndRun notes that a run has ended in order, unless another has begun.
	EndRun(ctx context.Context, r Run) error

	// Commit moves the cursor from From to To and applies the entries, all or nothing. It goes beyond no barrier whose
	// children have no cursors. The first batch of a partition has a From with Next at the start of the log and creates the
	// cursor. Errors are ErrFenced, *DataError, *EnvironmentError or *DeploymentError, or the context's.
	Commit(ctx context.Context, b Batch) (Counts, error)
	// BeginAttempts writes down, before an attempt on each of the parked events, that it is made: Attempts and NextAt are
	// those to be stored, and the stored count must be one less. One that has waited waits no longer. All or nothing; errors are
	// as those of Commit.
	BeginAttempts(ctx context.Context, rows []ParkedEvent) error
	// Settle writes down how attempts ended, all or nothing: each row is deleted or changed with what its entry does, if
	// it is there unchanged. Neither the cursor nor the window has a say. Errors are as those of Commit.
	Settle(ctx context.Context, s Settlement) (Counts, error)

	// UnpublishedDeadLetters returns dead letters that are not yet on the topic, oldest first, at most limit.
	UnpublishedDeadLetters(ctx context.Context, limit int) ([]DeadLetter, error)
	// MarkPublished notes that dead letters reached the topic, each at its PublishedAt. One that has failed again since it
	// was loaded stays unpublished.
	MarkPublished(ctx context.Context, letters []DeadLetter) error
	// Replay writes down how an attempt on each of the dead letters ended, all or nothing: where entries[i] is Applied, its
	// effect is and letters[i] is marked as replayed; where it is Dead, the letter becomes that one and is published again.
	// Each must be there, neither replayed nor dropped, with the Attempts of letters[i], or else it is fenced. Neither the
	// cursor nor the window has a say. Errors are as those of Commit.
	Replay(ctx context.Context, letters []DeadLetter, entries []Entry) (Counts, error)
}
