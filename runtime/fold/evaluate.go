package fold

import (
	"fmt"
	"slices"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/event"
)

// MaxKeyBytes bounds the encoding of a row's key: what a Postgres index can hold in any case, with room for its own.
const MaxKeyBytes = 2400

// EventError says that an event cannot be evaluated, by no fault of the surroundings: the same event fails in the same
// way whenever it is tried.
type EventError struct {
	Projection string
	Column     string // or a derived name; empty where the condition or the event as a whole is at fault
	Err        error
}

// Error names the projection and the column.
func (e *EventError) Error() string {
	if e.Column == "" {
		return fmt.Sprintf("projection %s: %s", e.Projection, e.Err)
	}
	return fmt.Sprintf("projection %s, column %s: %s", e.Projection, e.Column, e.Err)
}

// Unwrap returns the cause, mostly an *expr.EvalError.
func (e *EventError) Unwrap() error { return e.Err }

// Evaluate returns what the event does in the group, all projections in the order of their ordinals. It depends on the
// event alone. An event that no projection names, or whose conditions are false, has an empty effect. The error is an
// *EventError; then the event has no effect at all.
//
// The identity for a set of exact ids is the event's id, given only if a write needs it, or the key that the set's
// projection derives, given whenever that projection creates a row for the event (upsert or replace, and its condition
// holds). Where it creates none, no row of its can be new, so the event is not admitted to the projections linked to it:
// their writes are left out.
func (g *Group) Evaluate(ev *event.Event) (Effect, error) {
	handlers := g.events[ev.Type]
	if len(handlers) == 0 {
		return Effect{}, nil
	}
	env := g.scratch.Get().(*expr.Env)
	defer g.release(env)
	setEvent(env, ev)
	effect := Effect{Writes: make([]Write, 0, len(handlers))}
	for _, h := range handlers {
		w, wrote, err := h.evaluate(env)
		if err != nil {
			return Effect{}, err
		}
		if wrote {
			effect.Writes = append(effect.Writes, w)
			effect.record(h, &w)
		}
	}
	if len(g.Exact) == 0 {
		return effect, nil
	}
	if err := g.admit(&effect, ev.ID); err != nil {
		return Effect{}, err
	}
	return effect, nil
}

// setEvent lets expressions read the event. What a record may lack is missing.
func setEvent(env *expr.Env, ev *event.Event) {
	env.Payload = ev.Payload
	env.Event = expr.Envelope{
		Type:     expr.String(ev.Type),
		TS:       expr.Int(ev.TS),
		EntityID: expr.String(ev.EntityID),
		EventID:  expr.String(ev.ID),
		ForkID:   expr.String(ev.ForkID),
		Version:  ev.Version,
	}
	if ev.StreamID != "" {
		env.Event.StreamID = expr.String(ev.StreamID)
	}
}

// release gives the scratch back without what it holds of the event.
func (g *Group) release(env *expr.Env) {
	env.Payload, env.Event = expr.Value{}, expr.Envelope{}
	clear(env.Derived[:cap(env.Derived)])
	g.scratch.Put(env)
}

// record notes the identities that a created row stands for.
func (e *Effect) record(h *handler, w *Write) {
	if h.op != ir.Upsert && h.op != ir.Replace {
		return
	}
	for _, set := range h.records {
		e.Exact = append(e.Exact, ExactKey{Set: set, Key: []byte(w.KeyID)})
	}
}

// admit adds the event's id for the sets that need it, and drops the writes that no identity can admit.
func (g *Group) admit(effect *Effect, eventID string) error {
	kept := effect.Writes[:0]
	for _, w := range effect.Writes {
		if w.Dedup >= 0 && !effect.identified(w.Dedup) {
			if g.Exact[w.Dedup].Projection >= 0 {
				continue
			}
			if len(eventID) > MaxKeyBytes {
				return &EventError{Projection: g.Projections[w.Ordinal], Err: tooLong("the event id", len(eventID))}
			}
			effect.Exact = append(effect.Exact, ExactKey{Set: w.Dedup, Key: []byte(eventID)})
		}
		kept = append(kept, w)
	}
	effect.Writes = kept
	return nil
}

func (e *Effect) identified(set int) bool {
	return slices.ContainsFunc(e.Exact, func(k ExactKey) bool { return k.Set == set })
}

// evaluate returns the handler's write, and whether there is one.
func (h *handler) evaluate(env *expr.Env) (w Write, wrote bool, err error) {
	env.Derived = slices.Grow(env.Derived[:0], len(h.lets))[:len(h.lets)]
	if err := h.derive(env, 0, h.early); err != nil {
		return Write{}, false, err
	}
	if h.condition != nil {
		holds, err := h.condition.EvalCondition(env)
		if err != nil {
			return Write{}, false, h.errorIn("", err)
		}
		if !holds {
			return Write{}, false, nil
		}
	}
	if err := h.derive(env, h.early, len(h.lets)); err != nil {
		return Write{}, false, err
	}
	w = Write{Table: h.table, Op: h.op, Ordinal: h.ordinal, Dedup: h.dedup}
	if err := h.evaluateKey(env, &w); err != nil {
		return Write{}, false, err
	}
	if err := h.evaluateSet(env, &w); err != nil {
		return Write{}, false, err
	}
	for i := range h.sums {
		if err := h.evaluateSum(env, &h.sums[i], &w); err != nil {
			return Write{}, false, err
		}
	}
	return w, true, h.evaluateWhere(env, &w)
}

func (h *handler) errorIn(column string, err error) error {
	return &EventError{Projection: h.projection, Column: column, Err: err}
}

