package kafka

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Topic is what the brokers say of a topic at one moment.
type Topic struct {
	Name       string
	ID         [16]byte
	Partitions map[int32]Extent
}

// Extent is the part of a partition's log that can be read: [Start, End), committed records only. What is in open transactions
// is in [End, High).
type Extent struct {
	Start, End, High int64
}

// UnknownTopicError says that a topic does not exist.
type UnknownTopicError struct{ Topic string }

// Error names the topic and the way out.
func (e *UnknownTopicError) Error() string {
	return fmt.Sprintf("the brokers have no topic %q; create it, or name another one", e.Topic)
}

// DescribeTopic asks for a topic's id, its partitions and the extent of each.
func DescribeTopic(ctx context.Context, client *kgo.Client, name string) (*Topic, error) {
	adm := kadm.NewClient(client)
	details, err := adm.ListTopics(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("asking the brokers for topic %s; check --brokers: %w", name, err)
	}
	detail, ok := details[name]
	if !ok || errors.Is(detail.Err, kerr.UnknownTopicOrPartition) {
		return nil, &UnknownTopicError{Topic: name}
	}
	if detail.Err != nil {
		return nil, fmt.Errorf("listing topic %s: %w", name, detail.Err)
	}
	starts, err := adm.ListStartOffsets(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("listing the start of topic %s: %w", name, err)
	}
	ends, err := adm.ListCommittedOffsets(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("listing the end of topic %s: %w", name, err)
	}
	highs, err := adm.ListEndOffsets(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("listing the end of topic %s: %w", name, err)
	}
	t := &Topic{Name: name, ID: [16]byte(detail.ID), Partitions: map[int32]Extent{}}
	for p := range detail.Partitions {
		start, okStart := starts.Lookup(name, p)
		end, okEnd := ends.Lookup(name, p)
		high, okHigh := highs.Lookup(name, p)
		if !okStart || !okEnd || !okHigh {
			return nil, fmt.Errorf("topic %s: the brokers did not tell the extent of partition %d", name, p)
		}
		if err := errors.Join(start.Err, end.Err, high.Err); err != nil {
			return nil, fmt.Errorf("topic %s, partition %d: %w", name, p, err)
		}
		t.Partitions[p] = Extent{Start: start.Offset, End: end.Offset, High: high.Offset}
	}
	return t, nil
}

// Numbers returns the partition numbers in order.
func (t *Topic) Numbers() []int32 {
	nums := make([]int32, 0, len(t.Partitions))
	for p := range t.Partitions {
		nums = append(nums, p)
	}
	sort.Slice(nums, func(i, j int) bool { return nums[i] < nums[j] })
	return nums
}
