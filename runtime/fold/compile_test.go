package fold_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/oracle"
)

func TestMalformedGroupsAreRefused(t *testing.T) {
	upsert := ir.Handler{Op: ir.Upsert, Set: set("name")}
	for what, spoil := range map[string]func(g *ir.Group, t *ir.Table, h *ir.Handler){
		"unknown class":           func(_ *ir.Group, t *ir.Table, _ *ir.Handler) { t.Class = "x" },
		"unknown role":            func(_ *ir.Group, t *ir.Table, _ *ir.Handler) { t.Columns[0].Role = "x" },
		"unknown type":            func(_ *ir.Group, t *ir.Table, _ *ir.Handler) { t.Columns[0].Type.Name = "MONEY" },
		"column twice":            func(_ *ir.Group, t *ir.Table, _ *ir.Handler) { t.Columns[0].Name = "id" },
		"default of another type": func(_ *ir.Group, t *ir.Table, _ *ir.Handler) { t.Columns[4].Default = "x" },
		"aggregate that is text":  func(_ *ir.Group, t *ir.Table, _ *ir.Handler) { t.Columns[0].Role = ir.RoleSum },
		"no key":                  func(_ *ir.Group, t *ir.Table, _ *ir.Handler) { t.Key = nil },
		"key that is plain":       func(_ *ir.Group, t *ir.Table, _ *ir.Handler) { t.Key = []string{"name"} },
		"key column left out":     func(_ *ir.Group, t *ir.Table, _ *ir.Handler) { t.Columns[0].Role = ir.RoleKey },
		"index of no column":      func(_ *ir.Group, t *ir.Table, _ *ir.Handler) { t.Indexes = []ir.Index{{Columns: []string{"x"}}} },
		"unique in convergent": func(_ *ir.Group, t *ir.Table, _ *ir.Handler) {
			t.Indexes = []ir.Index{{Columns: []string{"name"}, Unique: true}}
		},
		"table twice":       func(g *ir.Group, t *ir.Table, _ *ir.Handler) { g.Tables = append(g.Tables, *t) },
		"unknown table":     func(g *ir.Group, _ *ir.Table, _ *ir.Handler) { g.Projections[0].Table = "x" },
		"projection twice":  func(g *ir.Group, _ *ir.Table, _ *ir.Handler) { g.Projections = append(g.Projections, g.Projections[0]) },
		"unknown exact ids": func(g *ir.Group, _ *ir.Table, _ *ir.Handler) { g.Projections[0].Dedup = "x" },
		"exact ids of no projection": func(g *ir.Group, _ *ir.Table, _ *ir.Handler) {
			g.ExactIDs = []ir.ExactIDs{{Name: "x", Projection: "x"}}
		},
		"exact ids twice":           func(g *ir.Group, _ *ir.Table, _ *ir.Handler) { g.ExactIDs = []ir.ExactIDs{{Name: "x"}, {Name: "x"}} },
		"event without a name":      func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Event = "" },
		"event twice":               func(g *ir.Group, _ *ir.Table, h *ir.Handler) { g.Projections[0].Handlers = []ir.Handler{*h, *h} },
		"unknown op":                func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Op = "x" },
		"delete in a table without": func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Op, h.Set = ir.Delete, nil },
		"update in a table without": func(_ *ir.Group, t *ir.Table, h *ir.Handler) { h.Op, t.Updates = ir.Update, false },
		"delete that writes":        func(_ *ir.Group, t *ir.Table, h *ir.Handler) { h.Op, t.Deletes = ir.Delete, true },
		"bulk in convergent":        func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Op, h.Key = ir.BulkUpdate, nil },
		"bulk with a key":           func(_ *ir.Group, t *ir.Table, h *ir.Handler) { h.Op, t.Class = ir.BulkUpdate, ir.Ordered },
		"where without bulk": func(_ *ir.Group, _ *ir.Table, h *ir.Handler) {
			h.Where = []ir.Predicate{{Column: "id", Op: "eq", Value: number("1")}}
		},
		"short key":           func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Key = []ir.Assign{} },
		"wrong key":           func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Key = set("name") },
		"set of a key":        func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Set = set("id") },
		"set of an aggregate": func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Set = set("count") },
		"set of no column":    func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Set = set("x") },
		"set twice":           func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Set = set("name", "name") },
		"no expression":       func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Set[0].Value = nil },
		"later derived value": func(_ *ir.Group, _ *ir.Table, h *ir.Handler) {
			h.Lets = []ir.Assign{{Column: "a", Value: derived("b")}, {Column: "b", Value: number("1")}}
		},
		"unknown derived value": func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Condition = derived("x") },
		"unknown aggregate op":  func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Sums = []ir.Sum{{Column: "count", Op: "mul"}} },
		"add to a plain column": func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Sums = []ir.Sum{{Column: "level", Op: "add"}} },
		"set in convergent":     func(_ *ir.Group, _ *ir.Table, h *ir.Handler) { h.Sums = []ir.Sum{{Column: "count", Op: "set"}} },
		"floor in convergent": func(_ *ir.Group, _ *ir.Table, h *ir.Handler) {
			h.Sums = []ir.Sum{{Column: "count", Op: "add", Floor: number("1")}}
		},
		"add beside deletes": func(_ *ir.Group, t *ir.Table, h *ir.Handler) {
			t.Deletes, h.Sums = true, []ir.Sum{{Column: "count", Op: "add"}}
		},
		"add beside an update": func(_ *ir.Group, _ *ir.Table, h *ir.Handler) {
			h.Op, h.Sums = ir.Update, []ir.Sum{{Column: "count", Op: "add"}}
		},
	} {
		p := oneHandler(stock(ir.Convergent), upsert)
		g := &p.Groups[0]
		g.Projections[0].Handlers[0].Set = slices.Clone(upsert.Set)
		spoil(g, &g.Tables[0], &g.Projections[0].Handlers[0])
		var malformed *fold.CompileError
		if _, err := fold.Compile(p, g); !errors.As(err, &malformed) || malformed.Group != "stock" {
			t.Errorf("%s: error %v, want a CompileError", what, err)
		}
	}
	compile(t, oneHandler(stock(ir.Convergent), upsert)) // unspoiled
}

