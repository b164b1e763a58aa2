package worker

import (
	"encoding/binary"
	"math/bits"
)

// recent remembers the last distinct event ids of one partition: what fold.Window says, in half of its memory, since a worker has
// one for each of its partitions.
type recent struct {
	limit int
	ring  [][16]byte
	next  int // where the ring's oldest id is, once it is full
	// index finds ids in the ring by linear probing. An entry is a place in the ring plus one, and above that a tag, which is a
	// part of the id, so that other ids are seldom looked at; 0 is an empty one.
	index []uint32
	place uint32 // the bits of an entry that are the place
	// digest is a rolling hash of the ring from the oldest id to the newest; oldest is the weight of one that goes out.
	digest, oldest uint64
}

// digestBase is the base of the rolling hash, and what spreads ids over the index: any odd number does, since the ids are hashes
// themselves.
const digestBase = 0x9e3779b97f4a7c15

// leastIndex is the size of an index at first; sizes are powers of two.
const leastIndex = 16

// newRecent remembers at most limit ids and knows the given ones, oldest first; of too many it keeps the newest. A limit below 1
// remembers nothing.
func newRecent(limit int, ids [][16]byte) *recent {
	limit = max(limit, 0)
	w := &recent{limit: limit, index: make([]uint32, leastIndex), place: 1<<bits.Len(uint(limit)) - 1, oldest: 1}
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
	if _, known := w.find(id); known {
		return false
	}
	if w.limit == 0 {
		return true
	}
	w.digest = w.digest*digestBase + digestOf(id)
	if len(w.ring) < w.limit {
		w.extend(id)
		return true
	}
	at := w.next
	w.digest -= digestOf(w.ring[at]) * w.oldest
	w.remove(at)
	w.ring[at], w.next = id, (at+1)%w.limit
	i, _ := w.find(id)
	w.index[i] = w.entry(at)
	return true
}

// find returns where an id is in the index, or where it would be put.
func (w *recent) find(id [16]byte) (i int, known bool) {
	tag := w.tag(id)
	for i = w.home(id); ; i = w.after(i) {
		entry := w.index[i]
		if entry == 0 {
			return i, false
		}
		if entry&^w.place == tag && w.ring[entry&w.place-1] == id {
			return i, true
		}
	}
}

// extend puts an id at the end of a ring that is not full, and makes room in the index for it.
func (w *recent) extend(id [16]byte) {
	if len(w.ring) == cap(w.ring) {
		larger := make([][16]byte, len(w.ring), min(max(2*len(w.ring), leastIndex), w.limit))
		copy(larger, w.ring)
		w.ring = larger
	}
	w.ring = append(w.ring, id)
	if 5*len(w.ring) <= 4*len(w.index) {
		w.insert(len(w.ring) - 1)
		return
	}
	w.index = make([]uint32, 2*len(w.index))
	for at := range w.ring {
		w.insert(at)
	}
}

// insert puts the id at a place in the ring, which is not there yet, into the index.
func (w *recent) insert(at int) {
	i := w.home(w.ring[at])
	for w.index[i] != 0 {
		i = w.after(i)
	}
	w.index[i] = w.entry(at)
}

// remove takes the entry of a place in the ring out of the index, and moves those back that could not be where it was.
func (w *recent) remove(at int) {
	gap := w.home(w.ring[at])
	for w.index[gap]&w.place != uint32(at+1) {
		gap = w.after(gap)
	}
	for i := w.after(gap); w.index[i] != 0; i = w.after(i) {
		home := w.home(w.ring[w.index[i]&w.place-1])
		if w.distance(home, i) >= w.distance(gap, i) {
			w.index[gap] = w.index[i]
			gap = i
		}
	}
	w.index[gap] = 0
}

func (w *recent) entry(at int) uint32 { return w.tag(w.ring[at]) | uint32(at+1) }

func (w *recent) tag(id [16]byte) uint32 { return binary.LittleEndian.Uint32(id[8:]) &^ w.place }

// home is where the search for an id begins.
func (w *recent) home(id [16]byte) int {
	return int(digestOf(id) * digestBase >> (64 - bits.TrailingZeros(uint(len(w.index)))))
}

func (w *recent) after(i int) int { return (i + 1) & (len(w.index) - 1) }

// distance is how many steps lead from one place in the index to another.
func (w *recent) distance(from, to int) int { return (to - from) & (len(w.index) - 1) }

func digestOf(id [16]byte) uint64 { return binary.LittleEndian.Uint64(id[:]) }

// digest returns the digest of ids, oldest first, each once. It is the same for the ids that are remembered of one limit, and,
// but for a chance of one in 2^64, only for those.
func digest(ids [][16]byte) (sum uint64) {
	for _, id := range ids {
		sum = sum*digestBase + digestOf(id)
	}
	return sum
}
