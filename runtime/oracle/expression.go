package oracle

import (
	"fmt"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// payload is event.payload.name.
func payload(name string) *ir.Expr {
	return &ir.Expr{Op: ir.OpMember, Name: name, Args: []*ir.Expr{{Op: ir.OpPayload}}}
}

// literal is a constant.
func literal(v expr.Value) *ir.Expr {
	switch v.Kind() {
	case expr.KindBool:
		return &ir.Expr{Op: ir.OpBool, Text: v.Text()}
	case expr.KindInt:
		return &ir.Expr{Op: ir.OpInt, Text: v.Text()}
	case expr.KindDecimal:
		return &ir.Expr{Op: ir.OpDecimal, Text: v.Text()}
	case expr.KindString:
		return &ir.Expr{Op: ir.OpString, Text: v.Text()}
	default:
		return &ir.Expr{Op: ir.OpNull}
	}
}

// value is an expression for a column: mostly its payload field, also derived, chosen or null.
func (b *builder) value(h *ir.Handler, column string) *ir.Expr {
	c := columnOf(&b.table, column)
	switch roll := b.r.Float64(); {
	case roll < 0.2:
		name := fmt.Sprintf("let%d", len(h.Lets))
		h.Lets = append(h.Lets, ir.Assign{Column: name, Value: payload(column)})
		return &ir.Expr{Op: ir.OpDerived, Name: name}
	case roll < 0.3:
		return &ir.Expr{Op: ir.OpElvis, Args: []*ir.Expr{payload(column), payload(column)}}
	case roll < 0.35 && c.Role != ir.RoleKey:
		return &ir.Expr{Op: ir.OpCond, Args: []*ir.Expr{payload("flag"), payload(column), {Op: ir.OpNull}}}
	case roll < 0.4 && c.Role == ir.RolePlain && c.Type.Name == ir.BigInt:
		return &ir.Expr{Op: ir.OpEnvelope, Name: "ts"}
	default:
		return payload(column)
	}
}

// condition is an expression that holds for about half of the events.
func (b *builder) condition(h *ir.Handler) *ir.Expr {
	switch b.r.IntN(4) {
	case 0:
		return payload("flag")
	case 1:
		return &ir.Expr{Op: ir.OpBinary, Name: "==", Args: []*ir.Expr{payload("flag"), literal(expr.Bool(true))}}
	case 2:
		return &ir.Expr{Op: ir.OpUnary, Name: "!", Args: []*ir.Expr{payload("flag")}}
	default:
		name := fmt.Sprintf("let%d", len(h.Lets))
		h.Lets = append(h.Lets, ir.Assign{Column: name, Value: payload("flag")})
		return &ir.Expr{Op: ir.OpDerived, Name: name}
	}
}

// where adds conditions of a bulk update, or none, which means every row.
func (b *builder) where(h *ir.Handler) {
	for range b.r.IntN(3) {
		c := pick(b.r, b.columns(func(*ir.Column) bool { return true }))
		p := ir.Predicate{Column: c.Name, Op: pick(b.r, []string{"eq", "neq", "gt", "gte", "lt", "lte", "in", "nin", "like", "ilike"})}
		switch p.Op {
		case "in", "nin":
			p.Value = &ir.Expr{Op: ir.OpList, Args: []*ir.Expr{payload(c.Name), payload(c.Name)}}
			if values, _ := samples(b.r, *c); b.chance(0.8) {
				p.Value.Args[1] = literal(pick(b.r, values))
			}
		case "like", "ilike":
			p.Value = literal(expr.String(pick(b.r, []string{"%", "a%", "%A%", "_", "%1%", "", "%t%e"})))
		default:
			p.Value = payload(c.Name)
		}
		h.Where = append(h.Where, p)
	}
}
