package types

import (
	"fmt"
	"slices"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// fitter holds values to the types that are declared for them.
type fitter struct {
	p    *analysis.Pass
	what string // what the value is for, such as "field title of state show"
	hint string // what to do, empty for the usual
}

// value checks a value: every part of a map or list, and every branch of an expression, at its own place.
func (f fitter) value(want types.Type, v *spec.Value) {
	if v == nil || want.IsAny() {
		return
	}
	switch v.Kind {
	case spec.ValueMap:
		if !want.MayBeObject() {
			f.report(v.Span(), want, "a map")
			return
		}
		f.entries(want.Record, v)
	case spec.ValueList:
		if !want.MayBeArray() {
			f.report(v.Span(), want, "a list")
			return
		}
		item := f
		item.what = "an item of " + f.what
		for _, i := range v.Items {
			item.value(want.ItemType(), i)
		}
	case spec.ValueConst:
		if v.Const != nil && v.Src != nil {
			f.constant(want, v.Const, v.Src.Span())
		}
	case spec.ValueExpr:
		f.results(want, v.Expr)
	}
}

func (f fitter) entries(r *types.Record, v *spec.Value) {
	if r == nil {
		return
	}
	for _, e := range v.Entries {
		name := symbols.Text(e.Key)
		t, ok := r.Fields[name]
		if !ok {
			f.unknown(r, e.Key, v.Entries)
			continue
		}
		inner := f
		inner.what = name + " of " + f.what
		inner.value(t, e.Value)
	}
}

// unknown reports a key that a record does not have.
func (f fitter) unknown(r *types.Record, key *spec.Scalar, given []spec.ValueEntry) {
	if r.Open {
		return
	}
	at := key.Span()
	hint, fixes := f.p.Suggest(key.Value, notGiven(r, given), at, "")
	if hint == "" {
		if r.Loose {
			return
		}
		hint = "declare it there, or leave it out"
	}
	f.p.Report(spec.Diagnostic{Span: at, Severity: spec.Warning, Fixes: fixes, Message: fmt.Sprintf("%s has no field %s; %s", f.what, key.Value, hint)})
}

// notGiven returns the fields of a record that a map has no values for.
func notGiven(r *types.Record, given []spec.ValueEntry) []string {
	return slices.DeleteFunc(r.Names(), func(name string) bool {
		return slices.ContainsFunc(given, func(e spec.ValueEntry) bool { return symbols.Text(e.Key) == name })
	})
}

func (f fitter) results(want types.Type, e *spec.Expr) {
	for _, r := range f.p.Types.Results(e) {
		if lit, ok := r.Node.(*spec.Lit); ok {
			f.constant(want, lit, e.Span(lit))
		} else if !want.Takes(r.Type) {
			f.report(e.Span(r.Node), want, types.Text(e, r.Node)+", "+r.Type.A())
		}
	}
}

// constant checks a constant, whose very value is known.
func (f fitter) constant(want types.Type, lit *spec.Lit, at spec.Span) {
	have := types.Literal(lit)
	text := describe(lit)
	switch {
	case want.Takes(have):
		if why := misfit(want, lit); why != "" {
			f.p.Reportf(at, "%s is %s, and %s %s", f.what, want.A(), text, why)
		}
	case lit.Kind != spec.LitString && want.Kind == expr.TypeString:
		f.p.Reportf(at, "%s is %s, not %s; a text needs quotes: \"'%s'\"", f.what, want.A(), have.A(), lit.Text)
	default:
		f.report(at, want, text)
	}
}

// misfit says why a constant of the right kind is none of the type's values.
func misfit(want types.Type, lit *spec.Lit) string {
	value, ok := types.LiteralValue(lit)
	switch {
	case !ok:
	case want.Kind == expr.TypeInt && value.IsNumber():
		if _, whole := value.AsInt(); !whole {
			return "is no whole number; declare it number, or write a whole one"
		}
	case lit.Kind != spec.LitString || lit.Text == "":
	case want.Format == types.Moment && !types.Holds(value, ir.SQLType{Name: ir.TimestampTZ}):
		return "is no moment; write one such as 2024-05-31T10:00:00Z, or milliseconds"
	case want.Format == types.UUID && !types.Holds(value, ir.SQLType{Name: ir.UUID}):
		return "is no UUID, which has 32 hexadecimal digits"
	}
	return ""
}

// report says that a value is of another kind.
func (f fitter) report(at spec.Span, want types.Type, have string) {
	hint := f.hint
	if hint == "" {
		hint = "; give it " + want.A() + ", or correct the declared type"
	}
	f.p.Reportf(at, "%s is %s, and can't be %s%s", f.what, want.A(), have, hint)
}

func describe(lit *spec.Lit) string {
	if lit.Kind == spec.LitString {
		text := []rune(lit.Text)
		if len(text) > 40 {
			text = append(slices.Clone(text[:37]), '.', '.', '.')
		}
		return "the text '" + string(text) + "'"
	}
	return lit.Text
}
