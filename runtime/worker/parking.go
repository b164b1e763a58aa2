package worker

import (
	"cmp"
	"slices"
	"time"

	"github.com/causetc/causetc/runtime/store"
)

// lot is what a runner knows of its partition's parked and waiting events, in the order of the log. It may be stale, when
// another worker has taken the partition, but then it lacks none that is before the runner's position.
type lot struct {
	events []*lotEvent
	held   keySet
	// settled says that no waiting event has become free since the last look.
	settled bool
}

// lotEvent is a parked or waiting event without its record, and without the message of its error.
type lotEvent struct {
	store.ParkedEvent
	// begun says that the attempt that Attempts counts as the last was begun by this runner and has not ended. Where it was
	// begun by a worker that died in it, it has failed.
	begun bool
}

func newLot(rows []store.ParkedEvent) *lot {
	l := &lot{}
	for i := range rows {
		l.put(&rows[i])
	}
	return l
}

// put adds an event, which is after all others.
func (l *lot) put(row *store.ParkedEvent) {
	e := &lotEvent{ParkedEvent: *row}
	e.Record, e.Message = store.Record{}, ""
	l.events = append(l.events, e)
	l.held.add(e.Keys)
}

// update notes how an attempt on an event ended that is parked again.
func (l *lot) update(row *store.ParkedEvent) {
	i, found := slices.BinarySearchFunc(l.events, row.Position.Offset, func(e *lotEvent, offset int64) int {
		return cmp.Compare(e.Position.Offset, offset)
	})
	if !found {
		return
	}
	e := l.events[i]
	keys := e.Keys
	e.ParkedEvent, e.begun = *row, false
	e.Record, e.Message, e.Keys = store.Record{}, "", keys
}

// drop removes events that are applied or dead.
func (l *lot) drop(offsets map[int64]bool) {
	if len(offsets) == 0 {
		return
	}
	l.events = slices.DeleteFunc(l.events, func(e *lotEvent) bool {
		if !offsets[e.Position.Offset] {
			return false
		}
		l.held.remove(e.Keys)
		return true
	})
	l.settled = false
}

func (l *lot) len() int { return len(l.events) }

// numbers returns how many events are parked and how many wait.
func (l *lot) numbers() (parked, waiting int) {
	for _, e := range l.events {
		if e.Waiting {
			waiting++
		}
	}
	return len(l.events) - waiting, waiting
}

// nextAt returns when the next attempt is due, with false where none is.
func (l *lot) nextAt() (at time.Time, found bool) {
	for _, e := range l.events {
		if !e.Waiting && (!found || e.NextAt.Before(at)) {
			at, found = e.NextAt, true
		}
	}
	return at, found
}

// ready returns at most limit events to be tried now, in the order of the log: the parked ones that are due, and the
// waiting ones that share no key with an event before them, unless that is a waiting one and tried before them in the same
// transaction.
func (l *lot) ready(now time.Time, limit int) []*lotEvent {
	var list []*lotEvent
	var held keySet
	free := false
	for _, e := range l.events {
		if len(list) == limit {
			return list
		}
		switch {
		case !e.Waiting:
			held.add(e.Keys)
			if e.begun || !e.NextAt.After(now) {
				list = append(list, e)
			}
		case l.settled:
		case held.meets(e.Keys):
			held.add(e.Keys)
		default:
			list = append(list, e)
			free = true
		}
	}
	l.settled = l.settled || !free
	return list
}
