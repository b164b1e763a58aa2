package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// LoadPartitions implements store.Group.
func (s *Store) LoadPartitions(ctx context.Context, topic string, id [16]byte) ([]int32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []int32
	for at, c := range s.cursors {
		if at.topic == topic && c.TopicID == id {
			list = append(list, at.number)
		}
	}
	slices.Sort(list)
	return list, ctx.Err()
}

// Begin implements store.Group.
func (s *Store) Begin(ctx context.Context, topic string, cursors []store.Cursor) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	for at := range s.cursors {
		if at.topic == topic {
			return nil
		}
	}
	for _, c := range cursors {
		s.cursors[partition{topic, c.Partition}] = c
	}
	return nil
}

// LoadBarriers implements store.Group. They are this store's alone.
func (s *Store) LoadBarriers(ctx context.Context, topic string, id [16]byte) ([]store.Barrier, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []store.Barrier
	for _, b := range s.barriers {
		if b.Topic == topic && b.TopicID == id {
			list = append(list, b)
		}
	}
	slices.SortFunc(list, func(a, b store.Barrier) int {
		return cmp.Or(cmp.Compare(a.Before, b.Before), cmp.Compare(a.Partition, b.Partition))
	})
	return list, ctx.Err()
}

// Grow implements store.Group.
func (s *Store) Grow(ctx context.Context, barriers []store.Barrier) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	for i := range barriers {
		b := &barriers[i]
		if s.barrier(b) != nil {
			return nil
		}
		c, found := s.cursors[partition{b.Topic, b.Partition}]
		if found && c.TopicID == b.TopicID && c.Next > b.Next && !s.hasChildren(b) {
			return store.ErrFenced
		}
	}
	s.barriers = append(s.barriers, barriers...)
	return nil
}

// barrier returns the stored one that is about the same.
func (s *Store) barrier(b *store.Barrier) *store.Barrier {
	for i := range s.barriers {
		x := &s.barriers[i]
		if x.Topic == b.Topic && x.TopicID == b.TopicID && x.Before == b.Before && x.Partition == b.Partition {
			return x
		}
	}
	return nil
}

// hasChildren reports whether the new partitions behind a barrier have begun. They begin together.
func (s *Store) hasChildren(b *store.Barrier) bool {
	_, found := s.cursors[partition{b.Topic, b.Partition + b.Before}]
	return found
}

// crosses reports whether a batch goes beyond a barrier behind which nothing has begun.
func (s *Store) crosses(batch *store.Batch) bool {
	return slices.ContainsFunc(s.barriers, func(b store.Barrier) bool {
		return b.Topic == batch.From.Topic && b.TopicID == batch.From.TopicID && b.Partition == batch.From.Partition &&
			b.Next < batch.To.Next && !s.hasChildren(&b)
	})
}

// Split implements store.Group.
func (s *Store) Split(ctx context.Context, from store.Cursor, b store.Barrier, starts map[int32]int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	parent := partition{from.Topic, from.Partition}
	stored := s.barrier(&b)
	if s.cursors[parent] != from || stored == nil || s.group.Ordered() && len(s.parked[parent]) > 0 {
		return store.ErrFenced
	}
	stored.Clock = max(stored.Clock, from.Clock)
	for q, next := range starts {
		child := partition{from.Topic, q}
		if _, found := s.cursors[child]; found {
			continue
		}
		s.cursors[child] = store.Cursor{Topic: from.Topic, TopicID: from.TopicID, Partition: q, Next: next, Clock: stored.Clock}
		if w := s.windows[parent]; w != nil {
			s.windows[child] = fold.NewWindow(s.window, w.IDs())
		}
	}
	return nil
}
