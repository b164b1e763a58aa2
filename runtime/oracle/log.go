package oracle

import (
	"fmt"
	"math/rand/v2"

	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/event"
)

// Topic is the topic of the generated logs.
const Topic = "events"

// LogOptions say what a log is like.
type LogOptions struct {
	Records    int
	Partitions int
	// Duplicates is the share of records that deliver an earlier event again: mostly in its partition, sometimes in another.
	Duplicates float64
	// Bad is the share of payload values that their column refuses, or that a key lacks.
	Bad float64
	// Keys bounds how many values a key field has, so that events meet; 0 is no bound.
	Keys int
}

// NewLog returns a random log in an order of arrival: each partition's records in the order of their offsets, the
// partitions interleaved in runs.
func (c *Case) NewLog(r *rand.Rand, o LogOptions) []Record {
	l := &logger{r: r, c: c, o: o, offsets: make([]int64, o.Partitions), clocks: make([]int64, o.Partitions)}
	for i := range l.offsets {
		l.offsets[i] = int64(r.IntN(5))
	}
	partition := 0
	for range o.Records {
		if r.IntN(3) == 0 {
			partition = r.IntN(o.Partitions)
		}
		l.add(partition)
	}
	return l.records
}

type logger struct {
	r       *rand.Rand
	c       *Case
	o       LogOptions
	offsets []int64
	clocks  []int64
	now     int64
	records []Record
}

func (l *logger) add(partition int) {
	ev := l.again(partition)
	if ev == nil {
		ev = l.event(partition)
	}
	l.now += int64(l.r.IntN(4))
	written := l.now
	l.clocks[partition] = max(l.clocks[partition], min(ev.TS, written))
	l.records = append(l.records, Record{
		Position: event.Position{Topic: Topic, Partition: int32(partition), Offset: l.offsets[partition]},
		Clock:    l.clocks[partition],
		Event:    ev,
	})
	l.offsets[partition] += 1 + int64(l.r.IntN(20)/19) // now and then a gap
}

// again returns an earlier event for a second delivery, or nil. Rarely the copy has another payload.
func (l *logger) again(partition int) *event.Event {
	if len(l.records) == 0 || l.r.Float64() >= l.o.Duplicates {
		return nil
	}
	first := l.records[l.r.IntN(len(l.records))]
	same := first.Position.Partition == int32(partition)
	if !first.Event.OwnID || (!same && l.r.IntN(4) > 0) {
		return nil
	}
	ev := *first.Event
	if same && l.r.IntN(10) == 0 {
		ev.Payload = l.payload()
	}
	return &ev
}

func (l *logger) event(partition int) *event.Event {
	number := len(l.records)
	ev := &event.Event{
		ID:       fmt.Sprintf("event-%d", number),
		OwnID:    true,
		Type:     eventType(l.r.IntN(eventTypes)),
		EntityID: fmt.Sprintf("entity-%d", l.r.IntN(5)),
		ForkID:   "main",
		TS:       1000 + l.now + int64(l.r.IntN(20)-10),
		Version:  expr.Int(int64(number)),
		Payload:  l.payload(),
	}
	switch l.r.IntN(30) {
	case 0:
		ev.Type = "NOBODY_READS_THIS"
	case 1:
		ev.ID = fmt.Sprintf("%s/%d/%d", Topic, partition, l.offsets[partition])
		ev.OwnID = false
	case 2:
		ev.TS -= 1000 // an old event, late
	}
	l.now = max(l.now, l.now+int64(l.r.IntN(3)))
	return ev
}

func (l *logger) payload() expr.Value {
	var members []expr.Member
	for _, f := range l.c.fields {
		if v := l.value(f); !v.IsMissing() {
			members = append(members, expr.Member{Key: f.name, Value: v})
		}
	}
	return expr.Object(members)
}

func (l *logger) value(f field) expr.Value {
	roll := l.r.Float64()
	if roll < l.o.Bad {
		return f.bad
	}
	if !f.required && roll > 0.7 {
		if roll > 0.85 {
			return expr.Missing()
		}
		return expr.Null()
	}
	if f.required && l.o.Keys > 0 {
		return pick(l.r, f.pool[:min(len(f.pool), l.o.Keys)])
	}
	return pick(l.r, f.pool)
}
