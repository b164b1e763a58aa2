package ir_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sort"

	"github.com/causetc/causetc/ir"
)

// generator makes random valid programs that use every field of every type.
type generator struct{ *rand.Rand }

func (g generator) coin() bool { return g.IntN(2) == 0 }

func (g generator) program() *ir.Program {
	p := &ir.Program{App: g.text()}
	for i := range g.IntN(3) {
		p.Resources = append(p.Resources, ir.Resource{Name: fmt.Sprintf("res%d", i), Value: &ir.Expr{
			Op: ir.OpObject, Keys: []string{g.text()}, Args: []*ir.Expr{g.literal(2)},
		}})
	}
	for i := range 1 + g.IntN(3) {
		p.Groups = append(p.Groups, g.group(i, len(p.Resources)))
	}
	for i := range g.IntN(3) {
		p.Queries = append(p.Queries, g.query(i, p))
	}
	return p
}

func (g generator) text() string {
	words := []string{"plain", "häßlich", "<b>&", `quo"te`, "line\nbreak", "{{packageName}}", "\u2028", "日本"}
	return words[g.IntN(len(words))]
}

// group makes two tables tied by a deduplication link, or one.
func (g generator) group(n, resources int) ir.Group {
	name := fmt.Sprintf("g%d_", n)
	first := g.table(name + "a")
	out := ir.Group{Name: first.Name, Tables: []ir.Table{first}}
	seen := ir.Projection{Name: name + "pa", Table: first.Name, Handlers: g.handlers(&first, resources)}
	out.Projections = []ir.Projection{seen}
	if g.coin() {
		second := g.table(name + "b")
		counter := ir.Projection{Name: name + "pb", Table: second.Name, Dedup: seen.Name}
		for _, h := range seen.Handlers {
			if h.Op == ir.Upsert || h.Op == ir.Replace {
				counter.Handlers = append(counter.Handlers, g.handler(h.Event, &second, resources))
			}
		}
		if len(counter.Handlers) > 0 {
			out.Tables = append(out.Tables, second)
			out.Projections = append(out.Projections, counter)
			out.ExactIDs = []ir.ExactIDs{{Name: seen.Name, Projection: seen.Name}}
		}
	} else if g.coin() {
		out.Projections[0].Dedup = "ids"
		out.ExactIDs = []ir.ExactIDs{{Name: "ids"}}
	}
	for i := range out.Tables {
		describe(&out.Tables[i], out.Projections)
	}
	return out
}

func describe(t *ir.Table, projections []ir.Projection) {
	var reasons []ir.Reason
	t.Class, reasons = ir.Classify(t, projections)
	t.Reasons = ir.Messages(reasons)
	traits := ir.Traits(t.Name, projections)
	t.Deletes, t.Updates = traits.Deletes, traits.Updates
	for i := range t.Columns {
		c := &t.Columns[i]
		at := sort.SearchStrings(traits.Hidden, c.Name)
		c.Hidden = c.Role == ir.RolePlain && at < len(traits.Hidden) && traits.Hidden[at] == c.Name
	}
}

func (g generator) table(name string) ir.Table {
	t := ir.Table{Name: name, Key: []string{"id"}}
	t.Columns = []ir.Column{{Name: "id", Type: ir.SQLType{Name: ir.Text}, Role: ir.RoleKey}}
	types := []ir.SQLType{{Name: ir.Varchar, Length: 9}, {Name: ir.Numeric, Precision: 9, Scale: 2}, {Name: ir.JSONB}}
	for i := range 1 + g.IntN(3) {
		t.Columns = append(t.Columns, ir.Column{Name: fmt.Sprintf("c%d", i), Type: types[g.IntN(len(types))], Role: ir.RolePlain})
	}
	t.Columns = append(t.Columns,
		ir.Column{Name: "n", Type: ir.SQLType{Name: ir.BigInt}, Role: ir.RoleSum},
		ir.Column{Name: "peak", Type: ir.SQLType{Name: ir.Numeric}, Role: ir.RolePlain, Default: "0", KeepOnReplace: true})
	if g.coin() {
		t.Indexes = []ir.Index{{Columns: []string{"c0", "id"}, Desc: g.coin(), Unique: g.coin()}}
	}
	if g.coin() {
		t.Partition = &ir.Partition{Strategy: "hash", Field: "id", Interval: "1 month", Partitions: 4, Precreate: 3,
			Retention: "6 months", Default: g.coin()}
	}
	return t
}

func (g generator) handlers(t *ir.Table, resources int) []ir.Handler {
	var out []ir.Handler
	for i := range 1 + g.IntN(3) {
		out = append(out, g.handler(fmt.Sprintf("EVENT_%d", i), t, resources))
	}
	return out
}

func (g generator) handler(event string, t *ir.Table, resources int) ir.Handler {
	ops := []ir.HandlerOp{ir.Upsert, ir.Replace, ir.Update, ir.Delete, ir.SoftDelete, ir.BulkUpdate}
	h := ir.Handler{Event: event, Op: ops[g.IntN(len(ops))]}
	h.Lets = []ir.Assign{{Column: "total", Value: g.expr(3, resources, false)}}
	if g.coin() {
		h.Condition = g.expr(3, resources, true)
	}
	if h.Op != ir.BulkUpdate {
		h.Key = []ir.Assign{{Column: "id", Value: g.expr(2, resources, true)}}
	}
	if h.Op != ir.Delete {
		h.Set = []ir.Assign{{Column: "c0", Value: g.expr(4, resources, true)}}
	}
	if h.Op == ir.BulkUpdate {
		h.Where = []ir.Predicate{{Column: "n", Op: "gte", Value: g.expr(1, resources, true)}}
		return h
	}
	if h.Op != ir.Delete && g.coin() {
		h.Sums = []ir.Sum{
			{Column: "n", Op: []string{"add", "sub", "set"}[g.IntN(3)], By: g.expr(2, resources, true), When: g.expr(2, resources, true)},
			{Column: "peak", Op: "set", Floor: g.literal(1), Ceil: g.literal(1)},
		}
	}
	return h
}

