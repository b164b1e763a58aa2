package expr

import (
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// Const returns the value of an expression that reads nothing, and whether it is one: literals, operators and
// deterministic functions. The error, an *expr.EvalError, is that of an expression that reads nothing and has no value,
// such as 1 / 0; ok is then true.
func Const(root spec.Node) (value expr.Value, ok bool, err error) {
	e, problems := Lower(root, Env{})
	if len(problems) > 0 || !constant(e) {
		return expr.Value{}, false, nil
	}
	value, err = evaluate(e)
	return value, true, err
}

// constant tells whether an expression reads nothing.
func constant(e *ir.Expr) bool {
	switch e.Op {
	case ir.OpEnvelope, ir.OpPayload, ir.OpDerived, ir.OpResource, ir.OpLookup:
		return false
	case ir.OpCall:
		if f, ok := expr.LookupFunction(e.Name); !ok || !f.Deterministic || f.Snapshot {
			return false
		}
	}
	for _, a := range e.Args {
		if !constant(a) {
			return false
		}
	}
	return true
}

func evaluate(e *ir.Expr) (expr.Value, error) {
	f, err := expr.Compile(e)
	if err != nil {
		return expr.Value{}, err
	}
	return f.Eval(&expr.Env{})
}

// Fold replaces the parts of an expression that read nothing by their values. A part whose evaluation fails stays as it
// is, so that it fails where and when it did. The argument is not changed; what needs no folding is shared with it.
func Fold(e *ir.Expr) *ir.Expr {
	if e == nil || isLiteral(e) {
		return e
	}
	folded := foldArgs(e)
	switch e.Op {
	case ir.OpUnary, ir.OpBinary, ir.OpCond, ir.OpElvis, ir.OpCall:
		if chosen, ok := choose(folded); ok {
			return chosen
		}
		if literals(folded.Args) && constant(folded) {
			return literalOf(folded)
		}
	}
	return folded
}

// foldArgs folds the operands; it returns e itself where none changes.
func foldArgs(e *ir.Expr) *ir.Expr {
	var args []*ir.Expr
	for i, a := range e.Args {
		folded := Fold(a)
		if folded != a && args == nil {
			args = append(args, e.Args...)
		}
		if args != nil {
			args[i] = folded
		}
	}
	if args == nil {
		return e
	}
	copied := *e
	copied.Args = args
	return &copied
}

// choose decides what a literal first operand decides alone: a conditional, an elvis, and a logical operator whose other
// operand is then not evaluated.
func choose(e *ir.Expr) (*ir.Expr, bool) {
	if len(e.Args) == 0 || !isLiteral(e.Args[0]) {
		return nil, false
	}
	first := e.Args[0]
	isTrue := first.Op == ir.OpBool && first.Text == "true"
	isFalse := first.Op == ir.OpNull || first.Op == ir.OpBool && first.Text == "false"
	switch {
	case e.Op == ir.OpCond && isTrue:
		return e.Args[1], true
	case e.Op == ir.OpCond && isFalse:
		return e.Args[2], true
	case e.Op == ir.OpElvis && first.Op == ir.OpNull:
		return e.Args[1], true
	case e.Op == ir.OpElvis:
		return first, true
	case e.Op == ir.OpBinary && e.Name == "&&" && isFalse:
		return &ir.Expr{Op: ir.OpBool, Text: "false"}, true
	case e.Op == ir.OpBinary && e.Name == "||" && isTrue:
		return first, true
	}
	return nil, false
}

// literalOf returns the value of an expression as a literal, or the expression where it has no value that a literal can
// hold.
func literalOf(e *ir.Expr) *ir.Expr {
	v, err := evaluate(e)
	if err != nil {
		return e
	}
	switch v.Kind() {
	case expr.KindNull:
		return &ir.Expr{Op: ir.OpNull}
	case expr.KindBool:
		return &ir.Expr{Op: ir.OpBool, Text: v.Text()}
	case expr.KindInt:
		return &ir.Expr{Op: ir.OpInt, Text: v.Text()}
	case expr.KindDecimal:
		return &ir.Expr{Op: ir.OpDecimal, Text: v.Text()}
	case expr.KindString:
		return &ir.Expr{Op: ir.OpString, Text: v.Text()}
	}
	return e
}

func literals(list []*ir.Expr) bool {
	for _, e := range list {
		if !isLiteral(e) {
			return false
		}
	}
	return true
}

func isLiteral(e *ir.Expr) bool {
	switch e.Op {
	case ir.OpNull, ir.OpBool, ir.OpInt, ir.OpDecimal, ir.OpString:
		return true
	}
	return false
}
