package worker

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/causetc/causetc/runtime/fold"
)

// TestRecent holds what is remembered to the reference, over streams of ids with copies near and far, for all kinds of limits.
func TestRecent(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, limit := range []int{0, 1, 2, 3, 7, 8, 50, 1000} {
		r := rand.New(rand.NewPCG(seed, uint64(limit)))
		w, reference := newRecent(limit, nil), fold.NewWindow(limit, nil)
		for n := range 10*limit + 100 {
			id := fold.HashID(fmt.Sprint(r.IntN(2*limit + 2)))
			if r.IntN(3) > 0 {
				id = fold.HashID(fmt.Sprint("fresh ", n))
			}
			if got, want := w.add(id), reference.Add(id); got != want {
				t.Fatalf("limit %d, id %d: new %v, want %v", limit, n, got, want)
			}
			if n%97 == 0 { // as after a restart
				w = newRecent(limit, reference.IDs())
			}
			if w.digest != digest(reference.IDs()) {
				t.Fatalf("limit %d, id %d: the digest is another one", limit, n)
			}
		}
	}
}

// TestRecentTellsHalvesApart: ids that share the half by which they are found, or all of their tags, are told apart.
func TestRecentTellsHalvesApart(t *testing.T) {
	w := newRecent(windowSize, nil)
	for _, isNew := range []bool{true, false} {
		for last := range byte(100) {
			var id [16]byte
			id[8+last%8] = last + 1
			if w.add(id) != isNew {
				t.Fatalf("id %x: new is %t", id, !isNew)
			}
		}
	}
}

// TestRecentDigest tells ids apart that differ in one or in the order alone.
func TestRecentDigest(t *testing.T) {
	of := func(limit int, ids ...string) uint64 {
		w := newRecent(limit, nil)
		for _, id := range ids {
			w.add(fold.HashID(id))
		}
		return w.digest
	}
	if of(2, "a", "b", "c") != of(2, "b", "c") || of(2, "x", "b", "b", "c") != of(2, "b", "c") {
		t.Error("what is forgotten still counts")
	}
	if of(3, "a", "b", "c") == of(3, "a", "c", "b") || of(3, "a", "b") == of(3, "a", "c") || of(3, "a") == of(3) {
		t.Error("ids that differ have one digest")
	}
}

// TestRecentIsSmall: those of 100 partitions leave room for the rest of a worker.
func TestRecentIsSmall(t *testing.T) {
	var before, after runtime.MemStats
	ids := make([][16]byte, windowSize+1000)
	for i := range ids {
		ids[i] = fold.HashID(fmt.Sprint(i))
	}
	runtime.GC()
	runtime.ReadMemStats(&before)
	all := make([]*recent, 10)
	for i := range all {
		all[i] = newRecent(windowSize, ids)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := int(after.HeapAlloc-before.HeapAlloc) / len(all); each > 2300<<10 {
		t.Errorf("%d bytes for %d ids", each, windowSize)
	}
	runtime.KeepAlive(all)
	runtime.KeepAlive(ids)
}

func BenchmarkRecent(b *testing.B) {
	w := newRecent(windowSize, nil)
	ids := make([][16]byte, 1<<18)
	for i := range ids {
		ids[i] = fold.HashID(fmt.Sprintf("0190e2c4-7d5c-7cc2-%016x", i))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		w.add(ids[i%len(ids)])
	}
}
