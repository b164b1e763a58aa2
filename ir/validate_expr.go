package ir

import (
	"regexp"
	"slices"
	"strconv"
)

// exprScope says what an expression may refer to.
type exprScope struct {
	literal bool            // nothing but literals
	event   bool            // the event
	it      bool            // the item of a map
	lets    map[string]bool // derived columns
}

// checkExpr requires a well-formed tree. A tree that is broken in many places is reported once a node.
func (v *validator) checkExpr(path string, e *Expr, scope exprScope) {
	c := exprChecker{v: v, path: path}
	c.check(e, scope, 1)
}

type exprChecker struct {
	v    *validator
	path string
}

func (c *exprChecker) add(format string, args ...any) { c.v.add(c.path, format, args...) }

func (c *exprChecker) check(e *Expr, scope exprScope, depth int) {
	switch {
	case c.v.hopeless():
		return
	case e == nil:
		c.add("an expression is missing")
		return
	case depth > MaxDepth:
		c.add("an expression is nested deeper than %d", MaxDepth)
		return
	}
	if problem := c.shape(e); problem != "" {
		c.add("%s", problem)
		return
	}
	c.references(e, scope)
	for i, arg := range e.Args {
		inner := scope
		if e.Op == OpCall && e.Name == "map" && i == len(e.Args)-1 {
			inner.it = true
		}
		c.check(arg, inner, depth+1)
	}
}

// exprShape is what a node of one kind has; arity -1 is any number.
type exprShape struct {
	arity      int
	name, text bool
}

func shapeOf(op Op) (exprShape, bool) {
	switch op {
	case OpNull, OpPayload, OpIt:
		return exprShape{}, true
	case OpBool, OpInt, OpDecimal, OpString:
		return exprShape{text: true}, true
	case OpList, OpObject:
		return exprShape{arity: -1}, true
	case OpEnvelope, OpDerived, OpResource:
		return exprShape{name: true}, true
	case OpMember, OpUnary, OpLookup:
		return exprShape{arity: 1, name: true}, true
	case OpIndex, OpElvis:
		return exprShape{arity: 2}, true
	case OpCall:
		return exprShape{arity: -1, name: true}, true
	case OpBinary:
		return exprShape{arity: 2, name: true}, true
	case OpCond:
		return exprShape{arity: 3}, true
	case OpBucket:
		return exprShape{arity: 1, text: true}, true
	}
	return exprShape{}, false
}

// shape says what is wrong with the parts of one node, or nothing.
func (c *exprChecker) shape(e *Expr) string {
	s, known := shapeOf(e.Op)
	switch {
	case !known:
		return "an expression of unknown kind " + strconv.Quote(string(e.Op))
	case s.arity >= 0 && len(e.Args) != s.arity:
		return "a " + string(e.Op) + " has " + strconv.Itoa(len(e.Args)) + " operands, not " + strconv.Itoa(s.arity)
	case e.Name != "" && !s.name, e.Text != "" && !s.text:
		return "a " + string(e.Op) + " has a name or text that it can't have"
	case s.name && e.Name == "" && e.Op != OpMember:
		return "a " + string(e.Op) + " has no name"
	case e.Op == OpObject && len(e.Keys) != len(e.Args), e.Op != OpObject && len(e.Keys) > 0:
		return "keys and operands do not fit"
	}
	return literalProblem(e)
}

var (
	decimalText = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)
	unaryOps    = []string{"!", "-"}
	binaryOps   = []string{"||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"}
	envelope    = []string{"type", "ts", "entity_id", "event_id", "stream_id", "fork_id", "version"}
)

// literalProblem checks the closed vocabularies: literals, operators and envelope fields.
func literalProblem(e *Expr) string {
	ok := true
	switch e.Op {
	case OpBool:
		ok = e.Text == "true" || e.Text == "false"
	case OpInt:
		_, err := strconv.ParseInt(e.Text, 10, 64)
		ok = err == nil
	case OpDecimal:
		ok = decimalText.MatchString(e.Text)
	case OpBucket:
		n, err := strconv.ParseInt(e.Text, 10, 64)
		ok = err == nil && n > 0
	case OpUnary:
		ok = slices.Contains(unaryOps, e.Name)
	case OpBinary:
		ok = slices.Contains(binaryOps, e.Name)
	case OpEnvelope:
		ok = slices.Contains(envelope, e.Name)
	}
	if !ok {
		return strconv.Quote(e.Name+e.Text) + " is not a " + string(e.Op)
	}
	return ""
}

// references checks that the names of a node resolve.
func (c *exprChecker) references(e *Expr, scope exprScope) {
	switch e.Op {
	case OpEnvelope, OpPayload:
		if !scope.event {
			c.add("there is no event to read here")
		}
	case OpDerived:
		if !scope.lets[e.Name] {
			c.add("nothing derives %q before it is used", e.Name)
		}
	case OpResource:
		if scope.literal || !c.v.resources[e.Name] {
			c.add("%q is not a resource", e.Name)
		}
	case OpIt:
		if !scope.it {
			c.add("there is no item here")
		}
	case OpCall, OpLookup, OpMember, OpIndex, OpUnary, OpBinary, OpCond, OpElvis, OpBucket:
		if scope.literal {
			c.add("only literals may stand here, not a %s", e.Op)
		}
	}
}
