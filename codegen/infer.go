package codegen

import (
	"slices"
	"strings"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// inference is what is known of the column type that values need.
type inference struct {
	typ      ir.SQLType
	known    bool
	conflict bool // no type holds all of the values
}

func known(name ir.TypeName) inference { return inference{typ: ir.SQLType{Name: name}, known: true} }

// join returns what holds the values of both: a wider number, the text of a typed text, or JSON.
func (a inference) join(b inference) inference {
	x, y := a.typ.Name, b.typ.Name
	texts := []ir.TypeName{ir.Text, ir.UUID, ir.Date, ir.TimestampTZ}
	switch {
	case a.conflict || !b.known && !b.conflict:
		return a
	case b.conflict || !a.known, a.typ == b.typ:
		return b
	case a.typ.IsNumber() && b.typ.IsNumber() && (x == ir.Double || y == ir.Double):
		return known(ir.Double)
	case a.typ.IsNumber() && b.typ.IsNumber():
		return known(ir.Numeric)
	case x == ir.JSONB || y == ir.JSONB:
		return known(ir.JSONB)
	case slices.Contains(texts, x) && slices.Contains(texts, y):
		return known(ir.Text)
	}
	return inference{conflict: true}
}

// infer notes the type of a value that an event writes to a column.
func (l *lowering) infer(column string, value *ir.Expr) {
	if a := l.byColumn[column]; a != nil && a.value == nil {
		return // the bucket's type is known
	}
	if col := l.p.table.byName[column]; col != nil && col.declared == nil {
		col.inferred = col.inferred.join(l.typeOf(value))
	}
}

// inferSum notes the type of an amount: counting starts with integers, and what is not known may be any number.
func (l *lowering) inferSum(column string, by *ir.Expr) {
	col := l.p.table.byName[column]
	if col == nil || col.declared != nil {
		return
	}
	amount := l.typeOf(by)
	if !amount.typ.IsNumber() || amount.typ.Name == ir.Double {
		amount = known(ir.Numeric)
	}
	col.inferred = col.inferred.join(amount)
}

// typeOf infers the column type of a value. Nothing is known of null, and of what the program does not declare.
func (l *lowering) typeOf(e *ir.Expr) inference {
	switch e.Op {
	case ir.OpBool:
		return known(ir.Boolean)
	case ir.OpInt:
		return known(ir.BigInt)
	case ir.OpDecimal:
		return known(ir.Numeric)
	case ir.OpString:
		return known(ir.Text)
	case ir.OpList, ir.OpObject, ir.OpPayload, ir.OpResource, ir.OpLookup:
		return known(ir.JSONB)
	case ir.OpEnvelope:
		if e.Name == "ts" || e.Name == "version" {
			return known(ir.BigInt)
		}
		return known(ir.Text)
	case ir.OpDerived:
		return l.types[e.Name]
	case ir.OpMember, ir.OpIndex:
		return l.pathType(e)
	}
	return l.operationType(e)
}

func (l *lowering) operationType(e *ir.Expr) inference {
	switch {
	case e.Op == ir.OpUnary && e.Name == "-":
		return l.typeOf(e.Args[0])
	case e.Op == ir.OpUnary:
		return known(ir.Boolean)
	case e.Op == ir.OpBinary:
		return l.binaryType(e)
	case e.Op == ir.OpCond:
		return l.joined(e.Args[1:])
	case e.Op == ir.OpElvis:
		return l.joined(e.Args)
	case e.Op == ir.OpBucket:
		return known(ir.BigInt)
	case e.Op == ir.OpCall:
		return l.callType(e)
	}
	return inference{}
}

// joined is what holds the values of all operands; not known if nothing does.
func (l *lowering) joined(args []*ir.Expr) inference {
	var out inference
	for _, arg := range args {
		out = out.join(l.typeOf(arg))
	}
	if out.conflict {
		return inference{}
	}
	return out
}

func (l *lowering) binaryType(e *ir.Expr) inference {
	switch e.Name {
	case "+", "-", "*", "%":
		left, right := l.typeOf(e.Args[0]), l.typeOf(e.Args[1])
		if left.typ.Name == ir.BigInt && right.typ.Name == ir.BigInt {
			return known(ir.BigInt)
		}
		return known(ir.Numeric)
	case "/":
		return known(ir.Numeric)
	}
	return known(ir.Boolean)
}

func (l *lowering) callType(e *ir.Expr) inference {
	switch e.Name {
	case "coalesce", "isnull", "max", "min":
		return l.joined(e.Args)
	}
	f, ok := expr.LookupFunction(e.Name)
	if !ok {
		return inference{}
	}
	args := make([]expr.Type, len(e.Args))
	for i, arg := range e.Args {
		args[i] = valueType(l.typeOf(arg))
	}
	result, err := f.Result(args)
	if err != nil {
		return inference{}
	}
	return columnTypeOf(result)
}

// valueType is the type of the values behind a column type.
func valueType(t inference) expr.Type {
	switch {
	case t.typ.Name == ir.Boolean:
		return expr.Type{Kind: expr.TypeBool}
	case t.typ.Name == ir.BigInt:
		return expr.Type{Kind: expr.TypeInt}
	case t.typ.IsNumber():
		return expr.Type{Kind: expr.TypeDecimal}
	}
	return expr.Any() // a text or a moment in one of its forms
}

// columnTypeOf is the column type that holds values of a type.
func columnTypeOf(t expr.Type) inference {
	switch t.Kind {
	case expr.TypeBool:
		return known(ir.Boolean)
	case expr.TypeInt:
		return known(ir.BigInt)
	case expr.TypeDecimal:
		return known(ir.Numeric)
	case expr.TypeString:
		return known(ir.Text)
	case expr.TypeArray, expr.TypeObject:
		return known(ir.JSONB)
	}
	return inference{}
}

// pathType infers the type of what a path leads to, from the declarations of payload, state or resource.
func (l *lowering) pathType(e *ir.Expr) inference {
	var path []string
	root := e
	for root.Op == ir.OpMember || root.Op == ir.OpIndex {
		name := root.Name
		if root.Op == ir.OpIndex {
			name = anyKey
		}
		path = append(path, name)
		root = root.Args[0]
	}
	slices.Reverse(path)
	switch root.Op {
	case ir.OpPayload:
		if event := l.events[l.event]; event != nil {
			return declaredType(event.Payload, path)
		}
	case ir.OpLookup:
		return l.stateType(root.Name, path)
	case ir.OpResource:
		if r := l.resources[root.Name]; r != nil {
			return resourceType(r.Rows, path)
		}
	}
	return inference{}
}

// anyKey stands in a path for an index that is computed; no declared name is empty.
const anyKey = ""

// declaredType follows a path through declared fields and their items.
func declaredType(fields []*spec.Field, path []string) inference {
	for i, name := range path {
		f := fieldNamed(fields, name)
		if f == nil {
			return inference{}
		}
		rest := path[i+1:]
		if len(rest) > 0 && rest[0] == anyKey && len(f.ItemFields) == 0 {
			rest = rest[1:]
			if len(rest) > 0 || f.ItemType == nil {
				return inference{}
			}
			return inference{typ: fieldType(f.ItemType), known: true}
		}
		if len(rest) == 0 && f.Type != nil {
			return inference{typ: fieldType(f.Type), known: true}
		}
		fields = f.ItemFields
		if len(rest) > 0 && rest[0] == anyKey {
			return declaredType(fields, rest[1:])
		}
	}
	return inference{}
}

// stateType is the type of a state's field, whose name may be a slash path.
func (l *lowering) stateType(stream string, path []string) inference {
	name := strings.TrimSuffix(stream, streamSuffix)
	for _, s := range l.prog.States {
		if s.Name.Value != name {
			continue
		}
		for _, f := range s.Fields {
			if strings.Trim(f.Name.Value, "/") == strings.Join(path, "/") && f.Type != nil {
				return inference{typ: fieldType(f.Type), known: true}
			}
		}
	}
	return inference{}
}

// resourceType joins the types of all constants that a path may lead to.
func resourceType(entries []spec.ValueEntry, path []string) inference {
	var out inference
	for _, e := range entries {
		if path[0] != anyKey && path[0] != e.Key.Value || e.Value == nil {
			continue
		}
		if len(path) > 1 {
			out = out.join(resourceType(e.Value.Entries, path[1:]))
		} else {
			out = out.join(constantType(e.Value))
		}
	}
	if out.conflict {
		return inference{}
	}
	return out
}

func constantType(v *spec.Value) inference {
	if v.Kind != spec.ValueConst || v.Const == nil {
		return known(ir.JSONB)
	}
	switch v.Const.Kind {
	case spec.LitBool:
		return known(ir.Boolean)
	case spec.LitInt:
		return known(ir.BigInt)
	case spec.LitDecimal:
		return known(ir.Numeric)
	case spec.LitNull:
		return inference{}
	}
	return known(ir.Text)
}
