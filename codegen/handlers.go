package codegen

import (
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// opIncrement is lowered to an upsert with sums.
const opIncrement = "increment"

// deletedAt is the column that a soft delete writes.
const deletedAt = "deleted_at"

func opOf(m *spec.Mutation) string {
	if m == nil || m.Op == nil {
		return string(ir.Upsert)
	}
	return m.Op.Value
}

func (c *compiler) lowerHandlers() {
	for _, p := range c.projections {
		for _, event := range p.events {
			p.handlers = append(p.handlers, c.lowerHandler(p, event))
		}
	}
}

// lowering lowers what one event does in one projection.
type lowering struct {
	*compiler
	p         *projection
	event     string
	mutation  *spec.Mutation    // nil: an upsert of the derived columns
	aggregate []*spec.Aggregate // of the event
	values    []*assignment     // what derive, bucket and set give, set wins; in the order of the text
	byColumn  map[string]*assignment
	lets      []ir.Assign // in the order of their dependency
	types     map[string]inference
	handler   ir.Handler
}

// assignment is a column with the value that the author gave it.
type assignment struct {
	column  string
	value   *spec.Value // nil for the start of the projection's bucket
	state   letState
	lowered *ir.Expr // nil if it has problems; valid once state is letDone
	let     bool     // an expression reads it by derived.NAME
}

// letState tells how far the lowering of an assignment is.
type letState uint8

const (
	letNew letState = iota
	letOpen
	letDone
)

func (c *compiler) lowerHandler(p *projection, event string) ir.Handler {
	l := &lowering{
		compiler: c, p: p, event: event, byColumn: map[string]*assignment{}, types: map[string]inference{},
		handler: ir.Handler{Event: event},
	}
	for _, m := range p.src.Mutations {
		if m.Event.Value == event {
			l.mutation = m
			break
		}
	}
	for _, ea := range p.src.Aggregates {
		if ea.Event.Value == event {
			l.aggregate = append(l.aggregate, ea.Columns...)
		}
	}
	l.collectValues()
	if l.checkOp() {
		l.lowerParts()
	}
	l.referToLets()
	return l.handler
}

// collectValues joins derive, bucket and set.
func (l *lowering) collectValues() {
	add := func(column string, value *spec.Value) {
		if old := l.byColumn[column]; old != nil {
			old.value = value
			return
		}
		a := &assignment{column: column, value: value}
		l.values = append(l.values, a)
		l.byColumn[column] = a
	}
	for _, e := range l.p.src.Derive {
		if l.byColumn[e.Key.Value] == nil && e.Value != nil {
			add(e.Key.Value, e.Value)
		}
	}
	if l.p.bucket != "" && l.byColumn[l.p.bucket] == nil {
		add(l.p.bucket, nil)
	}
	if l.mutation == nil || opOf(l.mutation) == opIncrement {
		return
	}
	for _, e := range l.mutation.Set {
		if e.Value != nil {
			add(e.Key.Value, e.Value)
		}
	}
}

// referToLets adds the lets, and makes a column whose value is one refer to it.
func (l *lowering) referToLets() {
	l.handler.Lets = l.lets
	for _, list := range [][]ir.Assign{l.handler.Key, l.handler.Set} {
		for i := range list {
			if a := l.byColumn[list[i].Column]; a != nil && a.let && list[i].Value == a.lowered {
				list[i].Value = &ir.Expr{Op: ir.OpDerived, Name: a.column}
			}
		}
	}
}

// checkOp decides the operation and reports what can't stand beside it.
func (l *lowering) checkOp() bool {
	op := opOf(l.mutation)
	if op == opIncrement {
		l.handler.Op = ir.Upsert
		if len(l.mutation.Set) == 0 {
			l.report(ruleOp, l.opPlace(), "increment needs set: the columns to add 1 to")
		}
		return true
	}
	l.handler.Op = ir.HandlerOp(op)
	switch l.handler.Op {
	case ir.Upsert, ir.Replace, ir.Update:
	case ir.Delete, ir.BulkUpdate:
		if len(l.aggregate) > 0 {
			l.report(ruleOp, l.aggregate[0].Column.Span(), "%s has aggregates beside a %s, which has no row to keep them in", l.event, op)
		}
		if l.handler.Op == ir.BulkUpdate && len(l.mutation.Set) == 0 {
			l.report(ruleOp, l.opPlace(), "bulk_update needs set: the columns to write")
		}
	case ir.SoftDelete:
		l.checkSoftDelete()
	default:
		l.report(ruleOp, l.opPlace(), "%q is not an operation", op)
		return false
	}
	if len(l.whereOf()) > 0 && l.handler.Op != ir.BulkUpdate {
		l.report(ruleOp, l.mutation.Where[0].Column.Span(), "where belongs to bulk_update; %s writes the row of its key", op)
	}
	return true
}

func (l *lowering) whereOf() []*spec.Condition {
	if l.mutation == nil {
		return nil
	}
	return l.mutation.Where
}

func (l *lowering) checkSoftDelete() {
	col := l.p.table.byName[deletedAt]
	if col == nil {
		l.report(ruleOp, l.opPlace(), "soft_delete writes %s, and the table %s has no such column: declare it in fields", deletedAt, l.p.table.name)
	} else if col.role() != ir.RolePlain || col.sum != nil {
		l.report(ruleOp, l.opPlace(), "soft_delete writes %s, and that is a key or an aggregate", deletedAt)
	}
	for _, e := range l.mutation.Set {
		if col := l.p.table.byName[e.Key.Value]; col != nil && !col.key {
			l.report(ruleOp, e.Key.Span(), "soft_delete writes nothing but %s; use update to set %s", deletedAt, e.Key.Value)
		}
	}
}

// opPlace is where the operation is written.
func (l *lowering) opPlace() spec.Span {
	switch {
	case l.mutation == nil:
		return l.p.src.Name.Span()
	case l.mutation.Op != nil:
		return l.mutation.Op.Span()
	}
	return l.mutation.Event.Span()
}

func (l *lowering) lowerParts() {
	if l.mutation != nil && l.mutation.Condition != nil {
		l.handler.Condition = l.expr(l.mutation.Condition)
	}
	if l.handler.Op == ir.BulkUpdate {
		l.lowerBulk()
		return
	}
	l.lowerKey()
	switch l.handler.Op {
	case ir.Delete:
		return
	case ir.SoftDelete:
		l.assign(deletedAt, &ir.Expr{Op: ir.OpEnvelope, Name: "ts"})
	default:
		for _, a := range l.values {
			if col := l.p.table.byName[a.column]; col != nil && !col.key && col.sum == nil {
				l.assign(a.column, l.assigned(a))
			}
		}
	}
	l.lowerSums()
}

func (l *lowering) assign(column string, value *ir.Expr) {
	if value != nil {
		l.handler.Set = append(l.handler.Set, ir.Assign{Column: column, Value: value})
		l.infer(column, value)
	}
}

// lowerKey gives every key column its value: derived or set, the bucket, or the default shard.
func (l *lowering) lowerKey() {
	for _, s := range l.p.table.key {
		var value *ir.Expr
		a := l.byColumn[s.Value]
		switch {
		case a != nil:
			value = l.assigned(a)
		case s.Value == "shard_id":
			value = defaultShard()
		default:
			l.report(ruleKey, l.keyPlace(s), "the key column %s gets no value from %s: derive it, or set it in the mutation", s.Value, l.event)
		}
		if value != nil {
			l.handler.Key = append(l.handler.Key, ir.Assign{Column: s.Value, Value: value})
			l.infer(s.Value, value)
		}
	}
}

// keyPlace is where this projection names a key column.
func (l *lowering) keyPlace(s *spec.Scalar) spec.Span {
	for _, own := range l.p.src.PrimaryKey {
		if own.Value == s.Value {
			return own.Span()
		}
	}
	return s.Span()
}

// defaultShards is the number of shards of an underived shard_id.
const defaultShards = "16"

func defaultShard() *ir.Expr {
	return &ir.Expr{Op: ir.OpCall, Name: "shard", Args: []*ir.Expr{
		{Op: ir.OpEnvelope, Name: "entity_id"}, {Op: ir.OpInt, Text: defaultShards},
	}}
}

// lowerBulk lowers the columns and conditions of a bulk update.
func (l *lowering) lowerBulk() {
	for _, e := range l.mutation.Set {
		col := l.p.table.byName[e.Key.Value]
		if col != nil && (col.key || col.sum != nil) {
			l.report(ruleOp, e.Key.Span(), "bulk_update can't write %s: it is in the key, or an aggregate; set a plain column, or let the event of each row upsert it", e.Key.Value)
		} else if col != nil && l.byColumn[e.Key.Value] != nil {
			l.assign(e.Key.Value, l.assigned(l.byColumn[e.Key.Value]))
		}
	}
	for _, cond := range l.mutation.Where {
		l.lowerMatch(cond)
	}
}

func (l *lowering) lowerMatch(cond *spec.Condition) {
	if l.p.table.byName[cond.Column.Value] == nil {
		l.report(ruleOp, cond.Column.Span(), "the table %s has no column %s", l.p.table.name, cond.Column.Value)
		return
	}
	for _, test := range cond.Tests {
		op := "eq"
		if test.Op != nil {
			op = test.Op.Value
		}
		if op == "gte_window" {
			l.report(ruleOp, test.Op.Span(), "gte_window belongs to queries, which are given a moment to count back from; compare with gte and a value of the event")
			continue
		}
		if value := l.value(test.Value); value != nil {
			l.handler.Where = append(l.handler.Where, ir.Predicate{Column: cond.Column.Value, Op: op, Value: value})
		}
	}
}
