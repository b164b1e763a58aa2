package worker

import (
	"cmp"
	"errors"
	"slices"
	"sync"
)

var (
	// errShed says that a reader was so far behind the others that the feed goes on without it.
	errShed = errors.New("the others are too far ahead")
	// errDiffers says that a group's history is another one than the feed's: it began at another place of the log.
	errDiffers = errors.New("the ids or the clock that are remembered differ from those of the others")
	// errLimit says that all that is left is at or beyond the limit.
	errLimit = errors.New("everything before the barrier is read")
)

// mark is how the reading of a partition stands at one offset: with it and the rows, a group goes on from there. It is a
// function of the log, from the place where the reading began.
type mark struct {
	clock int64
	ids   uint64 // digest of the window
}

// judge tells of each record of a partition, in the order of the log, what is to be made of it.
type judge struct {
	fork   string
	window *recent
	clock  int64
}

func (j *judge) mark() mark { return mark{clock: j.clock, ids: j.window.digest} }

// look takes up the next record, which is decoded.
func (j *judge) look(d *delivery) (v verdict) {
	j.clock = d.clock(j.clock)
	if d.event != nil && d.event.ForkID == j.fork {
		v.known = !j.window.add(d.id)
	}
	v.after = j.mark()
	return v
}

// feed is a partition's log as it is fetched, for the groups that read it together. Each record is decoded once and looked
// up in the window of ids once, for all of them. It keeps the records that one of them has not written yet, within a limit.
type feed struct {
	budget *budget
	// hold tells the fetch to pause, or to go on. It is called with the lock held.
	hold func(pause bool)

	mu     sync.Mutex
	limit  int64
	lone   bool        // for one group
	queue  []*delivery // without gaps: what the log has between from and end
	from   int64
	end    int64
	before mark // at from
	judge  judge
	judged int // how many of the queue the judge has seen
	paused bool
	dead   bool // nothing more will be fetched
	// readers are the groups that read here; absent counts those that would, but are behind: for them a part of what is
	// written is kept, so that they can come back.
	readers []*reader
	absent  int
}

// newFeed makes a feed that begins at an offset, with the judge of the reading up to there. So many groups are to read it.
func newFeed(b *budget, limit, from int64, j judge, groups int) *feed {
	return &feed{budget: b, limit: limit, lone: groups == 1, from: from, end: from, judge: j, before: j.mark(), absent: groups, hold: func(bool) {}}
}

// put appends records that were fetched. Positions only grow, so what comes again is left out.
func (f *feed) put(ds []*delivery) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(ds) > 0 && ds[0].record.Offset < f.end {
		ds = ds[1:]
	}
	if len(ds) == 0 {
		return
	}
	before := f.cost()
	sum := f.costUpto(len(f.queue))
	for _, d := range ds {
		d.lone = f.lone
		sum += d.cost()
		d.upto = sum
	}
	f.queue = append(f.queue, ds...)
	f.end = ds[len(ds)-1].record.Offset + 1
	f.budget.add(f.cost() - before)
	for _, rd := range f.readers {
		rd.wake()
	}
	f.balance()
}

// has reports whether the feed has what is at an offset, or will have it.
func (f *feed) has(next int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return next >= f.from && !f.dead
}

// die notes that nothing more will be fetched, and returns from where on there is something.
func (f *feed) die() (from int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dead = true
	return f.from
}

// attach makes a place for a group at an offset, where its reading stands as m says; own is nil, or its judge at that
// place. It returns nil where the feed has moved past that, and errDiffers where the group needs a judge of its own.
func (f *feed) attach(next int64, m mark, own *judge, ready chan struct{}) (*reader, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if next < f.from || f.dead {
		return nil, nil
	}
	rd := &reader{feed: f, ready: ready, next: next, done: next, mark: m, own: own}
	if err := f.trust(rd); err != nil {
		return nil, err
	}
	f.readers = append(f.readers, rd)
	f.absent--
	return rd, nil
}

// adopt makes the judge of a group the feed's where nothing was judged yet.
func (f *feed) adopt(next int64, j *judge) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if next != f.from || f.judged > 0 || len(f.readers) > 0 {
		return false
	}
	f.judge, f.before = *j, j.mark()
	return true
}

// trust compares a reader's mark with the feed's, as soon as the feed has one there.
func (f *feed) trust(rd *reader) error {
	i := f.index(rd.next)
	if rd.trusted || rd.own != nil || i > f.judged || i == len(f.queue) && rd.next > f.end {
		return nil
	}
	if rd.mark != f.markAt(i) {
		return errDiffers
	}
	rd.trusted = true
	return nil
}

// forget takes a group out that will not come back.
func (f *feed) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.absent--
	f.balance()
}

func (f *feed) remove(rd *reader) {
	rd.lost = true
	f.absent++
	f.readers = slices.DeleteFunc(f.readers, func(other *reader) bool { return other == rd })
}

