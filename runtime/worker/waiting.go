package worker

import (
	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/fold"
)

// keySet counts the keys that events hold, so that others are told to wait for them.
type keySet struct {
	counts map[fold.Key]int
	all    int // bulk updates
}

func (s *keySet) add(keys []fold.Key) {
	if s.counts == nil && len(keys) > 0 {
		s.counts = map[fold.Key]int{}
	}
	for _, k := range keys {
		if k.IsAll() {
			s.all++
		} else {
			s.counts[k]++
		}
	}
}

func (s *keySet) remove(keys []fold.Key) {
	for _, k := range keys {
		if k.IsAll() {
			s.all--
		} else if s.counts[k]--; s.counts[k] == 0 {
			delete(s.counts, k)
		}
	}
}

func (s *keySet) empty() bool { return s.all == 0 && len(s.counts) == 0 }

// meets reports whether one of the keys is held. The key of a bulk update meets every key, and every key meets it.
func (s *keySet) meets(keys []fold.Key) bool {
	if s.empty() {
		return false
	}
	for _, k := range keys {
		if k.IsAll() || s.all > 0 || s.counts[k] > 0 {
			return true
		}
	}
	return false
}

// keysOf returns the keys that an event holds while it is parked or waits: none in a group without ordered tables. Of an
// event that can't be evaluated they are those that its key expressions give all the same.
func (r *runner) keysOf(p *pending) []fold.Key {
	if !p.keyed {
		p.keyed = true
		switch {
		case !r.ordered:
		case p.evaluated:
			p.keys = r.group.Fold.Keys(&p.effect)
		default:
			p.keys = r.keysSafely(p)
		}
	}
	return p.keys
}

// keysSafely gives an event that makes the evaluation panic no keys.
func (r *runner) keysSafely(p *pending) (keys []fold.Key) {
	defer func() {
		if recover() != nil {
			keys = nil
		}
	}()
	return r.group.Fold.KeysOf(p.delivery.whole())
}

// mustWait reports whether an event of the topic shares a key with one that is parked or waits: one of before, or one of
// held, which are of its own batch.
func (r *runner) mustWait(p *pending, held *keySet) bool {
	if !r.ordered || (r.lot.held.empty() && held.empty()) || failpoint.Off(failpoint.Waiting) {
		return false
	}
	keys := r.keysOf(p)
	return r.lot.held.meets(keys) || held.meets(keys)
}
