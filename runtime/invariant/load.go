package invariant

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/event"
)

// Event is an event of the program in testdata/specs/chaos as a producer writes it.
type Event struct {
	Partition           int32 // of producers that choose it
	ID, Type            string
	Account, Pool, Item string
	UID                 string // of the event, however often and under whatever account it is written
	Note                string
	Amount, Parts       int
	TS                  int64 // in milliseconds
	Raw                 string
}

// Record is the event on a topic, written at a time. Its key is the account. Raw stands in for all else.
func (e Event) Record(topic string, at time.Time) *kgo.Record {
	rec := &kgo.Record{Topic: topic, Partition: e.Partition, Key: []byte(e.Account), Timestamp: at, Value: []byte(e.Raw)}
	if e.Raw == "" {
		rec.Value = fmt.Appendf(nil, `{"event_id":%q,"event_type":%q,"entity_id":%q,"ts":%d,"payload":{"acct":%q,"pool":%q,"item":%q,"uid":%q,"note":%q,"amount":%d,"parts":%d}}`,
			e.ID, e.Type, e.Account, e.TS, e.Account, e.Pool, e.Item, e.UID, e.Note, e.Amount, e.Parts)
	}
	return rec
}

// RefusedNote is a note that tests make the database refuse in RefusingTables.
const RefusedNote = "refused"

// RefusingTables are the tables that have notes which a constraint can refuse.
var RefusingTables = []string{"balances", "orders", "profiles"}

// RefusedIn says which events a constraint on a group's table may refuse.
func RefusedIn(group string, ev *event.Event) bool {
	note, _ := ev.Payload.Field("note").AsString()
	return note == RefusedNote && (ev.Type == "PUT" || group == "orders")
}

// Loader makes random events of all kinds: fresh and late ones, copies where the event was or under another account, poison
// of every kind, records that are no events, and events of another fork.
type Loader struct {
	Rand    *rand.Rand
	Account func() (account string, partition int32)
	Now     func() int64
	Pools   int
	// Bulk says that one event of so many is a bulk update, for which all that is parked makes its partition wait.
	Bulk int

	uids int
	sent []Event
}

var eventTypes = []string{"PUT", "PUT", "PUT", "PUT", "SPEND", "SPEND", "SWAP", "FIX", "HIDE", "DROP"}

// remembered is how many events are at hand to be copied, far fewer than the window of ids holds.
const remembered = 2000

// Next returns an event.
func (l *Loader) Next() Event {
	switch roll := l.Rand.IntN(200); {
	case roll < 2:
		return l.noEvent("no json")
	case roll < 4:
		return l.noEvent(`{"event_id":"o","event_type":"PUT","entity_id":"x","fork_id":"other"}`)
	case roll < 5:
		return l.noEvent(`{"status":"up"}`)
	case roll < 25 && len(l.sent) > 0:
		return l.copied()
	}
	return l.fresh()
}

func (l *Loader) noEvent(raw string) Event {
	account, partition := l.Account()
	return Event{Partition: partition, Account: account, TS: l.Now(), Raw: raw}
}

func (l *Loader) copied() Event {
	again := l.sent[l.Rand.IntN(len(l.sent))]
	if l.Rand.IntN(4) == 0 {
		again.Account, again.Partition = l.Account()
	}
	return again
}

func (l *Loader) fresh() Event {
	l.uids++
	id := fmt.Sprintf("l%d", l.uids)
	account, partition := l.Account()
	e := Event{Partition: partition, Account: account, ID: id, UID: id, Type: eventTypes[l.Rand.IntN(len(eventTypes))],
		Pool: fmt.Sprintf("pool-%d", l.Rand.IntN(l.Pools)), Item: fmt.Sprintf("item-%d", l.Rand.IntN(3)),
		Note: fmt.Sprintf("note-%d", l.Rand.IntN(50)), Amount: 1 + l.Rand.IntN(7), Parts: 2, TS: l.Now()}
	if l.Rand.IntN(l.Bulk) == 0 {
		e.Type = "BULK"
	}
	switch l.Rand.IntN(60) {
	case 0:
		e.Parts = 0
	case 1:
		e.Note = RefusedNote
	case 2, 3, 4, 5, 6:
		e.TS -= l.Rand.Int64N(200) // late
	}
	if l.sent = append(l.sent, e); len(l.sent) > remembered {
		l.sent = l.sent[1:]
	}
	return e
}
