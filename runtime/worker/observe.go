package worker

import (
	"time"

	"github.com/causetc/causetc/runtime/store"
)

// Observer is told what a worker does. Any of its functions may be nil. They are called from many goroutines, in the
// middle of the work: they must be quick, and not call back.
type Observer struct {
	// Assigned is told after every rebalance which partitions were added, also where none were.
	Assigned func(partitions []int32)
	// Revoked is told of partitions that another worker may have now.
	Revoked func(partitions []int32)
	// Standing is told how a group stands in a partition, when it is loaded and after every transaction.
	Standing func(Standing)
	// Wrote is told of every transaction that is in the database.
	Wrote func(Transaction)
	// Stopped is told, once a group, that what is deployed does not fit and the group is not worked for any more.
	Stopped func(group string, err error)
	// OutageBegan is told that the surroundings made a step fail, which is tried again; OutageLasts, that it has failed for
	// a whole retry schedule; OutageEnded, that it passed or was given up. The group is empty where all are concerned.
	OutageBegan, OutageLasts func(group string)
	OutageEnded              func(group string, lasted bool)
	// Busy is told that a loop begins to work, Idle that it has nothing to do or has ended.
	Busy, Idle func(loop string)
}

// Standing is how a group stands in a partition.
type Standing struct {
	Group           string
	Partition       int32
	Next            int64 // offset of the next record to consume
	Parked, Waiting int
}

// Transaction is what one transaction of a group did in a partition.
type Transaction struct {
	Group     string
	Partition int32
	Records   int // consumed from the topic, transaction markers left out; 0 where it ended attempts on parked events
	Took      time.Duration
	Outcomes  store.Counts
	Skips     Skips
	Dead      []string // the error class of each dead letter
}

// Skips counts the skipped records by their kind.
type Skips struct {
	Tombstones int // without a value
	NotEvents  int // JSON objects without an event type
	OtherForks int // events of a fork that this worker does not serve
	NotNamed   int // events that no projection of the group names
}

func (o *Observer) assigned(partitions []int32) {
	if o.Assigned != nil {
		o.Assigned(partitions)
	}
}

func (o *Observer) revoked(partitions []int32) {
	if o.Revoked != nil {
		o.Revoked(partitions)
	}
}

func (o *Observer) standing(r *runner) {
	if o.Standing == nil {
		return
	}
	s := Standing{Group: r.group.Fold.Name, Partition: r.cursor.Partition, Next: r.cursor.Next}
	s.Parked, s.Waiting = r.lot.numbers()
	o.Standing(s)
}

func (o *Observer) wrote(t Transaction) {
	if o.Wrote != nil {
		o.Wrote(t)
	}
}

func (o *Observer) stopped(group string, err error) {
	if o.Stopped != nil {
		o.Stopped(group, err)
	}
}

// outage follows one step that fails.
type outage struct {
	observer      *Observer
	group         string
	began, lasted bool
}

func (o *outage) failed(last bool) {
	if !o.began && o.observer.OutageBegan != nil {
		o.observer.OutageBegan(o.group)
	}
	o.began = true
	if last && !o.lasted {
		o.lasted = true
		if o.observer.OutageLasts != nil {
			o.observer.OutageLasts(o.group)
		}
	}
}

func (o *outage) ended() {
	if o.began && o.observer.OutageEnded != nil {
		o.observer.OutageEnded(o.group, o.lasted)
	}
}

func (o *Observer) busy(loop string) {
	if o.Busy != nil {
		o.Busy(loop)
	}
}

func (o *Observer) idle(loop string) {
	if o.Idle != nil {
		o.Idle(loop)
	}
}
