package worker

// ahead is what was read and evaluated while a transaction ran.
type ahead struct {
	entries []pending
	err     error // of reader.take
}

// lookAhead begins to read and evaluate the records that come next while a transaction runs, unless there are plenty:
// built says how many are ready. catchUp must follow before anything else reads.
func (r *runner) lookAhead(built int) {
	if built >= maxBatch || r.reader == nil || r.aheadErr != nil || r.suspect > 0 {
		return
	}
	rd, limit, result := r.reader, r.limit(), make(chan ahead, 1)
	go func() {
		ts, err := rd.take(limit)
		result <- ahead{r.build(ts), err}
	}()
	r.ahead = result
}

// catchUp waits for what lookAhead began. An error is for the next read.
func (r *runner) catchUp() {
	if r.ahead == nil {
		return
	}
	next := <-r.ahead
	r.ahead, r.aheadErr = nil, next.err
	if len(r.rest) == 0 {
		r.rest = next.entries
		return
	}
	r.rest = append(r.rest[:len(r.rest):len(r.rest)], next.entries...)
}
