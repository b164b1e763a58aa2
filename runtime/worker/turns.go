package worker

import (
	"context"

	"github.com/causetc/causetc/runtime/event"
)

// How many runners take up records and write them at a time, each with a connection, and how many of them are one group's where
// there are others. The rest wait, and hold nothing.
const (
	maxTurns      = 8
	maxTurnsGroup = maxTurns / 2
)

// newTurns makes the slots of runners that take up records and write them.
func newTurns(groups int) slots {
	if groups <= 1 {
		return slots{most: maxTurns, mostGroup: maxTurns}
	}
	return slots{most: maxTurns, mostGroup: maxTurnsGroup}
}

// beside is how many connections a worker uses beside the runners': for dead letters, opening partitions, the topic's growth,
// and to be watched.
const beside = 4

// Connections returns how many connections to the database a worker of so many groups uses at a time: most often few more than
// eight, and all of them where statements of many groups hang.
func Connections(groups int) int {
	t := newTurns(groups)
	return groups*t.mostGroup + beside
}

// enter reports whether the runner has a turn to take up records or parked events, and to write. Without, it is to wait.
func (r *runner) enter() bool {
	r.waits = !r.w.turns.acquire(r)
	return !r.waits
}

// pass gives the turn back, unless the runner waits for one.
func (r *runner) pass() {
	if !r.waits {
		r.w.turns.release(r)
	}
}

// environment is Worker.environment. While the surroundings fail, others have the runner's turn.
func (r *runner) environment(ctx context.Context, ev *event.Event, step func() error) error {
	defer r.w.turns.stick(r, false)
	return r.w.environment(ctx, r.group, ev, func() error {
		err := step()
		if isEnvironment(err) {
			r.w.turns.stick(r, true)
		}
		return err
	})
}
