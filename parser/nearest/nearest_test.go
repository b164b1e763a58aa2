package nearest

import (
	"math/rand/v2"
	"testing"
)

func TestWord(t *testing.T) {
	words := []string{"event", "entity", "input", "resources", "state", "upsert", "entity_key", "table", "id"}
	for word, want := range map[string]string{
		"evnt": "event", "Event": "event", "entitykey": "entity_key", "enttiy": "entity", "resource": "resources", "sate": "state",
		"insert": "upsert", "tabel": "table", "ie": "id", "x": "", "customer": "", "": "", "event": "", "completely_other": "",
	} {
		if got := Word(word, words); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestIsSlip(t *testing.T) {
	words := []string{"event", "entity", "resources", "upsert", "source_events", "TIMESTAMP", "TIMESTAMPTZ", "int4", "int8", "id", "op"}
	for _, c := range []struct {
		word, near string
		want       bool
	}{
		{"evnt", "event", true}, {"Evnet", "event", true}, {"resoruces", "resources", true}, {"sourc_evnts", "source_events", true},
		{"upstar", "upsert", false}, {"TIMESTAMPT", "TIMESTAMP", false}, {"TIMESTAMTPZ", "TIMESTAMPTZ", true},
		{"int2", "int4", false}, {"ip", "id", false}, {"od", "op", false},
	} {
		if got := IsSlip(c.word, c.near, words); got != c.want {
			t.Errorf("%q for %q: got %v", c.word, c.near, got)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}, {"same", "same", 0}} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("%q %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestDistanceLaws checks that the distance is symmetric, and no larger than the number of edits made.
func TestDistanceLaws(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		a := make([]byte, r.IntN(12))
		for i := range a {
			a[i] = "abc"[r.IntN(3)]
		}
		b := append([]byte(nil), a...)
		edits := r.IntN(4)
		for range edits {
			switch i := r.IntN(len(b) + 1); {
			case i < len(b) && r.IntN(2) == 0:
				b[i] = "abc"[r.IntN(3)]
			case i < len(b):
				b = append(b[:i], b[i+1:]...)
			default:
				b = append(b, 'a')
			}
		}
		d := Distance(string(a), string(b))
		if d > edits || d != Distance(string(b), string(a)) {
			t.Fatalf("seed %d: %q %q: %d after %d edits", seed, a, b, d, edits)
		}
	}
}
