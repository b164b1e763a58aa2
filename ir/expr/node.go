package expr

import (
	"fmt"
	"strings"
)

// node is one node of a compiled expression.
type node interface {
	eval(env *Env) (Value, error)
}

type constNode struct{ v Value }

func (n *constNode) eval(*Env) (Value, error) { return n.v, nil }

type payloadNode struct{}

func (payloadNode) eval(env *Env) (Value, error) { return env.Payload, nil }

type envelopeNode struct{ read func(*Envelope) Value }

func (n *envelopeNode) eval(env *Env) (Value, error) { return n.read(&env.Event), nil }

type derivedNode struct{ slot int }

func (n *derivedNode) eval(env *Env) (Value, error) {
	if n.slot >= len(env.Derived) {
		return Value{}, nil
	}
	return env.Derived[n.slot], nil
}

type resourceNode struct{ name string }

func (n *resourceNode) eval(env *Env) (Value, error) { return env.Resources[n.name], nil }

type itNode struct{}

func (itNode) eval(env *Env) (Value, error) { return env.it, nil }

// pathNode reads a chain of members.
type pathNode struct {
	base  node
	names []string
}

func (n *pathNode) eval(env *Env) (Value, error) {
	v, err := n.base.eval(env)
	if err != nil {
		return Value{}, err
	}
	for _, name := range n.names {
		v = v.Field(name)
	}
	return v, nil
}

// indexNode reads an item of an array by its number, or a member of an object by its key, which for a number or a bool
// is its text. What is not there is missing, and so is everything below a value that has no items.
type indexNode struct{ base, index node }

func (n *indexNode) eval(env *Env) (Value, error) {
	base, err := n.base.eval(env)
	if err != nil {
		return Value{}, err
	}
	index, err := n.index.eval(env)
	if err != nil || index.IsNull() {
		return Value{}, err
	}
	switch base.kind {
	case KindArray:
		if !index.IsNumber() {
			return Value{}, evalErrorf(CodeType, "an array's index is a number, not %s", describe(index))
		}
		i, ok := index.AsInt()
		if !ok || i < 0 || i >= int64(base.Len()) {
			return Value{}, nil
		}
		return base.At(int(i)), nil
	case KindObject:
		if index.kind == KindArray || index.kind == KindObject {
			return Value{}, evalErrorf(CodeType, "an object's key is a text, not an %s", index.kind)
		}
		return base.Field(index.Text()), nil
	default:
		return Value{}, nil
	}
}

type lookupNode struct {
	stream string
	id     node
}

func (n *lookupNode) eval(env *Env) (Value, error) {
	id, err := n.id.eval(env)
	if err != nil {
		return Value{}, err
	}
	return env.lookup(n.stream, id)
}

// lookup reads the state of an entity: missing for a null id.
func (e *Env) lookup(stream string, id Value) (Value, error) {
	if e.Snapshot == nil {
		return Value{}, evalErrorf(CodeNoSnapshots, "lookup of %s: no snapshots configured", clip(stream))
	}
	switch id.kind {
	case KindMissing, KindNull:
		return Value{}, nil
	case KindArray, KindObject:
		return Value{}, evalErrorf(CodeType, "lookup takes an entity's id, not an %s", id.kind)
	}
	v, err := e.Snapshot(stream, id.Text())
	if err != nil {
		return Value{}, fmt.Errorf("lookup of %s: %w", clip(stream), err)
	}
	return v, nil
}

// splitPath yields the names of a slash path such as /visible/balance.
func splitPath(path string) func(yield func(string) bool) {
	return strings.SplitSeq(strings.TrimPrefix(path, "/"), "/")
}

// callNode calls a function. The arguments are on the stack of the Env, so that a call allocates nothing.
type callNode struct {
	call func(env *Env, args []Value) (Value, error)
	args []node
}

func (n *callNode) eval(env *Env) (Value, error) {
	base := len(env.stack)
	for _, arg := range n.args {
		v, err := arg.eval(env)
		if err != nil {
			return Value{}, err
		}
		env.stack = append(env.stack, v.nullIfMissing())
	}
	v, err := n.call(env, env.stack[base:len(env.stack):len(env.stack)])
	env.stack = env.stack[:base]
	return v, err
}

// mapNode evaluates an expression for each item of an array.
type mapNode struct{ array, item node }

// workPerItem is what one round of map is charged besides what its expression is charged.
const workPerItem = 64

func (n *mapNode) eval(env *Env) (Value, error) {
	array, err := n.array.eval(env)
	if err != nil || array.IsNull() {
		return Null(), err
	}
	if array.kind != KindArray {
		return Value{}, evalErrorf(CodeType, "map takes an array, not %s", describe(array))
	}
	outer := env.it
	defer func() { env.it = outer }()
	result := make([]Value, array.Len())
	for i, item := range array.items() {
		if err := env.spend(workPerItem); err != nil {
			return Value{}, err
		}
		env.it = item
		if result[i], err = n.item.eval(env); err != nil {
			return Value{}, err
		}
	}
	return built(Array(result))
}

type listNode struct{ items []node }

func (n *listNode) eval(env *Env) (Value, error) {
	if err := env.spend(int64(len(n.items)) * workPerItem); err != nil {
		return Value{}, err
	}
	items := make([]Value, len(n.items))
	for i, item := range n.items {
		var err error
		if items[i], err = item.eval(env); err != nil {
			return Value{}, err
		}
	}
	return built(Array(items))
}

type objectNode struct {
	keys   []string
	values []node
}

func (n *objectNode) eval(env *Env) (Value, error) {
	if err := env.spend(int64(len(n.keys)) * workPerItem); err != nil {
		return Value{}, err
	}
	members := make([]Member, len(n.keys))
	for i, key := range n.keys {
		v, err := n.values[i].eval(env)
		if err != nil {
			return Value{}, err
		}
		members[i] = Member{Key: key, Value: v}
	}
	return built(Object(members))
}
