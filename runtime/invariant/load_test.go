package invariant_test

import (
	"fmt"
	"math/rand/v2"
)

// loader makes random events of all kinds.
type loader struct {
	r    *rig
	rand *rand.Rand
	sent []line
	now  int64
}

var kinds = []string{"PUT", "PUT", "PUT", "PUT", "SPEND", "SPEND", "SWAP", "FIX", "HIDE", "DROP", "BULK"}

// lines returns n records.
func (l *loader) lines(n int) (lines []line) {
	for range n {
		next := l.next()
		if next.raw == "" {
			l.sent = append(l.sent, next)
		}
		lines = append(lines, next)
	}
	return lines
}

func (l *loader) next() line {
	l.now += l.rand.Int64N(5)
	partition := l.rand.Int32N(partitions)
	switch roll := l.rand.IntN(100); {
	case roll < 2:
		return line{partition: partition, ts: l.now, raw: "no json"}
	case roll < 4:
		return line{partition: partition, ts: l.now, raw: `{"event_id":"o","event_type":"PUT","entity_id":"x","fork_id":"other"}`}
	case roll < 14 && len(l.sent) > 0:
		return l.copied(partition)
	}
	return l.fresh(partition)
}

// copied is an event again: where it was, or in another partition for another account.
func (l *loader) copied(partition int32) line {
	again := l.sent[l.rand.IntN(len(l.sent))]
	if l.rand.IntN(4) == 0 {
		again.partition, again.acct = partition, fmt.Sprintf("a%d-0", partition)
	}
	return again
}

func (l *loader) fresh(partition int32) line {
	next := l.r.event(kinds[l.rand.IntN(len(kinds))], partition, fmt.Sprintf("pool-%d", l.rand.IntN(6)), fmt.Sprintf("note-%d", l.rand.IntN(50)), l.now)
	next.acct = fmt.Sprintf("a%d-%d", partition, l.rand.IntN(3))
	next.item = fmt.Sprintf("item-%d", l.rand.IntN(3))
	switch l.rand.IntN(30) {
	case 0:
		next.parts = 0
	case 1:
		next.note = refusedNote
	case 2, 3, 4:
		next.ts -= l.rand.Int64N(200) // late
	}
	return next
}
