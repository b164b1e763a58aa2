package invariant

import (
	"context"
	"fmt"
	"strings"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/oracle"
)

// groupCheck is the look at one group.
type groupCheck struct {
	*checker
	g        *ir.Group
	folded   *fold.Group
	place    string
	below    []oracle.Record // events below the cursors
	verdicts []oracle.Verdict
	index    map[event.Position]int // of below
	failed   map[event.Position]*failure
	cursors  map[int32]int64
}

func (c *checker) group(ctx context.Context, g *ir.Group) error {
	folded, err := fold.Compile(c.d.Program, g)
	if err != nil {
		return err
	}
	gc := &groupCheck{checker: c, g: g, folded: folded, place: "group " + g.Name, index: map[event.Position]int{},
		failed: map[event.Position]*failure{}, cursors: map[int32]int64{}}
	gc.readLog()
	gc.outcomes()
	gc.lost()
	if folded.Ordered() {
		gc.delays()
	}
	return gc.tables(ctx)
}

func (gc *groupCheck) readLog() {
	for _, cur := range gc.stored.cursors {
		if cur.Group == gc.g.Name {
			gc.cursors[cur.Partition] = cur.Next
		}
	}
	for number, extent := range gc.log.topic.Partitions {
		if gc.settled && gc.cursors[number] < extent.End {
			gc.broken("I3", gc.place, "partition %d is consumed up to %d of %d", number, gc.cursors[number], extent.End)
		}
	}
	for _, rec := range gc.log.events {
		if gc.consumed(rec.Position) {
			gc.index[rec.Position] = len(gc.below)
			gc.below = append(gc.below, rec)
		}
	}
	gc.verdicts = oracle.Judge(gc.g, gc.below, fold.WindowSize)
	for _, v := range gc.verdicts {
		if v == oracle.Again {
			gc.report.Duplicates++
		}
	}
}

func (gc *groupCheck) consumed(at event.Position) bool { return at.Offset < gc.cursors[at.Partition] }

// fails reports whether an event is one that has to fail in this group.
func (gc *groupCheck) fails(i int) bool {
	return gc.verdicts[i] == oracle.Fails && gc.folded.Handles(gc.below[i].Event.Type)
}

// mayFail reports whether the database may have refused an event: it does not where a newer one has hidden what it refuses.
func (gc *groupCheck) mayFail(i int) bool {
	return gc.fails(i) || gc.d.Refused != nil && gc.d.Refused(gc.g.Name, gc.below[i].Event)
}

// outcomes is I3, I8 and I9 for what is parked or dead.
func (gc *groupCheck) outcomes() {
	for i := range gc.stored.failures {
		f := &gc.stored.failures[i]
		if f.Group != gc.g.Name {
			continue
		}
		gc.count(f)
		if gc.failed[f.At] != nil {
			gc.broken("I3", gc.place, "%+v has two outcomes", f.At)
		}
		gc.failed[f.At] = f
		switch {
		case !gc.consumed(f.At):
			gc.broken("I3", gc.place, "%+v has an outcome beyond the cursor", f.At)
		case gc.log.undecodable[f.At]:
			if !f.Dead {
				gc.broken("I3", gc.place, "%+v can never be an event and is tried again", f.At)
			}
		default:
			gc.outcome(f)
		}
	}
}

func (gc *groupCheck) count(f *failure) {
	switch {
	case f.Done:
		gc.report.Replayed++
	case f.Dead:
		gc.report.Dead++
	default:
		gc.report.Parked++
	}
}

// outcome judges an event that is parked or dead.
func (gc *groupCheck) outcome(f *failure) {
	i, delivered := gc.index[f.At]
	switch {
	case !delivered:
		gc.broken("I3", gc.place, "%+v is no committed event, and it is parked or dead", f.At)
	case gc.verdicts[i] == oracle.Again:
		gc.broken("I3", gc.place, "%+v is a duplicate, and it is parked or dead", f.At)
	case !gc.folded.Handles(gc.below[i].Event.Type):
		gc.broken("I3", gc.place, "nobody reads %+v, and it is parked or dead", f.At)
	case f.Waiting, gc.mayFail(i):
	case ofSurroundings(f.SQLState):
		gc.broken("I9", gc.place, "the surroundings made %+v fail: %s %s", f.At, f.SQLState, f.Message)
	default:
		gc.broken("I8", gc.place, "nothing is wrong with %+v, and it has failed: %s", f.At, f.Message)
	}
	if gc.settled && !f.Dead {
		gc.broken("I3", gc.place, "%+v is still parked", f.At)
	}
}

// ofSurroundings reports whether an SQLSTATE is of a class that no event can be to blame for.
func ofSurroundings(state string) bool {
	for _, class := range []string{"08", "25", "40", "53", "55", "57", "58", "XX"} {
		if strings.HasPrefix(state, class) {
			return true
		}
	}
	return false
}

// lost is I3 for what has to be parked or dead.
func (gc *groupCheck) lost() {
	for i := range gc.below {
		if at := gc.below[i].Position; gc.fails(i) && gc.failed[at] == nil {
			gc.broken("I3", gc.place, "%+v fails, and is neither parked nor dead", at)
		}
	}
	for at := range gc.log.undecodable {
		if gc.consumed(at) && gc.failed[at] == nil {
			gc.broken("I3", gc.place, "%+v can never be an event, and is no dead letter", at)
		}
	}
}

// delays is I8 for what waits: it shares a key with something before it that has failed or waits.
func (gc *groupCheck) delays() {
	held := map[int32]map[fold.Key]bool{}
	all := map[int32]bool{}
	for i := range gc.below {
		at := gc.below[i].Position
		f := gc.failed[at]
		if f == nil {
			continue
		}
		if held[at.Partition] == nil {
			held[at.Partition] = map[fold.Key]bool{}
		}
		shares := false
		for _, key := range gc.folded.KeysOf(gc.below[i].Event) {
			shares = shares || held[at.Partition][key] || all[at.Partition] || key.IsAll() && len(held[at.Partition]) > 0
			all[at.Partition] = all[at.Partition] || key.IsAll()
			held[at.Partition][key] = true
		}
		if f.Waiting && !shares {
			gc.broken("I8", gc.place, "%+v waits for nothing", at)
		}
	}
}

// tables is I1 with its corollaries: what the views show is the fold of the log up to the cursors.
func (gc *groupCheck) tables(ctx context.Context) error {
	gone := map[event.Position]bool{}
	for at, f := range gc.failed {
		gone[at] = !f.Done
	}
	want, err := oracle.FoldWithout(gc.g, gc.below, fold.WindowSize, gone, oracle.NewCoverage())
	if err != nil {
		return err
	}
	for i := range gc.g.Tables {
		t := &gc.g.Tables[i]
		got, err := gc.db.Rows(ctx, t)
		if err != nil {
			return fmt.Errorf("reading table %s: %w", t.Name, err)
		}
		gc.compare(t, want[t.Name], got)
	}
	return nil
}
