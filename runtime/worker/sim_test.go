package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/oracle"
	"github.com/causetc/causetc/runtime/store"
)

// simTopic is the topic of the simulated logs.
const simTopic = "events"

func payloadField(name string) *ir.Expr {
	return &ir.Expr{Op: ir.OpMember, Name: name, Args: []*ir.Expr{{Op: ir.OpPayload}}}
}

// simKind is a kind of table: which events it has.
type simKind string

const (
	counting simKind = "counting" // convergent: PUT counts
	deleting simKind = "deleting" // convergent: PUT writes a column, DROP deletes
	ordered  simKind = "ordered"  // all of that, and BULK
)

// simProgram is a group of one table of the kind, keyed by k. A PUT whose parts are 0 cannot be evaluated.
func simProgram(t testing.TB, kind simKind) *ir.Program {
	t.Helper()
	class := ir.Convergent
	if kind == ordered {
		class = ir.Ordered
	}
	key := []ir.Assign{{Column: "k", Value: payloadField("k")}}
	share := &ir.Expr{Op: ir.OpBinary, Name: "/", Args: []*ir.Expr{{Op: ir.OpInt, Text: "100"}, payloadField("parts")}}
	put := ir.Handler{Event: "PUT", Op: ir.Upsert, Key: key, Set: []ir.Assign{{Column: "share", Value: share}}}
	table := ir.Table{Name: "sim", Class: class, Key: []string{"k"}, Columns: []ir.Column{
		{Name: "k", Type: ir.SQLType{Name: ir.Text}, Role: ir.RoleKey},
		{Name: "share", Type: ir.SQLType{Name: ir.Numeric}, Role: ir.RolePlain},
	}}
	if kind != deleting {
		put.Sums = []ir.Sum{{Column: "n", Op: ir.SumAdd}}
		table.Columns = append(table.Columns, ir.Column{Name: "n", Type: ir.SQLType{Name: ir.BigInt}, Role: ir.RoleSum, Default: "0"})
	}
	handlers := []ir.Handler{put}
	if kind != counting {
		table.Deletes = true
		handlers = append(handlers, ir.Handler{Event: "DROP", Op: ir.Delete, Key: key})
	}
	if kind == ordered {
		handlers = append(handlers, ir.Handler{Event: "BULK", Op: ir.BulkUpdate,
			Set: []ir.Assign{{Column: "share", Value: payloadField("parts")}}})
	}
	slices.SortFunc(handlers, func(a, b ir.Handler) int { return strings.Compare(a.Event, b.Event) })
	p := &ir.Program{Format: ir.FormatVersion, App: "sim", Groups: []ir.Group{{Name: "sim", Tables: []ir.Table{table},
		Projections: []ir.Projection{{Name: "sim", Table: "sim", Handlers: handlers}}}}}
	if err := ir.Seal(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// simRecord is a record of a simulated log.
type simRecord struct {
	oracle.Record
	delivery *delivery
	text     string
	keys     []fold.Key // that it holds
}

// simGroup is a compiled group with its source.
type simGroup struct {
	source *ir.Group
	fold   *fold.Group
}

func newSimGroup(t testing.TB, kind simKind) *simGroup {
	t.Helper()
	p := simProgram(t, kind)
	compiled, err := fold.Compile(p, &p.Groups[0])
	if err != nil {
		t.Fatal(err)
	}
	return &simGroup{source: &p.Groups[0], fold: compiled}
}

// record makes a record of a text such as "PUT a 5": type, key (- for none) and parts.
func (g *simGroup) record(t testing.TB, text, id string, partition int32, offset, ts, clock int64) simRecord {
	t.Helper()
	var name, key string
	var parts int
	if _, err := fmt.Sscan(text, &name, &key, &parts); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	body := fmt.Sprintf(`"k":%q,`, key)
	if key == "-" {
		body = ""
	}
	value := fmt.Sprintf(`{"event_id":%q,"event_type":%q,"entity_id":"x","ts":%d,"payload":{%s"parts":%d}}`, id, name, ts, body, parts)
	rec := simRecord{text: text, delivery: &delivery{record: &kgo.Record{Topic: simTopic, Partition: partition, Offset: offset,
		Key: []byte("x"), Value: []byte(value), Timestamp: time.UnixMilli(1_000_000)}}}
	rec.delivery.decode()
	if rec.delivery.event == nil {
		t.Fatal(rec.delivery.err)
	}
	rec.Record = oracle.Record{Position: rec.delivery.position(), Event: rec.delivery.event, Clock: rec.delivery.clock(clock)}
	if g.fold.Ordered() {
		rec.keys = g.fold.KeysOf(rec.Event)
	}
	return rec
}

// simFault is what happens at the store's call number At, counted from 1; at 0 nothing does.
type simFault struct {
	At   int
	Kind simFaultKind
}

type simFaultKind int

const (
	losesAnswer simFaultKind = iota // the call is done, its answer is lost
	diesBefore                      // the owner dies before the call
	diesAfter                       // the owner dies after it
	isOvertaken                     // a rival does all its work before it
	isReplaced                      // so it does, and the call fails as if its answer were lost
	simFaults
)

var errLostAnswer = &store.EnvironmentError{Err: errors.New("connection lost")}

// errDied ends the work of an owner that a fault kills.
var errDied = errors.New("the owner died")

// scripted is a store that refuses the data of one event, loses answers, and notes what became of each record.
type scripted struct {
	*memory.Store
	poison   event.Position
	refusals int // of attempts on the poison that are to come; below 0: all
	fault    simFault
	calls    int
	rival    func() // what the rival does in the middle of an owner's work
	final    map[event.Position][]store.Outcome
	history  oracle.History
	begun    map[event.Position]int
	applied  func(at event.Position) // is told of each after the transaction
}

func newScripted(g *fold.Group) *scripted {
	return &scripted{Store: memory.New(g, fold.WindowSize), final: map[event.Position][]store.Outcome{},
		history: oracle.History{Dead: map[event.Position]bool{}}, begun: map[event.Position]int{}}
}

func (s *scripted) refuse(entries []store.Entry) error {
	applied, found := 0, false
	for i := range entries {
		if entries[i].Outcome == store.Applied {
			applied++
			found = found || entries[i].Position == s.poison
		}
	}
	if !found || s.refusals == 0 {
		return nil
	}
	if applied == 1 && s.refusals > 0 {
		s.refusals--
	}
	return &store.DataError{SQLState: "23514", Message: "refused"}
}

// call does a call with the fault that is due at it.
func (s *scripted) call(do func() error) error {
	s.calls++
	if s.calls != s.fault.At {
		return do()
	}
	switch s.fault.Kind {
	case diesBefore:
		return errDied
	case isOvertaken:
		s.rival()
		return do()
	case isReplaced:
		s.rival()
		return errLostAnswer
	}
	if err := do(); err != nil {
		return err
	}
	if s.fault.Kind == diesAfter {
		return errDied
	}
	return errLostAnswer
}

func (s *scripted) Commit(ctx context.Context, b store.Batch) (counts store.Counts, err error) {
	return counts, s.call(func() error {
		if err := s.refuse(b.Entries); err != nil {
			return err
		}
		if counts, err = s.Store.Commit(ctx, b); err == nil {
			s.note(b.Entries)
		}
		return err
	})
}

func (s *scripted) Settle(ctx context.Context, settled store.Settlement) (counts store.Counts, err error) {
	return counts, s.call(func() error {
		if err := s.refuse(settled.Entries); err != nil {
			return err
		}
		if counts, err = s.Store.Settle(ctx, settled); err == nil {
			s.note(settled.Entries)
		}
		return err
	})
}

func (s *scripted) BeginAttempts(ctx context.Context, rows []store.ParkedEvent) error {
	return s.call(func() error {
		if err := s.Store.BeginAttempts(ctx, rows); err != nil {
			return err
		}
		for i := range rows {
			s.begun[rows[i].Position]++
		}
		return nil
	})
}

func (s *scripted) note(entries []store.Entry) {
	for i := range entries {
		at := entries[i].Position
		switch entries[i].Outcome {
		case store.Parked, store.Waiting:
			continue
		case store.Applied:
			s.history.Order = append(s.history.Order, at)
			s.applied(at)
		case store.Dead:
			s.history.Dead[at] = true
		}
		s.final[at] = append(s.final[at], entries[i].Outcome)
	}
}

// sim runs a log through runners, two a partition of which each may think that it is the owner.
type sim struct {
	t       testing.TB
	group   *simGroup
	store   *scripted
	w       *Worker
	log     []simRecord
	now     time.Time
	runners map[simOwner]*runner
	fed     map[simOwner]int // records of the log that were handed over
	// expected are the tables by history: the same log has few of them.
	expected map[string]oracle.Tables
}

type simOwner struct {
	partition int32
	number    int
}

// simAttempts is after how many attempts an event is dead.
const simAttempts = 3

func newSim(t testing.TB, g *simGroup, log []simRecord, expected map[string]oracle.Tables) *sim {
	s := &sim{t: t, group: g, store: newScripted(g.fold), log: log, now: time.Unix(1_700_000_000, 0).UTC(),
		runners: map[simOwner]*runner{}, fed: map[simOwner]int{}, expected: expected}
	s.w = newWorker(Config{Fork: "main", Log: slog.New(slog.DiscardHandler),
		Retry:  RetryPolicy{MaxAttempts: simAttempts, Initial: time.Microsecond, Multiplier: 1, Max: time.Microsecond},
		Groups: []Group{{Fold: g.fold, Version: 1, Store: s.store}}})
	s.w.now = func() time.Time { return s.now }
	s.w.relay = newRelay(s.w)
	s.store.applied = s.checkTurn
	var cursors []store.Cursor
	for _, p := range s.partitions() {
		cursors = append(cursors, store.Cursor{Topic: simTopic, TopicID: [16]byte{1}, Partition: p})
	}
	if err := s.store.Begin(context.Background(), simTopic, cursors); err != nil {
		t.Fatal(err)
	}
	return s
}

// checkTurn: an event is applied only when none before it that shares a key is parked or waits.
func (s *sim) checkTurn(at event.Position) {
	parked, err := s.store.LoadParked(context.Background(), at.Topic, at.Partition)
	if err != nil {
		s.t.Fatal(err)
	}
	i := slices.IndexFunc(s.log, func(rec simRecord) bool { return rec.Position == at })
	for j := range parked {
		if parked[j].Position.Offset < at.Offset && keysMeet(parked[j].Keys, s.log[i].keys) {
			s.t.Fatalf("I1: %s: %+v was applied before its turn; fault %+v, call %d, parked %+v", s, at, s.store.fault, s.store.calls, parked[j])
		}
	}
}

func (s *sim) runner(o simOwner) *runner {
	if r := s.runners[o]; r != nil {
		return r
	}
	r := newRunner(s.w, s.w.conf.Groups[0], store.Cursor{Topic: simTopic, TopicID: [16]byte{1}, Partition: o.partition})
	if err := r.load(context.Background()); err != nil {
		s.t.Fatal(err)
	}
	j, err := r.judgeHere(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	r.feed = newFeed(newBudget(), feedsCost, r.cursor.Next, *j, 1)
	s.runners[o], s.fed[o] = r, 0
	return r
}

// read lets an owner consume the log up to the record with that index.
func (s *sim) read(o simOwner, upto int) {
	s.fetch(o, upto)
	s.drain(o, (*runner).advance)
}

// fetch gives an owner records.
func (s *sim) fetch(o simOwner, upto int) {
	r := s.runner(o)
	var ds []*delivery
	for ; s.fed[o] <= upto; s.fed[o]++ {
		if rec := &s.log[s.fed[o]]; rec.Position.Partition == o.partition {
			d := &delivery{record: rec.delivery.record, id: rec.delivery.id}
			if rec.delivery.event != nil {
				ev := *rec.delivery.event // each owner's own
				d.event = &ev
			}
			d.once.Do(func() {}) // it is decoded
			ds = append(ds, d)
		}
	}
	r.feed.put(ds)
}

// retry lets time pass and an owner make one round of attempts.
func (s *sim) retry(o simOwner) {
	s.now = s.now.Add(time.Second)
	s.drain(o, (*runner).attempt)
	s.drain(o, (*runner).advance)
}

func (s *sim) drain(o simOwner, step func(*runner, context.Context) (bool, error)) {
	r := s.runner(o)
	defer s.w.turns.release(r)
	for range 1000 {
		if err := r.refresh(context.Background()); err != nil {
			s.t.Fatal(err)
		}
		moved, err := step(r, context.Background())
		if errors.Is(err, errDied) {
			s.die(o)
			return
		}
		if err != nil {
			s.t.Fatalf("%s: %v", s, err)
		}
		if !moved {
			return
		}
	}
	s.t.Fatalf("%s: no end", s)
}

// die makes an owner lose what it knows.
func (s *sim) die(o simOwner) { delete(s.runners, o) }

// finish takes everything to the end: all records, all attempts.
func (s *sim) finish() {
	for _, partition := range s.partitions() {
		o := simOwner{partition, 0}
		s.read(o, len(s.log)-1)
		for range 20 * (len(s.log) + 1) {
			s.read(o, len(s.log)-1)
			if s.runner(o).lot.len() == 0 && len(s.runner(o).rest) == 0 {
				break
			}
			s.retry(o)
		}
		if n := s.runner(o).lot.len() + len(s.runner(o).rest); n > 0 {
			s.t.Fatalf("%s: %d events are parked for ever", s, n)
		}
	}
}

func (s *sim) partitions() []int32 {
	var list []int32
	for i := range s.log {
		if p := s.log[i].Position.Partition; !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// String describes the log.
func (s *sim) String() string {
	var b strings.Builder
	for i := range s.log {
		rec := &s.log[i]
		fmt.Fprintf(&b, "[%d/%d %s %s] ", rec.Position.Partition, rec.Position.Offset, rec.Event.ID, rec.text)
	}
	return b.String()
}

// checkOutcomes is invariant I3: every record below the cursor has exactly one outcome, and none beyond it has any.
func (s *sim) checkOutcomes() {
	for _, partition := range s.partitions() {
		cursor, _, err := s.store.LoadCursor(context.Background(), simTopic, partition)
		if err != nil {
			s.t.Fatal(err)
		}
		parked, err := s.store.LoadParked(context.Background(), simTopic, partition)
		if err != nil {
			s.t.Fatal(err)
		}
		for i := range s.log {
			at := s.log[i].Position
			if at.Partition != partition {
				continue
			}
			n := len(s.store.final[at])
			for j := range parked {
				if parked[j].Position == at {
					n++
				}
			}
			if want := min(max(int(cursor.Next-at.Offset), 0), 1); n != want {
				s.t.Fatalf("I3: %s: record %+v has %d outcomes, want %d", s, at, n, want)
			}
		}
	}
}

// fails reports whether a record's event is to fail: the poison, and what can't be evaluated.
func (s *sim) fails(rec *simRecord) bool {
	return rec.Position == s.store.poison || strings.HasPrefix(rec.text, "PUT") && strings.HasSuffix(rec.text, " 0")
}

// checkDelaysUnless checks the delays unless a fault may have left events that need not wait any more.
func (s *sim) checkDelaysUnless(f simFault) {
	if f.At == 0 || f.Kind == losesAnswer {
		s.checkDelays()
	}
}

// checkDelays is invariant I8: only what fails is parked, and only what shares a key with it, transitively, waits.
func (s *sim) checkDelays() {
	for _, partition := range s.partitions() {
		parked, err := s.store.LoadParked(context.Background(), simTopic, partition)
		if err != nil {
			s.t.Fatal(err)
		}
		var delayed []fold.Key
		for i := range s.log {
			rec := &s.log[i]
			j := slices.IndexFunc(parked, func(p store.ParkedEvent) bool { return p.Position == rec.Position })
			switch {
			case j < 0:
			case !parked[j].Waiting && !s.fails(rec):
				s.t.Fatalf("I8: %s: %+v is parked", s, rec.Position)
			case parked[j].Waiting && !keysMeet(delayed, rec.keys):
				s.t.Fatalf("I8: %s: %+v waits for nothing", s, rec.Position)
			default:
				delayed = append(delayed, rec.keys...)
			}
		}
	}
}

func keysMeet(a, b []fold.Key) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y || x.IsAll() || y.IsAll() {
				return true
			}
		}
	}
	return false
}

// checkTables is invariant I1: the tables are the fold of what was read, was not given up and is not parked. Ordered tables
// promise it for one partition only.
func (s *sim) checkTables() {
	if s.group.fold.Ordered() && len(s.partitions()) > 1 {
		return
	}
	var key []byte
	history := oracle.History{Dead: map[event.Position]bool{}, Order: s.store.history.Order}
	for i := range s.log {
		// What is parked, or was not read yet, counts for nothing like a dead letter.
		at := s.log[i].Position
		outcomes := s.store.final[at]
		history.Dead[at] = len(outcomes) == 0 || outcomes[0] == store.Dead
		if history.Dead[at] {
			key = append(key, byte(i))
		}
	}
	for _, at := range history.Order {
		key = append(key, 'p', byte(at.Partition), byte(at.Offset))
	}
	want, known := s.expected[string(key)]
	if !known {
		var records []oracle.Record
		for i := range s.log {
			records = append(records, s.log[i].Record)
		}
		var err error
		if want, err = oracle.FoldHistory(s.group.source, records, fold.WindowSize, history, oracle.NewCoverage()); err != nil {
			s.t.Fatalf("I1: %s: %v", s, err)
		}
		s.expected[string(key)] = want
	}
	s.compare(want)
}

// checkLogOrder: the tables are the fold in the order of the log, as if what is dead had never been there.
func (s *sim) checkLogOrder() {
	var records []oracle.Record
	key := []byte("log")
	for i := range s.log {
		if at := s.log[i].Position; !s.store.history.Dead[at] && slices.Contains(s.store.final[at], store.Applied) {
			records = append(records, s.log[i].Record)
			key = append(key, byte(i))
		}
	}
	want, known := s.expected[string(key)]
	if !known {
		var err error
		if want, err = oracle.Fold(s.group.source, records, fold.WindowSize, oracle.NewCoverage()); err != nil {
			s.t.Fatalf("I1: %s: %v", s, err)
		}
		s.expected[string(key)] = want
	}
	s.compare(want)
}

func (s *sim) compare(want oracle.Tables) {
	got, err := s.store.Rows(context.Background(), "sim")
	if err != nil {
		s.t.Fatal(err)
	}
	if diff := oracle.Diff(&s.group.source.Tables[0], want["sim"], got); diff != "" {
		s.t.Fatalf("I1: %s: %s\n%v", s, diff, rowsText(got))
	}
}
