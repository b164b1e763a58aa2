package expr

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/causetc/causetc/ir"
)

// MaxDepth bounds the nesting of an expression's nodes.
const MaxDepth = 1000

// CompileError says why a tree is not a valid expression.
type CompileError struct{ Message string }

// Error returns the message.
func (e *CompileError) Error() string { return e.Message }

func compileErrorf(format string, args ...any) error {
	return &CompileError{Message: fmt.Sprintf(format, args...)}
}

// Func is a compiled expression. It is immutable and may be used by many goroutines, each with an Env of its own.
type Func struct{ root node }

// Compile checks a tree and makes it ready for evaluation. derived lists the names that an OpDerived node may have;
// Env.Derived gives their values in the same order. Errors are of type *CompileError: an unknown operator, function or
// envelope field, a wrong number of arguments, a malformed literal, a derived name that is not in the list, "it" outside
// of map, too deep nesting, a nil node.
func Compile(e *ir.Expr, derived ...string) (*Func, error) {
	c := compiler{derived: derived}
	root, err := c.compile(e)
	if err != nil {
		return nil, err
	}
	return &Func{root: root}, nil
}

// Eval returns the expression's value, which is missing only where the expression is a path, or chooses one by ?: or
// elvis, that does not exist. Errors are of type *EvalError, but for those of Env.Snapshot and Env.NonDeterministic,
// which are wrapped.
func (f *Func) Eval(env *Env) (Value, error) {
	env.budget = MaxWork
	env.stack = env.stack[:0]
	env.it = Value{}
	return f.root.eval(env)
}

// EvalCondition evaluates a condition: null and missing are false, anything but a bool is a CodeType error.
func (f *Func) EvalCondition(env *Env) (bool, error) {
	v, err := f.Eval(env)
	if err != nil {
		return false, err
	}
	return truth(v, "the condition")
}

type compiler struct {
	derived []string
	depth   int
	maps    int // how many map expressions are open
}

func (c *compiler) compile(e *ir.Expr) (node, error) {
	if e == nil {
		return nil, compileErrorf("an expression node is absent")
	}
	if c.depth++; c.depth > MaxDepth {
		return nil, compileErrorf("expression nested deeper than %d", MaxDepth)
	}
	defer func() { c.depth-- }()
	if err := checkShape(e); err != nil {
		return nil, err
	}
	switch e.Op {
	case ir.OpNull, ir.OpBool, ir.OpInt, ir.OpDecimal, ir.OpString:
		return compileLiteral(e)
	case ir.OpEnvelope, ir.OpPayload, ir.OpDerived, ir.OpResource, ir.OpIt:
		return c.compileRoot(e)
	case ir.OpCall:
		return c.compileCall(e)
	}
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	switch e.Op {
	case ir.OpList:
		return foldConstant(&listNode{items: args}, args), nil
	case ir.OpObject:
		return foldConstant(&objectNode{keys: slices.Clone(e.Keys), values: args}, args), nil
	case ir.OpMember:
		return compileMember(args[0], e.Name), nil
	case ir.OpIndex:
		return &indexNode{base: args[0], index: args[1]}, nil
	case ir.OpLookup:
		return &lookupNode{stream: e.Name, id: args[0]}, nil
	case ir.OpCond:
		return &condNode{cond: args[0], then: args[1], otherwise: args[2]}, nil
	case ir.OpElvis:
		return &elvisNode{left: args[0], right: args[1]}, nil
	case ir.OpBucket:
		return compileBucket(e.Text, args[0])
	case ir.OpUnary:
		return compileUnary(e.Name, args[0])
	default: // checkShape leaves only OpBinary
		return compileBinary(e.Name, args[0], args[1])
	}
}

