package worker

import (
	"sort"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/store"
)

// Counts is what happened to a group's records in one run.
type Counts struct {
	Records    int // records consumed, transaction markers left out
	Applied    int
	Skipped    int // tombstones, records without an event type, other forks, events that no projection names
	OtherForks int // those of Skipped that belong to a fork this worker does not serve
	Duplicates int
	Dead       int
	Retries    int // failed attempts that are tried again
	Parked     int // events that are to be tried again, now; those of earlier runs too
	Waiting    int // events that wait for parked ones, now
}

// gauge is what a runner adds to its group's counts of events that are parked and that wait.
type gauge struct{ parked, waiting int }

// GroupReport is one group's counts.
type GroupReport struct {
	Group string
	Counts
	Err error // why the group was stopped while others went on; nil where it was not
}

// Report is what a run did, group by group in the order of names.
type Report struct {
	Groups []GroupReport
}

func (w *Worker) report() *Report {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := &Report{}
	for name, c := range w.counts {
		r.Groups = append(r.Groups, GroupReport{Group: name, Counts: *c, Err: w.stopped[name]})
	}
	sort.Slice(r.Groups, func(i, j int) bool { return r.Groups[i].Group < r.Groups[j].Group })
	return r
}

func (w *Worker) count(g Group, add func(*Counts)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	add(w.counts[g.Fold.Name])
}

// show brings the group's counts of parked and waiting events up to date.
func (w *Worker) show(r *runner) {
	var now gauge
	now.parked, now.waiting = r.lot.numbers()
	w.showAs(r, now)
}

// forget takes the events of a partition that is another worker's now out of the counts.
func (w *Worker) forget(r *runner) { w.showAs(r, gauge{}) }

func (w *Worker) showAs(r *runner, now gauge) {
	w.count(r.group, func(c *Counts) {
		c.Parked += now.parked - r.shown.parked
		c.Waiting += now.waiting - r.shown.waiting
	})
	r.shown = now
}

// committed notes a batch that is in the database.
func (w *Worker) committed(r *runner, ps []pending, took time.Duration) {
	t := Transaction{Took: took}
	for i := range ps {
		if !ps[i].delivery.isMarker() {
			t.Records++
			t.Skips.add(&ps[i])
		}
	}
	w.written(r, ps, &t)
	w.count(r.group, func(c *Counts) {
		c.Records += t.Records
		c.Skipped += t.Outcomes.Skipped
		c.Duplicates += t.Outcomes.Duplicates
		c.OtherForks += t.Skips.OtherForks
	})
	w.log.Debug("batch committed", "group", r.group.Fold.Name, "partition", r.cursor.Partition, "next", r.cursor.Next)
	w.note(r, ps)
	w.reached(r)
}

// add counts an entry if it was skipped.
func (s *Skips) add(p *pending) {
	switch d := p.delivery; {
	case p.entry.Outcome != store.Skipped:
	case d.skip == event.Tombstone:
		s.Tombstones++
	case d.skip != "":
		s.NotEvents++
	case p.otherFork:
		s.OtherForks++
	default:
		s.NotNamed++
	}
}

// settled notes attempts on parked and waiting events whose end is in the database.
func (w *Worker) settled(r *runner, ps []pending, took time.Duration) {
	w.written(r, ps, &Transaction{Took: took})
	w.reached(r)
}

// written notes the outcomes that a batch and a settlement have in common, and completes what observers are told.
func (w *Worker) written(r *runner, ps []pending, t *Transaction) {
	for i := range ps {
		if ps[i].delivery.isMarker() {
			continue // no record of anybody's
		}
		e := &ps[i].entry
		switch e.Outcome {
		case store.Parked:
			w.logRetry(&e.Parked.Failure, w.conf.Retry.Delay(e.Parked.Attempts))
		case store.Dead:
			w.logDeadLetter(e.Dead)
			t.Dead = append(t.Dead, e.Dead.ErrorClass)
		}
		t.Outcomes.Add(e.Outcome)
	}
	t.Group, t.Partition, t.Outcomes.Stale = r.group.Fold.Name, r.cursor.Partition, r.stale
	w.count(r.group, func(c *Counts) {
		c.Applied += t.Outcomes.Applied
		c.Dead += t.Outcomes.Dead
		c.Retries += t.Outcomes.Parked
	})
	w.show(r)
	w.conf.Observer.wrote(*t)
	w.conf.Observer.standing(r)
	if t.Outcomes.Dead > 0 {
		failpoint.Reach(failpoint.LetterKept)
		w.relay.wake()
	}
}
