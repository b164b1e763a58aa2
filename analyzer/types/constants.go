package types

import (
	codegenexpr "github.com/causetc/causetc/codegen/expr"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// Reads reports whether an expression reads anything: it has a name in it that is no function's.
func Reads(n spec.Node) bool {
	switch n := n.(type) {
	case *spec.Lit:
		return false
	case *spec.Unary:
		return Reads(n.X)
	case *spec.Binary:
		return Reads(n.X) || Reads(n.Y)
	case *spec.Cond:
		return Reads(n.If) || Reads(n.Then) || Reads(n.Else)
	case *spec.Elvis:
		return Reads(n.X) || Reads(n.Y)
	case *spec.Call:
		for _, a := range n.Args {
			if Reads(a) {
				return true
			}
		}
		return n.Name == ""
	}
	return true
}

// ConstantOf returns the value of an expression that reads nothing, where it has one.
func ConstantOf(n spec.Node) (expr.Value, bool) {
	if n == nil || Reads(n) {
		return expr.Value{}, false
	}
	v, ok, err := codegenexpr.Const(n)
	return v, ok && err == nil
}

// ConstantValue returns the value of a constant, or of an expression that reads nothing.
func ConstantValue(v *spec.Value) (expr.Value, bool) {
	switch {
	case v == nil:
	case v.Kind == spec.ValueConst && v.Const != nil:
		return LiteralValue(v.Const)
	case v.Kind == spec.ValueExpr && v.Expr != nil:
		return ConstantOf(v.Expr.Root)
	}
	return expr.Value{}, false
}

// LiteralValue returns the value of a literal.
func LiteralValue(l *spec.Lit) (expr.Value, bool) {
	switch l.Kind {
	case spec.LitNull:
		return expr.Null(), true
	case spec.LitBool:
		return expr.Bool(l.Text == "true"), true
	case spec.LitString:
		return expr.String(l.Text), true
	}
	v, err := expr.ParseNumber(l.Text)
	return v, err == nil
}
