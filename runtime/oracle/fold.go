package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/event"
)

// Record is an event of the log, at its place.
type Record struct {
	Position event.Position
	Clock    int64 // running maximum of the partition up to this record, in milliseconds
	Event    *event.Event
	// Children are the partitions that a growth of the topic begins behind this record: they remember its id too.
	Children []int32
}

// Tables holds the visible rows by table, sorted by key, with values in the order of the columns.
type Tables map[string][][]expr.Value

// History is what became of the events of a log, where that is not plain application in the order of arrival.
type History struct {
	Dead  map[event.Position]bool // given up
	Order []event.Position        // all that were applied, in the order of their transactions
}

// Fold returns the tables that the records give when they arrive in that order. Convergent tables are the fold in
// canonical order, ordered ones the fold in the order of arrival. An id that was among the last window distinct ids of
// its partition makes a duplicate; an event that cannot be evaluated does nothing, but its id counts. What it met is
// counted in coverage. The error is a mistake of the generator: a sum beyond its column.
func Fold(g *ir.Group, records []Record, window int, coverage *Coverage) (Tables, error) {
	return foldEvents(g, distinct(g, records, window, coverage), coverage)
}

// FoldHistory returns the tables that the records give with that history: as Fold, but without the dead events, and
// with ordered tables and exact ids in the order in which the events were applied. The error may also say that an event
// was lost, or was applied against the rules.
func FoldHistory(g *ir.Group, records []Record, window int, h History, coverage *Coverage) (Tables, error) {
	events := map[event.Position]distinctEvent{}
	inOrder := make(map[event.Position]bool, len(h.Order))
	for _, at := range h.Order {
		inOrder[at] = true
	}
	for _, e := range distinct(g, records, window, coverage) {
		at := e.record.Position
		if h.Dead[at] {
			continue
		}
		if !inOrder[at] && len(e.effects) > 0 {
			return nil, fmt.Errorf("event %s at %+v was neither applied nor given up", e.record.Event.ID, at)
		}
		events[at] = e
	}
	var applied []distinctEvent
	for _, at := range h.Order {
		e, found := events[at]
		if !found {
			return nil, fmt.Errorf("%+v was applied twice, or is a duplicate, dead, or can't be evaluated", at)
		}
		delete(events, at)
		applied = append(applied, e)
	}
	return foldEvents(g, applied, coverage)
}

// FoldWithout is Fold without the events at some places, whose ids count all the same.
func FoldWithout(g *ir.Group, records []Record, window int, gone map[event.Position]bool, coverage *Coverage) (Tables, error) {
	events := slices.DeleteFunc(distinct(g, records, window, coverage), func(e distinctEvent) bool { return gone[e.record.Position] })
	return foldEvents(g, events, coverage)
}

func foldEvents(g *ir.Group, events []distinctEvent, coverage *Coverage) (Tables, error) {
	exact := map[string]bool{}
	var applied []effect
	for _, e := range events {
		applied = append(applied, gate(g, e.effects, exact, coverage)...)
	}
	tables := Tables{}
	for i := range g.Tables {
		t := &g.Tables[i]
		rows, err := foldTable(t, applied, coverage)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		tables[t.Name] = rows
	}
	return tables, nil
}

// effect is what one projection does for one event.
type effect struct {
	record  *Record
	ordinal int
	table   string
	handler *ir.Handler
	key     []expr.Value
	id      string // of the key
	set     map[string]expr.Value
	sums    []sumEffect
	where   []condition
}

type sumEffect struct {
	column      string
	set         bool
	by          *big.Rat
	floor, ceil *big.Rat // nil for none
}

// gate keeps the effects that are not linked to exact ids, or whose identity is new.
func gate(g *ir.Group, effects []effect, exact map[string]bool, coverage *Coverage) []effect {
	fresh := map[string]bool{}
	for _, ids := range g.ExactIDs {
		identity, known := identityOf(g, ids, effects)
		if !known {
			continue
		}
		if identity = ids.Name + "\x00" + identity; !exact[identity] {
			fresh[ids.Name], exact[identity] = true, true
		}
	}
	return slices.DeleteFunc(effects, func(e effect) bool {
		dedup := g.Projections[e.ordinal].Dedup
		if dedup == "" || fresh[dedup] || !gated(g, dedup, e.record.Event.Type) {
			return false
		}
		coverage.Refused++
		return true
	})
}

// gated reports whether a set of exact ids has a say about events of a type.
func gated(g *ir.Group, set, event string) bool {
	for _, ids := range g.ExactIDs {
		if ids.Name != set || ids.Projection == "" {
			continue
		}
		recorder := slices.IndexFunc(g.Projections, func(p ir.Projection) bool { return p.Name == ids.Projection })
		return slices.ContainsFunc(g.Projections[recorder].Handlers, func(h ir.Handler) bool { return h.Event == event })
	}
	return true
}

