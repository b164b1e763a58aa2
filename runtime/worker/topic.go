package worker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/store"
)

// topicEvery is how often a worker looks whether the topic is still the one that it reads, and holds what it needs.
const topicEvery = 10 * time.Second

func (c *Config) topicInterval() time.Duration {
	if c.TopicEvery > 0 {
		return c.TopicEvery
	}
	return topicEvery
}

// watchTopic looks at the topic at intervals until the context ends. What it finds stops groups.
func (w *Worker) watchTopic(ctx context.Context) {
	tick := time.NewTicker(w.conf.topicInterval())
	defer tick.Stop()
	missing := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		positions := w.positions()
		t, err := w.describeTopic(ctx)
		var deployment *store.DeploymentError
		switch {
		case ctx.Err() != nil:
			return
		case errors.As(err, &deployment):
			// Brokers that have just started may say so of a topic that is there.
			if missing++; missing > 1 {
				w.stopAll(err)
			}
			continue
		case err != nil:
			w.log.Warn("the brokers don't tell of the topic", "topic", w.conf.Kafka.Topic, "error", err.Error())
			continue
		}
		missing = 0
		if err := w.follow(ctx, t); err != nil {
			w.log.Warn("the topic has grown, but the database does not answer", "error", err.Error())
			continue
		}
		w.checkPositions(t, positions)
		w.wakeUnborn()
	}
}

// positions returns where the runners stand, that have begun.
func (w *Worker) positions() map[*runner]int64 {
	at := map[*runner]int64{}
	for _, p := range w.assignedPartitions() {
		for _, r := range p.runners {
			if next := r.position.Load(); next != unborn {
				at[r] = next
			}
		}
	}
	return at
}

// checkPositions stops the groups that stand outside of the log. The positions are older than what is known of the topic.
func (w *Worker) checkPositions(t *kafka.Topic, positions map[*runner]int64) {
	for r, next := range positions {
		c := r.at
		c.Next = next
		if err := CheckCursor(c, t); err != nil {
			w.stop(r.group, fmt.Errorf("group %s: %w", r.group.Fold.Name, err))
		}
	}
}

// stopAll stops every group.
func (w *Worker) stopAll(err error) {
	for _, g := range w.conf.Groups {
		w.stop(g, fmt.Errorf("group %s: %w", g.Fold.Name, err))
	}
}

// wakeUnborn makes the runners look again that wait for their partition to begin.
func (w *Worker) wakeUnborn() {
	for _, p := range w.assignedPartitions() {
		for _, r := range p.runners {
			if r.position.Load() == unborn {
				r.wake()
			}
		}
	}
}

// follow takes up what the topic is now. Where it has grown, every group is told.
func (w *Worker) follow(ctx context.Context, t *kafka.Topic) error {
	before := w.topic.Load()
	if before.ID == t.ID && len(t.Partitions) < len(before.Partitions) {
		return nil // a broker that has not learned of the growth yet: no topic shrinks
	}
	grown := before.ID == t.ID && len(t.Partitions) != len(before.Partitions)
	if grown {
		if err := w.placeAll(ctx, t); err != nil {
			return err
		}
		w.log.Info("the topic has grown", "event", "topic_grown", "topic", t.Name, "before", len(before.Partitions), "after", len(t.Partitions))
		w.client.ForceMetadataRefresh() // the new partitions are to be assigned
	}
	w.topic.Store(t)
	if grown { // now, so that one which is just started either is told here or sees the new topic by itself
		for _, p := range w.assignedPartitions() {
			p.outdate()
		}
	}
	return nil
}

// placeAll brings the positions of all groups in line with the topic. Groups for which that can't be are stopped.
func (w *Worker) placeAll(ctx context.Context, t *kafka.Topic) error {
	for _, g := range w.conf.Groups {
		if w.isStopped(g) {
			continue
		}
		err := w.environment(ctx, g, nil, func() error { return w.place(ctx, g, t) })
		var deployment *store.DeploymentError
		switch {
		case errors.As(err, &deployment):
			w.stop(g, fmt.Errorf("group %s: %w", g.Fold.Name, err))
		case err != nil:
			return err
		}
	}
	return nil
}

