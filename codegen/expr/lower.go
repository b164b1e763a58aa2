// Package expr lowers the expressions of a spec to those that ir/expr evaluates: it resolves every name, checks calls and
// folds constants. It knows nothing of sections; what names mean at a place is told by an Env.
package expr

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// Env says what names mean where an expression stands: in a projection, for one event. A nil function knows no name.
type Env struct {
	// Payload tells whether the event declares a payload field of that name. An event.NAME that is neither declared nor
	// an envelope field is read from the payload all the same: another source event may declare it, and its absence is
	// nothing worse than a missing value.
	Payload func(name string) bool
	// Derived tells whether a column has been derived before.
	Derived func(name string) bool
	// Resource tells whether a constant table of that name exists.
	Resource func(name string) bool
	// Stream returns the stream that the name of a state or of a stream means.
	Stream func(name string) (string, bool)
}

func (e *Env) declares(name string) bool    { return e.Payload != nil && e.Payload(name) }
func (e *Env) derives(name string) bool     { return e.Derived != nil && e.Derived(name) }
func (e *Env) hasResource(name string) bool { return e.Resource != nil && e.Resource(name) }

func (e *Env) stream(name string) (string, bool) {
	if e.Stream == nil {
		return "", false
	}
	return e.Stream(name)
}

// Problem says why a part of an expression has no meaning where it stands.
type Problem struct {
	Src     *spec.Scalar // the scalar that holds the expression; nil from Lower, which is not told
	Range   spec.Range   // in the scalar's text
	Message string
}

// Span returns the place of the problem, where Src is known.
func (p Problem) Span() spec.Span { return p.Src.Sub(int(p.Range.From), int(p.Range.To)) }

// Lower lowers an expression. With problems, all of them in the order of the tree, the expression is nil. Functions that
// are not deterministic lower like others: to keep them out is the linter's business, and a simulation can run them.
func Lower(root spec.Node, env Env) (*ir.Expr, []Problem) {
	l := lowering{env: &env}
	e := l.lower(root)
	return l.result(e, root.Range())
}

// LowerExpr is Lower for an expression with its place.
func LowerExpr(x *spec.Expr, env Env) (*ir.Expr, []Problem) {
	l := lowering{env: &env, src: x.Src}
	if x.Root == nil {
		l.problem(spec.Range{To: int32(len(x.Src.Value))}, "the expression could not be read")
		return nil, l.problems
	}
	e := l.lower(x.Root)
	return l.result(e, x.Root.Range())
}

// lowering lowers one expression or value.
type lowering struct {
	env      *Env
	src      *spec.Scalar
	maps     int // how many map calls are open: `it` is known
	problems []Problem
}

func (l *lowering) problem(at spec.Range, format string, args ...any) {
	l.problems = append(l.problems, Problem{Src: l.src, Range: at, Message: fmt.Sprintf(format, args...)})
}

// bad reports a problem and returns what stands for the part that has it.
func (l *lowering) bad(at spec.Range, format string, args ...any) *ir.Expr {
	l.problem(at, format, args...)
	return &ir.Expr{Op: ir.OpNull}
}

func (l *lowering) result(e *ir.Expr, at spec.Range) (*ir.Expr, []Problem) {
	if len(l.problems) == 0 && height(e) > expr.MaxDepth {
		l.problem(at, "the expression nests deeper than %d", expr.MaxDepth)
	}
	if len(l.problems) > 0 {
		return nil, l.problems
	}
	return e, nil
}

func height(e *ir.Expr) int {
	h := 0
	for _, a := range e.Args {
		h = max(h, height(a))
	}
	return h + 1
}

func (l *lowering) lower(n spec.Node) *ir.Expr {
	switch n := n.(type) {
	case *spec.Ident:
		return l.ident(n)
	case *spec.Member:
		return l.member(n)
	case *spec.Index:
		return l.index(n)
	case *spec.Call:
		return l.call(n)
	case *spec.Unary:
		return &ir.Expr{Op: ir.OpUnary, Name: n.Op, Args: l.all(n.X)}
	case *spec.Binary:
		return &ir.Expr{Op: ir.OpBinary, Name: n.Op, Args: l.all(n.X, n.Y)}
	case *spec.Cond:
		return &ir.Expr{Op: ir.OpCond, Args: l.all(n.If, n.Then, n.Else)}
	case *spec.Elvis:
		return &ir.Expr{Op: ir.OpElvis, Args: l.all(n.X, n.Y)}
	case *spec.Lit:
		return l.literal(n)
	}
	return l.bad(n.Range(), "this part could not be read")
}

