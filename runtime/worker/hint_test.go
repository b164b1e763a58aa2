package worker

import (
	"context"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
)

// committed is the offset that Kafka has of the consumer group in the partition of the bench's records.
func (b *bench) committed() int64 {
	b.t.Helper()
	offsets, err := kadm.NewClient(b.client).FetchOffsets(context.WithoutCancel(b.t.Context()), b.kafka.Group)
	if err != nil {
		b.t.Fatal(err)
	}
	at, _ := offsets.Lookup(b.kafka.Topic, b.partition())
	return at.At
}

// TestKafkaKnowsTheSmallestPosition of the groups that are worked for, also where it goes back.
func TestKafkaKnowsTheSmallestPosition(t *testing.T) {
	p := newPair(t)
	p.fill(0, 20)
	p.run(p.store)
	if at := p.committed(); at != 20 {
		t.Errorf("one group has consumed everything, Kafka knows of %d", at)
	}
	p.start()
	p.fill(20, 5)
	p.await("sales", 25)
	p.stop()
	if err := <-p.ended; err != nil && err != context.Canceled {
		t.Fatal(err)
	}
	p.ended <- nil
	if at := p.committed(); at != 0 {
		t.Errorf("the new group has consumed nothing, Kafka knows of %d", at)
	}
	conf := p.config(p.store)
	conf.Groups = append(conf.Groups, Group{Fold: another(t, "other"), Version: 1, Store: &dismissed{Store: p.other.Store}})
	if _, err := Run(t.Context(), conf); err != nil {
		t.Fatal(err)
	}
	if at := p.committed(); at != 25 {
		t.Errorf("the new group was stopped, Kafka knows of %d", at)
	}
}
