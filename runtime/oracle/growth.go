package oracle

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// CheckGrowth holds an empty store to what store.Group says of topics that grow.
func CheckGrowth(ctx context.Context, s store.Group, ordered bool) error {
	c := &growthCheck{ctx: ctx, store: s}
	c.begin()
	c.grow()
	c.bar()
	c.split(ordered)
	return c.err
}

// growthCheck takes the steps of CheckGrowth on a topic that grows from two partitions to six; err is the first that fails.
type growthCheck struct {
	ctx   context.Context
	store store.Group
	err   error
}

const growthTopic = "grown"

var growthID = [16]byte{7}

func growthCursor(partition int32, next, clock int64) store.Cursor {
	return store.Cursor{Topic: growthTopic, TopicID: growthID, Partition: partition, Next: next, Clock: clock}
}

func growthBarriers(next0, next1 int64) []store.Barrier {
	b := store.Barrier{Topic: growthTopic, TopicID: growthID, Before: 2, After: 6, Partition: 0, Next: next0}
	c := b
	c.Partition, c.Next = 1, next1
	return []store.Barrier{b, c}
}

// expect notes a step that ends otherwise than it should.
func (c *growthCheck) expect(step string, err, want error) {
	if c.err == nil && !errors.Is(err, want) {
		c.err = fmt.Errorf("%s: %v, want %v", step, err, want)
	}
}

// same notes a difference.
func same[T comparable](c *growthCheck, step string, got, want []T, err error) {
	if c.err == nil && (err != nil || !slices.Equal(got, want)) {
		c.err = fmt.Errorf("%s: %v, %v, want %v", step, got, err, want)
	}
}

func (c *growthCheck) partitions(step string, want ...int32) {
	got, err := c.store.LoadPartitions(c.ctx, growthTopic, growthID)
	same(c, step, got, want, err)
}

func (c *growthCheck) cursor(step string, want store.Cursor) {
	got, found, err := c.store.LoadCursor(c.ctx, growthTopic, want.Partition)
	if c.err == nil && (err != nil || !found || got != want) {
		c.err = fmt.Errorf("%s: %+v, %t, %v, want %+v", step, got, found, err, want)
	}
}

func (c *growthCheck) begin() {
	c.partitions("nothing has begun")
	first := []store.Cursor{growthCursor(0, 5, 0), growthCursor(1, 0, 3)}
	c.expect("begin", c.store.Begin(c.ctx, growthTopic, first), nil)
	c.expect("begin twice", c.store.Begin(c.ctx, growthTopic, []store.Cursor{growthCursor(0, 9, 9), growthCursor(2, 0, 0)}), nil)
	c.partitions("begun", 0, 1)
	c.cursor("begun", first[0])
	c.cursor("begun", first[1])
	got, err := c.store.LoadPartitions(c.ctx, growthTopic, [16]byte{8})
	same(c, "another topic of that name", got, nil, err)
}

// move consumes a partition up to an offset; the records in between have their offsets as ids.
func (c *growthCheck) move(from, to store.Cursor) error {
	b := store.Batch{From: from, To: to}
	for offset := from.Next; offset < to.Next; offset++ {
		b.Entries = append(b.Entries, store.Entry{Position: event.Position{Topic: growthTopic, Partition: from.Partition, Offset: offset},
			Clock: to.Clock, ID: fold.HashID(fmt.Sprint(from.Partition, "/", offset)), Outcome: store.Skipped})
	}
	_, err := c.store.Commit(c.ctx, b)
	return err
}

func (c *growthCheck) grow() {
	c.expect("consume", c.move(growthCursor(0, 5, 0), growthCursor(0, 8, 100)), nil)
	c.expect("grow behind a cursor", c.store.Grow(c.ctx, growthBarriers(7, 2)), store.ErrFenced)
	c.expect("grow", c.store.Grow(c.ctx, growthBarriers(10, 2)), nil)
	c.expect("grow twice", c.store.Grow(c.ctx, growthBarriers(20, 20)), nil)
	got, err := c.store.LoadBarriers(c.ctx, growthTopic, growthID)
	same(c, "barriers", got, growthBarriers(10, 2), err)
	got, err = c.store.LoadBarriers(c.ctx, growthTopic, [16]byte{8})
	same(c, "barriers of another topic of that name", got, nil, err)
}

func (c *growthCheck) bar() {
	c.expect("cross", c.move(growthCursor(0, 8, 100), growthCursor(0, 11, 101)), store.ErrFenced)
	c.cursor("crossed", growthCursor(0, 8, 100))
	c.expect("come to the barrier", c.move(growthCursor(0, 8, 100), growthCursor(0, 10, 200)), nil)
	c.expect("cross from there", c.move(growthCursor(0, 10, 200), growthCursor(0, 11, 200)), store.ErrFenced)
}

func (c *growthCheck) split(ordered bool) {
	b, starts := growthBarriers(10, 2)[0], map[int32]int64{2: 0, 4: 3}
	c.expect("split from elsewhere", c.store.Split(c.ctx, growthCursor(0, 8, 100), b, starts), store.ErrFenced)
	other := b
	other.Before = 3
	c.expect("split at no barrier", c.store.Split(c.ctx, growthCursor(0, 10, 200), other, starts), store.ErrFenced)
	c.partitions("nothing split", 0, 1)
	c.expect("split", c.store.Split(c.ctx, growthCursor(0, 10, 200), b, starts), nil)
	c.partitions("split", 0, 1, 2, 4)
	c.cursor("the first child", growthCursor(2, 0, 200))
	c.cursor("the second child", growthCursor(4, 3, 200))
	want, err := c.store.LoadWindow(c.ctx, growthTopic, 0)
	c.expect("the window", err, nil)
	got, err := c.store.LoadWindow(c.ctx, growthTopic, 4)
	same(c, "the child's window", got, want, err)
	if c.err == nil && len(got) != 5 {
		c.err = fmt.Errorf("the child's window has %d ids, want 5", len(got))
	}
	barriers, err := c.store.LoadBarriers(c.ctx, growthTopic, growthID)
	noted := growthBarriers(10, 2)
	noted[0].Clock = 200
	same(c, "the clock is noted", barriers, noted, err)
	c.expect("cross", c.move(growthCursor(0, 10, 200), growthCursor(0, 11, 200)), nil)
	c.expect("go on in the child", c.move(growthCursor(2, 0, 200), growthCursor(2, 4, 250)), nil)
	c.expect("split twice", c.store.Split(c.ctx, growthCursor(0, 11, 200), b, starts), nil)
	c.cursor("the child has gone on", growthCursor(2, 4, 250))
	c.splitParked(ordered)
}

// splitParked comes to the other barrier with a parked event.
func (c *growthCheck) splitParked(ordered bool) {
	at := event.Position{Topic: growthTopic, Partition: 1, Offset: 1}
	parked := &store.ParkedEvent{Failure: store.Failure{Position: at, Attempts: 1, ErrorClass: "event"}}
	_, err := c.store.Commit(c.ctx, store.Batch{From: growthCursor(1, 0, 3), To: growthCursor(1, 2, 3),
		Entries: []store.Entry{{Position: at, Clock: 3, Outcome: store.Parked, Parked: parked}}})
	c.expect("park", err, nil)
	var want error
	if ordered {
		want = store.ErrFenced
	}
	c.expect("split beside a parked event", c.store.Split(c.ctx, growthCursor(1, 2, 3), growthBarriers(10, 2)[1], map[int32]int64{3: 0, 5: 0}), want)
}
