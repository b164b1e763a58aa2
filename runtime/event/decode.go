package event

import (
	"fmt"
	"time"
	"unsafe"

	"github.com/causetc/causetc/ir/expr"
)

// SkipReason says why a record holds no event. It is not an error: other services share the topic.
type SkipReason string

// The reasons.
const (
	Tombstone SkipReason = "tombstone"     // a record without a value
	NotEvent  SkipReason = "no_event_type" // a JSON object without an event type
)

// Undecodable says that a record can never become an event: it is not a JSON object, or the envelope lacks a field or
// has one of a wrong type.
type Undecodable struct {
	Message string
	Err     error
}

// Error returns the message.
func (e *Undecodable) Error() string { return e.Message }

// Unwrap returns the cause, if there is one.
func (e *Undecodable) Unwrap() error { return e.Err }

// Decode reads a record's value. It returns an event, or the reason why there is none, or an *Undecodable. recordTime is
// the record's own time in milliseconds, used where the event carries none. The event's texts are parts of the value, which must
// not change any more.
func Decode(value []byte, pos Position, recordTime int64) (*Event, SkipReason, error) {
	if value == nil {
		return nil, Tombstone, nil
	}
	root, err := expr.ParseJSONString(unsafe.String(unsafe.SliceData(value), len(value)))
	if err != nil {
		return nil, "", &Undecodable{Message: err.Error(), Err: err}
	}
	if root.Kind() != expr.KindObject {
		return nil, "", &Undecodable{Message: "the record is a JSON " + root.Kind().String() + ", an event is an object"}
	}
	d := decoder{}
	d.find(root)
	ev := &Event{Type: d.id(&d.eventType)}
	if d.err == nil && ev.Type == "" {
		return nil, NotEvent, nil
	}
	ev.ID = d.id(&d.eventID)
	ev.EntityID = d.id(&d.entityID)
	ev.StreamID = d.id(&d.streamID)
	ev.ForkID = d.id(&d.forkID)
	ev.TS = d.moment(recordTime)
	ev.Version = d.number(&d.version)
	ev.Payload = d.payload()
	if d.err == nil && ev.EntityID == "" {
		d.fail("the event has no entity_id")
	}
	if d.err != nil {
		return nil, "", d.err
	}
	d.defaults(ev, pos)
	return ev, "", nil
}

// decoder reads fields of an envelope and keeps the first error.
type decoder struct {
	eventType, eventID, entityID, streamID, forkID, ts, version, body field
	err                                                               error
}

// field is what an envelope has under one of a field's names: the first in the order of preference that has a value.
type field struct {
	name  string // empty: none
	rank  int    // of the name, 0 is preferred
	value expr.Value
}

func (f *field) meet(rank int, name string, v expr.Value) {
	if !v.IsNull() && (f.name == "" || rank < f.rank) {
		*f = field{name: name, rank: rank, value: v}
	}
}

// find takes up the fields of an envelope.
func (d *decoder) find(root expr.Value) {
	for name, v := range root.Members() {
		switch name {
		case "event_type":
			d.eventType.meet(0, name, v)
		case "eventType":
			d.eventType.meet(1, name, v)
		case "type":
			d.eventType.meet(2, name, v)
		case "event_id":
			d.eventID.meet(0, name, v)
		case "eventId":
			d.eventID.meet(1, name, v)
		case "id":
			d.eventID.meet(2, name, v)
		case "entity_id":
			d.entityID.meet(0, name, v)
		case "entityId":
			d.entityID.meet(1, name, v)
		case "stream_id":
			d.streamID.meet(0, name, v)
		case "streamId":
			d.streamID.meet(1, name, v)
		case "fork_id":
			d.forkID.meet(0, name, v)
		case "forkId":
			d.forkID.meet(1, name, v)
		case "ts":
			d.ts.meet(0, name, v)
		case "createdAtMs":
			d.ts.meet(1, name, v)
		case "metadata":
			d.ts.meet(2, "metadata.ts", v.Field("ts"))
		case "version":
			d.version.meet(0, name, v)
		case "cursor":
			d.version.meet(1, name, v)
		case "payload":
			d.body.meet(0, name, v)
		}
	}
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = &Undecodable{Message: fmt.Sprintf(format, args...)}
	}
}

// id reads a name or an identity: a text, or an integer by its digits.
func (d *decoder) id(f *field) string {
	switch f.value.Kind() {
	case expr.KindMissing:
		return ""
	case expr.KindString:
		s, _ := f.value.AsString()
		if err := expr.ValidText(s); err != nil {
			d.fail("%s: %v", f.name, err)
		}
		return s
	case expr.KindInt:
		return f.value.Text()
	}
	d.fail("%s is a JSON %s, a text is expected", f.name, f.value.Kind())
	return ""
}

func (d *decoder) number(f *field) expr.Value {
	if f.value.IsMissing() || f.value.IsNumber() {
		return f.value
	}
	d.fail("%s is a JSON %s, a number is expected", f.name, f.value.Kind())
	return expr.Missing()
}

func (d *decoder) payload() expr.Value {
	v := d.body.value
	if v.IsNull() {
		return expr.Object(nil)
	}
	if v.Kind() != expr.KindObject {
		d.fail("payload is a JSON %s, an object is expected", v.Kind())
	}
	return v
}

// moment reads the event's time: milliseconds since the epoch, or an RFC 3339 text.
func (d *decoder) moment(recordTime int64) int64 {
	v := d.ts.value
	if v.IsNull() {
		return recordTime
	}
	if ms, ok := v.AsInt(); ok {
		return ms
	}
	if s, ok := v.AsString(); ok {
		t, err := time.Parse(time.RFC3339Nano, s)
		if err == nil {
			return t.UnixMilli()
		}
	}
	d.fail("%s is neither a number of milliseconds nor an RFC 3339 time", d.ts.name)
	return 0
}

func (d *decoder) defaults(ev *Event, pos Position) {
	ev.OwnID = ev.ID != ""
	if !ev.OwnID {
		ev.ID = fmt.Sprintf("%s/%d/%d", pos.Topic, pos.Partition, pos.Offset)
	}
	if ev.ForkID == "" {
		ev.ForkID = DefaultFork
	}
}
