package oracle

import "github.com/causetc/causetc/ir"

// distinctEvent is an event that is no duplicate, with what it would do.
type distinctEvent struct {
	record  *Record
	effects []effect
}

// distinct returns the distinct events that can be evaluated, in the order of arrival.
func distinct(g *ir.Group, records []Record, window int, coverage *Coverage) []distinctEvent {
	recent := recentIDs{window: window}
	var events []distinctEvent
	for i := range records {
		record := &records[i]
		if !recent.add(record) {
			coverage.Duplicates++
			continue
		}
		effects, err := evaluate(g, record)
		if err != nil {
			coverage.Dead++
			continue
		}
		events = append(events, distinctEvent{record, effects})
	}
	return events
}

// Verdict is what the log alone says of an event.
type Verdict uint8

// The verdicts.
const (
	Counts Verdict = iota // it is distinct and can be evaluated; it may do nothing
	Again                 // it is a duplicate
	Fails                 // it can't be evaluated
)

// Judge returns the verdict on each record, in the order of arrival.
func Judge(g *ir.Group, records []Record, window int) []Verdict {
	recent := recentIDs{window: window}
	verdicts := make([]Verdict, len(records))
	for i := range records {
		if !recent.add(&records[i]) {
			verdicts[i] = Again
		} else if _, err := evaluate(g, &records[i]); err != nil {
			verdicts[i] = Fails
		}
	}
	return verdicts
}

// recentIDs are the last distinct ids of each partition.
type recentIDs struct {
	window int
	ids    map[int32][]string
	known  map[int32]map[string]bool
}

// add reports whether the record's id was not among them.
func (r *recentIDs) add(record *Record) bool {
	fresh := r.addTo(record.Position.Partition, record.Event.ID)
	if fresh {
		for _, child := range record.Children {
			r.addTo(child, record.Event.ID)
		}
	}
	return fresh
}

func (r *recentIDs) addTo(p int32, id string) bool {
	if r.known[p] == nil {
		if r.known == nil {
			r.ids, r.known = map[int32][]string{}, map[int32]map[string]bool{}
		}
		r.known[p] = map[string]bool{}
	}
	if r.known[p][id] {
		return false
	}
	r.known[p][id] = true
	r.ids[p] = append(r.ids[p], id)
	if len(r.ids[p]) > r.window {
		delete(r.known[p], r.ids[p][0])
		r.ids[p] = r.ids[p][1:]
	}
	return true
}
