package fold

import (
	"crypto/sha256"
	"slices"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/event"
)

// Key stands for a row of one of a group's ordered tables: events that share a key may meet in that row, so an event must
// not overtake a failed one that holds a key of its. It is a hash of the table and the primary key, and it is stored, so
// it never changes. The zero Key, that of a bulk update, stands for every row.
type Key [16]byte

// IsAll reports whether the key stands for every row.
func (k Key) IsAll() bool { return k == Key{} }

// Ordered reports whether the group has an ordered table, so that its events wait for failed ones.
func (g *Group) Ordered() bool { return slices.ContainsFunc(g.Tables, (*Table).Ordered) }

// Keys returns the keys of what an event does in the group's ordered tables.
func (g *Group) Keys(e *Effect) []Key {
	var keys []Key
	for i := range e.Writes {
		w := &e.Writes[i]
		if t := g.Tables[w.Table]; t.Ordered() {
			keys = appendKey(keys, t, w)
		}
	}
	return keys
}

// KeysOf returns the keys of an event that cannot be evaluated, as far as its key expressions can be: a projection whose
// condition does not hold has none, nor has one whose key fails.
func (g *Group) KeysOf(ev *event.Event) []Key {
	env := g.scratch.Get().(*expr.Env)
	defer g.release(env)
	setEvent(env, ev)
	var keys []Key
	for _, h := range g.events[ev.Type] {
		if h.target.Ordered() && !h.declines(env) {
			if w, ok := h.keyAlone(env); ok {
				keys = appendKey(keys, h.target, &w)
			}
		}
	}
	return keys
}

func appendKey(keys []Key, t *Table, w *Write) []Key {
	var key Key
	if w.Op != ir.BulkUpdate {
		key = rowKey(t.Name, w.KeyID)
	}
	if slices.Contains(keys, key) {
		return keys
	}
	return append(keys, key)
}

func rowKey(table, id string) Key {
	var scratch [128]byte // keeps the usual key off the heap
	text := append(append(scratch[:0], table...), 0)
	sum := sha256.Sum256(append(text, id...))
	return Key(sum[:len(Key{})])
}

// declines reports whether the handler's condition can be evaluated and does not hold.
func (h *handler) declines(env *expr.Env) bool {
	h.clearLets(env)
	if h.condition == nil || h.derive(env, 0, h.early) != nil {
		return false
	}
	holds, err := h.condition.EvalCondition(env)
	return err == nil && !holds
}

// keyAlone evaluates the key and what it is derived from, nothing else.
func (h *handler) keyAlone(env *expr.Env) (w Write, ok bool) {
	h.clearLets(env)
	for _, i := range h.keyLets {
		if h.derive(env, i, i+1) != nil {
			return Write{}, false
		}
	}
	w.Op = h.op
	return w, h.evaluateKey(env, &w) == nil
}

func (h *handler) clearLets(env *expr.Env) {
	env.Derived = slices.Grow(env.Derived[:0], len(h.lets))[:len(h.lets)]
	clear(env.Derived)
}

// letsOf returns the indexes of the lets that the assignments are derived from, those of lets included.
func letsOf(assignments, lets []ir.Assign) []int {
	needed := make([]bool, len(lets))
	mark := func(e *ir.Expr, visible int) {
		e.Walk(func(e *ir.Expr) {
			if e.Op != ir.OpDerived {
				return
			}
			for i := visible - 1; i >= 0; i-- {
				if lets[i].Column == e.Name {
					needed[i] = true
					return
				}
			}
		})
	}
	for _, a := range assignments {
		mark(a.Value, len(lets))
	}
	var indexes []int
	for i := len(lets) - 1; i >= 0; i-- {
		if needed[i] {
			mark(lets[i].Value, i)
			indexes = append(indexes, i)
		}
	}
	slices.Reverse(indexes)
	return indexes
}
