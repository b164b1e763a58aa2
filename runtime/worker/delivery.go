package worker

import (
	"sync"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// delivery is one record as all groups of a feed see it; the first that asks decodes it for all.
type delivery struct {
	record *kgo.Record

	once    sync.Once
	decoded atomic.Bool
	cutOff  int // attempts at decoding it that killed the process, where none is made any more

	event *event.Event
	skip  event.SkipReason
	err   error    // *event.Undecodable
	id    [16]byte // of the event; zero where there is none

	lone    bool // one group reads it
	dropped bool // the event's payload is, and would have to be decoded again

	seen verdict // of the feed
	upto int64   // the feed's cost up to this record and with it
}

// verdict is what the ids and the clock that are remembered make of a record: whether its id was known, and how the
// reading of the partition stands after it.
type verdict struct {
	known bool
	after mark
}

// taken is a record with the verdict that holds for the group that takes it.
type taken struct {
	*delivery
	verdict
}

// isMarker reports whether the record is a transaction marker: it occupies an offset and is no record of anybody's.
func (d *delivery) isMarker() bool { return d.record.Attrs.IsControl() }

func (d *delivery) decode() {
	if d.isMarker() {
		return
	}
	d.once.Do(func() {
		d.event, d.skip, d.err = d.read()
		if d.event != nil {
			d.id = fold.HashID(d.event.ID)
		}
		d.decoded.Store(true)
	})
}

func (d *delivery) read() (*event.Event, event.SkipReason, error) {
	return event.Decode(d.record.Value, d.position(), d.record.Timestamp.UnixMilli())
}

// giveUp makes the record one that can never be an event, unless it was decoded after all.
func (d *delivery) giveUp(attempts int) {
	d.once.Do(func() {
		d.cutOff, d.err = attempts, errUndecoded
		d.decoded.Store(true)
	})
}

// whole returns the event with its payload.
func (d *delivery) whole() *event.Event {
	if d.dropped {
		d.event, _, _ = d.read() // it could be read before
		d.dropped = false
	}
	return d.event
}

// evaluated lets go of the payload, if nobody else will ask for it: it takes more memory than all else about a record.
func (d *delivery) evaluated() {
	if d.lone && d.event != nil {
		d.event.Payload, d.dropped = expr.Missing(), true
	}
}

func (d *delivery) position() event.Position {
	return event.Position{Topic: d.record.Topic, Partition: d.record.Partition, Offset: d.record.Offset}
}

// source returns the record as it was.
func (d *delivery) source() store.Record {
	rec := store.Record{Key: d.record.Key, Value: d.record.Value, Timestamp: d.record.Timestamp.UnixMilli()}
	for _, h := range d.record.Headers {
		rec.Headers = append(rec.Headers, store.Header{Key: h.Key, Value: h.Value})
	}
	return rec
}

// clock advances a partition's clock by this record: the event's time, but never beyond the record's, so that a producer
// with a wrong clock can't carry the order into the future.
func (d *delivery) clock(before int64) int64 {
	if d.isMarker() {
		return before
	}
	at := d.record.Timestamp.UnixMilli()
	if d.event != nil {
		at = min(at, d.event.TS)
	}
	return max(before, at)
}

// The estimated memory of a record as it was fetched, and of one that is decoded: so much for itself, and so much for each
// byte of it.
const (
	rawRecordCost = 3 << 8
	recordCost    = 5 << 9
	byteCost      = 8
)

// cost estimates how many bytes of memory the record takes while groups have to do with it.
func (d *delivery) cost() int64 {
	if d.lone {
		return rawRecordCost + d.bytes()
	}
	return d.decodedCost()
}

// decodedCost estimates how many bytes of memory the record takes with its payload.
func (d *delivery) decodedCost() int64 { return recordCost + byteCost*d.bytes() }

func (d *delivery) bytes() int64 {
	n := len(d.record.Key) + len(d.record.Value)
	for _, h := range d.record.Headers {
		n += len(h.Key) + len(h.Value)
	}
	return int64(n)
}
