package expr

import (
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// LowerValue lowers a value: a constant, an expression, or a map or list of values. Of several entries with one key,
// which the parser has reported, the first counts.
func LowerValue(v *spec.Value, env Env) (*ir.Expr, []Problem) {
	l := lowering{env: &env}
	e := l.value(v)
	return l.result(e, spec.Range{})
}

func (l *lowering) value(v *spec.Value) *ir.Expr {
	if v.Src != nil {
		l.src = v.Src
	}
	switch v.Kind {
	case spec.ValueConst:
		return l.literal(v.Const)
	case spec.ValueExpr:
		if v.Expr.Root == nil {
			return l.bad(spec.Range{To: int32(len(v.Src.Value))}, "the expression could not be read")
		}
		return l.lower(v.Expr.Root)
	case spec.ValueMap:
		e := &ir.Expr{Op: ir.OpObject}
		seen := map[string]bool{}
		for _, entry := range v.Entries {
			if key := entry.Key.Value; !seen[key] {
				seen[key] = true
				l.src = entry.Key
				e.Keys = append(e.Keys, key)
				e.Args = append(e.Args, l.value(entry.Value))
			}
		}
		return e
	}
	e := &ir.Expr{Op: ir.OpList}
	for _, item := range v.Items {
		e.Args = append(e.Args, l.value(item))
	}
	return e
}
