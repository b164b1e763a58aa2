package worker

import "sync"

// notes are what a worker says once, however often it holds.
type notes struct {
	mu         sync.Mutex
	own, other int // events of the fork that is served, and of others
	saidForks  bool
	saidID     bool
}

// foreignEvents is how many events of other forks, and none of its own, a worker has seen before it says so although more
// may come.
const foreignEvents = 10_000

// note looks at records whose outcomes are in the database; each group brings them once.
func (w *Worker) note(r *runner, ps []pending) {
	n := &w.notes
	n.mu.Lock()
	defer n.mu.Unlock()
	for i := range ps {
		d := ps[i].delivery
		switch {
		case d.event == nil:
		case ps[i].otherFork:
			n.other++
		default:
			n.own++
			if !d.event.OwnID && !n.saidID {
				n.saidID = true
				w.log.Warn("an event has no event_id: such events are known by their place in the topic, so a copy that a producer sends again counts as another event",
					"event", "no_event_id", "topic", r.cursor.Topic, "partition", ps[i].entry.Position.Partition, "offset", ps[i].entry.Position.Offset,
					"eventType", d.event.Type, "entityId", d.event.EntityID)
			}
		}
	}
	if n.other >= foreignEvents {
		w.sayForks()
	}
}

// noteIdle is told that there is nothing to do for now.
func (w *Worker) noteIdle() {
	w.notes.mu.Lock()
	defer w.notes.mu.Unlock()
	w.sayForks()
}

// sayForks tells that nothing is applied because of the fork, if that is so.
func (w *Worker) sayForks() {
	n := &w.notes
	if n.saidForks || n.own > 0 || n.other == 0 {
		return
	}
	n.saidForks = true
	w.log.Warn("every event so far belongs to another fork than the one that is served, and was skipped",
		"event", "other_forks_only", "fork", w.conf.Fork)
}
