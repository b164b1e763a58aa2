package kafka

import (
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/store"
)

// deadLetterMessage is the value of a record on the topic of dead letters.
type deadLetterMessage struct {
	ID             string       `json:"id"`
	ProjectionName string       `json:"projectionName"`
	Group          string       `json:"group"`
	Version        int          `json:"version"`
	EventID        string       `json:"eventId,omitempty"`
	EventType      string       `json:"eventType,omitempty"`
	EntityID       string       `json:"entityId,omitempty"`
	ForkID         string       `json:"forkId,omitempty"`
	Attempts       int          `json:"attempts"`
	FirstAttemptAt time.Time    `json:"firstAttemptAt"`
	LastAttemptAt  time.Time    `json:"lastAttemptAt"`
	ErrorClass     string       `json:"errorClass"`
	SQLState       string       `json:"sqlState,omitempty"`
	Error          string       `json:"error"`
	Source         sourceRecord `json:"source"`
}

// sourceRecord is the original record. Texts that are UTF-8 stand as they are, other bytes in the base64 fields.
type sourceRecord struct {
	Topic       string         `json:"topic"`
	Partition   int32          `json:"partition"`
	Offset      int64          `json:"offset"`
	Key         *string        `json:"key,omitempty"`
	KeyBase64   []byte         `json:"keyBase64,omitempty"`
	Value       *string        `json:"value,omitempty"`
	ValueBase64 []byte         `json:"valueBase64,omitempty"`
	Headers     []sourceHeader `json:"headers,omitempty"`
}

type sourceHeader struct {
	Key         string  `json:"key"`
	Value       *string `json:"value,omitempty"`
	ValueBase64 []byte  `json:"valueBase64,omitempty"`
}

// DeadLetterRecord returns the record that tells the topic of a dead letter. Its key is that of the original, so that
// the letters of one entity keep their order.
func DeadLetterRecord(topic string, l store.DeadLetter) (*kgo.Record, error) {
	m := deadLetterMessage{
		ID: l.ID, ProjectionName: l.Projection, Group: l.Group, Version: l.Version,
		EventID: l.EventID, EventType: l.EventType, EntityID: l.EntityID, ForkID: l.ForkID,
		Attempts: l.Attempts, FirstAttemptAt: l.FirstAt.UTC(), LastAttemptAt: l.LastAt.UTC(),
		ErrorClass: l.ErrorClass, SQLState: l.SQLState, Error: l.Message,
		Source: sourceRecord{Topic: l.Position.Topic, Partition: l.Position.Partition, Offset: l.Position.Offset},
	}
	m.Source.Key, m.Source.KeyBase64 = textOrBytes(l.Key)
	m.Source.Value, m.Source.ValueBase64 = textOrBytes(l.Value)
	for _, h := range l.Headers {
		sh := sourceHeader{Key: h.Key}
		sh.Value, sh.ValueBase64 = textOrBytes(h.Value)
		m.Source.Headers = append(m.Source.Headers, sh)
	}
	value, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("dead letter %s: %w", l.ID, err)
	}
	return &kgo.Record{Topic: topic, Key: l.Key, Value: value}, nil
}

func textOrBytes(b []byte) (*string, []byte) {
	if b == nil {
		return nil, nil
	}
	if utf8.Valid(b) {
		s := string(b)
		return &s, nil
	}
	return nil, b
}