func (h *handler) derive(env *expr.Env, from, to int) error {
	for i := from; i < to; i++ {
		value, err := h.lets[i].value.Eval(env)
		if err != nil {
			return h.errorIn(h.lets[i].name, err)
		}
		env.Derived[i] = value
	}
	return nil
}

func (h *handler) evaluateKey(env *expr.Env, w *Write) error {
	if len(h.key) == 0 {
		return nil
	}
	w.Key = make([]expr.Value, len(h.key))
	for i, f := range h.key {
		c := &h.target.Columns[h.target.Key[i]]
		value, err := f.Eval(env)
		if err == nil {
			value, err = expr.Coerce(value, c.Type)
		}
		if err == nil && value.IsNull() {
			err = &expr.EvalError{Code: expr.CodeType, Message: "a primary key value is " + value.Kind().String()}
		}
		if err != nil {
			return h.errorIn(c.Name, err)
		}
		w.Key[i] = value
	}
	var scratch [128]byte
	id := expr.AppendKey(scratch[:0], w.Key...)
	if len(id) > MaxKeyBytes {
		return h.errorIn("", tooLong("the primary key", len(id)))
	}
	w.KeyID = string(id)
	return nil
}

func tooLong(what string, size int) error {
	return &expr.EvalError{Code: expr.CodeLength, Message: fmt.Sprintf("%s has %d bytes, more than %d", what, size, MaxKeyBytes)}
}

func (h *handler) evaluateSet(env *expr.Env, w *Write) error {
	if n := len(h.reset) + len(h.set); n > 0 {
		w.Cells = append(make([]CellWrite, 0, n), h.reset...)
	}
	for i := range h.set {
		c := &h.target.Columns[h.set[i].column]
		value, err := h.set[i].value.Eval(env)
		if err == nil {
			value, err = expr.Coerce(value, c.Type)
		}
		if err != nil {
			return h.errorIn(c.Name, err)
		}
		if !value.IsMissing() {
			w.setCell(c.Slot, value)
		}
	}
	return nil
}

// setCell writes a column; it replaces the default that a replace began with.
func (w *Write) setCell(slot int, value expr.Value) {
	if w.Op == ir.Replace {
		for i := range w.Cells {
			if w.Cells[i].Column == slot {
				w.Cells[i].Value = value
				return
			}
		}
	}
	w.Cells = append(w.Cells, CellWrite{slot, value})
}

// evaluateSum adds one aggregate to the write: nothing where its condition is not true or its number is null.
func (h *handler) evaluateSum(env *expr.Env, a *aggregate, w *Write) error {
	c := &h.target.Columns[a.column]
	if a.when != nil {
		if holds, err := a.when.EvalCondition(env); err != nil || !holds {
			return h.wrap(c.Name, err)
		}
	}
	by, err := a.number(env, c)
	if err != nil || by.IsNull() {
		return h.wrap(c.Name, err)
	}
	floor, err := bound(env, a.floor, c)
	if err != nil {
		return h.errorIn(c.Name, err)
	}
	ceil, err := bound(env, a.ceil, c)
	if err != nil {
		return h.errorIn(c.Name, err)
	}
	if c.Role == ir.RolePlain {
		w.setCell(c.Slot, clamp(by, floor, ceil))
		return nil
	}
	w.Sums = append(w.Sums, SumWrite{Column: c.Slot, Set: a.op == ir.SumSet, By: by, Floor: floor, Ceil: ceil})
	return nil
}

func (h *handler) wrap(column string, err error) error {
	if err == nil {
		return nil
	}
	return h.errorIn(column, err)
}

// number returns what the aggregate adds or sets, exact and within the column's type; null for nothing.
func (a *aggregate) number(env *expr.Env, c *Column) (expr.Value, error) {
	by := expr.Int(1)
	if a.by != nil {
		var err error
		if by, err = a.by.Eval(env); err != nil || by.IsNull() {
			return expr.Null(), err
		}
	}
	by, err := coerceSum(by, c)
	if err != nil || a.op != ir.SumSub {
		return by, err
	}
	return negate(by, c)
}

func negate(by expr.Value, c *Column) (expr.Value, error) {
	negative, err := expr.Neg(by)
	if err != nil {
		if negative, err = expr.Neg(by.ToDecimal()); err != nil {
			return expr.Value{}, err
		}
	}
	return coerceSum(negative, c)
}

// bound returns a floor or ceiling, nil where it is absent or null.
func bound(env *expr.Env, f *expr.Func, c *Column) (*expr.Value, error) {
	if f == nil {
		return nil, nil
	}
	value, err := f.Eval(env)
	if err != nil || value.IsNull() {
		return nil, err
	}
	if value, err = coerceSum(value, c); err != nil {
		return nil, err
	}
	return &value, nil
}

// coerceSum makes a number fit an aggregate column. Sums over binary floats are kept as exact decimals, since adding
// floats depends on the order; the number must be in the type's range all the same.
func coerceSum(value expr.Value, c *Column) (expr.Value, error) {
	if c.bounds == nil {
		return expr.Coerce(value, c.Type)
	}
	number, err := expr.Coerce(value, ir.SQLType{Name: ir.Numeric})
	if err == nil {
		err = c.holds(number)
	}
	return number, err
}

func (h *handler) evaluateWhere(env *expr.Env, w *Write) error {
	for i := range h.where {
		p := &h.where[i]
		c := &h.target.Columns[p.column]
		value, err := p.value.Eval(env)
		if err == nil {
			value, err = coerceMatch(p.op, value, c.Type)
		}
		if err != nil {
			return h.errorIn(c.Name, err)
		}
		w.Bulk = append(w.Bulk, Match{Column: p.column, Op: p.op, Value: value})
	}
	return nil
}