func leaf(op ir.Op, name, text string) *ir.Expr { return &ir.Expr{Op: op, Name: name, Text: text} }

func (g generator) literal(depth int) *ir.Expr {
	switch n := g.IntN(7); {
	case n == 0:
		return leaf(ir.OpNull, "", "")
	case n == 1:
		return leaf(ir.OpBool, "", "true")
	case n == 2:
		return leaf(ir.OpInt, "", fmt.Sprint(g.Int64()-g.Int64()))
	case n == 3:
		return leaf(ir.OpDecimal, "", "-12345678901234567890.0500")
	case n == 4 || depth == 0:
		return leaf(ir.OpString, "", g.text())
	case n == 5:
		return &ir.Expr{Op: ir.OpList, Args: []*ir.Expr{g.literal(depth - 1), g.literal(depth - 1)}}
	default:
		return &ir.Expr{Op: ir.OpObject, Keys: []string{g.text()}, Args: []*ir.Expr{g.literal(depth - 1)}}
	}
}

// expr makes an expression over an event; lets says whether it may use the let "total".
func (g generator) expr(depth, resources int, lets bool) *ir.Expr {
	if depth == 0 {
		return g.reference(resources, lets)
	}
	sub := func() *ir.Expr { return g.expr(depth-1, resources, lets) }
	switch g.IntN(11) {
	case 10:
		return &ir.Expr{Op: ir.OpBucket, Text: "60000", Args: []*ir.Expr{sub()}}
	case 0:
		return &ir.Expr{Op: ir.OpBinary, Name: []string{"+", "&&", "==", "%", "<="}[g.IntN(5)], Args: []*ir.Expr{sub(), sub()}}
	case 1:
		return &ir.Expr{Op: ir.OpUnary, Name: []string{"!", "-"}[g.IntN(2)], Args: []*ir.Expr{sub()}}
	case 2:
		return &ir.Expr{Op: ir.OpCond, Args: []*ir.Expr{sub(), sub(), sub()}}
	case 3:
		return &ir.Expr{Op: ir.OpElvis, Args: []*ir.Expr{sub(), sub()}}
	case 4:
		return &ir.Expr{Op: ir.OpCall, Name: "map", Args: []*ir.Expr{sub(), leaf(ir.OpIt, "", "")}}
	case 5:
		return &ir.Expr{Op: ir.OpIndex, Args: []*ir.Expr{sub(), sub()}}
	case 6:
		return &ir.Expr{Op: ir.OpLookup, Name: "wallet_stream", Args: []*ir.Expr{sub()}}
	case 7:
		return &ir.Expr{Op: ir.OpCall, Name: "concat", Args: []*ir.Expr{sub(), g.literal(2)}}
	default:
		return g.reference(resources, lets)
	}
}

func (g generator) reference(resources int, lets bool) *ir.Expr {
	switch n := g.IntN(4); {
	case n == 0:
		return leaf(ir.OpEnvelope, "ts", "")
	case n == 1 && lets:
		return leaf(ir.OpDerived, "total", "")
	case n == 2 && resources > 0:
		return leaf(ir.OpResource, fmt.Sprintf("res%d", g.IntN(resources)), "")
	default:
		return &ir.Expr{Op: ir.OpMember, Name: g.text(), Args: []*ir.Expr{leaf(ir.OpPayload, "", "")}}
	}
}

func (g generator) query(n int, p *ir.Program) ir.Query {
	from := p.Groups[0].Tables[0].Name
	q := ir.Query{
		Name: fmt.Sprintf("q%d", n), Description: g.text(), From: from,
		Inputs: []ir.Input{
			{Name: "id", Type: ir.SQLType{Name: ir.Text}, Required: true},
			{Name: "window", Type: ir.SQLType{Name: ir.Text}, Default: leaf(ir.OpString, "", "24h")},
		},
		Where:   []ir.Predicate{{Column: from + ".id", Op: "eq", Input: "id"}, {Column: from + ".n", Op: "gt", Value: g.literal(0)}},
		OrderBy: []ir.OrderTerm{{Column: from + ".n", Desc: g.coin()}},
		Limit:   int64(g.IntN(100)), Distinct: g.coin(), Window: []string{"24h", "7d"},
	}
	if len(p.Groups) > 1 {
		other := p.Groups[1].Tables[0].Name
		q.Joins = []ir.Join{{Table: other, Type: "left", On: []ir.Pair{{Left: from + ".id", Right: other + ".id"}}}}
	}
	if g.coin() {
		q.Fields = []ir.Field{{Name: "id", Column: from + ".id"}}
		q.GroupBy = []string{from + ".id"}
		q.Aggregates = []ir.Aggregate{{Name: "rows", Func: "count"}, {Name: "last_n", Func: "last", Column: from + ".n"}}
		q.ZeroFields = []string{"last_n"}
	}
	return q
}

// readLoosely reads a program without any check.
func readLoosely(data []byte) (*ir.Program, error) {
	p := &ir.Program{}
	err := json.Unmarshal(data, p)
	return p, err
}
