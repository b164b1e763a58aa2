package worker

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// TestStaleRowsAreTold: another partition has an older event of a row.
func TestStaleRowsAreTold(t *testing.T) {
	b := newBench(t)
	b.produce(sold("1", "a", 2))
	client, err := b.kafka.NewClient(kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	b.run(b.store)
	older := `{"event_id":"2","event_type":"SOLD","entity_id":"x","ts":5,"payload":{"show":"a","parts":4}}`
	rec := &kgo.Record{Topic: b.kafka.Topic, Partition: (b.partition() + 1) % 4, Value: []byte(older)}
	if err := client.ProduceSync(t.Context(), rec).FirstErr(); err != nil {
		t.Fatal(err)
	}
	conf := b.config(b.store)
	stale := 0
	conf.Observer.Wrote = func(t Transaction) { stale += t.Outcomes.Stale }
	if _, err := Run(t.Context(), conf); err != nil {
		t.Fatal(err)
	}
	if rows := b.rows(); stale != 1 || rows != "a 50 2" {
		t.Errorf("%d stale rows; the table is %s", stale, rows)
	}
}
