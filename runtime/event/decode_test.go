package event

import (
	"errors"
	"fmt"
	"testing"
)

var here = Position{Topic: "events", Partition: 3, Offset: 14}

// TestDecode: every field of an envelope has names, of which the first that has a value counts.
func TestDecode(t *testing.T) {
	for text, want := range map[string]string{
		`{"event_type":"A","entity_id":"x"}`:                                                     `A x "" main events/3/14 at 1000, version missing, payload {}`,
		`{"type":"C","eventType":"B","event_type":"A","entity_id":"x"}`:                          `A x "" main events/3/14 at 1000, version missing, payload {}`,
		`{"type":"C","eventType":"B","event_type":null,"entity_id":"x"}`:                         `B x "" main events/3/14 at 1000, version missing, payload {}`,
		`{"type":"C","entityId":"y","entity_id":"x","id":"3","eventId":"2","event_id":"1"}`:      `C x "" main 1 at 1000, version missing, payload {}`,
		`{"type":"C","entityId":7,"id":8,"streamId":"s","forkId":"f"}`:                           `C 7 "s" f 8 at 1000, version missing, payload {}`,
		`{"type":"C","entity_id":"x","stream_id":"s","streamId":"t","fork_id":"f","forkId":"g"}`: `C x "s" f events/3/14 at 1000, version missing, payload {}`,
		`{"type":"C","entity_id":"x","metadata":{"ts":3},"createdAtMs":2,"ts":1}`:                `C x "" main events/3/14 at 1, version missing, payload {}`,
		`{"type":"C","entity_id":"x","metadata":{"ts":3},"createdAtMs":2,"ts":null}`:             `C x "" main events/3/14 at 2, version missing, payload {}`,
		`{"type":"C","entity_id":"x","metadata":{"ts":3}}`:                                       `C x "" main events/3/14 at 3, version missing, payload {}`,
		`{"type":"C","entity_id":"x","metadata":7,"ts":"1970-01-01T00:00:02.5Z"}`:                `C x "" main events/3/14 at 2500, version missing, payload {}`,
		`{"type":"C","entity_id":"x","cursor":9,"version":8,"payload":{"a":1}}`:                  `C x "" main events/3/14 at 1000, version 8, payload {"a":1}`,
		`{"type":"C","entity_id":"x","cursor":9,"payload":null}`:                                 `C x "" main events/3/14 at 1000, version 9, payload {}`,
		`null`:                                     "undecodable: the record is a JSON null, an event is an object",
		`{"entity_id":"x"}`:                        "skipped: no_event_type",
		`{"event_type":"","type":"A"}`:             "skipped: no_event_type",
		`{"type":"A"}`:                             "undecodable: the event has no entity_id",
		`{"type":true,"entity_id":"x"}`:            "undecodable: type is a JSON bool, a text is expected",
		`{"type":"A","entityId":{}}`:               "undecodable: entityId is a JSON object, a text is expected",
		`{"type":"A","entity_id":"x","cursor":""}`: "undecodable: cursor is a JSON string, a number is expected",
		`{"type":"A","entity_id":"x","metadata":{"ts":"noon"}}`: "undecodable: metadata.ts is neither a number of milliseconds nor an RFC 3339 time",
		`{"type":"A","entity_id":"x","payload":[]}`:             "undecodable: payload is a JSON array, an object is expected",
	} {
		if got := decoded(t, text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	if ev, skip, err := Decode(nil, here, 0); ev != nil || skip != Tombstone || err != nil {
		t.Errorf("no value: %v %q %v", ev, skip, err)
	}
}

func decoded(t *testing.T, text string) string {
	t.Helper()
	ev, skip, err := Decode([]byte(text), here, 1000)
	var undecodable *Undecodable
	switch {
	case errors.As(err, &undecodable):
		return "undecodable: " + err.Error()
	case err != nil:
		t.Fatal(err)
	case ev == nil:
		return "skipped: " + string(skip)
	}
	version := "missing"
	if !ev.Version.IsMissing() {
		version = ev.Version.Text()
	}
	return fmt.Sprintf("%s %s %q %s %s at %d, version %s, payload %s", ev.Type, ev.EntityID, ev.StreamID, ev.ForkID, ev.ID, ev.TS, version, ev.Payload.Text())
}
