package types

import (
	"fmt"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// runStateValues holds what ops write to the fields that the state declares.
func runStateValues(p *analysis.Pass) error {
	eachOp(p, func(sc opScope, op *spec.Op) {
		o := opChecker{p: p, sc: sc, op: op, kind: symbols.Text(op.Kind)}
		o.check()
	})
	return nil
}

// opChecker checks one op against the state.
type opChecker struct {
	p    *analysis.Pass
	sc   opScope
	op   *spec.Op
	kind string
}

func (o opChecker) check() {
	path := pathOf(o.op)
	var t types.Type
	if path != nil && o.sc.state != nil {
		t = o.p.Types.Path(o.sc.state, path).Type
	}
	switch o.kind {
	case "set":
		o.fit(path).value(t, o.op.Value)
	case "add", "sub", "increment":
		o.number(path, t)
	case "push":
		if o.must(path, t.MayBeArray(), t, "an array") {
			f := o.fit(path)
			f.what = "an item of " + f.what
			f.value(t.ItemType(), o.op.Value)
		}
	case "merge":
		if o.must(path, t.MayBeObject(), t, "an object") {
			o.merge(path, t)
		}
	case "remove", "filter", "find", "map", "sort":
		if path != nil {
			o.must(path, t.MayBeArray(), t, "an array")
			return
		}
		o.list(o.op.FromExpr)
	case "for_each", "foreach":
		o.list(o.op.ForEach)
	case "emit_each":
		if o.op.From != nil {
			o.must(o.op.From, t.MayBeArray(), t, "an array")
			return
		}
		o.list(o.op.FromExpr)
	}
}

func (o opChecker) fit(path *spec.Scalar) fitter {
	return fitter{p: o.p, what: o.what(path)}
}

func (o opChecker) what(path *spec.Scalar) string {
	what := "field " + symbols.Text(path)
	if o.sc.state != nil {
		what += " of " + called("state", o.sc.state.Name)
	}
	return what
}

// must reports a path to something else than the op works on.
func (o opChecker) must(path *spec.Scalar, ok bool, t types.Type, want string) bool {
	if !ok {
		o.p.Reportf(path.Span(), "%s is %s, and %s works on %s; %s", o.what(path), t.A(), o.kind, want, opHint(o.kind, t))
	}
	return ok
}

func opHint(kind string, t types.Type) string {
	switch {
	case kind == "push" || kind == "merge" || kind == "add" || kind == "sub" || kind == "increment":
		if t.Kind != expr.TypeArray {
			return "use set, or correct the path"
		}
		return "use push, or correct the path"
	}
	return "correct the path"
}

// number checks add, sub and increment.
func (o opChecker) number(path *spec.Scalar, t types.Type) {
	if path == nil || !o.must(path, t.MayBeNumber(), t, "a number") {
		return
	}
	c := columnChecker{p: o.p}
	if o.op.Value != nil && c.number(o.op.Value, o.kind) && t.Kind == expr.TypeInt && o.op.Value.Kind == spec.ValueConst {
		o.fit(path).value(t, o.op.Value)
	}
	if o.op.CapMin != nil {
		c.number(o.op.CapMin, "cap.min")
	}
	if o.op.CapMax != nil {
		c.number(o.op.CapMax, "cap.max")
	}
}

func (o opChecker) merge(path *spec.Scalar, t types.Type) {
	v := o.op.Value
	if v == nil {
		return
	}
	if t.IsAny() {
		t = types.Object()
	}
	f := o.fit(path)
	f.hint = "; merge takes a map"
	f.value(t, v)
}

// list reports a loop over what is no list.
func (o opChecker) list(e *spec.Expr) {
	if e == nil || e.Root == nil {
		return
	}
	if id, ok := e.Root.(*spec.Ident); ok && o.unknownWord(id) {
		o.p.Reportf(e.Span(id), "nothing gives %s a value before this: neither as nor into binds it; for a field of the state write entity.%s", id.Name, id.Name)
		return
	}
	if t := o.p.Types.Of(e); !t.MayBeArray() && t.Kind != expr.TypeObject {
		o.p.Reportf(e.Span(e.Root), "%s is %s, and %s works on an array", types.Text(e, e.Root), t.A(), o.kind)
	}
}

// unknownWord reports whether a lone word can't be read: no op binds it, and there is no item whose field it could be.
func (o opChecker) unknownWord(id *spec.Ident) bool {
	return o.sc.action != nil && id.Name != "it" && id.Name != "item" && !sites.BoundNames(o.sc.action)[id.Name] && !o.p.Types.InLoop(o.sc.action, o.op)
}

// runDefaults holds defaults to the types of their fields.
func runDefaults(p *analysis.Pass) error {
	for _, s := range p.Program.States {
		defaults(p, s.Fields, " of "+called("state", s.Name))
	}
	for _, e := range p.Program.Events {
		defaults(p, e.Payload, " of "+called("event", e.Name))
	}
	for _, a := range p.Program.Actions {
		defaults(p, a.Input, " of "+called("action", a.Name))
	}
	for _, q := range p.Program.Queries {
		defaults(p, q.Input, " of "+called("query", q.Name))
	}
	for _, d := range p.Program.Decisions {
		defaults(p, d.Input, " of "+called("decision", d.Name))
		defaults(p, d.Output, " of "+called("decision", d.Name))
	}
	return nil
}

func defaults(p *analysis.Pass, fields []*spec.Field, of string) {
	for _, f := range fields {
		if f.Default != nil {
			what := fmt.Sprintf("%s%s", symbols.Text(f.Name), of)
			fitter{p: p, what: what, hint: "; correct the default or the type"}.value(types.Field(f), f.Default)
		}
		defaults(p, f.ItemFields, " of "+symbols.Text(f.Name)+of)
	}
}
