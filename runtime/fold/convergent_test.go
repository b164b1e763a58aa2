package fold_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/oracle"
)

// seed returns the seed of a random test: a fixed one, or SEED of the environment. It is printed with every failure.
func seed(t *testing.T) uint64 {
	t.Helper()
	n := uint64(1)
	if text := os.Getenv("SEED"); text != "" {
		var err error
		if n, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("SEED=%d", n)
	return n
}

// placed is a write with its order.
type placed struct {
	write *fold.Write
	order fold.Order
}

// logCase is a random program, a log without duplicates, and what the log should give.
type logCase struct {
	name   string
	source *ir.Table
	table  *fold.Table
	events [][]placed // the writes to the main table, by event
	want   [][]expr.Value
}

// newLogCase makes a case of a convergent table whose projections admit every event.
func newLogCase(t *testing.T, base uint64, number int, o oracle.LogOptions) (*logCase, *rand.Rand) {
	t.Helper()
	r := rand.New(rand.NewPCG(base, uint64(number)))
	c := oracle.NewCase(r, []oracle.Shape{oracle.Deleting, oracle.Updating}[number%2])
	for len(c.Group().ExactIDs) > 0 {
		c = oracle.NewCase(r, c.Shape)
	}
	records := c.NewLog(r, o)
	g, err := fold.Compile(c.Program, c.Group())
	if err != nil {
		t.Fatal(err)
	}
	l := &logCase{name: fmt.Sprintf("SEED=%d case %d", base, number), source: c.Main(), table: g.Tables[g.Table(c.Main().Name)]}
	for i := range records {
		record := &records[i]
		effect, err := g.Evaluate(record.Event)
		if err != nil {
			continue
		}
		var writes []placed
		for j := range effect.Writes {
			w := &effect.Writes[j]
			order := fold.MakeOrder(record.Clock, record.Position.Partition, record.Position.Offset, w.Ordinal)
			writes = append(writes, placed{w, order})
		}
		l.events = append(l.events, writes)
	}
	tables, err := oracle.Fold(c.Group(), records, len(records), oracle.NewCoverage())
	if err != nil {
		t.Fatal(err)
	}
	l.want = tables[c.Main().Name]
	return l, r
}

// rowSet is the content of a table.
type rowSet map[string]*keyedRow

type keyedRow struct {
	key []expr.Value
	row fold.Row
}

func (s rowSet) absorb(t *fold.Table, events [][]placed) {
	for _, event := range events {
		for _, p := range event {
			if s[p.write.KeyID] == nil {
				s[p.write.KeyID] = &keyedRow{p.write.Key, t.NewRow()}
			}
			t.Absorb(&s[p.write.KeyID].row, p.write, p.order)
		}
	}
}

func (s rowSet) merge(t *fold.Table, other rowSet) {
	for id, r := range other {
		if s[id] == nil {
			s[id] = r
		} else {
			s[id] = &keyedRow{r.key, t.Merge(s[id].row, r.row)}
		}
	}
}

func (s rowSet) view(l *logCase) [][]expr.Value {
	var rows [][]expr.Value
	for _, r := range s {
		if values, visible := l.table.View(r.key, &r.row); visible {
			rows = append(rows, values)
		}
	}
	oracle.SortRows(l.source, rows)
	return rows
}

func (l *logCase) check(t *testing.T, how string, s rowSet) {
	t.Helper()
	if diff := oracle.Diff(l.source, l.want, s.view(l)); diff != "" {
		t.Fatalf("%s, %s: %s", l.name, how, diff)
	}
}

// TestEveryPermutation folds all permutations of small logs about one or two keys.
func TestEveryPermutation(t *testing.T) {
	base := seed(t)
	cases, orders, rows := 1200, 0, 0
	if testing.Short() {
		cases = 100
	}
	for i := range cases {
		o := oracle.LogOptions{Records: 1 + i%5, Partitions: 1 + i%3, Keys: 1 + i%2}
		l, _ := newLogCase(t, base, i, o)
		rows += len(l.want)
		permute(len(l.events), func(order []int) {
			orders++
			s := rowSet{}
			for _, e := range order {
				s.absorb(l.table, l.events[e:e+1])
			}
			l.check(t, fmt.Sprint("order ", order), s)
		})
	}
	t.Logf("%d orders, %d rows", orders, rows)
	if rows < cases/4 {
		t.Errorf("only %d visible rows in %d logs", rows, cases)
	}
}

// permute calls visit with every permutation of 0 to n-1.
func permute(n int, visit func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var rest func(int)
	rest = func(k int) {
		if k == n {
			visit(order)
			return
		}
		for i := k; i < n; i++ {
			order[k], order[i] = order[i], order[k]
			rest(k + 1)
			order[k], order[i] = order[i], order[k]
		}
	}
	rest(0)
}

// TestRandomPermutationsAndCuts folds larger logs in random orders, in batches of random size that are folded apart and
// then merged in random order.
func TestRandomPermutationsAndCuts(t *testing.T) {
	base := seed(t)
	rows := 0
	for i := range 300 {
		l, r := newLogCase(t, base, 1_000_000+i, oracle.LogOptions{Records: 60, Partitions: 3, Bad: 0.002})
		rows += len(l.want)
		for range 3 {
			events := slices.Clone(l.events)
			r.Shuffle(len(events), func(a, b int) { events[a], events[b] = events[b], events[a] })
			l.check(t, "random order", foldTree(l.table, r, events))
		}
	}
	t.Logf("%d rows", rows)
	if rows < 600 {
		t.Errorf("only %d visible rows", rows)
	}
}

// foldTree absorbs a few events, or merges the two halves of a random cut.
func foldTree(t *fold.Table, r *rand.Rand, events [][]placed) rowSet {
	s := rowSet{}
	if len(events) < 2 || r.IntN(4) == 0 {
		s.absorb(t, events)
		return s
	}
	cut := 1 + r.IntN(len(events)-1)
	left, right := foldTree(t, r, events[:cut]), foldTree(t, r, events[cut:])
	if r.IntN(2) == 0 {
		left, right = right, left
	}
	s.merge(t, left)
	s.merge(t, right)
	return s
}

// TestMergeLaws checks the laws on rows that random subsets of one log's writes give.
func TestMergeLaws(t *testing.T) {
	base := seed(t)
	for i := range 500 {
		l, r := newLogCase(t, base, 2_000_000+i, oracle.LogOptions{Records: 12, Partitions: 2, Keys: 1})
		a, b, c := l.randomRow(r), l.randomRow(r), l.randomRow(r)
		m := l.table.Merge
		for law, sides := range map[string][2]fold.Row{
			"commutative": {m(a, b), m(b, a)},
			"associative": {m(m(a, b), c), m(a, m(b, c))},
			"neutral":     {m(a, l.table.NewRow()), a},
		} {
			if diff := rowDiff(sides[0], sides[1]); diff != "" {
				t.Fatalf("%s: not %s: %s", l.name, law, diff)
			}
		}
		twice := m(a, a)
		twice.Sums = a.Sums
		if diff := rowDiff(twice, a); diff != "" {
			t.Fatalf("%s: not idempotent: %s", l.name, diff)
		}
	}
}

// randomRow absorbs a random half of the log's writes, whatever their keys, in random order.
func (l *logCase) randomRow(r *rand.Rand) fold.Row {
	row := l.table.NewRow()
	for _, i := range r.Perm(len(l.events)) {
		for _, p := range l.events[i] {
			if r.IntN(2) == 0 {
				row = l.table.Merge(row, l.table.Delta(p.write, p.order))
			}
		}
	}
	return row
}

func rowDiff(a, b fold.Row) string {
	if a.Created != b.Created || a.First != b.First || a.Deleted != b.Deleted {
		return fmt.Sprintf("orders %v %v %v and %v %v %v", a.Created, a.First, a.Deleted, b.Created, b.First, b.Deleted)
	}
	for i := range a.Plain {
		if a.Plain[i].Order != b.Plain[i].Order || !a.Plain[i].Value.Equal(b.Plain[i].Value) {
			return fmt.Sprintf("cell %d: %v and %v", i, a.Plain[i], b.Plain[i])
		}
	}
	for i := range a.Sums {
		if !a.Sums[i].Equal(b.Sums[i]) {
			return fmt.Sprintf("sum %d: %s and %s", i, a.Sums[i].Text(), b.Sums[i].Text())
		}
	}
	return ""
}

// TestNoResurrection applies a newest delete at every place among older writes of the same key: nothing brings the row
// back, and a newer creation brings back nothing of what was before.
func TestNoResurrection(t *testing.T) {
	base := seed(t)
	for i := range 300 {
		l, r := newLogCase(t, base, 3_000_000+2*i, oracle.LogOptions{Records: 8, Partitions: 2, Keys: 1})
		writes := slices.Concat(l.events...)
		newest := fold.MakeOrder(1<<40, 0, 0, 0)
		writes = append(writes, placed{&fold.Write{Op: ir.Delete}, newest})
		r.Shuffle(len(writes), func(a, b int) { writes[a], writes[b] = writes[b], writes[a] })
		row := l.table.NewRow()
		for _, w := range writes {
			l.table.Absorb(&row, w.write, w.order)
		}
		if row.Visible() {
			t.Fatalf("%s: a deleted row is visible", l.name)
		}
		l.table.Absorb(&row, &fold.Write{Op: ir.Upsert}, fold.MakeOrder(1<<40, 0, 1, 0))
		key := make([]expr.Value, len(l.table.Key))
		values, visible := l.table.View(key, &row)
		if !visible {
			t.Fatalf("%s: a row created after the delete is invisible", l.name)
		}
		for _, column := range l.table.Plain {
			if c := &l.table.Columns[column]; !values[column].Equal(c.Default) {
				t.Fatalf("%s: column %s is %s after the delete", l.name, c.Name, values[column].Text())
			}
		}
	}
}
