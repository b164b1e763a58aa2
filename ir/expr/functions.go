package expr

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Overload is one way to call a function.
type Overload struct {
	Params []Type
	// Variadic functions take any number of further arguments of the last parameter's type.
	Variadic bool
	Result   Type
}

// Example shows a call and what it gives, in the language's own text.
type Example struct {
	Expr   string
	Result string
}

// Function is a function of the language: what the checker, the evaluator, the documentation and completion know of it.
type Function struct {
	Name      string
	Overloads []Overload
	Doc       string // one or two sentences
	Examples  []Example
	// Deterministic functions depend on their arguments only (lookups: on their arguments and the entities' state).
	Deterministic bool
	// Forbidden names have no meaning at all in an expression: they are in the table so that messages can say so.
	Forbidden bool
	// Snapshot functions read the state of another entity.
	Snapshot bool

	call  func(env *Env, args []Value) (Value, error)
	infer func(args []Type) Type // refines Result where it depends on the arguments
}

// table is built once and never changes.
var table = sync.OnceValue(buildTable)

func buildTable() map[string]*Function {
	functions := make(map[string]*Function)
	for _, group := range [][]*Function{scalarFunctions(), arrayFunctions(), timeFunctions(), snapshotFunctions(), neverFunctions()} {
		for _, f := range group {
			functions[f.Name] = f
		}
	}
	return functions
}

// LookupFunction returns the function of that name, which is case-sensitive.
func LookupFunction(name string) (*Function, bool) {
	f, ok := table()[name]
	return f, ok
}

// Functions returns all functions sorted by name, the never allowed ones included.
func Functions() []*Function {
	list := make([]*Function, 0, len(table()))
	for _, f := range table() {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b *Function) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Allowed reports whether an executed expression may call the function.
func (f *Function) Allowed() bool { return f.Deterministic && !f.Forbidden }

// Arity returns the least and the greatest number of arguments; max is -1 where there is no bound.
func (f *Function) Arity() (least, most int) {
	least = -1
	for _, o := range f.Overloads {
		if least < 0 || len(o.Params) < least {
			least = len(o.Params)
		}
		switch {
		case o.Variadic || most < 0:
			most = -1
		default:
			most = max(most, len(o.Params))
		}
	}
	return max(least, 0), most
}

// CheckArity returns a *TypeError if the function cannot take n arguments.
func (f *Function) CheckArity(n int) error {
	least, most := f.Arity()
	if n >= least && (most < 0 || n <= most) {
		return nil
	}
	return &TypeError{Message: fmt.Sprintf("%s takes %s, not %d", f.Name, arityText(least, most), n)}
}

func arityText(least, most int) string {
	switch {
	case most < 0:
		return fmt.Sprintf("%d or more arguments", least)
	case least != most:
		return fmt.Sprintf("%d to %d arguments", least, most)
	case least == 1:
		return "1 argument"
	default:
		return fmt.Sprintf("%d arguments", least)
	}
}

// Result returns the type of a call with arguments of those types. The error, a *TypeError, says what does not fit; it is
// given only where the call fails for every value but null.
func (f *Function) Result(args []Type) (Type, error) {
	if f.Forbidden {
		return Any(), &TypeError{Message: f.Name + " is not allowed in expressions"}
	}
	if err := f.CheckArity(len(args)); err != nil {
		return Any(), err
	}
	for i := range f.Overloads {
		o := &f.Overloads[i]
		if !o.accepts(args) {
			continue
		}
		if f.infer != nil {
			return f.infer(args), nil
		}
		return f.overloadResult(i, args), nil
	}
	return Any(), &TypeError{Message: fmt.Sprintf("%s does not take %s; it is %s", f.Name, typeList(args), f.Signature())}
}

// overloadResult joins the results of the overload at i and of every later one that the arguments may also mean.
func (f *Function) overloadResult(i int, args []Type) Type {
	result := f.Overloads[i].Result
	for j := i + 1; j < len(f.Overloads); j++ {
		if f.Overloads[j].accepts(args) {
			result = Join(result, f.Overloads[j].Result)
		}
	}
	return result
}

func (o *Overload) accepts(args []Type) bool {
	if len(args) < len(o.Params) || (len(args) > len(o.Params) && !o.Variadic) {
		return false
	}
	for i, arg := range args {
		if !o.Params[min(i, len(o.Params)-1)].Accepts(arg) {
			return false
		}
	}
	return true
}

func typeList(types []Type) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.String()
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// Signature returns the function's overloads as text, such as "shard(any, int) -> int".
func (f *Function) Signature() string {
	lines := make([]string, len(f.Overloads))
	for i, o := range f.Overloads {
		params := strings.TrimSuffix(typeList(o.Params), ")")
		if o.Variadic {
			params += ", ..."
		}
		lines[i] = f.Name + params + ") -> " + o.Result.String()
	}
	return strings.Join(lines, " or ")
}
