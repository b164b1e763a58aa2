package worker

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

// TestRelayOutlivesAnOutage refuses dead letters for a while: the group reaches the end meanwhile, and the letters arrive
// after it (I10).
func TestRelayOutlivesAnOutage(t *testing.T) {
	b := newFakeBench(t)
	b.produce(sold("1", "a", 0), sold("2", "a", 4))
	var refused atomic.Int32
	b.cluster.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
		b.cluster.KeepControl()
		if refused.Load() >= 3 {
			return nil, nil, false
		}
		refused.Add(1)
		resp := req.ResponseKind().(*kmsg.ProduceResponse)
		for _, topic := range req.(*kmsg.ProduceRequest).Topics {
			rt := kmsg.NewProduceResponseTopic()
			rt.Topic, rt.TopicID = topic.Topic, topic.TopicID
			for _, p := range topic.Partitions {
				rp := kmsg.NewProduceResponseTopicPartition()
				rp.Partition, rp.ErrorCode = p.Partition, kerr.InvalidRecord.Code
				rt.Partitions = append(rt.Partitions, rp)
			}
			resp.Topics = append(resp.Topics, rt)
		}
		return resp, nil, true
	})
	got := b.run(b.store).Groups[0].Counts
	if got.Applied != 1 || got.Dead != 1 || refused.Load() != 3 {
		t.Errorf("counts %+v, %d refusals", got, refused.Load())
	}
	if recs := b.consume(b.kafka.DLQTopic, 1); len(recs) != 1 {
		t.Errorf("%d letters", len(recs))
	}
}

// unmarked forgets the first marks, as a crash between publishing and marking does.
type unmarked struct {
	*memory.Store
	lost int
}

func (s *unmarked) MarkPublished(ctx context.Context, letters []store.DeadLetter) error {
	if s.lost > 0 {
		s.lost--
		return &store.EnvironmentError{Err: errors.New("connection lost")}
	}
	return s.Store.MarkPublished(ctx, letters)
}

// TestCopiesOfALetterHaveOneID: what is published twice can be told.
func TestCopiesOfALetterHaveOneID(t *testing.T) {
	b := newBench(t)
	b.produce("not json", "nor this")
	b.run(&unmarked{Store: b.store, lost: 1})
	ids := map[string]int{}
	for _, rec := range b.consume(b.kafka.DLQTopic, 3) {
		id, _, _ := strings.Cut(strings.TrimPrefix(string(rec.Value), `{"id":"`), `"`)
		ids[id]++
	}
	if len(ids) != 2 {
		t.Errorf("three records with the ids %v, want two ids", ids)
	}
}

// TestLetterTooLargeForItsTopic arrives without the record, which the database keeps.
func TestLetterTooLargeForItsTopic(t *testing.T) {
	b := newBench(t)
	b.produce(strings.Repeat(`"`, 700_000), "not json")
	b.run(b.store)
	shortened := 0
	for _, rec := range b.consume(b.kafka.DLQTopic, 2) {
		if strings.Contains(string(rec.Value), "too large for this topic") {
			shortened++
		}
	}
	letters := b.store.Letters()
	if shortened != 1 || len(letters) != 2 || len(letters[0].Value)+len(letters[1].Value) < 700_000 {
		t.Errorf("%d letters are shortened, %d are kept", shortened, len(letters))
	}
}

// TestParkedEventsOutliveARun ends a run while an event is parked and others wait for nothing: the next run goes on with
// its attempts, and counts what it finds.
func TestParkedEventsOutliveARun(t *testing.T) {
	b := newBench(t)
	b.produce(sold("1", "a", 0), sold("2", "a", 4))
	conf := b.config(b.store)
	conf.UntilEnd, conf.Retry.Initial, conf.Retry.Max = false, time.Hour, time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conf.Observer.Wrote = func(Transaction) {
		if parked, _ := b.store.LoadParked(ctx, b.kafka.Topic, b.partition()); len(parked) == 1 && b.rows() == "a 25 1" {
			cancel()
		}
	}
	report, err := Run(ctx, conf)
	if err != nil || report.Groups[0].Parked != 1 || report.Groups[0].Applied != 1 {
		t.Fatalf("%v, %+v", err, report)
	}
	parked, err := b.store.LoadParked(t.Context(), b.kafka.Topic, b.partition())
	if err != nil || len(parked) != 1 || parked[0].Attempts != 1 || time.Until(parked[0].NextAt) < 30*time.Minute {
		t.Fatalf("%v, %+v", err, parked)
	}
	soon := parked[0]
	soon.Attempts, soon.NextAt = 2, time.Now()
	if err := b.store.BeginAttempts(t.Context(), []store.ParkedEvent{soon}); err != nil { // as a worker that died in it
		t.Fatal(err)
	}
	got := b.run(b.store).Groups[0].Counts
	if got.Dead != 1 || got.Parked != 0 || got.Records != 0 || got.Retries != 2 {
		t.Errorf("counts %+v", got)
	}
	if letters := b.store.Letters(); len(letters) != 1 || letters[0].Attempts != 5 {
		t.Errorf("letters %+v", letters)
	}
}
