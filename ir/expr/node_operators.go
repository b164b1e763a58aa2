package expr

// truth returns the value of a condition: null and missing are false.
func truth(v Value, what string) (bool, error) {
	switch v.kind {
	case KindBool:
		return v.n != 0, nil
	case KindMissing, KindNull:
		return false, nil
	default:
		return false, evalErrorf(CodeType, "%s takes a bool, not %s", what, describe(v))
	}
}

type notNode struct{ arg node }

func (n *notNode) eval(env *Env) (Value, error) {
	v, err := n.arg.eval(env)
	if err != nil {
		return Value{}, err
	}
	b, err := truth(v, "!")
	return Bool(!b), err
}

type negNode struct{ arg node }

func (n *negNode) eval(env *Env) (Value, error) {
	v, err := n.arg.eval(env)
	if err != nil {
		return Value{}, err
	}
	return Neg(v)
}

// logicNode is || or &&: the right operand is evaluated only if the left one leaves the result open.
type logicNode struct {
	op          string
	until       bool // the left value that decides
	left, right node
}

func (n *logicNode) eval(env *Env) (Value, error) {
	for _, side := range [...]node{n.left, n.right} {
		v, err := side.eval(env)
		if err != nil {
			return Value{}, err
		}
		b, err := truth(v, n.op)
		if err != nil || b == n.until {
			return Bool(b), err
		}
	}
	return Bool(!n.until), nil
}

// equalNode is == or !=, which compare null as a value and refuse values of different kinds.
type equalNode struct {
	left, right node
	want        bool
}

func (n *equalNode) eval(env *Env) (Value, error) {
	left, right, err := evalBoth(env, n.left, n.right)
	if err != nil {
		return Value{}, err
	}
	if !left.IsNull() && !right.IsNull() {
		if orderRank(left.kind) != orderRank(right.kind) {
			return Value{}, evalErrorf(CodeType, "cannot compare %s with %s", describe(left), describe(right))
		}
		if err := env.spend(min(left.weight(), right.weight())); err != nil {
			return Value{}, err
		}
	}
	return Bool(left.Equal(right) == n.want), nil
}

// orderNode is one of < <= > >=, which order numbers and strings and give null for null.
type orderNode struct {
	op          string
	left, right node
	less        bool // true for a left that is less
	equal       bool // true for equal ones
}

func (n *orderNode) eval(env *Env) (Value, error) {
	left, right, err := evalBoth(env, n.left, n.right)
	if err != nil {
		return Value{}, err
	}
	for _, v := range [...]*Value{&left, &right} {
		if !v.IsNull() && !v.IsNumber() && v.kind != KindString {
			return Value{}, evalErrorf(CodeType, "%s orders numbers or strings, not %s", n.op, describe(*v))
		}
	}
	if left.IsNull() || right.IsNull() {
		return Null(), nil
	}
	if err := env.spend(min(left.weight(), right.weight())); err != nil {
		return Value{}, err
	}
	c, err := Compare(left, right)
	if err != nil {
		return Value{}, err
	}
	if c == 0 {
		return Bool(n.equal), nil
	}
	return Bool((c < 0) == n.less), nil
}

type arithNode struct {
	apply       func(v, w Value) (Value, error)
	left, right node
}

func (n *arithNode) eval(env *Env) (Value, error) {
	left, right, err := evalBoth(env, n.left, n.right)
	if err != nil {
		return Value{}, err
	}
	return n.apply(left, right)
}

func evalBoth(env *Env, left, right node) (v, w Value, err error) {
	if v, err = left.eval(env); err != nil {
		return v, w, err
	}
	w, err = right.eval(env)
	return v, w, err
}

// condNode is cond ? then : otherwise; it hands a missing value on.
type condNode struct{ cond, then, otherwise node }

func (n *condNode) eval(env *Env) (Value, error) {
	cond, err := n.cond.eval(env)
	if err != nil {
		return Value{}, err
	}
	b, err := truth(cond, "the condition of ?")
	if err != nil {
		return Value{}, err
	}
	if b {
		return n.then.eval(env)
	}
	return n.otherwise.eval(env)
}

// elvisNode is left ?: right; it hands a missing right value on.
type elvisNode struct{ left, right node }

func (n *elvisNode) eval(env *Env) (Value, error) {
	v, err := n.left.eval(env)
	if err != nil || !v.IsNull() {
		return v, err
	}
	return n.right.eval(env)
}
