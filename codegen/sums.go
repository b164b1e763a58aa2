package codegen

import (
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// lowerSums lowers the event's aggregates and the columns of an increment.
func (l *lowering) lowerSums() {
	for _, a := range l.aggregate {
		l.lowerAggregate(a)
	}
	if l.mutation == nil || opOf(l.mutation) != opIncrement {
		return
	}
	for _, e := range l.mutation.Set {
		sum := ir.Sum{Column: e.Key.Value, Op: ir.SumAdd}
		if !isNull(e.Value) {
			sum.By = l.value(e.Value)
		}
		l.addSum(e.Key, sum)
	}
}

func isNull(v *spec.Value) bool {
	return v == nil || v.Kind == spec.ValueConst && v.Const != nil && v.Const.Kind == spec.LitNull
}

func (l *lowering) lowerAggregate(a *spec.Aggregate) {
	sum := ir.Sum{Column: a.Column.Value, Op: ir.SumAdd}
	if a.Op != nil {
		sum.Op = a.Op.Value
	}
	switch sum.Op {
	case ir.SumAdd, ir.SumSub, ir.SumSet:
	default:
		l.report(ruleOp, a.Op.Span(), "%q is not an aggregate operation", sum.Op)
		return
	}
	if a.By != nil {
		sum.By = l.value(a.By)
	}
	if a.When != nil {
		sum.When = l.expr(a.When)
	}
	if a.Floor != nil {
		sum.Floor = l.value(a.Floor)
	}
	if a.Ceil != nil {
		sum.Ceil = l.value(a.Ceil)
	}
	l.addSum(a.Column, sum)
}

func (l *lowering) addSum(at *spec.Scalar, sum ir.Sum) {
	for _, other := range l.handler.Sums {
		if other.Column == sum.Column {
			l.report(ruleRole, at.Span(), "%s is counted twice at %s, by an increment and by an aggregate; keep one, and add both amounts in its by", sum.Column, l.event)
			return
		}
	}
	l.handler.Sums = append(l.handler.Sums, sum)
	if sum.By != nil {
		l.inferSum(sum.Column, sum.By)
	}
}