// span returns the next chunk of records to be looked at for a reader, at most so many: those that it takes, or before them
// those that nobody took yet.
func (f *feed) span(rd *reader, limit int64, most int) ([]*delivery, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if rd.lost {
		return nil, errShed
	}
	begin := min(f.index(rd.next), f.judged)
	end, cost := begin, int64(0)
	for end < min(len(f.queue), begin+most, begin+chunkRecords) && f.queue[end].record.Offset < limit {
		if cost += f.queue[end].decodedCost(); cost > chunkCost && end > begin {
			break
		}
		end++
	}
	if end == begin && end < len(f.queue) && rd.next <= f.queue[end].record.Offset {
		return nil, errLimit
	}
	return slices.Clone(f.queue[begin:end]), nil // others may drop them meanwhile
}

// look judges decoded records, where nobody did it before, and returns those that the reader takes.
func (f *feed) look(rd *reader, ds []*delivery) ([]taken, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last := ds[len(ds)-1]
	for f.judged < len(f.queue) && f.queue[f.judged].record.Offset <= last.record.Offset {
		d := f.queue[f.judged]
		d.seen = f.judge.look(d)
		f.judged++
	}
	if rd.lost {
		return nil, errShed
	}
	for len(ds) > 0 && ds[0].record.Offset < rd.next {
		ds = ds[1:]
	}
	if len(ds) == 0 {
		return nil, nil
	}
	if err := f.trust(rd); err != nil {
		f.remove(rd)
		return nil, err
	}
	rd.next = last.record.Offset + 1
	return rd.verdicts(ds), nil
}

// setLimit says how much the feed may keep.
func (f *feed) setLimit(limit int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.limit = limit
	f.balance()
}

// close gives back what the feed holds.
func (f *feed) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.budget.add(-f.cost())
	f.queue, f.judged = nil, 0
	if f.paused {
		f.paused = false
		f.hold(false) // the partition may come back, and nobody would end the pause
	}
}

// balance lets go of what everyone has written, goes on without readers that keep faster ones waiting, and pauses the fetch
// while there is too much.
func (f *feed) balance() {
	f.trim()
	for (f.paused || f.cost() > f.limit) && f.cost() > f.limit/2 {
		slow := f.hindering()
		if slow == nil {
			break
		}
		f.remove(slow)
		slow.wake()
		f.trim()
	}
	if pause := f.cost() > f.limit || f.paused && f.cost() > f.limit/2; pause != f.paused {
		f.paused = pause
		f.hold(pause)
	}
}

// hindering returns the slowest reader if it is far behind the fastest and that one has little left to take.
func (f *feed) hindering() *reader {
	if len(f.readers) < 2 {
		return nil
	}
	byDone := func(a, b *reader) int { return cmp.Compare(a.done, b.done) }
	slow, fast := slices.MinFunc(f.readers, byDone), slices.MaxFunc(f.readers, byDone)
	behind := f.costUpto(f.index(fast.done)) - f.costUpto(f.index(slow.done))
	left := f.costUpto(len(f.queue)) - f.costUpto(f.index(fast.next))
	if behind <= f.limit/2 || left > f.limit/4 {
		return nil
	}
	return slow
}

// trim drops what every reader has written, but for what is kept for those that are behind.
func (f *feed) trim() {
	if len(f.readers) == 0 {
		return
	}
	done := f.readers[0].done
	for _, rd := range f.readers {
		done = min(done, rd.done)
	}
	n := min(f.index(done), f.judged)
	if f.absent > 0 {
		kept := f.costUpto(len(f.queue)) - f.limit/4
		i, _ := slices.BinarySearchFunc(f.queue[:n], kept, func(d *delivery, kept int64) int { return cmp.Compare(d.upto, kept) })
		n = i
	}
	f.drop(n)
}

// drop removes the first n records, which are judged.
func (f *feed) drop(n int) {
	if n == 0 {
		return
	}
	last := f.queue[n-1]
	f.budget.add(f.costUpto(0) - last.upto)
	f.before, f.from = last.seen.after, last.record.Offset+1
	f.judged -= n
	clear(f.queue[:n])
	if f.queue = f.queue[n:]; len(f.queue) == 0 {
		f.queue = nil
	}
}

// index returns how many records of the queue are before an offset.
func (f *feed) index(offset int64) int {
	i, _ := slices.BinarySearchFunc(f.queue, offset, func(d *delivery, offset int64) int { return cmp.Compare(d.record.Offset, offset) })
	return i
}

// markAt returns how the reading stands before the i-th record of the queue, which the one before it was judged for.
func (f *feed) markAt(i int) mark {
	if i == 0 {
		return f.before
	}
	return f.queue[i-1].seen.after
}

func (f *feed) cost() int64 { return f.costUpto(len(f.queue)) - f.costUpto(0) }

// costUpto returns the cost of all records up to the i-th of the queue, without it.
func (f *feed) costUpto(i int) int64 {
	switch {
	case i > 0:
		return f.queue[i-1].upto
	case len(f.queue) > 0:
		return f.queue[0].upto - f.queue[0].cost()
	}
	return 0
}
