package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// Shape is a family of programs.
type Shape int

// The shapes of a program's main table.
const (
	Deleting Shape = iota // upsert, replace and delete of plain columns: convergent
	Updating              // upsert, replace, update, soft_delete, add and sub: convergent
	Mixed                 // everything that the language has: mostly ordered
	shapes
)

// Case is a random program of one group, with what its random logs need to know.
type Case struct {
	Program *ir.Program
	Shape   Shape
	fields  []field
}

// Group returns the program's only group.
func (c *Case) Group() *ir.Group { return &c.Program.Groups[0] }

// Main returns the main table.
func (c *Case) Main() *ir.Table { return tableOf(c.Group(), mainTable) }

// field is a payload field and what events give it.
type field struct {
	name     string
	pool     []expr.Value
	bad      expr.Value // a value that its column refuses; missing if there is none
	required bool       // rarely null or missing
}

// Names of the generated programs.
const (
	mainTable   = "main"
	ledgerTable = "ledger"
	recorder    = "recorder"
	eventTypes  = 6
)

// NewCase returns a random program. The same generator state gives the same program.
func NewCase(r *rand.Rand, shape Shape) *Case {
	b := &builder{r: r, shape: shape}
	b.mainTable()
	g := ir.Group{Name: mainTable, Tables: []ir.Table{b.table}}
	for i := range 1 + r.IntN(3) {
		g.Projections = append(g.Projections, b.projection(fmt.Sprintf("p%d", i)))
	}
	b.dedup(&g)
	slices.SortFunc(g.Projections, func(a, b ir.Projection) int { return compareNames(a.Name, b.Name) })
	for i := range g.Tables {
		plainLevels(&g.Tables[i], g.Projections)
		describe(&g.Tables[i], g.Projections)
	}
	if ledgerTable < mainTable && len(g.Tables) > 1 {
		g.Name = ledgerTable
		slices.Reverse(g.Tables)
	}
	p := &ir.Program{Format: ir.FormatVersion, App: "random", Groups: []ir.Group{g}}
	if err := ir.Seal(p); err != nil {
		panic(fmt.Sprintf("the generator made an invalid program: %v", err))
	}
	return &Case{Program: p, Shape: shape, fields: b.fields}
}

func compareNames(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return +1
	default:
		return 0
	}
}

// plainLevels makes plain columns of the aggregates that nothing adds to, which is their form in compiled programs.
func plainLevels(t *ir.Table, projections []ir.Projection) {
	added := map[string]bool{}
	for _, p := range projections {
		for _, h := range p.Handlers {
			for _, s := range h.Sums {
				added[s.Column] = added[s.Column] || s.Op != ir.SumSet
			}
		}
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Role == ir.RoleSum && !added[c.Name] {
			c.Role, c.Default, c.KeepOnReplace = ir.RolePlain, "0", true
		}
	}
}

// describe fills in what follows from the handlers.
func describe(t *ir.Table, projections []ir.Projection) {
	var reasons []ir.Reason
	t.Class, reasons = ir.Classify(t, projections)
	t.Reasons = ir.Messages(reasons)
	traits := ir.Traits(t.Name, projections)
	t.Deletes, t.Updates = traits.Deletes, traits.Updates
	for i := range t.Columns {
		c := &t.Columns[i]
		c.Hidden = c.Role == ir.RolePlain && slices.Contains(traits.Hidden, c.Name)
	}
}

type builder struct {
	r      *rand.Rand
	shape  Shape
	table  ir.Table
	fields []field
}

func (b *builder) chance(p float64) bool { return b.r.Float64() < p }

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// mainTable declares keys, plain columns, aggregates and a column that only an aggregate "set" writes, in mixed order.
func (b *builder) mainTable() {
	b.table.Name = mainTable
	for i := range 1 + b.r.IntN(2) {
		name := fmt.Sprintf("key%d", i)
		b.table.Key = append(b.table.Key, name)
		b.column(ir.Column{Name: name, Type: pick(b.r, keyTypes), Role: ir.RoleKey})
	}
	for i := range 1 + b.r.IntN(4) {
		b.column(ir.Column{Name: fmt.Sprintf("plain%d", i), Type: pick(b.r, plainTypes), Role: ir.RolePlain})
	}
	if b.shape != Deleting {
		for i := range b.r.IntN(3) {
			b.column(ir.Column{Name: fmt.Sprintf("sum%d", i), Type: pick(b.r, sumTypes), Role: ir.RoleSum})
		}
	}
	if b.chance(0.4) {
		b.column(ir.Column{Name: "level", Type: pick(b.r, sumTypes), Role: ir.RolePlain, Default: "0", KeepOnReplace: true})
	}
	b.fields = append(b.fields, field{name: "flag", pool: []expr.Value{expr.Bool(true), expr.Bool(false)}, bad: expr.Int(1)})
	b.r.Shuffle(len(b.table.Columns), func(i, j int) {
		b.table.Columns[i], b.table.Columns[j] = b.table.Columns[j], b.table.Columns[i]
	})
}