// identityOf returns the event's identity in a set, if it has one there.
func identityOf(g *ir.Group, ids ir.ExactIDs, effects []effect) (string, bool) {
	for _, e := range effects {
		p := &g.Projections[e.ordinal]
		creates := e.handler.Op == ir.Upsert || e.handler.Op == ir.Replace
		if ids.Projection == "" && p.Dedup == ids.Name {
			return e.record.Event.ID, true
		}
		if ids.Projection == p.Name && creates {
			return e.id, true
		}
	}
	return "", false
}

// naiveRow is a row that exists, by column name. Sums are in sums, everything else in values.
type naiveRow struct {
	values map[string]expr.Value
	sums   map[string]*big.Rat
}

func foldTable(t *ir.Table, effects []effect, coverage *Coverage) ([][]expr.Value, error) {
	own := slices.DeleteFunc(slices.Clone(effects), func(e effect) bool { return e.table != t.Name })
	if t.Class == ir.Convergent {
		slices.SortStableFunc(own, canonical)
	}
	rows := map[string]*naiveRow{}
	for i := range own {
		coverage.count(t, &own[i])
		apply(t, rows, &own[i])
	}
	var out [][]expr.Value
	for _, row := range rows {
		values, err := row.view(t)
		if err != nil {
			return nil, err
		}
		out = append(out, values)
	}
	SortRows(t, out)
	return out, nil
}

func canonical(a, b effect) int {
	return cmp.Or(
		cmp.Compare(a.record.Clock, b.record.Clock),
		cmp.Compare(a.record.Position.Partition, b.record.Position.Partition),
		cmp.Compare(a.record.Position.Offset, b.record.Position.Offset),
		cmp.Compare(a.ordinal, b.ordinal),
	)
}

func apply(t *ir.Table, rows map[string]*naiveRow, e *effect) {
	row, exists := rows[e.id]
	switch e.handler.Op {
	case ir.Upsert:
		if !exists {
			row = newNaiveRow(t, e.key)
			rows[e.id] = row
		}
		row.write(e)
	case ir.Replace:
		if !exists {
			row = newNaiveRow(t, e.key)
			rows[e.id] = row
		}
		row.reset(t)
		row.write(e)
	case ir.Update, ir.SoftDelete:
		if exists {
			row.write(e)
		}
	case ir.Delete:
		delete(rows, e.id)
	case ir.BulkUpdate:
		for _, id := range slices.Sorted(maps.Keys(rows)) {
			if rows[id].matches(t, e.where) {
				rows[id].write(e)
			}
		}
	}
}

func newNaiveRow(t *ir.Table, key []expr.Value) *naiveRow {
	row := &naiveRow{values: map[string]expr.Value{}, sums: map[string]*big.Rat{}}
	for i, name := range t.Key {
		row.values[name] = key[i]
	}
	for _, c := range t.Columns {
		switch c.Role {
		case ir.RolePlain:
			row.values[c.Name] = defaultOf(&c)
		case ir.RoleSum:
			row.sums[c.Name] = new(big.Rat)
		}
	}
	return row
}

func defaultOf(c *ir.Column) expr.Value {
	if c.Default == "" {
		return expr.Null()
	}
	value, err := expr.Coerce(expr.String(c.Default), c.Type)
	if err != nil {
		panic(err) // the generator made it
	}
	return value
}

func (row *naiveRow) reset(t *ir.Table) {
	for _, c := range t.Columns {
		if c.Role == ir.RolePlain && !c.KeepOnReplace {
			row.values[c.Name] = defaultOf(&c)
		}
	}
}

func (row *naiveRow) write(e *effect) {
	maps.Copy(row.values, e.set)
	for _, s := range e.sums {
		sum := new(big.Rat).Set(s.by)
		if !s.set {
			sum.Add(sum, row.sums[s.column])
		}
		row.sums[s.column] = limit(sum, s.floor, s.ceil)
	}
}

// limit raises to the floor, then lowers to the ceiling.
func limit(n, floor, ceil *big.Rat) *big.Rat {
	if floor != nil && n.Cmp(floor) < 0 {
		n = floor
	}
	if ceil != nil && n.Cmp(ceil) > 0 {
		n = ceil
	}
	return n
}

func (row *naiveRow) view(t *ir.Table) ([]expr.Value, error) {
	values := make([]expr.Value, len(t.Columns))
	for i, c := range t.Columns {
		values[i] = row.values[c.Name]
		if c.Role != ir.RoleSum {
			continue
		}
		var err error
		if values[i], err = decimal(row.sums[c.Name]); err != nil {
			return nil, err
		}
		if values[i], err = expr.Coerce(values[i], c.Type); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// decimal returns a rational number that is a finite decimal.
func decimal(n *big.Rat) (expr.Value, error) {
	const digits = 400
	text := n.FloatString(digits)
	text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	return expr.ParseDecimal(text)
}

// SortRows sorts rows by the table's key.
func SortRows(t *ir.Table, rows [][]expr.Value) {
	var key []int
	for _, name := range t.Key {
		key = append(key, slices.IndexFunc(t.Columns, func(c ir.Column) bool { return c.Name == name }))
	}
	slices.SortFunc(rows, func(a, b []expr.Value) int {
		for _, i := range key {
			if c := expr.Order(a[i], b[i]); c != 0 {
				return c
			}
		}
		return 0
	})
}
