package invariant

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/oracle"
)

// fork is the one that tests serve.
const fork = "main"

// topicLog is the topic of events as a reader of committed records sees it.
type topicLog struct {
	topic       *kafka.Topic
	records     int
	events      []oracle.Record         // those of the fork, by partition and offset
	undecodable map[event.Position]bool // records that can never be an event
}

// message is a record of the topic of dead letters, as far as the invariants are about it.
type message struct {
	ID     string `json:"id"`
	Source struct {
		Topic     string `json:"topic"`
		Partition int32  `json:"partition"`
		Offset    int64  `json:"offset"`
	} `json:"source"`
}

// readTopic calls yield with each committed record of a topic and partition in the order of the log.
func (d *Deployment) readTopic(ctx context.Context, name string, yield func(rec *kgo.Record) error) (*kafka.Topic, error) {
	admin, err := d.Kafka.NewClient()
	if err != nil {
		return nil, err
	}
	defer admin.Close()
	topic, err := kafka.DescribeTopic(ctx, admin, name)
	if err != nil {
		return nil, err
	}
	for _, number := range topic.Numbers() {
		if err := d.readPartition(ctx, topic, number, yield); err != nil {
			return nil, fmt.Errorf("partition %d of topic %s: %w", number, name, err)
		}
	}
	return topic, nil
}

func (d *Deployment) readPartition(ctx context.Context, topic *kafka.Topic, number int32, yield func(rec *kgo.Record) error) error {
	extent := topic.Partitions[number]
	if extent.Start == extent.End {
		return nil
	}
	client, err := d.Kafka.NewClient(kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.KeepControlRecords(),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic.Name: {number: kgo.NewOffset().At(extent.Start)}}))
	if err != nil {
		return err
	}
	defer client.Close()
	for next := extent.Start; next < extent.End; {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err0(); err != nil {
			return err
		}
		for _, rec := range fetches.Records() {
			if rec.Offset >= extent.End {
				return nil
			}
			next = rec.Offset + 1
			if rec.Attrs.IsControl() {
				continue
			}
			if err := yield(rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// readLog reads the topic of events.
func (d *Deployment) readLog(ctx context.Context, growths []growth) (*topicLog, error) {
	l := &topicLog{undecodable: map[event.Position]bool{}}
	clocks := map[int32]int64{}
	for _, g := range growths {
		clocks[g.Partition] = g.Clock
	}
	var err error
	l.topic, err = d.readTopic(ctx, d.Kafka.Topic, func(rec *kgo.Record) error {
		l.records++
		at := event.Position{Topic: rec.Topic, Partition: rec.Partition, Offset: rec.Offset}
		moment := rec.Timestamp.UnixMilli()
		ev, _, err := event.Decode(rec.Value, at, moment)
		if err != nil {
			l.undecodable[at] = true
		}
		if ev != nil {
			moment = min(moment, ev.TS)
		}
		clocks[rec.Partition] = max(clocks[rec.Partition], moment)
		if ev != nil && ev.ForkID == fork {
			l.events = append(l.events, oracle.Record{Position: at, Clock: clocks[rec.Partition], Event: ev, Children: children(growths, at)})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for number, extent := range l.topic.Partitions {
		if extent.Start > 0 {
			return nil, fmt.Errorf("the log of partition %d is not complete: it begins at %d", number, extent.Start)
		}
	}
	return l, nil
}

// children are the partitions that begin behind a place.
func children(growths []growth, at event.Position) (numbers []int32) {
	for _, g := range growths {
		if g.Parent == at.Partition && at.Offset < g.Next {
			numbers = append(numbers, g.Partition)
		}
	}
	return numbers
}

// readLetters reads the topic of dead letters.
func (d *Deployment) readLetters(ctx context.Context) (messages []message, err error) {
	_, err = d.readTopic(ctx, d.Kafka.DLQTopic, func(rec *kgo.Record) error {
		var m message
		if err := json.Unmarshal(rec.Value, &m); err != nil {
			return fmt.Errorf("a dead letter is no JSON: %w", err)
		}
		messages = append(messages, m)
		return nil
	})
	return messages, err
}
