package worker

import (
	"sort"

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
	Retries    int // failed attempts that were tried again
}

// GroupReport is one group's counts.
type GroupReport struct {
	Group string
	Counts
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
		r.Groups = append(r.Groups, GroupReport{Group: name, Counts: *c})
	}
	sort.Slice(r.Groups, func(i, j int) bool { return r.Groups[i].Group < r.Groups[j].Group })
	return r
}

func (w *Worker) count(g Group, add func(*Counts)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	add(w.counts[g.Fold.Name])
}

// committed notes a transaction that is in the database.
func (w *Worker) committed(r *runner, ps []pending, done store.Counts) {
	markers, others, letters := 0, 0, false
	for i := range ps {
		if ps[i].delivery.isMarker() {
			markers++
		}
		if ps[i].otherFork {
			others++
		}
		if ps[i].entry.Outcome == store.Dead {
			letters = true
			w.logDeadLetter(ps[i].entry.Dead)
		}
	}
	w.count(r.group, func(c *Counts) {
		c.Records += len(ps) - markers
		c.Applied += done.Applied
		c.Skipped += done.Skipped - markers
		c.Duplicates += done.Duplicates
		c.Dead += done.Dead
		c.OtherForks += others
	})
	if letters {
		w.relay.wake()
	}
	w.log.Debug("batch committed", "group", r.group.Fold.Name, "partition", r.cursor.Partition, "next", r.cursor.Next)
	w.reached(r)
}
