package worker

import (
	"context"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/kafka"
)

// TestPauseBesideDrainedQueues: the queues were too long, but the runners have emptied them before fetching is paused.
func TestPauseBesideDrainedQueues(t *testing.T) {
	b := newBench(t)
	w := &Worker{client: b.client, topic: &kafka.Topic{Name: b.kafka.Topic}}
	r := &runner{mail: newMailbox()}
	p := &partition{number: 1, runners: []*runner{r}}
	paused := func() int { return len(w.client.PauseFetchPartitions(nil)[b.kafka.Topic]) }

	w.pause(p)
	if paused() != 0 {
		t.Error("the partition is paused though its queue is empty: nothing would ever resume it")
	}
	r.mail.put(make([]*delivery, resumeBelow+1))
	w.pause(p)
	if paused() != 1 {
		t.Error("a partition with a long queue is not paused")
	}
	r.mail.take(2)
	w.resume(p)
	if paused() != 0 {
		t.Error("a partition whose queue is short again is still paused")
	}
}

// TestLateRecordsCount: records that come when the wait for them is over are records all the same.
func TestLateRecordsCount(t *testing.T) {
	some := kgo.Fetches{{Topics: []kgo.FetchTopic{{Topic: "t", Partitions: []kgo.FetchPartition{{Records: []*kgo.Record{{}}}}}}}}
	if nothingCame(some, context.DeadlineExceeded) || nothingCame(some, nil) || nothingCame(nil, nil) {
		t.Error("what was fetched is dropped")
	}
	if !nothingCame(kgo.NewErrFetch(context.DeadlineExceeded), context.DeadlineExceeded) {
		t.Error("a wait in vain is not noticed")
	}
}

// TestAheadOfTheOthers: a group that has written a whole batch of what is delivered must look at what is behind it.
func TestAheadOfTheOthers(t *testing.T) {
	b := newBench(t)
	r := newRunner(&Worker{}, Group{Fold: b.group, Store: b.store})
	r.cursor.Next = 2 * maxBatch
	var ds []*delivery
	for offset := range int64(maxBatch + 1) {
		ds = append(ds, &delivery{record: &kgo.Record{Offset: offset}})
	}
	r.mail.put(ds)
	if more, err := r.advance(t.Context()); !more || err != nil {
		t.Errorf("the runner waits though there is more: %v, %v", more, err)
	}
	if more, err := r.advance(t.Context()); !more || err != nil || r.mail.len() != 0 {
		t.Errorf("the rest is left: %v, %v, %d", more, err, r.mail.len())
	}
}
