package oracle

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// scope evaluates the expressions of one handler for one event.
type scope struct {
	env   expr.Env
	names []string
	err   error // the first error
}

// evaluate returns what the event does in every projection, or why it does nothing at all.
func evaluate(g *ir.Group, record *Record) ([]effect, error) {
	var effects []effect
	for ordinal := range g.Projections {
		for i := range g.Projections[ordinal].Handlers {
			h := &g.Projections[ordinal].Handlers[i]
			if h.Event != record.Event.Type {
				continue
			}
			e := effect{record: record, ordinal: ordinal, table: g.Projections[ordinal].Table, handler: h}
			holds, err := e.evaluate(g)
			if err != nil {
				return nil, err
			}
			if holds {
				effects = append(effects, e)
			}
		}
	}
	for i := range effects {
		if missesIdentity(g, &effects[i], effects) {
			effects[i].handler = nil
		}
	}
	return slices.DeleteFunc(effects, func(e effect) bool { return e.handler == nil }), nil
}

// missesIdentity reports whether the effect is linked to a projection that creates no row for this event.
func missesIdentity(g *ir.Group, e *effect, effects []effect) bool {
	dedup := g.Projections[e.ordinal].Dedup
	for _, ids := range g.ExactIDs {
		if ids.Name != dedup || ids.Projection == "" || !gated(g, dedup, e.record.Event.Type) {
			continue
		}
		return !slices.ContainsFunc(effects, func(other effect) bool {
			return other.handler != nil && g.Projections[other.ordinal].Name == ids.Projection &&
				(other.handler.Op == ir.Upsert || other.handler.Op == ir.Replace)
		})
	}
	return false
}

func (e *effect) evaluate(g *ir.Group) (holds bool, err error) {
	t := tableOf(g, e.table)
	s := newScope(e)
	condition := e.handler.Condition
	if condition == nil || condition.Any(ir.OpDerived) {
		s.derive(e.handler.Lets)
	}
	if holds = s.condition(condition); !holds || s.err != nil {
		return false, s.err
	}
	if condition != nil && !condition.Any(ir.OpDerived) {
		s.derive(e.handler.Lets)
	}
	if e.handler.Op != ir.BulkUpdate {
		e.evaluateKey(t, s)
	}
	e.set = map[string]expr.Value{}
	for _, set := range e.handler.Set {
		if value := s.eval(set.Value, columnOf(t, set.Column).Type); !value.IsMissing() {
			e.set[set.Column] = value
		}
	}
	for i := range e.handler.Sums {
		e.evaluateSum(t, &e.handler.Sums[i], s)
	}
	for _, where := range e.handler.Where {
		e.where = append(e.where, s.where(where, columnOf(t, where.Column).Type))
	}
	return true, s.err
}

func newScope(e *effect) *scope {
	ev := e.record.Event
	s := &scope{}
	s.env.Payload = ev.Payload
	s.env.Event = expr.Envelope{Type: expr.String(ev.Type), TS: expr.Int(ev.TS), EntityID: expr.String(ev.EntityID),
		EventID: expr.String(ev.ID), ForkID: expr.String(ev.ForkID), Version: ev.Version}
	return s
}

// derive evaluates the lets; a condition that needs none of them is asked before, so that it can guard them.
func (s *scope) derive(lets []ir.Assign) {
	for _, let := range lets {
		value := s.raw(let.Value)
		s.env.Derived = append(s.env.Derived, value)
		s.names = append(s.names, let.Column)
	}
}

func (s *scope) raw(e *ir.Expr) expr.Value {
	f, err := expr.Compile(e, s.names...)
	if err != nil {
		panic(err) // the generator made it
	}
	value, err := f.Eval(&s.env)
	s.fail(err)
	return value
}

func (s *scope) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

func (s *scope) eval(e *ir.Expr, typ ir.SQLType) expr.Value {
	value, err := expr.Coerce(s.raw(e), typ)
	s.fail(err)
	return value
}

func (s *scope) condition(e *ir.Expr) bool {
	if e == nil {
		return true
	}
	value := s.raw(e)
	holds, ok := value.AsBool()
	if !ok && !value.IsNull() {
		s.fail(fmt.Errorf("a condition is %s", value.Kind()))
	}
	return holds && ok
}

func (e *effect) evaluateKey(t *ir.Table, s *scope) {
	for _, key := range e.handler.Key {
		typ := columnOf(t, key.Column).Type
		value := s.eval(key.Value, typ)
		if value.IsNull() {
			s.fail(fmt.Errorf("key column %s has no value", key.Column))
		}
		e.key = append(e.key, value)
		e.id += fmt.Sprintf("%q,", expr.SQLText(value, typ))
	}
}

func (e *effect) evaluateSum(t *ir.Table, sum *ir.Sum, s *scope) {
	c := columnOf(t, sum.Column)
	if !s.condition(sum.When) {
		return
	}
	by := expr.Int(1)
	if sum.By != nil {
		by = s.raw(sum.By)
	}
	if by.IsNull() {
		return
	}
	out := sumEffect{column: sum.Column, set: sum.Op == "set", by: s.rational(by, c)}
	if sum.Op == "sub" {
		out.by.Neg(out.by)
	}
	if sum.Floor != nil {
		out.floor = s.rational(s.raw(sum.Floor), c)
	}
	if sum.Ceil != nil {
		out.ceil = s.rational(s.raw(sum.Ceil), c)
	}
	if c.Role == ir.RoleSum {
		e.sums = append(e.sums, out)
		return
	}
	value, err := decimal(limit(out.by, out.floor, out.ceil))
	s.fail(err)
	value, err = expr.Coerce(value, c.Type)
	s.fail(err)
	e.set[sum.Column] = value
}

// rational returns the exact number of a value that the column takes; nil for null.
func (s *scope) rational(value expr.Value, c *ir.Column) *big.Rat {
	if value.IsNull() {
		return nil
	}
	_, err := expr.Coerce(value, c.Type)
	s.fail(err)
	typ := c.Type
	if typ.Name == ir.Real || typ.Name == ir.Double {
		typ = ir.SQLType{Name: ir.Numeric}
	}
	number, err := expr.Coerce(value, typ)
	if err != nil {
		s.fail(err)
		return new(big.Rat)
	}
	n, ok := new(big.Rat).SetString(number.Text())
	if !ok {
		s.fail(fmt.Errorf("%s is no number", number.Text()))
		return new(big.Rat)
	}
	return n
}

func tableOf(g *ir.Group, name string) *ir.Table {
	return &g.Tables[slices.IndexFunc(g.Tables, func(t ir.Table) bool { return t.Name == name })]
}

func columnOf(t *ir.Table, name string) *ir.Column {
	return &t.Columns[slices.IndexFunc(t.Columns, func(c ir.Column) bool { return c.Name == name })]
}