func (l *lowering) all(nodes ...spec.Node) []*ir.Expr {
	list := make([]*ir.Expr, len(nodes))
	for i, n := range nodes {
		list[i] = l.lower(n)
	}
	return list
}

func (l *lowering) literal(n *spec.Lit) *ir.Expr {
	switch n.Kind {
	case spec.LitNull:
		return &ir.Expr{Op: ir.OpNull}
	case spec.LitBool:
		return &ir.Expr{Op: ir.OpBool, Text: n.Text}
	case spec.LitString:
		return &ir.Expr{Op: ir.OpString, Text: n.Text}
	}
	v, err := expr.ParseNumber(n.Text)
	switch {
	case err != nil:
		return l.bad(n.Where, "%s", err.Error())
	case n.Kind == spec.LitInt && v.Kind() != expr.KindInt:
		return l.bad(n.Where, "%s does not fit an integer's 64 bits", n.Text)
	case n.Kind == spec.LitInt:
		return &ir.Expr{Op: ir.OpInt, Text: n.Text}
	}
	return &ir.Expr{Op: ir.OpDecimal, Text: n.Text}
}

// call lowers a call of a function of the table, or a lookup.
func (l *lowering) call(n *spec.Call) *ir.Expr {
	f, ok := expr.LookupFunction(n.Name)
	root, _, _ := strings.Cut(n.Name, ".")
	if g, known := expr.LookupFunction(root); !ok && known && g.Forbidden {
		f, ok = g, true
	}
	switch {
	case !ok && n.Name == "":
		return l.bad(n.Fn.Range(), "only a function's name can be called")
	case !ok:
		return l.bad(n.Fn.Range(), "there is no function `%s`", n.Name)
	case f.Forbidden:
		return l.bad(n.Fn.Range(), "`%s` is not allowed in expressions: it reaches the machine that runs them", n.Name)
	}
	if err := f.CheckArity(len(n.Args)); err != nil {
		return l.bad(n.Where, "%s", err.Error())
	}
	switch f.Name {
	case "lookup":
		return l.lookup(n)
	case "LOOKUP_FIELD":
		return l.lookupField(n)
	case "map":
		list := l.lower(n.Args[0])
		l.maps++
		item := l.lower(n.Args[1])
		l.maps--
		return &ir.Expr{Op: ir.OpCall, Name: f.Name, Args: []*ir.Expr{list, item}}
	}
	return &ir.Expr{Op: ir.OpCall, Name: f.Name, Args: l.all(n.Args...)}
}

// lookup lowers lookup(state_or_stream, id); members of its result follow as those of any other node.
func (l *lowering) lookup(n *spec.Call) *ir.Expr {
	stream, ok := l.streamName(n.Args[0])
	id := l.lower(n.Args[1])
	if !ok {
		return id // reported
	}
	return &ir.Expr{Op: ir.OpLookup, Name: stream, Args: []*ir.Expr{id}}
}

// lookupField lowers LOOKUP_FIELD('stream', id, '/path') to the members of a lookup.
func (l *lowering) lookupField(n *spec.Call) *ir.Expr {
	e := l.lookup(n)
	path, ok := n.Args[2].(*spec.Lit)
	if !ok || path.Kind != spec.LitString || strings.Trim(path.Text, "/") == "" {
		return l.bad(n.Args[2].Range(), "%s takes a slash path in quotes here, such as '/visible/balance'", n.Name)
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(path.Text, "/"), "/") {
		e = member(e, name)
	}
	return e
}

// streamName reads the first argument of a lookup: a state's or stream's name, with or without quotes.
func (l *lowering) streamName(n spec.Node) (string, bool) {
	name := ""
	switch n := n.(type) {
	case *spec.Ident:
		name = n.Name
	case *spec.Lit:
		if n.Kind == spec.LitString {
			name = n.Text
		}
	}
	if name == "" {
		l.problem(n.Range(), "a lookup takes the name of a state or stream here")
		return "", false
	}
	stream, ok := l.env.stream(name)
	if !ok {
		l.problem(n.Range(), "there is no state or stream `%s`", name)
	}
	return stream, ok
}

func member(x *ir.Expr, name string) *ir.Expr {
	return &ir.Expr{Op: ir.OpMember, Name: name, Args: []*ir.Expr{x}}
}
