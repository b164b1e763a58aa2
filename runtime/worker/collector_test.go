package worker

import (
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/causetc/causetc/runtime/fold"
)

// TestCollectorLeavesRoom: what is in use for good, by partitions, is no reason to collect garbage all the time.
func TestCollectorLeavesRoom(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	t.Setenv("GOGC", "")
	limit, percent := debug.SetMemoryLimit(-1), debug.SetGCPercent(100)
	t.Cleanup(func() {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	})
	for _, own := range []bool{false, true} {
		w := newWorker(Config{OwnProcess: own})
		for i := range int32(100) {
			w.parts[i] = &partition{number: i, feed: newFeed(w.budget, 1, 0, judge{window: newRecent(1, nil)}, 1), runners: []*runner{{}}}
		}
		w.shareOut()
		want := limit
		if own {
			want = roomForAll + 100*windowMemory
		}
		if got := debug.SetMemoryLimit(-1); got != want {
			t.Errorf("own process: %v: the limit is %d, want %d", own, got, want)
		}
	}
	window := newRecent(windowSize, nil)
	for i := range uint64(windowSize) {
		window.add(fold.HashID(fmt.Sprint(i)))
	}
	if got := cap(window.ring)*16 + cap(window.index)*4; got != windowMemory {
		t.Errorf("a window takes %d bytes, not %d", got, windowMemory)
	}
}
