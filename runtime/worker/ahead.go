package worker

import "sync/atomic"

// lookahead is what is read and evaluated while a transaction runs.
type lookahead struct {
	enough  atomic.Bool   // the transaction has ended
	done    chan struct{} // closed when nothing more is read
	entries []pending
	err     error // of reader.take
}

// lookAhead begins to read and evaluate the records that come next while a transaction of so many entries runs. The longer the
// transaction takes, the more the next one will have, up to the bounds. Where another runner waits for the turn, that one works
// meanwhile, and this one passes the turn on. catchUp must follow before anything else reads.
func (r *runner) lookAhead(running int) {
	if r.reader == nil || r.aheadErr != nil || r.wary > 0 || r.w.turns.wanted(r) {
		return
	}
	ready := r.rest[running:]
	room, most := maxBatch-len(ready), r.most.Load()-costOf(ready)
	l := &lookahead{done: make(chan struct{}), entries: make([]pending, 0, max(min(2*running, room), 0))}
	rd, limit := r.reader, r.limit()
	go func() {
		defer close(l.done)
		for cost := int64(0); len(l.entries) < room && cost < most && !l.enough.Load(); {
			ts, err := rd.take(limit, room-len(l.entries))
			if err != nil || len(ts) == 0 {
				l.err = err
				return
			}
			before := len(l.entries)
			l.entries = r.build(l.entries, ts)
			cost += costOf(l.entries[before:])
		}
	}()
	r.ahead = l
}

// catchUp ends what lookAhead began. An error is for the next read.
func (r *runner) catchUp() {
	l := r.ahead
	if l == nil {
		return
	}
	l.enough.Store(true)
	<-l.done
	r.ahead, r.aheadErr = nil, l.err
	if len(r.rest) == 0 {
		r.rest = l.entries
		return
	}
	r.rest = append(r.rest[:len(r.rest):len(r.rest)], l.entries...)
}