// place gives a new group positions in the partitions of a topic, and notes the barriers where the topic has grown since a
// group began.
func (w *Worker) place(ctx context.Context, g Group, t *kafka.Topic) error {
	for {
		numbers, err := g.Store.LoadPartitions(ctx, t.Name, t.ID)
		if err != nil {
			return err
		}
		barriers, err := g.Store.LoadBarriers(ctx, t.Name, t.ID)
		if err != nil {
			return err
		}
		first, last := int32(len(numbers)), int32(len(numbers))
		if len(barriers) > 0 {
			first, last = barriers[0].Before, barriers[len(barriers)-1].After
		}
		now := int32(len(t.Partitions))
		if last != 0 && last != now && !failpoint.Off(failpoint.Barrier) {
			err := grow(ctx, g, t, last)
			if errors.Is(err, store.ErrFenced) { // a group has gone on since the ends were looked up
				t, err = w.describeTopic(ctx)
			}
			if err != nil {
				return err
			}
			continue
		}
		if len(numbers) == 0 {
			return g.Store.Begin(ctx, t.Name, beginnings(t, first, barriers))
		}
		return checkNumbers(t, numbers, first)
	}
}

// checkNumbers holds a group's partitions to the number that the topic had when the group began.
func checkNumbers(t *kafka.Topic, numbers []int32, first int32) error {
	for i := range first {
		if int(i) >= len(numbers) || numbers[i] != i {
			return &store.DeploymentError{Message: fmt.Sprintf("the position in partition %d of topic %s is missing: rebuild", i, t.Name)}
		}
	}
	return nil
}

// grow notes where the old partitions end that the topic had before it grew.
func grow(ctx context.Context, g Group, t *kafka.Topic, before int32) error {
	after := int32(len(t.Partitions))
	if after < before || after%before != 0 {
		return &store.DeploymentError{Message: fmt.Sprintf(
			"topic %s had %d partitions and has %d: events of an entity went on in partitions where their order is not known, which is so unless the number grows to a multiple: rebuild",
			t.Name, before, after)}
	}
	var barriers []store.Barrier
	for p := range after {
		switch extent := t.Partitions[p]; {
		case p < before:
			barriers = append(barriers, store.Barrier{Topic: t.Name, TopicID: t.ID, Before: before, After: after, Partition: p, Next: extent.High})
		case extent.Start > 0:
			return &store.DeploymentError{Message: fmt.Sprintf(
				"partition %d of topic %s is new and starts at offset %d already: records were deleted before they were consumed; rebuild",
				p, t.Name, extent.Start)}
		}
	}
	return g.Store.Grow(ctx, barriers)
}

// beginnings are the positions of a new group: the starts of the partitions that the topic had when its first group began. The
// others begin behind their barriers. What is deleted behind a barrier counts with the clock that it had.
func beginnings(t *kafka.Topic, first int32, barriers []store.Barrier) []store.Cursor {
	if first == 0 {
		first = int32(len(t.Partitions))
	}
	cursors := make([]store.Cursor, first)
	for p := range first {
		c := store.Cursor{Topic: t.Name, TopicID: t.ID, Partition: p, Next: t.Partitions[p].Start}
		for i := range barriers {
			if b := &barriers[i]; b.Partition == p && b.Next <= c.Next {
				c.Clock = max(c.Clock, b.Clock)
			}
		}
		cursors[p] = c
	}
	return cursors
}

// CheckCursor refuses, with a *store.DeploymentError, a stored position that does not belong to the topic as it is now.
func CheckCursor(c store.Cursor, t *kafka.Topic) error {
	e, found := t.Partitions[c.Partition]
	switch {
	case failpoint.Off(failpoint.PositionCheck):
	case c.TopicID != t.ID:
		return &store.DeploymentError{Message: fmt.Sprintf(
			"topic %s was deleted and made anew since the tables were built; their position means nothing in it: rebuild", t.Name)}
	case !found:
		return &store.DeploymentError{Message: fmt.Sprintf("topic %s has no partition %d any more: rebuild", t.Name, c.Partition)}
	case c.Next < e.Start:
		return &store.DeploymentError{Message: fmt.Sprintf(
			"partition %d of topic %s starts at offset %d, the tables need offset %d: records were deleted before they were consumed; rebuild",
			c.Partition, t.Name, e.Start, c.Next)}
	case c.Next > e.End:
		return &store.DeploymentError{Message: fmt.Sprintf(
			"partition %d of topic %s ends at offset %d, but the tables have consumed up to %d: the log has shrunk; rebuild",
			c.Partition, t.Name, e.End, c.Next)}
	}
	return nil
}
