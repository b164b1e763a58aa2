// Package failpoint lets the test build (tag failpoints) end the process at named points of the work, have the database
// refuse a transaction, and take single mechanisms of the worker out, so that tests can show what each is for. In every
// other build its functions do nothing and are compiled to nothing.
package failpoint

// Point is a place that the work comes by.
type Point string

// The points.
const (
	BatchBegun    Point = "batch-begun"    // in a batch's transaction, before the cursor is moved
	CursorMoved   Point = "cursor-moved"   // behind that
	BeforeCommit  Point = "before-commit"  // of any transaction that writes
	AfterCommit   Point = "after-commit"   // its answer has come
	AttemptBegun  Point = "attempt-begun"  // an attempt is counted, nothing of the event is evaluated yet
	LetterKept    Point = "letter-kept"    // a dead letter is recorded and not on its topic yet
	LettersSent   Point = "letters-sent"   // the brokers have dead letters that are not marked yet
	LettersMarked Point = "letters-marked" // behind that
	Revoked       Point = "revoked"        // partitions were taken away, their work is about to be stopped
)

// Points lists all points.
var Points = []Point{BatchBegun, CursorMoved, BeforeCommit, AfterCommit, AttemptBegun, LetterKept, LettersSent, LettersMarked, Revoked}

// Mechanism is one of those that keep the worker's promise.
type Mechanism string

// The mechanisms.
const (
	CursorFence   Mechanism = "cursor-fence"   // a batch is written only where its owner left the cursor
	RetryFence    Mechanism = "retry-fence"    // an attempt ends only where its row is as it was
	ReplayFence   Mechanism = "replay-fence"   // so does a replay
	OrderGuard    Mechanism = "order-guard"    // an older write does not replace a newer one
	Tombstones    Mechanism = "tombstones"     // deleted rows are remembered
	Window        Mechanism = "window"         // recent event ids
	ExactIDs      Mechanism = "exact-ids"      // the ids of dedup
	FailedIDs     Mechanism = "failed-ids"     // ids of events that are parked, wait or are dead are recorded
	Waiting       Mechanism = "waiting"        // in ordered groups events wait for those before them that share a key
	Halving       Mechanism = "halving"        // of a batch that the database refuses, only the culprit fails
	ErrorKinds    Mechanism = "error-kinds"    // an outage is no event's fault
	Relay         Mechanism = "relay"          // dead letters are published
	PositionCheck Mechanism = "position-check" // a cursor outside the log stops the group
	ReadCommitted Mechanism = "read-committed" // records of aborted transactions are not delivered
	Barrier       Mechanism = "barrier"        // new partitions wait for the old ones
	CountFirst    Mechanism = "count-first"    // an attempt on a parked event is counted before it is made, not when it has failed
)

// Mechanisms lists all mechanisms.
var Mechanisms = []Mechanism{CursorFence, RetryFence, ReplayFence, OrderGuard, Tombstones, Window, ExactIDs, FailedIDs, Waiting, Halving,
	ErrorKinds, Relay, PositionCheck, ReadCommitted, Barrier, CountFirst}
