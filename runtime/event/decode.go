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
	d := decoder{root: root}
	ev := &Event{Type: d.id("event_type", "eventType", "type")}
	if d.err == nil && ev.Type == "" {
		return nil, NotEvent, nil
	}
	ev.ID = d.id("event_id", "eventId", "id")
	ev.EntityID = d.id("entity_id", "entityId")
	ev.StreamID = d.id("stream_id", "streamId")
	ev.ForkID = d.id("fork_id", "forkId")
	ev.TS = d.moment(recordTime)
	ev.Version = d.number("version", "cursor")
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
	root expr.Value
	err  error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = &Undecodable{Message: fmt.Sprintf(format, args...)}
	}
}

// first returns the first of the names that the envelope has with a value, and that name.
func (d *decoder) first(names ...string) (string, expr.Value) {
	for _, name := range names {
		if v := d.root.Field(name); !v.IsNull() {
			return name, v
		}
	}
	return "", expr.Missing()
}

// id reads a name or an identity: a text, or an integer by its digits.
func (d *decoder) id(names ...string) string {
	name, v := d.first(names...)
	switch v.Kind() {
	case expr.KindMissing:
		return ""
	case expr.KindString:
		s, _ := v.AsString()
		if err := expr.ValidText(s); err != nil {
			d.fail("%s: %v", name, err)
		}
		return s
	case expr.KindInt:
		return v.Text()
	}
	d.fail("%s is a JSON %s, a text is expected", name, v.Kind())
	return ""
}

func (d *decoder) number(names ...string) expr.Value {
	name, v := d.first(names...)
	if v.IsMissing() || v.IsNumber() {
		return v
	}
	d.fail("%s is a JSON %s, a number is expected", name, v.Kind())
	return expr.Missing()
}

func (d *decoder) payload() expr.Value {
	v := d.root.Field("payload")
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
	name, v := d.first("ts", "createdAtMs")
	if v.IsMissing() {
		name, v = "metadata.ts", d.root.Field("metadata").Field("ts")
	}
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
	d.fail("%s is neither a number of milliseconds nor an RFC 3339 time", name)
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
