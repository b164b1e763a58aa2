package ir

// Walk calls visit for e and its descendants, parents first.
func (e *Expr) Walk(visit func(*Expr)) {
	if e == nil {
		return
	}
	visit(e)
	for _, arg := range e.Args {
		arg.Walk(visit)
	}
}

// Any reports whether e or a descendant has the operation.
func (e *Expr) Any(op Op) bool {
	found := false
	e.Walk(func(n *Expr) { found = found || n.Op == op })
	return found
}

// ReadsEntities reports whether e or a descendant reads the state of another entity, which is neither in the event nor fixed
// when the event happens: lookup() and LOOKUP_FIELD().
func (e *Expr) ReadsEntities() bool {
	found := false
	e.Walk(func(n *Expr) { found = found || n.Op == OpLookup || n.Op == OpCall && n.Name == "LOOKUP_FIELD" })
	return found
}

// ReadsEntities reports whether an expression of the projection reads the state of another entity.
func (p *Projection) ReadsEntities() bool {
	for i := range p.Handlers {
		if p.Handlers[i].ReadsEntities() {
			return true
		}
	}
	return false
}

// ReadsEntities reports whether an expression of the handler reads the state of another entity.
func (h *Handler) ReadsEntities() bool {
	found := false
	h.Exprs(func(e *Expr) { found = found || e.ReadsEntities() })
	return found
}

// Exprs calls visit for the root of every expression of the projection, in a fixed order.
func (p *Projection) Exprs(visit func(*Expr)) {
	for i := range p.Handlers {
		p.Handlers[i].Exprs(visit)
	}
}

// Exprs calls visit for the root of every expression of the handler, in a fixed order.
func (h *Handler) Exprs(visit func(*Expr)) {
	some := func(e *Expr) {
		if e != nil {
			visit(e)
		}
	}
	some(h.Condition)
	for _, list := range [][]Assign{h.Lets, h.Key, h.Set} {
		for _, a := range list {
			some(a.Value)
		}
	}
	for _, s := range h.Sums {
		some(s.By)
		some(s.When)
		some(s.Floor)
		some(s.Ceil)
	}
	for _, w := range h.Where {
		some(w.Value)
	}
}
