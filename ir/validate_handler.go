package ir

import (
	"slices"
)

func (v *validator) checkProjection(path string, g *groupNames, p *Projection) {
	checkSorted(v, path+"/handlers", p.Handlers, func(h *Handler) string { return h.Event })
	at, known := g.tables[p.Table]
	if !known {
		v.add(path+"/table", "%q is not a table of this group", p.Table)
		return
	}
	t := &g.Tables[at]
	if len(p.Handlers) == 0 {
		v.add(path+"/handlers", "is empty")
	}
	if p.Dedup != "" && !g.exact[p.Dedup] {
		v.add(path+"/dedup", "%q is not in the group's exact ids", p.Dedup)
	}
	for i := range p.Handlers {
		v.checkHandler(item(path+"/handlers", i), t, &p.Handlers[i])
	}
}

func (v *validator) checkHandler(path string, t *Table, h *Handler) {
	lets := v.checkLets(path+"/lets", h.Lets)
	scope := exprScope{event: true, lets: lets}
	if h.Condition != nil {
		v.checkExpr(path+"/condition", h.Condition, scope)
	}
	v.checkHandlerOp(path, h)
	v.checkHandlerKey(path+"/key", t, h, scope)
	written := map[string]bool{}
	for i, a := range h.Set {
		at := item(path+"/set", i)
		v.checkWritten(at, t, a.Column, written, RolePlain)
		v.checkExpr(at+"/value", a.Value, scope)
	}
	for i := range h.Sums {
		v.checkSum(item(path+"/sums", i), t, &h.Sums[i], written, scope)
	}
	for i := range h.Where {
		v.checkMatch(item(path+"/where", i), t, &h.Where[i], scope)
	}
}

// checkLets checks the lets, each of which may refer to those before it, and returns their names.
func (v *validator) checkLets(path string, list []Assign) map[string]bool {
	lets := map[string]bool{}
	for i, a := range list {
		at := item(path, i)
		if a.Column == "" || lets[a.Column] {
			v.add(at, "%q is no name of a let, or there twice", a.Column)
		}
		v.checkExpr(at+"/value", a.Value, exprScope{event: true, lets: lets})
		lets[a.Column] = true
	}
	return lets
}

// checkHandlerOp checks which parts a handler of each operation has.
func (v *validator) checkHandlerOp(path string, h *Handler) {
	switch h.Op {
	case Upsert, Replace, Update, SoftDelete:
	case Delete:
		if len(h.Set) > 0 || len(h.Sums) > 0 {
			v.add(path, "a delete writes no columns")
		}
	case BulkUpdate:
		if len(h.Key) > 0 || len(h.Sums) > 0 {
			v.add(path, "a bulk_update has no key and no sums")
		}
		if len(h.Set) == 0 {
			v.add(path+"/set", "a bulk_update writes at least one column")
		}
	default:
		v.add(path+"/op", "%q is not an operation", h.Op)
	}
	if h.Op != BulkUpdate && len(h.Where) > 0 {
		v.add(path+"/where", "only a bulk_update has conditions on rows")
	}
}

func (v *validator) checkHandlerKey(path string, t *Table, h *Handler, scope exprScope) {
	if h.Op == BulkUpdate {
		return
	}
	given := make([]string, len(h.Key))
	for i, a := range h.Key {
		given[i] = a.Column
		v.checkExpr(item(path, i)+"/value", a.Value, scope)
	}
	if !slices.Equal(given, t.Key) {
		v.add(path, "gives (%s), and the key of %q is (%s)", joinNames(given), t.Name, joinNames(t.Key))
	}
}

// checkWritten requires a column of the table in the role that is written once.
func (v *validator) checkWritten(path string, t *Table, name string, written map[string]bool, role Role) {
	c := v.column(t, name)
	switch {
	case c == nil:
		v.add(path+"/column", "%q is not a column of %q", name, t.Name)
	case c.Role != role:
		v.add(path+"/column", "%q is a %s column, and this writes a %s one", name, c.Role, role)
	case written[name]:
		v.add(path+"/column", "%q is written twice", name)
	}
	written[name] = true
}

func (v *validator) checkSum(path string, t *Table, s *Sum, written map[string]bool, scope exprScope) {
	role := RoleSum
	if c := v.column(t, s.Column); c != nil && c.Role == RolePlain && c.KeepOnReplace {
		role = RolePlain
		if s.Op != SumSet {
			v.add(path+"/op", "is %q on a plain column, which an aggregate can only set", s.Op)
		}
	}
	v.checkWritten(path, t, s.Column, written, role)
	if s.Op != SumAdd && s.Op != SumSub && s.Op != SumSet {
		v.add(path+"/op", "%q is not an aggregate operation", s.Op)
	}
	for _, part := range []struct {
		name string
		e    *Expr
	}{{"by", s.By}, {"when", s.When}, {"floor", s.Floor}, {"ceil", s.Ceil}} {
		if part.e != nil {
			v.checkExpr(path+"/"+part.name, part.e, scope)
		}
	}
}

// checkMatch checks a condition of a bulk update.
func (v *validator) checkMatch(path string, t *Table, m *Predicate, scope exprScope) {
	if v.column(t, m.Column) == nil {
		v.add(path+"/column", "%q is not a column of %q", m.Column, t.Name)
	}
	if m.Input != "" || m.Op == "gte_window" {
		v.add(path, "only queries have inputs and windows")
	}
	v.checkOperand(path, m, scope)
}

// checkOperand checks operator and value of a condition.
func (v *validator) checkOperand(path string, m *Predicate, scope exprScope) {
	switch m.Op {
	case "eq", "neq", "gt", "gte", "lt", "lte", "in", "nin", "like", "ilike", "gte_window":
	default:
		v.add(path+"/op", "%q is not an operator", m.Op)
	}
	if (m.Value == nil) == (m.Input == "") {
		v.add(path, "a condition compares with either a value or an input")
	}
	if m.Value != nil {
		v.checkExpr(path+"/value", m.Value, scope)
	}
}
