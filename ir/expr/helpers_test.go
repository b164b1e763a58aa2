package expr

import (
	"errors"
	"testing"

	"github.com/causetc/causetc/ir"
)

// Builders of expression trees.

func str(s string) *ir.Expr { return &ir.Expr{Op: ir.OpString, Text: s} }
func num(s string) *ir.Expr { return &ir.Expr{Op: ir.OpInt, Text: s} }
func dec(s string) *ir.Expr { return &ir.Expr{Op: ir.OpDecimal, Text: s} }
func boolean(b bool) *ir.Expr {
	return &ir.Expr{Op: ir.OpBool, Text: map[bool]string{true: "true", false: "false"}[b]}
}
func null() *ir.Expr { return &ir.Expr{Op: ir.OpNull} }
func it() *ir.Expr   { return &ir.Expr{Op: ir.OpIt} }

func list(items ...*ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.OpList, Args: items} }

func call(name string, args ...*ir.Expr) *ir.Expr {
	return &ir.Expr{Op: ir.OpCall, Name: name, Args: args}
}

func op2(op string, left, right *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: ir.OpBinary, Name: op, Args: []*ir.Expr{left, right}}
}

func op1(op string, arg *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: ir.OpUnary, Name: op, Args: []*ir.Expr{arg}}
}

func cond(c, then, otherwise *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: ir.OpCond, Args: []*ir.Expr{c, then, otherwise}}
}

func elvis(left, right *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: ir.OpElvis, Args: []*ir.Expr{left, right}}
}

func bucket(length string, moment *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: ir.OpBucket, Text: length, Args: []*ir.Expr{moment}}
}

func index(base, i *ir.Expr) *ir.Expr {
	return &ir.Expr{Op: ir.OpIndex, Args: []*ir.Expr{base, i}}
}

func member(base *ir.Expr, names ...string) *ir.Expr {
	for _, name := range names {
		base = &ir.Expr{Op: ir.OpMember, Name: name, Args: []*ir.Expr{base}}
	}
	return base
}

func payload(names ...string) *ir.Expr { return member(&ir.Expr{Op: ir.OpPayload}, names...) }

// jsonValue parses a JSON text that the test knows to be valid.
func jsonValue(t testing.TB, text string) Value {
	t.Helper()
	v, err := ParseJSON([]byte(text))
	if err != nil {
		t.Fatalf("ParseJSON(%s): %v", text, err)
	}
	return v
}

// evaluate compiles and evaluates e with the payload.
func evaluate(t testing.TB, e *ir.Expr, payload string) (Value, error) {
	t.Helper()
	f, err := Compile(e)
	if err != nil {
		t.Fatalf("Compile: %v", err)
	}
	return f.Eval(&Env{Payload: jsonValue(t, payload)})
}

// codeOf returns the code of an evaluation error, "" for nil.
func codeOf(t testing.TB, err error) Code {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *EvalError
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T) is not an *EvalError", err, err)
	}
	return e.Code
}
