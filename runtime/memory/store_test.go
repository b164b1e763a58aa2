package memory_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

func payload(name string) *ir.Expr {
	return &ir.Expr{Op: ir.OpMember, Name: name, Args: []*ir.Expr{{Op: ir.OpPayload}}}
}

// seats is a group with one table: a counter per id and a seat that no two rows may share if unique.
func seats(t *testing.T, class ir.Class, unique bool) *fold.Group {
	t.Helper()
	key := []ir.Assign{{Column: "id", Value: payload("id")}}
	handlers := []ir.Handler{
		{Event: "ADD", Op: ir.Upsert, Key: key, Sums: []ir.Sum{{Column: "count", Op: ir.SumAdd, By: payload("n")}}},
		{Event: "SIT", Op: ir.Upsert, Key: key, Set: []ir.Assign{{Column: "seat", Value: payload("seat")}}},
	}
	if class == ir.Ordered {
		handlers = append(handlers, ir.Handler{Event: "LEAVE", Op: ir.Delete, Key: key})
	}
	table := ir.Table{Name: "seats", Class: class, Key: []string{"id"}, Deletes: class == ir.Ordered, Columns: []ir.Column{
		{Name: "id", Type: ir.SQLType{Name: ir.Integer}, Role: ir.RoleKey},
		{Name: "seat", Type: ir.SQLType{Name: ir.Text}, Role: ir.RolePlain},
		{Name: "count", Type: ir.SQLType{Name: ir.SmallInt}, Role: ir.RoleSum},
	}}
	if unique {
		table.Indexes = []ir.Index{{Columns: []string{"seat"}, Unique: true}}
	}
	p := &ir.Program{Groups: []ir.Group{{Name: "seats", Tables: []ir.Table{table},
		Projections: []ir.Projection{{Name: "seats", Table: "seats", Handlers: handlers}}}}}
	g, err := fold.Compile(p, &p.Groups[0])
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// tape builds batches of one partition.
type tape struct {
	t      *testing.T
	group  *fold.Group
	cursor store.Cursor
}

func newTape(t *testing.T, g *fold.Group) *tape {
	return &tape{t: t, group: g, cursor: store.Cursor{Topic: "events", TopicID: [16]byte{7}, Next: 100}}
}

// batch is a batch of events such as `ADD {"id":1,"n":2}`, each its own id.
func (p *tape) batch(events ...string) store.Batch {
	p.t.Helper()
	b := store.Batch{From: p.cursor, To: p.cursor}
	for _, text := range events {
		name, body, _ := strings.Cut(text, " ")
		v, err := expr.ParseJSON([]byte(body))
		if err != nil {
			p.t.Fatal(err)
		}
		ev := &event.Event{ID: fmt.Sprintf("e%d", b.To.Next), Type: name, Payload: v}
		effect, err := p.group.Evaluate(ev)
		if err != nil {
			p.t.Fatal(err)
		}
		b.Entries = append(b.Entries, store.Entry{
			Position: event.Position{Topic: "events", Offset: b.To.Next}, ID: fold.HashID(ev.ID), Effect: effect,
		})
		b.To.Next++
	}
	return b
}

// rows prints the table, such as "1:a:3 2:NULL:0".
func rows(t *testing.T, s *memory.Store) string {
	t.Helper()
	list, err := s.Rows(context.Background(), "seats")
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for _, row := range list {
		seat := "NULL"
		if !row[1].IsNull() {
			seat = row[1].Text()
		}
		parts = append(parts, row[0].Text()+":"+seat+":"+row[2].Text())
	}
	return strings.Join(parts, " ")
}

func commit(t *testing.T, s *memory.Store, p *tape, events ...string) error {
	t.Helper()
	b := p.batch(events...)
	_, err := s.Commit(context.Background(), b)
	if err == nil {
		p.cursor = b.To
	}
	return err
}

func wantDataError(t *testing.T, err error, state string) {
	t.Helper()
	var refused *store.DataError
	if !errors.As(err, &refused) || refused.SQLState != state {
		t.Fatalf("error %v, want a DataError with SQLSTATE %s", err, state)
	}
}

func TestRowsAreSortedByKey(t *testing.T) {
	s := memory.New(seats(t, ir.Convergent, false), 10)
	p := newTape(t, seats(t, ir.Convergent, false))
	if err := commit(t, s, p, `ADD {"id":10,"n":1}`, `SIT {"id":2,"seat":"a"}`, `ADD {"id":-3,"n":2}`); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, s); got != "-3:NULL:2 2:a:0 10:NULL:1" {
		t.Errorf("rows %s", got)
	}
	if _, err := s.Rows(context.Background(), "nothing"); err == nil {
		t.Error("an unknown table has rows")
	}
}

