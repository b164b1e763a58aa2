package types

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// call types a call. Names and numbers of arguments have rules of their own.
func (c *checker) call(n *spec.Call) Type {
	f, known := expr.LookupFunction(n.Name)
	switch {
	case known && n.Name == "lookup" && len(n.Args) >= 2:
		return c.lookup(n)
	case known && n.Name == "LOOKUP_FIELD" && len(n.Args) >= 2:
		return c.lookupField(n)
	case known && n.Name == "map" && len(n.Args) == 2:
		return c.mapCall(f, n)
	}
	args := make([]Type, len(n.Args))
	for i, a := range n.Args {
		args[i] = c.typeOf(a)
	}
	if !known || !f.Allowed() || f.CheckArity(len(args)) != nil {
		return Any()
	}
	if !c.arguments(f, n, args) {
		return Any()
	}
	switch n.Name {
	case "coalesce", "isnull", "max", "min":
		return joinAll(args, func(t Type) Type { return t })
	case "shard":
		c.shards(n)
	}
	return resultOf(f, args)
}

func resultOf(f *expr.Function, args []Type) Type {
	basic := make([]expr.Type, len(args))
	for i, t := range args {
		basic[i] = t.basic()
	}
	result, err := f.Result(basic)
	if err != nil {
		return Any()
	}
	return fromBasic(result)
}

// mapCall types map(array, expression with it).
func (c *checker) mapCall(f *expr.Function, n *spec.Call) Type {
	list := c.typeOf(n.Args[0])
	ok := c.arguments(f, n, []Type{list, Any()})
	item := list.ItemType()
	inner := *c
	inner.it = &item
	result := inner.typeOf(n.Args[1])
	if !ok {
		return Any()
	}
	return arrayOf(result)
}

// arguments reports arguments that a function does not take.
func (c *checker) arguments(f *expr.Function, n *spec.Call, args []Type) bool {
	for i, t := range args {
		if !accepts(f, i, len(args), t) {
			c.problem(BadArgument, n.Args[i].Range(), "%s is %s, and %s takes %s %s%s", c.text(n.Args[i]), t.A(), f.Name,
				wanted(f, i, len(args)), position(i, len(args)), argumentHint(f.Name, t, c.text(n.Args[i])))
			return false
		}
	}
	if !c.texts(f.Name, n, args) {
		return false
	}
	basic := make([]expr.Type, len(args))
	for i, t := range args {
		basic[i] = t.basic()
	}
	_, err := f.Result(basic)
	switch {
	case err == nil:
		return true
	case f.Name == "contains":
		c.problem(BadArgument, n.Args[1].Range(), "%s is %s, and contains looks for a text in %s; a text needs quotes", c.text(n.Args[1]), args[1].A(), c.text(n.Args[0]))
	default:
		c.problem(BadArgument, n.Where, "%s takes arguments of one kind, numbers or texts, not %s", f.Name, listed(args))
	}
	return false
}

func listed(args []Type) string {
	words := make([]string, len(args))
	for i, t := range args {
		words[i] = t.A()
	}
	return strings.Join(words, " and ")
}

// texts reports arguments that have no text, of functions that make a text.
func (c *checker) texts(name string, n *spec.Call, args []Type) bool {
	switch name {
	case "concat":
		for i, t := range args {
			if composite(t) {
				c.problem(BadArgument, n.Args[i].Range(), "%s is %s, and concat makes texts of single values; name a part of it%s",
					c.text(n.Args[i]), t.A(), argumentHint(name, t, c.text(n.Args[i])))
				return false
			}
		}
	case "join":
		if item := args[0].ItemType(); composite(item) {
			c.problem(BadArgument, n.Args[0].Range(), "an item of %s is %s, and join makes texts of single values; write join(map(%s, it.NAME), ',')",
				c.text(n.Args[0]), item.A(), c.text(n.Args[0]))
			return false
		}
	}
	return true
}

func composite(t Type) bool { return t.Kind == expr.TypeArray || t.Kind == expr.TypeObject }

// accepts reports whether some form of the function takes the type at a place among n arguments.
func accepts(f *expr.Function, i, n int, t Type) bool {
	return slices.ContainsFunc(f.Overloads, func(o expr.Overload) bool {
		p, ok := param(o, i, n)
		return ok && p.Accepts(t.basic())
	})
}

func param(o expr.Overload, i, n int) (expr.Type, bool) {
	if n < len(o.Params) || n > len(o.Params) && !o.Variadic {
		return expr.Type{}, false
	}
	return o.Params[min(i, len(o.Params)-1)], true
}

// wanted names the kinds that a function takes at a place.
func wanted(f *expr.Function, i, n int) string {
	var words []string
	for _, o := range f.Overloads {
		if p, ok := param(o, i, n); ok {
			word := fromBasic(p).A()
			if p.Kind == expr.TypeArray && p.ItemType().Kind != expr.TypeAny {
				word += " of numbers"
			}
			if !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return strings.Join(words, " or ")
}

func position(i, n int) string {
	if n == 1 {
		return "there"
	}
	return fmt.Sprintf("as argument %d", i+1)
}

func argumentHint(name string, t Type, text string) string {
	switch {
	case name == "concat" && t.Kind == expr.TypeArray:
		return ", or write join(" + text + ", ',')"
	case (name == "max" || name == "min") && t.Kind == expr.TypeArray:
		return ", each for itself"
	}
	return ""
}

// shards reports a number of buckets that is not positive.
func (c *checker) shards(n *spec.Call) {
	v, ok := ConstantOf(n.Args[1])
	if !ok || !v.IsNumber() {
		return
	}
	if expr.Order(v, expr.Int(1)) < 0 {
		c.problem(BadCount, n.Args[1].Range(), "shard needs at least 1 bucket, not %s; write shard(%s, 16)", v.Text(), c.text(n.Args[0]))
	} else if _, whole := v.AsInt(); !whole {
		c.problem(BadCount, n.Args[1].Range(), "shard makes a whole number of buckets, not %s; write shard(%s, 16)", v.Text(), c.text(n.Args[0]))
	}
}