func (c *compiler) compileAll(exprs []*ir.Expr) ([]node, error) {
	nodes := make([]node, len(exprs))
	for i, e := range exprs {
		var err error
		if nodes[i], err = c.compile(e); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

// anyCount marks an operator whose number of operands is checked elsewhere or free.
const anyCount = -1

// operandCount returns how many operands a node of that kind has.
func operandCount(op ir.Op) (count int, known bool) {
	switch op {
	case ir.OpNull, ir.OpBool, ir.OpInt, ir.OpDecimal, ir.OpString,
		ir.OpEnvelope, ir.OpPayload, ir.OpDerived, ir.OpResource, ir.OpIt:
		return 0, true
	case ir.OpList, ir.OpObject, ir.OpCall:
		return anyCount, true
	case ir.OpMember, ir.OpUnary, ir.OpLookup, ir.OpBucket:
		return 1, true
	case ir.OpIndex, ir.OpBinary, ir.OpElvis:
		return 2, true
	case ir.OpCond:
		return 3, true
	default:
		return 0, false
	}
}

// checkShape checks the operator and the number of operands and keys.
func checkShape(e *ir.Expr) error {
	count, known := operandCount(e.Op)
	if !known {
		return compileErrorf("unknown expression operator %s", clip(string(e.Op)))
	}
	if count != anyCount && len(e.Args) != count {
		return compileErrorf("a node %s has %d operands, not %d", e.Op, count, len(e.Args))
	}
	if e.Op != ir.OpObject {
		return nil
	}
	if len(e.Keys) != len(e.Args) {
		return compileErrorf("an object has %d keys for %d values", len(e.Keys), len(e.Args))
	}
	seen := make(map[string]bool, len(e.Keys))
	for _, key := range e.Keys {
		if seen[key] {
			return compileErrorf("an object has the key %s twice", clip(key))
		}
		seen[key] = true
	}
	return nil
}

func compileLiteral(e *ir.Expr) (node, error) {
	switch e.Op {
	case ir.OpNull:
		return &constNode{Null()}, nil
	case ir.OpString:
		return &constNode{String(e.Text)}, nil
	case ir.OpBool:
		if e.Text != "true" && e.Text != "false" {
			return nil, compileErrorf("%s is not a bool", clip(e.Text))
		}
		return &constNode{Bool(e.Text == "true")}, nil
	case ir.OpInt:
		n, err := strconv.ParseInt(e.Text, 10, 64)
		if err != nil || scanNumber(e.Text) != len(e.Text) {
			return nil, compileErrorf("%s is not a 64-bit integer", clip(e.Text))
		}
		return &constNode{Int(n)}, nil
	default:
		v, err := ParseDecimal(e.Text)
		if err != nil {
			return nil, compileErrorf("%s", err.Error())
		}
		return &constNode{v}, nil
	}
}

func (c *compiler) compileRoot(e *ir.Expr) (node, error) {
	switch e.Op {
	case ir.OpPayload:
		return payloadNode{}, nil
	case ir.OpEnvelope:
		read, ok := envelopeField(e.Name)
		if !ok {
			return nil, compileErrorf("unknown envelope field %s", clip(e.Name))
		}
		return &envelopeNode{read: read}, nil
	case ir.OpDerived:
		slot := slices.Index(c.derived, e.Name)
		if slot < 0 {
			return nil, compileErrorf("derived column %s is not known here", clip(e.Name))
		}
		return &derivedNode{slot: slot}, nil
	case ir.OpResource:
		return &resourceNode{name: e.Name}, nil
	default:
		if c.maps == 0 {
			return nil, compileErrorf("it is known only in the expression of map")
		}
		return itNode{}, nil
	}
}

func (c *compiler) compileCall(e *ir.Expr) (node, error) {
	f, ok := LookupFunction(e.Name)
	switch {
	case !ok:
		return nil, compileErrorf("unknown function %s", clip(e.Name))
	case f.Forbidden:
		return nil, compileErrorf("%s is not allowed in expressions", f.Name)
	}
	if err := f.CheckArity(len(e.Args)); err != nil {
		return nil, compileErrorf("%s", err.Error())
	}
	if e.Name == "map" {
		return c.compileMap(e)
	}
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	return &callNode{call: f.call, args: args}, nil
}

func (c *compiler) compileMap(e *ir.Expr) (node, error) {
	array, err := c.compile(e.Args[0])
	if err != nil {
		return nil, err
	}
	c.maps++
	item, err := c.compile(e.Args[1])
	c.maps--
	if err != nil {
		return nil, err
	}
	return &mapNode{array: array, item: item}, nil
}

// compileMember joins the members of a path into one node.
func compileMember(base node, name string) node {
	if path, ok := base.(*pathNode); ok {
		return &pathNode{base: path.base, names: append(slices.Clip(path.names), name)}
	}
	return &pathNode{base: base, names: []string{name}}
}

// foldConstant evaluates a list or object of constants once.
func foldConstant(n node, parts []node) node {
	for _, part := range parts {
		if _, ok := part.(*constNode); !ok {
			return n
		}
	}
	v, err := n.eval(&Env{budget: MaxWork})
	if err != nil {
		return n
	}
	return &constNode{v}
}

func compileUnary(op string, arg node) (node, error) {
	switch op {
	case "!":
		return &notNode{arg: arg}, nil
	case "-":
		return &negNode{arg: arg}, nil
	default:
		return nil, compileErrorf("unknown unary operator %s", clip(op))
	}
}

func compileBinary(op string, left, right node) (node, error) {
	switch op {
	case "||":
		return &logicNode{op: op, until: true, left: left, right: right}, nil
	case "&&":
		return &logicNode{op: op, until: false, left: left, right: right}, nil
	case "==":
		return &equalNode{left: left, right: right, want: true}, nil
	case "!=":
		return &equalNode{left: left, right: right, want: false}, nil
	case "<":
		return &orderNode{op: op, left: left, right: right, less: true}, nil
	case "<=":
		return &orderNode{op: op, left: left, right: right, less: true, equal: true}, nil
	case ">":
		return &orderNode{op: op, left: left, right: right}, nil
	case ">=":
		return &orderNode{op: op, left: left, right: right, equal: true}, nil
	case "+":
		return &arithNode{apply: Add, left: left, right: right}, nil
	case "-":
		return &arithNode{apply: Sub, left: left, right: right}, nil
	case "*":
		return &arithNode{apply: Mul, left: left, right: right}, nil
	case "/":
		return &arithNode{apply: Div, left: left, right: right}, nil
	case "%":
		return &arithNode{apply: Rem, left: left, right: right}, nil
	default:
		return nil, compileErrorf("unknown binary operator %s", clip(op))
	}
}
