package worker

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/oracle"
)

// simPoison is how the one poison event of a log fails, and what is run with it beside the logs of up to three records.
type simPoison struct {
	name     string
	text     string
	refusals int  // by the database; below 0: always
	four     bool // logs of four records
	parted   bool // logs over two partitions
	rivals   bool // two owners of a partition
	faults   bool // faults in the middle of an owner's work
	ordered  bool // for ordered tables only
}

var simPoisons = []simPoison{
	{name: "evaluation", text: "PUT a 0", four: true, parted: true},
	{name: "no key", text: "PUT - 5"}, // nor can its key be evaluated
	{name: "refused", text: "PUT a 5", refusals: -1, rivals: true},
	{name: "recovering", text: "PUT a 5", refusals: 2, rivals: true, faults: true}, // the last attempt is good
	{name: "bulk", text: "BULK - 7", refusals: -1, parted: true, ordered: true},
	{name: "recovering bulk", text: "BULK - 7", refusals: 1, faults: true, ordered: true},
}

// simAlphabet is what the other events of a log may be; "again" is a second delivery of the record before.
var simAlphabet = map[simKind][]string{
	counting: {"PUT a 1", "PUT b 2", "again"},
	deleting: {"PUT a 1", "PUT b 2", "DROP a 0", "again"},
	ordered:  {"PUT a 1", "PUT b 2", "DROP a 0", "BULK - 3", "again"},
}

// simSecond is a second poison, of logs of up to three records.
const simSecond = "PUT a 0"

// simLogs calls yield with every log of n records over the partitions, each with one poison, and with its position.
func simLogs(t testing.TB, g *simGroup, kind simKind, poison simPoison, n, partitions int, yield func(log []simRecord, at event.Position)) {
	alphabet := simAlphabet[kind]
	if n < 4 && partitions == 1 {
		alphabet = append(slices.Clone(alphabet), simSecond)
	}
	choices := len(alphabet) * partitions
	total := 1
	for range n - 1 {
		total *= choices
	}
	for at := range n {
		for code := range total * partitions {
			rest := code
			next := func(base int) int { digit := rest % base; rest /= base; return digit }
			var log []simRecord
			offsets, clocks := make([]int64, partitions), make([]int64, partitions)
			usable := true
			for i := range n {
				partition := next(partitions)
				id, text := fmt.Sprintf("e%d", i), poison.text
				if i != at {
					text = alphabet[next(len(alphabet))]
				}
				if text == "again" {
					if i == 0 || log[i-1].Position.Partition != int32(partition) {
						usable = false // there is nothing to deliver again
						break
					}
					id, text = log[i-1].Event.ID, log[i-1].text
				}
				// The second partition's events are the later ones, the later they come.
				ts := int64(1000 + i)
				if partition == 1 {
					ts = int64(990 + 3*i)
				}
				rec := g.record(t, text, id, int32(partition), offsets[partition], ts, clocks[partition])
				offsets[partition]++
				clocks[partition] = rec.Clock
				log = append(log, rec)
			}
			if usable {
				yield(log, log[at].Position)
			}
		}
	}
}

// simSchedule is what happens beside the reading of a log: bit i is about the gap after record i.
type simSchedule struct {
	cut    int // a batch ends
	retry  int // attempts are made; only where a batch ends
	die    int // the owner dies; only where a batch ends
	rival  int // the other owner reads on
	refuse int // refusals of the poison
	fault  simFault
}

// simSchedules calls yield with all cuts of n records into batches, each with all choices of attempts after the batches;
// with restarts also with owners that die after each batch, with rivals of owners that take turns.
func simSchedules(n int, restarts, rivals bool, yield func(simSchedule)) {
	last := 1 << (n - 1) // the log's end ends a batch
	for _, cut := range subsets(last - 1) {
		cut |= last
		dies, turns := []int{0}, []int{0}
		if restarts {
			dies = append(dies, cut)
		}
		if rivals {
			turns = subsets(cut)
		}
		for _, retry := range subsets(cut) {
			for _, die := range dies {
				for _, rival := range turns {
					yield(simSchedule{cut: cut, retry: retry, die: die, rival: rival})
				}
			}
		}
	}
}

func subsets(mask int) (list []int) {
	for s := mask; ; s = (s - 1) & mask {
		list = append(list, s)
		if s == 0 {
			return list
		}
	}
}

