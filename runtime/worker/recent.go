package worker

import (
	"encoding/binary"
	"math/bits"
)

// recent remembers the last distinct event ids of one partition: what fold.Window says, in a third of its memory, since a worker has
// one for each of its partitions. Of an id it keeps the first 8 bytes and as many more bits as are free in its index, 8 with the
// usual limit: an event is taken for another one once in 4*10^16.
type recent struct {
	limit int
	ring  []uint64 // the first halves of the ids
	next  int      // where the ring's oldest id is, once it is full
	// index finds ids in the ring by linear probing, where the entry that is farther from its home goes first. An entry is a place in
	// the ring plus one, above that the distance from its home, and above that a tag, which is a part of the id that the ring does
	// not have; 0 is an empty one.
	index []uint32
	bits  int    // how many of an entry are the place
	place uint32 // all of them
	step  uint32 // one of distance
	tag   uint32 // the bits that are the tag
	// digest is a rolling hash of the ring from the oldest id to the newest; oldest is the weight of one that goes out.
	digest, oldest uint64
}

// farthest is a distance that no entry has: the index grows before.
const farthest = 1<<7 - 1

// digestBase is the base of the rolling hash, and what spreads ids over the index: any odd number does, since the ids are hashes
// themselves.
const digestBase = 0x9e3779b97f4a7c15

// leastIndex is the size of an index at first; sizes are powers of two.
const leastIndex = 16

// newRecent remembers at most limit ids and knows the given ones, oldest first; of too many it keeps the newest. A limit below 1
// remembers nothing.
func newRecent(limit int, ids [][16]byte) *recent {
	limit = max(limit, 0)
	w := &recent{limit: limit, index: make([]uint32, leastIndex), bits: bits.Len(uint(limit)), oldest: 1}
	w.step = 1 << w.bits
	w.place, w.tag = w.step-1, ^(w.step*(farthest+1) - 1)
	for n, weight := limit, uint64(digestBase); n > 0; n, weight = n/2, weight*weight {
		if n%2 == 1 {
			w.oldest *= weight
		}
	}
	for _, id := range ids {
		w.add(id)
	}
	return w
}

// add remembers an id and reports whether it was new; a known id changes nothing.
func (w *recent) add(id [16]byte) bool {
	half, tag := digestOf(id), binary.LittleEndian.Uint32(id[8:])&w.tag
	if w.knows(half, tag) {
		return false
	}
	if w.limit == 0 {
		return true
	}
	w.digest = w.digest*digestBase + half
	at := len(w.ring)
	if at < w.limit {
		w.extend(half)
	} else {
		at = w.next
		w.digest -= w.ring[at] * w.oldest
		w.remove(at)
		w.ring[at] = half
		w.next = (at + 1) % w.limit
	}
	w.insert(tag | uint32(at+1))
	return true
}

func (w *recent) knows(half uint64, tag uint32) bool {
	for i, want := w.home(half), tag; ; i, want = w.after(i), want+w.step {
		entry := w.index[i]
		if entry&^w.place == want && entry != 0 && w.ring[entry&w.place-1] == half {
			return true
		}
		if entry == 0 || entry&^w.tag&^w.place < want&^w.tag {
			return false
		}
	}
}

// extend puts an id at the end of a ring that is not full, and makes room in the index for it.
func (w *recent) extend(half uint64) {
	if len(w.ring) == cap(w.ring) {
		larger := make([]uint64, len(w.ring), min(max(2*len(w.ring), leastIndex), w.limit))
		copy(larger, w.ring)
		w.ring = larger
	}
	w.ring = append(w.ring, half)
	if 5*len(w.ring) > 4*len(w.index) {
		w.grow()
	}
}

// grow makes the index twice as large.
func (w *recent) grow() {
	old := w.index
	w.index = make([]uint32, 2*len(old))
	for _, entry := range old {
		if entry != 0 {
			w.insert(entry & (w.tag | w.place))
		}
	}
}

// insert puts an entry, whose id is in the ring, into the index. Its distance is still none.
func (w *recent) insert(entry uint32) {
	for i := w.home(w.ring[entry&w.place-1]); ; i = w.after(i) {
		other := w.index[i]
		if other == 0 {
			w.index[i] = entry
			return
		}
		if w.distance(other) < w.distance(entry) {
			w.index[i], entry = entry, other
		}
		if entry += w.step; w.distance(entry) == farthest {
			w.grow()
			w.insert(entry & (w.tag | w.place))
			return
		}
	}
}

// remove takes the entry of a place in the ring out of the index, and moves those back that went on because of it.
func (w *recent) remove(at int) {
	i := w.home(w.ring[at])
	for w.index[i]&w.place != uint32(at+1) {
		i = w.after(i)
	}
	for {
		next := w.after(i)
		entry := w.index[next]
		if w.distance(entry) == 0 {
			w.index[i] = 0
			return
		}
		w.index[i] = entry - w.step
		i = next
	}
}

func (w *recent) distance(entry uint32) uint32 { return entry &^ w.tag >> (w.bits & 31) }

// home is where the search for an id begins.
func (w *recent) home(half uint64) int {
	return int(half * digestBase >> (64 - bits.TrailingZeros(uint(len(w.index)))))
}

func (w *recent) after(i int) int { return (i + 1) & (len(w.index) - 1) }

func digestOf(id [16]byte) uint64 { return binary.LittleEndian.Uint64(id[:]) }

// digest returns the digest of ids, oldest first, each once. It is the same for the ids that are remembered of one limit, and,
// but for a chance of one in 2^64, only for those.
func digest(ids [][16]byte) (sum uint64) {
	for _, id := range ids {
		sum = sum*digestBase + digestOf(id)
	}
	return sum
}