func (b *builder) column(c ir.Column) {
	b.table.Columns = append(b.table.Columns, c)
	f := field{name: c.Name, required: c.Role == ir.RoleKey}
	f.pool, f.bad = samples(b.r, c)
	b.fields = append(b.fields, f)
}

func (b *builder) columns(match func(*ir.Column) bool) []*ir.Column {
	var list []*ir.Column
	for i := range b.table.Columns {
		if match(&b.table.Columns[i]) {
			list = append(list, &b.table.Columns[i])
		}
	}
	return list
}

func (b *builder) projection(name string) ir.Projection {
	p := ir.Projection{Name: name, Table: mainTable}
	for i := range eventTypes {
		if b.chance(0.6) || (i == eventTypes-1 && len(p.Handlers) == 0) {
			p.Handlers = append(p.Handlers, b.handler(eventType(i)))
		}
	}
	return p
}

func eventType(i int) string { return fmt.Sprintf("E%d", i) }

var shapeOps = [shapes][]ir.HandlerOp{
	Deleting: {ir.Upsert, ir.Upsert, ir.Replace, ir.Delete},
	Updating: {ir.Upsert, ir.Upsert, ir.Replace, ir.Update, ir.SoftDelete},
	Mixed:    {ir.Upsert, ir.Upsert, ir.Upsert, ir.Replace, ir.Update, ir.Delete, ir.SoftDelete, ir.BulkUpdate},
}

func (b *builder) handler(event string) ir.Handler {
	h := ir.Handler{Event: event, Op: pick(b.r, shapeOps[b.shape])}
	if b.chance(0.3) {
		h.Condition = b.condition(&h)
	}
	if h.Op != ir.BulkUpdate {
		for _, name := range b.table.Key {
			h.Key = append(h.Key, ir.Assign{Column: name, Value: b.value(&h, name)})
		}
	}
	if h.Op == ir.Delete {
		return h
	}
	plain := b.columns(func(c *ir.Column) bool { return c.Role == ir.RolePlain && !c.KeepOnReplace })
	for _, c := range plain {
		if b.chance(0.6) || (h.Op == ir.BulkUpdate && len(h.Set) == 0) {
			h.Set = append(h.Set, ir.Assign{Column: c.Name, Value: b.value(&h, c.Name)})
		}
	}
	b.sums(&h)
	if h.Op == ir.BulkUpdate {
		b.where(&h)
	}
	return h
}

// sums adds aggregates: those that the shape allows beside the op.
func (b *builder) sums(h *ir.Handler) {
	adds := b.shape == Mixed || h.Op == ir.Upsert || h.Op == ir.Replace
	for _, c := range b.columns(func(c *ir.Column) bool { return c.Role == ir.RoleSum || c.KeepOnReplace }) {
		if h.Op == ir.BulkUpdate || !b.chance(0.5) || (c.Role == ir.RoleSum && !adds) {
			continue
		}
		s := ir.Sum{Column: c.Name, Op: pick(b.r, []string{ir.SumAdd, ir.SumAdd, ir.SumSub})}
		if c.KeepOnReplace || (b.shape == Mixed && b.chance(0.2)) {
			s.Op = ir.SumSet
		}
		if b.chance(0.7) {
			s.By = b.value(h, c.Name)
		}
		if b.chance(0.2) {
			s.When = b.condition(h)
		}
		if b.shape == Mixed && b.chance(0.2) {
			s.Floor = literal(expr.Int(int64(b.r.IntN(4) - 2)))
		}
		if b.shape == Mixed && b.chance(0.2) {
			s.Ceil = literal(expr.Int(int64(b.r.IntN(40) + 2)))
		}
		h.Sums = append(h.Sums, s)
	}
}
