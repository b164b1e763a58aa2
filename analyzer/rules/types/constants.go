package types

import (
	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// runConstantConditions reports conditions that are the same whatever happens.
func runConstantConditions(p *analysis.Pass) error {
	for i := range p.Sites {
		s := &p.Sites[i]
		w := constantWalker{p: p, s: s}
		if s.Place.Condition() && s.Place != sites.MutationWhere {
			w.condition(s.Expr.Root, true)
		} else {
			w.walk(s.Expr.Root)
		}
	}
	return nil
}

// constantWalker looks for constant conditions in one expression.
type constantWalker struct {
	p *analysis.Pass
	s *sites.Site
}

// condition judges what decides something; whole is the condition itself, not a part of it.
func (w constantWalker) condition(n spec.Node, whole bool) {
	if b, ok := n.(*spec.Binary); ok && !whole && (b.Op == "&&" || b.Op == "||") {
		w.walk(n) // its operands are judged one by one, so that a long chain is looked at once
		return
	}
	if v, ok := types.ConstantOf(n); ok {
		if b, isBool := v.AsBool(); isBool {
			w.report(n, b, whole)
		}
		return
	}
	w.walk(n)
}

// walk looks for conditions inside of an expression.
func (w constantWalker) walk(n spec.Node) {
	switch n := n.(type) {
	case *spec.Cond:
		w.condition(n.If, false)
		w.walk(n.Then)
		w.walk(n.Else)
		return
	case *spec.Binary:
		switch n.Op {
		case "&&", "||":
			w.condition(n.X, false)
			w.condition(n.Y, false)
			return
		case "==", "!=", "<", "<=", ">", ">=":
			w.itself(n)
		}
	}
	for _, c := range spec.Children(n) {
		w.walk(c)
	}
}

// itself reports a comparison of a value with itself.
func (w constantWalker) itself(n *spec.Binary) {
	if !samePath(n.X, n.Y) {
		return
	}
	result := "true"
	if n.Op == "!=" || n.Op == "<" || n.Op == ">" {
		result = "false"
	}
	w.p.Reportf(w.s.Expr.Span(n), "%s compares a value with itself, so it is always %s; one side is probably meant to be something else",
		types.Text(w.s.Expr, n), result)
}

// samePath reports whether two nodes are one and the same path.
func samePath(a, b spec.Node) bool {
	switch a := a.(type) {
	case *spec.Ident:
		b, ok := b.(*spec.Ident)
		return ok && a.Name == b.Name
	case *spec.Member:
		b, ok := b.(*spec.Member)
		return ok && a.Name == b.Name && samePath(a.X, b.X)
	}
	return false
}

func (w constantWalker) report(n spec.Node, value, whole bool) {
	at := w.s.Expr.Span(n)
	text := types.Text(w.s.Expr, n)
	lit, literal := n.(*spec.Lit)
	switch {
	case literal && lit.Kind == spec.LitBool && value && whole:
		w.p.Report(spec.Diagnostic{Span: at, Severity: spec.Hint, Message: "this condition is always true; leave it out"})
	case whole && value:
		w.p.Reportf(at, "%s is always true, whatever happens; leave the condition out, or compare with a value that changes", text)
	case whole:
		w.p.Reportf(at, "%s is never true, so %s never happens; remove it, or correct the condition", text, w.guarded())
	case value:
		w.p.Reportf(at, "%s is always true, so this part of the condition decides nothing; remove it or correct it", text)
	default:
		w.p.Reportf(at, "%s is always false, so this part of the condition decides nothing; remove it or correct it", text)
	}
}

// guarded says what a condition guards.
func (w constantWalker) guarded() string {
	switch {
	case w.s.Place == sites.RuleWhen && w.s.Rule != nil:
		return called("rule", w.s.Rule.Name)
	case w.s.Place == sites.AggregateWhen:
		return "this aggregate"
	case w.s.Place == sites.MutationCondition:
		return "this mutation"
	case w.s.Place == sites.OpIf:
		return "what stands under then"
	}
	return "what it guards"
}

// runUnreachable reports ops behind one that ends the rule or the round.
func runUnreachable(p *analysis.Pass) error {
	for _, a := range p.Program.Actions {
		for _, ph := range symbols.Phases(a) {
			for _, r := range ph.Rules {
				unreachable(p, r.Then, false)
			}
		}
	}
	return nil
}

// unreachable looks at ops in their order. A continue outside of a loop ends nothing, and has a rule of its own.
func unreachable(p *analysis.Pass, ops []*spec.Op, loop bool) {
	for i, op := range ops {
		if op == nil {
			continue
		}
		inner := loop || op.ForEach != nil
		unreachable(p, op.Then, inner)
		unreachable(p, op.Else, inner)
		if end := ender(op); end != "" && (loop || end != "continue") && i+1 < len(ops) && ops[i+1] != nil && ops[i+1].Kind != nil {
			next := ops[i+1]
			p.Report(spec.Diagnostic{Span: next.Kind.Span(),
				Message: "the op " + next.Kind.Value + " is never reached, because " + end + " stands before it; put it first, or remove one of the two",
				Related: []spec.Related{{Span: op.Kind.Span(), Message: "nothing behind this runs"}}})
			return
		}
	}
}

// ender names what ends the ops behind an op, or nothing.
func ender(op *spec.Op) string {
	switch k := symbols.Text(op.Kind); k {
	case "stop", "reject", "continue":
		return k
	case "if":
		if then := lastEnder(op.Then); then != "" && lastEnder(op.Else) != "" {
			return "an if that ends in both branches"
		}
	}
	return ""
}

func lastEnder(ops []*spec.Op) string {
	if len(ops) == 0 || ops[len(ops)-1] == nil {
		return ""
	}
	return ender(ops[len(ops)-1])
}

// runRanges reports constant numbers that are out of range.
func runRanges(p *analysis.Pass) error {
	for _, q := range p.Program.Queries {
		limit(p, q)
	}
	eachOp(p, func(_ opScope, op *spec.Op) {
		if v, ok := types.ConstantValue(op.DelaySeconds); ok && op.DelaySeconds.Src != nil && !v.IsNull() {
			switch at := op.DelaySeconds.Src.Span(); {
			case !v.IsNumber():
				p.Reportf(at, "delay_seconds is a number of seconds, not %s", textOf(v))
			case expr.Order(v, expr.Int(0)) < 0:
				p.Reportf(at, "delay_seconds is %s, and nothing can happen in the past; write 0 or more", v.Text())
			}
		}
		if op.DelaySeconds != nil && op.DelaySeconds.Kind == spec.ValueExpr {
			if e := op.DelaySeconds.Expr; !p.Types.Of(e).MayBeNumber() {
				p.Reportf(e.Span(e.Root), "delay_seconds is a number of seconds, and %s is %s", types.Text(e, e.Root), p.Types.Of(e).A())
			}
		}
		least, ok := types.ConstantValue(op.CapMin)
		most, both := types.ConstantValue(op.CapMax)
		if ok && both && least.IsNumber() && most.IsNumber() && expr.Order(least, most) > 0 {
			p.Reportf(op.CapMin.Span(), "cap.min, %s, is above cap.max, %s; swap the two", least.Text(), most.Text())
		}
	})
	return problems(types.BadCount)(p)
}

// limit reports a limit that is no whole number from 1 up.
func limit(p *analysis.Pass, q *spec.Query) {
	v, ok := types.ConstantValue(q.Limit)
	if !ok || q.Limit.Src == nil || v.IsNull() {
		return
	}
	if n, whole := v.AsInt(); !whole || n < 1 {
		p.Reportf(q.Limit.Src.Span(), "%s has the limit %s; write a whole number from 1 up, or leave it out", called("query", q.Name), textOf(v))
	}
}
