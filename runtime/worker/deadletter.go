package worker

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// The classes of errors that end in a dead letter.
const (
	classEvent       = "event"       // evaluation or SQL execution failed at every attempt
	classUndecodable = "undecodable" // the record can never be an event; it is not retried
)

// failure is how an event failed so far in one group.
type failure struct {
	err      error
	attempts int
	firstAt  time.Time
	lastAt   time.Time
}

// letter makes the dead letter of a delivery.
func (r *runner) letter(d *delivery, clock int64, f failure) *store.DeadLetter {
	pos := d.position()
	l := &store.DeadLetter{
		ID:         letterID(r.group.Fold.Name, r.group.Version, pos),
		Group:      r.group.Fold.Name,
		Version:    r.group.Version,
		Projection: r.failedProjection(d, f.err),
		Position:   pos,
		Clock:      clock,
		Attempts:   f.attempts,
		FirstAt:    f.firstAt,
		LastAt:     f.lastAt,
		ErrorClass: classEvent,
		Message:    bounded(f.err),
		Key:        d.record.Key,
		Value:      d.record.Value,
	}
	for _, h := range d.record.Headers {
		l.Headers = append(l.Headers, store.Header{Key: h.Key, Value: h.Value})
	}
	if d.event != nil {
		l.EventID, l.EventType, l.EntityID, l.ForkID = d.event.ID, d.event.Type, d.event.EntityID, d.event.ForkID
	}
	var undecodable *event.Undecodable
	if errors.As(f.err, &undecodable) {
		l.ErrorClass = classUndecodable
	}
	var data *store.DataError
	if errors.As(f.err, &data) {
		l.SQLState = data.SQLState
	}
	return l
}

// letterID is the same for every attempt to record or publish one dead letter.
func letterID(group string, version int, pos event.Position) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%s\x00%d\x00%d", group, version, pos.Topic, pos.Partition, pos.Offset))
	return hex.EncodeToString(sum[:16])
}

// failedProjection names the projection at fault: the one whose evaluation failed, else the first that reads the event.
func (r *runner) failedProjection(d *delivery, err error) string {
	var ev *fold.EventError
	if errors.As(err, &ev) && ev.Projection != "" {
		return ev.Projection
	}
	if d.event == nil {
		return ""
	}
	return r.group.Fold.FirstProjection(d.event.Type)
}

// bounded returns an error's text as valid UTF-8 of bounded length.
func bounded(err error) string { return boundedText(err.Error()) }

func boundedText(s string) string {
	s = strings.ToValidUTF8(s, "�")
	if len(s) > maxErrorLength {
		s = strings.ToValidUTF8(s[:maxErrorLength], "") + "..."
	}
	return s
}
