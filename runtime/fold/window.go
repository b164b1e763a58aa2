package fold

import "crypto/sha256"

// WindowSize is how many event ids of a partition are remembered by default.
const WindowSize = 100_000

// HashID is the 128-bit identity of an event in a window: the first half of the SHA-256 of its id. It is stored, so it
// never changes.
func HashID(eventID string) [16]byte {
	var scratch [64]byte // keeps the usual id off the heap
	sum := sha256.Sum256(append(scratch[:0], eventID...))
	return [16]byte(sum[:16])
}

// Window remembers the last distinct event ids of one partition. The oldest goes out id by id; meeting an id again does
// not refresh it. So a window is a function of the log alone, wherever the log was cut into batches.
type Window struct {
	ids   map[[16]byte]struct{}
	ring  [][16]byte
	limit int
	next  int // where the ring's oldest id is, once it is full
}

// NewWindow returns a window of at most limit ids that holds the given ones, oldest first; of too many it keeps the
// newest. A limit below 1 remembers nothing.
func NewWindow(limit int, ids [][16]byte) *Window {
	limit = max(limit, 0)
	w := &Window{ids: make(map[[16]byte]struct{}, min(limit, len(ids))), limit: limit}
	for _, id := range ids {
		w.Add(id)
	}
	return w
}

// Add remembers an id and reports whether it was new; a known id changes nothing.
func (w *Window) Add(id [16]byte) bool {
	if _, known := w.ids[id]; known {
		return false
	}
	if w.limit == 0 {
		return true
	}
	if len(w.ring) < w.limit {
		w.ring = append(w.ring, id)
	} else {
		delete(w.ids, w.ring[w.next])
		w.ring[w.next] = id
		w.next = (w.next + 1) % w.limit
	}
	w.ids[id] = struct{}{}
	return true
}

// Contains reports whether the id is remembered.
func (w *Window) Contains(id [16]byte) bool {
	_, known := w.ids[id]
	return known
}

// Len returns the number of ids.
func (w *Window) Len() int { return len(w.ring) }

// IDs returns a copy of the remembered ids, oldest first.
func (w *Window) IDs() [][16]byte {
	ids := make([][16]byte, 0, len(w.ring))
	ids = append(ids, w.ring[w.next:]...)
	return append(ids, w.ring[:w.next]...)
}
