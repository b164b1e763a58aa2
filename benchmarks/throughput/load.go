package main

import (
	"context"
	"fmt"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// load says which events a topic has.
type load struct {
	Events     int
	Keys       int // tickets; 0: each event is of another one
	Partitions int32
	// PoisonParts makes every hundredth event have 0 parts, by which an evaluation divides; PoisonPrice, a price below 0.
	PoisonParts, PoisonPrice bool
}

// shows is how many shows the tickets are for.
const shows = 10_000

// ticket is the number of the ticket that event number i is about. Neighbours are no neighbours among the keys.
func (l load) ticket(i int) int {
	keys := l.Keys
	if keys == 0 {
		keys = 1 << 31
	}
	return int(uint64(i) * 2654435761 % uint64(keys))
}

// value is the record of event number i.
func (l load) value(i int) string {
	ticket, parts, price := l.ticket(i), 4, 25+i%50
	if i%100 == 99 {
		if l.PoisonParts {
			parts = 0
		}
		if l.PoisonPrice {
			price = -1
		}
	}
	return fmt.Sprintf(`{"event_id":"event-%010d","event_type":"SOLD","entity_id":"ticket-%d","ts":%d,"payload":{"ticket_id":"ticket-%d",`+
		`"show_id":"show-%d","seat":"A%d","buyer":"buyer-%d@example.com","status":"sold","price":%d.50,"parts":%d,"sold_at":"2026-03-01T10:00:00.%03dZ"}}`,
		i, ticket, 1_772_000_000_000+int64(i), ticket, ticket%shows, i%90, i%7919, price, parts, i%1000)
}

// produce makes a topic and fills it.
func produce(ctx context.Context, t task) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(t.Brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.MaxBufferedRecords(20_000), kgo.ProducerLinger(0))
	if err != nil {
		return err
	}
	defer client.Close()
	forever := "-1"
	settings := map[string]*string{"retention.ms": &forever}
	if _, err := kadm.NewClient(client).CreateTopic(ctx, t.Load.Partitions, -1, settings, t.Topic); err != nil {
		return err
	}
	var failed error
	for i := range t.Load.Events {
		// A ticket's events are in one partition.
		r := &kgo.Record{Topic: t.Topic, Partition: int32(t.Load.ticket(i)) % t.Load.Partitions, Value: []byte(t.Load.value(i))}
		client.Produce(ctx, r, func(_ *kgo.Record, err error) {
			if err != nil {
				failed = err
			}
		})
	}
	if err := client.Flush(ctx); err != nil {
		return err
	}
	return failed
}
