package codegen

import (
	"cmp"
	"maps"
	"slices"

	"github.com/causetc/causetc/codegen/expr"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// usedResources lowers the constant tables that some handler reads, by name, with sorted keys.
func (c *compiler) usedResources(out *ir.Program) []ir.Resource {
	used := map[string]bool{}
	for _, g := range out.Groups {
		for i := range g.Projections {
			g.Projections[i].Exprs(func(root *ir.Expr) {
				root.Walk(func(e *ir.Expr) {
					if e.Op == ir.OpResource {
						used[e.Name] = true
					}
				})
			})
		}
	}
	var list []ir.Resource
	for _, name := range slices.Sorted(maps.Keys(used)) {
		src := c.resources[name]
		value := c.constant(&spec.Value{Kind: spec.ValueMap, At: src.Name.Span(), Entries: src.Rows})
		if value != nil {
			list = append(list, ir.Resource{Name: name, Value: value})
		}
	}
	return list
}

// constant lowers a value that reads nothing; nil if it has problems, which are reported.
func (c *compiler) constant(v *spec.Value) *ir.Expr {
	if v == nil {
		return &ir.Expr{Op: ir.OpNull}
	}
	value, problems := expr.LowerValue(v, expr.Env{})
	for _, p := range problems {
		c.report(ruleExpression, p.Span(), "%s", p.Message)
	}
	if value == nil {
		return nil
	}
	value = expr.Fold(value)
	if !isLiteral(value) {
		c.report(ruleExpression, v.Span(), "this must be a constant, and it reads something; write a number, true, false, null, or a text in quotes")
		return nil
	}
	sortKeys(value)
	return value
}

func isLiteral(e *ir.Expr) bool {
	switch e.Op {
	case ir.OpNull, ir.OpBool, ir.OpInt, ir.OpDecimal, ir.OpString:
		return true
	case ir.OpList, ir.OpObject:
		return !slices.ContainsFunc(e.Args, func(arg *ir.Expr) bool { return !isLiteral(arg) })
	}
	return false
}

// sortKeys puts the keys of literal objects in order: what the author's order says is nothing that a reader can see.
func sortKeys(e *ir.Expr) {
	for _, arg := range e.Args {
		sortKeys(arg)
	}
	if e.Op != ir.OpObject {
		return
	}
	type entry struct {
		key   string
		value *ir.Expr
	}
	entries := make([]entry, len(e.Keys))
	for i := range e.Keys {
		entries[i] = entry{e.Keys[i], e.Args[i]}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	for i := range entries {
		e.Keys[i], e.Args[i] = entries[i].key, entries[i].value
	}
}
