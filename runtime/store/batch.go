package store

import (
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
)

// Outcome is what became of one record.
type Outcome uint8

// The outcomes. Every record below the cursor has exactly one.
const (
	Applied   Outcome = iota // its effect is in the tables
	Skipped                  // tombstone, other fork, no event type, or no projection names it
	Duplicate                // its id was seen before: it does nothing at all
	Dead                     // it goes to the dead letters
	Parked                   // it failed and is tried again later
	Waiting                  // it shares a key with a parked or waiting event before it
)

// Entry is one record of a batch.
type Entry struct {
	Position event.Position
	Clock    int64    // the partition's clock after this record
	ID       [16]byte // 128-bit hash of the event's id; zero for records that have none (they enter no window)
	Outcome  Outcome
	Effect   fold.Effect  // of Applied
	Dead     *DeadLetter  // of Dead
	Parked   *ParkedEvent // of Parked and Waiting
}

// Batch is a run of records of one partition for one group, to be written in one transaction.
type Batch struct {
	From    Cursor // where the stored cursor must be (all fields)
	To      Cursor // where it is afterwards
	Entries []Entry
	// Foretold says that the store has named entries of the batch that it would refuse, and that they are not in it any more:
	// it need not look for them again before it writes.
	Foretold bool
}

// Settlement is how attempts on parked and waiting events of one partition ended, to be written in one transaction.
type Settlement struct {
	Topic     string
	Partition int32
	// Rows are the events as they were at the beginning of the attempts: where their Attempts or Waiting are others in the
	// store, the settlement is fenced.
	Rows []ParkedEvent
	// Entries say what became of each of Rows, in the order of the log: Applied, Dead, or Parked again.
	Entries []Entry
}

// Counts tells what a transaction did, by outcome.
type Counts struct {
	Applied, Skipped, Duplicates, Dead, Parked, Waiting int
	// Stale are rows that the transaction wrote and that had a newer write already, from another partition or a later place of
	// the log: what that one wrote stays. Of retries it may miss some.
	Stale int
}

// Span is the part of one partition's log that a transaction is about, both ends included.
type Span struct {
	Partition   int32
	First, Last int64
}

// SpanOf returns the span of entries of one partition in the order of the log.
func SpanOf(entries []Entry) Span {
	if len(entries) == 0 {
		return Span{}
	}
	first, last := entries[0].Position, entries[len(entries)-1].Position
	return Span{Partition: first.Partition, First: first.Offset, Last: last.Offset}
}

// Has reports whether an order is that of a write from the span.
func (s Span) Has(o fold.Order) bool {
	partition, offset := o.Place()
	return partition == s.Partition && offset >= s.First && offset <= s.Last
}

// Count adds up the outcomes of entries.
func Count(entries []Entry) (c Counts) {
	for i := range entries {
		c.Add(entries[i].Outcome)
	}
	return c
}

// Add counts one outcome.
func (c *Counts) Add(o Outcome) {
	switch o {
	case Applied:
		c.Applied++
	case Skipped:
		c.Skipped++
	case Duplicate:
		c.Duplicates++
	case Dead:
		c.Dead++
	case Parked:
		c.Parked++
	case Waiting:
		c.Waiting++
	}
}
