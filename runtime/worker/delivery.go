package worker

import (
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/store"
)

// delivery is one record as all groups see it; the first that asks decodes it for all.
type delivery struct {
	record *kgo.Record

	once  sync.Once
	event *event.Event
	skip  event.SkipReason
	err   error // *event.Undecodable
}

// isMarker reports whether the record is a transaction marker: it occupies an offset and is no record of anybody's.
func (d *delivery) isMarker() bool { return d.record.Attrs.IsControl() }

func (d *delivery) decode() {
	if d.isMarker() {
		return
	}
	d.once.Do(func() {
		d.event, d.skip, d.err = event.Decode(d.record.Value, d.position(), d.record.Timestamp.UnixMilli())
	})
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

// mailbox is a bounded-by-pause queue between the poller and one runner.
type mailbox struct {
	mu     sync.Mutex
	queue  []*delivery
	closed bool
	ready  chan struct{} // holds a token while the queue may have something
}

func newMailbox() *mailbox { return &mailbox{ready: make(chan struct{}, 1)} }

// put appends deliveries and returns how many wait now.
func (m *mailbox) put(ds []*delivery) int {
	m.mu.Lock()
	if !m.closed {
		m.queue = append(m.queue, ds...)
	}
	n := len(m.queue)
	m.mu.Unlock()
	select {
	case m.ready <- struct{}{}:
	default:
	}
	return n
}

// take removes up to limit deliveries and returns them with how many are left.
func (m *mailbox) take(limit int) (ds []*delivery, left int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := min(limit, len(m.queue))
	ds = m.queue[:n:n]
	m.queue = m.queue[n:]
	if len(m.queue) == 0 {
		m.queue = nil
	}
	return ds, len(m.queue)
}

// close drops what waits and whatever comes.
func (m *mailbox) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.queue, m.closed = nil, true
}

func (m *mailbox) len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.queue)
}
