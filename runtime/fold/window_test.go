package fold_test

import (
	"fmt"
	"testing"

	"github.com/causetc/causetc/runtime/fold"
)

func TestWindow(t *testing.T) {
	id := func(n int) [16]byte { return fold.HashID(fmt.Sprint(n)) }
	w := fold.NewWindow(3, nil)
	for i := range 3 {
		if !w.Add(id(i)) {
			t.Fatalf("id %d is known", i)
		}
	}
	if w.Add(id(0)) {
		t.Error("a duplicate is new")
	}
	if !w.Add(id(3)) || w.Contains(id(0)) { // the duplicate of 0 did not refresh it
		t.Error("the oldest id did not go out")
	}
	if !w.Contains(id(1)) || !w.Contains(id(2)) || !w.Contains(id(3)) || w.Len() != 3 {
		t.Error("a newer id went out")
	}
	for _, limit := range []int{0, 1, 2, 3, 5} {
		loaded := fold.NewWindow(limit, w.IDs())
		if want := min(limit, 3); loaded.Len() != want || len(loaded.IDs()) != want {
			t.Errorf("reloaded with limit %d: %d ids", limit, loaded.Len())
		}
		if limit > 0 && !loaded.Contains(id(3)) {
			t.Errorf("reloaded with limit %d: the newest id is lost", limit)
		}
	}
}

// TestWindowReloads cuts a stream of ids anywhere and reloads the window there: what is a duplicate does not change.
func TestWindowReloads(t *testing.T) {
	const limit = 50
	whole, cut := fold.NewWindow(limit, nil), fold.NewWindow(limit, nil)
	duplicates := 0
	for i := range 5000 {
		id := fold.HashID(fmt.Sprint(i * i % 173 * (i % 3)))
		fresh := whole.Add(id)
		if cut.Add(id) != fresh {
			t.Fatalf("after %d ids the reloaded window differs", i)
		}
		if !fresh {
			duplicates++
		}
		if i%7 == 0 {
			cut = fold.NewWindow(limit, cut.IDs())
		}
	}
	if duplicates < 100 || duplicates > 4900 {
		t.Errorf("%d duplicates of 5000", duplicates)
	}
}

func TestHashIDIsStable(t *testing.T) {
	if got := fmt.Sprintf("%x", fold.HashID("event-1")); got != "ce36863f51b6baf9d16397ffb3e9af50" {
		t.Errorf("HashID = %s", got)
	}
}