// simRun runs one log by one schedule and checks the invariants at each step.
func simRun(t testing.TB, g *simGroup, log []simRecord, poison event.Position, sch simSchedule, expected map[string]oracle.Tables) {
	s := newSim(t, g, log, expected)
	s.store.poison, s.store.refusals, s.store.fault = poison, sch.refuse, sch.fault
	for i := range log {
		bit := 1 << i
		if sch.cut&bit == 0 {
			continue
		}
		number := 0
		if sch.rival&bit != 0 {
			number = 1
		}
		for _, partition := range s.partitions() {
			o := simOwner{partition, number}
			s.store.rival = func() {
				s.read(simOwner{partition, 1 - number}, i)
				s.retry(simOwner{partition, 1 - number})
			}
			s.read(o, i)
			s.checkOutcomes()
			s.checkDelaysUnless(sch.fault)
			if sch.retry&bit != 0 {
				s.retry(o)
				s.checkOutcomes()
				s.checkDelaysUnless(sch.fault)
			}
			s.checkTables()
			if sch.die&bit != 0 {
				s.die(o)
			}
		}
	}
	s.finish()
	s.checkOutcomes()
	s.checkTables()
	if len(s.partitions()) == 1 {
		s.checkLogOrder()
	}
	s.checkPoison(sch)
}

// checkPoison: what fails is dead after the last attempt, or applied where an attempt was good; nothing else is dead.
func (s *sim) checkPoison(sch simSchedule) {
	letters, err := s.store.UnpublishedDeadLetters(context.Background(), 10)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(letters) != len(s.store.history.Dead) {
		s.t.Fatalf("I10: %s %+v: %d letters for %d dead events", s, sch, len(letters), len(s.store.history.Dead))
	}
	for i := range letters {
		if letters[i].Attempts != simAttempts || !s.store.history.Dead[letters[i].Position] || letters[i].Value == nil || letters[i].Message == "" {
			s.t.Fatalf("%s %+v: letter %+v", s, sch, letters[i])
		}
	}
	for i := range s.log {
		rec := &s.log[i]
		dead := s.store.history.Dead[rec.Position]
		if dead && !s.fails(rec) {
			s.t.Fatalf("I9: %s %+v: %+v is dead", s, sch, rec.Position)
		}
		interrupted := sch.die != 0 || sch.rival != 0 || sch.fault.At != 0 && sch.fault.Kind != losesAnswer
		if begun := s.store.begun[rec.Position]; begun >= simAttempts {
			s.t.Fatalf("%s %+v: %d attempts on %+v were begun after the first", s, sch, begun, rec.Position)
		}
		if rec.Position == s.store.poison && !interrupted && dead != (sch.refuse <= 0) {
			s.t.Fatalf("%s %+v: the poison is dead: %t", s, sch, dead)
		}
	}
}

// TestAllSmallLogs runs every log of up to four records with one poison event and duplicates, over one and two
// partitions, in every cut into batches and every schedule of attempts, with owners that die, rival owners and lost
// answers. It names I1, I3 and I8 where one is broken; I7, I10 and I11 are what the equality of all schedules, the letter of
// each poison that fails for good, and the rivals come to.
func TestAllSmallLogs(t *testing.T) {
	for _, kind := range []simKind{counting, deleting, ordered} {
		for _, poison := range simPoisons {
			if poison.ordered && kind != ordered {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", kind, poison.name), func(t *testing.T) {
				t.Parallel()
				s := simSeries{t: t, group: newSimGroup(t, kind), kind: kind, poison: poison}
				s.run()
				t.Logf("%d runs", s.runs)
			})
		}
	}
}

// simSeries runs the logs of one kind of table and poison.
type simSeries struct {
	t      *testing.T
	group  *simGroup
	kind   simKind
	poison simPoison
	runs   int
}

func (s *simSeries) run() {
	const one, two = 1, 2
	for n := range 3 {
		s.logs(n+1, one, true, false, 0)
	}
	if s.poison.four && s.kind != deleting && !testing.Short() {
		s.logs(4, one, false, false, 0)
	}
	if s.poison.parted {
		s.logs(3, two, false, false, 0)
	}
	if s.poison.rivals {
		s.logs(3, one, false, true, 0)
	}
	if s.poison.faults {
		s.logs(2, one, false, false, 9)
	}
}

// logs runs the logs of n records, each schedule also with each fault at each of the first calls.
func (s *simSeries) logs(n, partitions int, restarts, rivals bool, calls int) {
	simLogs(s.t, s.group, s.kind, s.poison, n, partitions, func(log []simRecord, at event.Position) {
		expected := map[string]oracle.Tables{}
		simSchedules(n, restarts, rivals, func(sch simSchedule) {
			sch.refuse = s.poison.refusals
			simRun(s.t, s.group, log, at, sch, expected)
			s.runs++
			for sch.fault.At = 1; sch.fault.At <= calls; sch.fault.At++ {
				for sch.fault.Kind = range simFaults {
					simRun(s.t, s.group, log, at, sch, expected)
					s.runs++
				}
			}
		})
	})
}
