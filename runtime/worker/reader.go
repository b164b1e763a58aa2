package worker

// reader is a group's place in a feed.
type reader struct {
	feed  *feed
	ready chan struct{} // gets a token when there may be something to take
	// next is the record to take, done the one to write next.
	next, done int64
	// mark is the group's own at next, until it was found to be the feed's.
	mark    mark
	trusted bool
	// own judges for a group with another history, until that makes no difference any more. It stands at next.
	own  *judge
	lost bool
}

// detach takes a reader out, if it is not yet; its group counts as absent.
func (rd *reader) detach() {
	f := rd.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	if !rd.lost {
		f.remove(rd)
		f.balance()
	}
}

func (rd *reader) wake() {
	select {
	case rd.ready <- struct{}{}:
	default:
	}
}

// take returns a chunk of the records that follow, at most so many, and none at or beyond the limit: errLimit says that there
// will be no others. They are decoded and judged.
func (rd *reader) take(limit int64, most int) ([]taken, error) {
	return rd.takeBy(limit, most, func(d *delivery) error {
		d.decode()
		return nil
	})
}

// takeBy is take for at most so many records, with a way to decode each, which may fail.
func (rd *reader) takeBy(limit int64, most int, decode func(d *delivery) error) ([]taken, error) {
	for {
		ds, err := rd.feed.span(rd, limit, most)
		if err != nil || len(ds) == 0 {
			return nil, err
		}
		for _, d := range ds {
			if err := decode(d); err != nil {
				return nil, err
			}
		}
		if ts, err := rd.feed.look(rd, ds); err != nil || len(ts) > 0 {
			return ts, err
		}
	}
}

// verdicts puts to each record what holds for the reader's group.
func (rd *reader) verdicts(ds []*delivery) []taken {
	ts := make([]taken, len(ds))
	for i, d := range ds {
		ts[i] = taken{d, d.seen}
		if rd.own != nil {
			ts[i].verdict = rd.own.look(d)
		}
	}
	if rd.own != nil && rd.own.mark() == ds[len(ds)-1].seen.after {
		rd.own, rd.trusted = nil, true
	}
	return ts
}

// wrote notes that everything below an offset is in the database.
func (rd *reader) wrote(done int64) {
	f := rd.feed
	f.mu.Lock()
	defer f.mu.Unlock()
	rd.done = done
	f.balance()
}