func TestOnlyTheOwnerOfTheCursorCommits(t *testing.T) {
	g := seats(t, ir.Convergent, false)
	s, p := memory.New(g, 10), newTape(t, g)
	zombie := *p
	if err := commit(t, s, p, `ADD {"id":1,"n":1}`); err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(c *store.Cursor){
		"an earlier offset": func(c *store.Cursor) { *c = zombie.cursor },
		"a later offset":    func(c *store.Cursor) { c.Next++ },
		"another clock":     func(c *store.Cursor) { c.Clock++ },
		"another topic":     func(c *store.Cursor) { c.TopicID[0]++ },
	} {
		other := *p
		change(&other.cursor)
		if err := commit(t, s, &other, `ADD {"id":1,"n":1}`); !errors.Is(err, store.ErrFenced) {
			t.Errorf("a commit from %s: %v", what, err)
		}
	}
	if got := rows(t, s); got != "1:NULL:1" {
		t.Errorf("rows %s", got)
	}
	backwards := store.Batch{From: p.cursor, To: zombie.cursor}
	if _, err := s.Commit(context.Background(), backwards); err == nil {
		t.Error("a cursor went back")
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Commit(cancelled, p.batch(`ADD {"id":1,"n":1}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("a commit of a cancelled context: %v", err)
	}
}

func TestABatchIsAllOrNothing(t *testing.T) {
	for _, class := range []ir.Class{ir.Convergent, ir.Ordered} {
		g := seats(t, class, false)
		s, p := memory.New(g, 10), newTape(t, g)
		if err := commit(t, s, p, `ADD {"id":1,"n":32000}`, `SIT {"id":1,"seat":"a"}`); err != nil {
			t.Fatal(err)
		}
		err := commit(t, s, p, `SIT {"id":1,"seat":"b"}`, `ADD {"id":2,"n":1}`, `ADD {"id":1,"n":1}`, `ADD {"id":1,"n":1000}`)
		wantDataError(t, err, "22003")
		if got := rows(t, s); got != "1:a:32000" {
			t.Errorf("%s: rows %s after a refused batch", class, got)
		}
		if ids, err := s.LoadWindow(context.Background(), "events", 0); err != nil || len(ids) != 2 {
			t.Errorf("%s: %d ids, error %v after a refused batch", class, len(ids), err)
		}
		if cursor, found, err := s.LoadCursor(context.Background(), "events", 0); err != nil || !found || cursor != p.cursor {
			t.Errorf("%s: cursor %+v, %t, %v after a refused batch", class, cursor, found, err)
		}
		if err := commit(t, s, p, `SIT {"id":1,"seat":"b"}`, `ADD {"id":2,"n":1}`); err != nil || rows(t, s) != "1:b:32000 2:NULL:1" {
			t.Errorf("%s: error %v, rows %s", class, err, rows(t, s))
		}
	}
}

// A sum may leave its type within a batch of a convergent table, but not after any event of an ordered one.
func TestWhereSumsAreChecked(t *testing.T) {
	detour := []string{`ADD {"id":1,"n":32000}`, `ADD {"id":1,"n":1000}`, `ADD {"id":1,"n":-2000}`}
	g := seats(t, ir.Convergent, false)
	s := memory.New(g, 10)
	if err := commit(t, s, newTape(t, g), detour...); err != nil || rows(t, s) != "1:NULL:31000" {
		t.Errorf("convergent: error %v, rows %s", err, rows(t, s))
	}
	g = seats(t, ir.Ordered, false)
	wantDataError(t, commit(t, memory.New(g, 10), newTape(t, g), detour...), "22003")
}

func TestUniqueIndexCoversVisibleRows(t *testing.T) {
	g := seats(t, ir.Ordered, true)
	s, p := memory.New(g, 10), newTape(t, g)
	if err := commit(t, s, p, `SIT {"id":1,"seat":"a"}`, `SIT {"id":2,"seat":null}`, `SIT {"id":3,"seat":null}`); err != nil {
		t.Fatal(err)
	}
	wantDataError(t, commit(t, s, p, `SIT {"id":2,"seat":"a"}`), "23505")
	if got := rows(t, s); got != "1:a:0 2:NULL:0 3:NULL:0" {
		t.Errorf("rows %s after a refused batch", got)
	}
	if err := commit(t, s, p, `LEAVE {"id":1}`, `SIT {"id":2,"seat":"a"}`); err != nil {
		t.Errorf("a deleted row holds its seat: %v", err)
	}
	wantDataError(t, commit(t, s, p, `SIT {"id":1,"seat":"a"}`), "23505")
}

func TestDeadLettersAreKeptUntilPublished(t *testing.T) {
	g := seats(t, ir.Convergent, false)
	s, p := memory.New(g, 10), newTape(t, g)
	b := store.Batch{From: p.cursor, To: p.cursor}
	for i := range 3 {
		b.Entries = append(b.Entries, store.Entry{Outcome: store.Dead, Dead: &store.DeadLetter{ID: fmt.Sprint(i)}})
		b.To.Next++
	}
	b.Entries = append(b.Entries, store.Entry{Outcome: store.Skipped}, store.Entry{Outcome: store.Duplicate})
	counts, err := s.Commit(context.Background(), b)
	if want := (store.Counts{Skipped: 1, Duplicates: 1, Dead: 3}); err != nil || counts != want {
		t.Fatalf("counts %+v, error %v, want %+v", counts, err, want)
	}
	unpublished := func(limit int) string {
		letters, err := s.UnpublishedDeadLetters(context.Background(), limit)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, l := range letters {
			text += l.ID
		}
		return text
	}
	if all, two := unpublished(9), unpublished(2); all != "012" || two != "01" {
		t.Errorf("unpublished %s, of which two %s", all, two)
	}
	if err := s.MarkPublished(context.Background(), []store.DeadLetter{{ID: "1", PublishedAt: time.Unix(1, 0)}}); err != nil {
		t.Fatal(err)
	}
	if got := unpublished(9); got != "02" {
		t.Errorf("unpublished %s after one was published", got)
	}
	if err := s.MarkPublished(context.Background(), []store.DeadLetter{{ID: "0"}}); err != nil || unpublished(9) != "2" {
		t.Errorf("error %v, unpublished %s after one was published at no given time", err, unpublished(9))
	}
}
