package codegen

import (
	"strings"

	"github.com/causetc/causetc/codegen/expr"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// expr lowers an expression for the event; nil if it has problems, which are reported.
func (l *lowering) expr(e *spec.Expr) *ir.Expr {
	lowered, problems := expr.LowerExpr(e, l.env())
	return l.checked(lowered, problems)
}

// value lowers a value for the event; nil if it has problems, which are reported.
func (l *lowering) value(v *spec.Value) *ir.Expr {
	lowered, problems := expr.LowerValue(v, l.env())
	return l.checked(lowered, problems)
}

func (l *lowering) checked(lowered *ir.Expr, problems []expr.Problem) *ir.Expr {
	for _, p := range problems {
		l.report(ruleExpression, p.Span(), "%s", p.Message)
	}
	if lowered == nil {
		return nil
	}
	lowered = expr.Fold(lowered)
	if !l.derive(lowered) {
		return nil
	}
	return lowered
}

// env says what names mean for the event.
func (l *lowering) env() expr.Env {
	return expr.Env{
		Payload:  func(name string) bool { return l.payloadField(name) != nil },
		Derived:  func(name string) bool { return l.byColumn[name] != nil },
		Resource: func(name string) bool { return l.resources[name] != nil },
		Stream:   l.stream,
	}
}

func (l *lowering) payloadField(name string) *spec.Field {
	if e := l.events[l.event]; e != nil {
		return fieldNamed(e.Payload, name)
	}
	return nil
}

func fieldNamed(fields []*spec.Field, name string) *spec.Field {
	for _, f := range fields {
		if f.Name.Value == name {
			return f
		}
	}
	return nil
}

// streamSuffix is what the name of a state's stream adds to that of the state.
const streamSuffix = "_stream"

// stream returns the stream of a state, which may be given by its own name or by that of its stream.
func (c *compiler) stream(name string) (string, bool) {
	state := strings.TrimSuffix(name, streamSuffix)
	switch {
	case c.states[name]:
		return name + streamSuffix, true
	case c.states[state]:
		return name, true
	}
	return "", false
}

// derive makes the lets that an expression refers to. It reports whether all of them have a value.
func (l *lowering) derive(e *ir.Expr) bool {
	ok := true
	e.Walk(func(n *ir.Expr) {
		if n.Op == ir.OpDerived {
			ok = l.makeLet(l.byColumn[n.Name]) && ok
		}
	})
	return ok
}

// makeLet lowers a derived column for use by name, after those that it depends on.
func (l *lowering) makeLet(a *assignment) bool {
	if a.state == letOpen {
		at := l.p.src.Name.Span()
		if a.value != nil {
			at = a.value.Span()
		}
		l.report(ruleCycle, at, "%s is derived from itself, directly or through other derived columns", a.column)
		return false
	}
	lowered := l.assigned(a)
	if lowered == nil || a.let {
		return lowered != nil
	}
	a.let = true
	l.lets = append(l.lets, ir.Assign{Column: a.column, Value: lowered})
	l.types[a.column] = l.typeOf(lowered)
	return true
}

// assigned lowers the value that an assignment gives, once; nil if it has problems.
func (l *lowering) assigned(a *assignment) *ir.Expr {
	if a.state != letNew {
		return a.lowered
	}
	a.state = letOpen
	if a.value == nil {
		a.lowered = l.bucketStart()
	} else {
		a.lowered = l.value(a.value)
	}
	a.state = letDone
	return a.lowered
}