// TestNoInputPanics spoils random programs by random edits of their JSON and runs whatever still compiles.
func TestNoInputPanics(t *testing.T) {
	base := seed(t)
	compiled, refused := 0, 0
	for i := range 1500 {
		r := rand.New(rand.NewPCG(base, uint64(4_000_000+i)))
		c := oracle.NewCase(r, oracle.Shape(i%3))
		text, err := json.Marshal(c.Program)
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(text, &tree); err != nil {
			t.Fatal(err)
		}
		for range 1 + r.IntN(3) {
			tree = spoil(r, tree)
		}
		text, err = json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		var p ir.Program
		if json.Unmarshal(text, &p) != nil || len(p.Groups) == 0 {
			continue
		}
		g, err := fold.Compile(&p, &p.Groups[0])
		if err != nil {
			refused++
			continue
		}
		compiled++
		runAll(r, c, g)
	}
	t.Logf("%d compiled, %d refused", compiled, refused)
	if compiled < 100 || refused < 100 {
		t.Error("too few of one kind")
	}
}

// spoil removes, doubles or swaps one random part of a tree.
func spoil(r *rand.Rand, tree any) any {
	switch v := tree.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		if len(keys) == 0 {
			return nil
		}
		k := keys[r.IntN(len(keys))]
		if r.IntN(12) == 0 {
			v[k] = v[keys[r.IntN(len(keys))]]
		} else {
			v[k] = spoil(r, v[k])
		}
		return v
	case []any:
		if len(v) == 0 {
			return v
		}
		i := r.IntN(len(v))
		switch r.IntN(12) {
		case 0:
			return append(v[:i:i], v[i+1:]...)
		case 1:
			return append(v, v[i])
		default:
			v[i] = spoil(r, v[i])
			return v
		}
	case string:
		return []string{"", "x", "id", "key0", "upsert", "delete", "bulk_update", "plain", "sum", "BIGINT", "JSON"}[r.IntN(11)]
	default:
		return nil
	}
}

func runAll(r *rand.Rand, c *oracle.Case, g *fold.Group) {
	rows := make([]rowSet, len(g.Tables))
	for i := range rows {
		rows[i] = rowSet{}
	}
	for i, record := range c.NewLog(r, oracle.LogOptions{Records: 20, Partitions: 1, Bad: 0.1}) {
		effect, err := g.Evaluate(record.Event)
		if err != nil {
			continue
		}
		for j := range effect.Writes {
			w := &effect.Writes[j]
			table := g.Tables[w.Table]
			order := fold.MakeOrder(record.Clock, 0, int64(i), w.Ordinal)
			if !table.Ordered() {
				rows[w.Table].absorb(table, [][]placed{{{w, order}}})
				continue
			}
			if w.Op != ir.BulkUpdate && rows[w.Table][w.KeyID] == nil {
				rows[w.Table][w.KeyID] = &keyedRow{w.Key, table.NewRow()}
			}
			for id, row := range rows[w.Table] {
				if id == w.KeyID || table.Matches(row.key, &row.row, w) {
					_ = table.Apply(&row.row, w, order)
					table.View(row.key, &row.row)
				}
			}
		}
	}
}
