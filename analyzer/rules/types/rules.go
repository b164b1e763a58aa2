// Package types holds the rules on types: values that can't be what they are used for, whatever happens at run time.
package types

import (
	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/spec"
)

// Rules returns the rules of this package.
func Rules() []*analysis.Analyzer {
	rule := func(doc spec.RuleDoc, run func(*analysis.Pass) error) *analysis.Analyzer {
		return &analysis.Analyzer{Doc: doc, Requires: analysis.NeedTypes, Run: run}
	}
	naming := func(doc spec.RuleDoc, run func(*analysis.Pass) error) *analysis.Analyzer {
		a := rule(doc, run)
		a.Names = true
		return a
	}
	absence := func(a *analysis.Analyzer) *analysis.Analyzer {
		a.Absent = analysis.InDefinition
		return a
	}
	return []*analysis.Analyzer{
		naming(docUnknownPath, runPaths),
		naming(docMember, problems(types.NoMember)),
		rule(docOperand, problems(types.BadOperand)),
		rule(docArgument, problems(types.BadArgument)),
		rule(docCondition, runConditions),
		rule(docColumn, runColumns),
		rule(docAggregate, runAggregates),
		rule(docStateValue, runStateValues),
		rule(docDefault, runDefaults),
		absence(naming(docMissingField, runMissingFields)),
		naming(docExtraField, runExtraFields),
		rule(docPayloadType, runPayloadTypes),
		absence(naming(docMissingInput, runMissingInputs)),
		naming(docExtraInput, runExtraInputs),
		rule(docInputType, runInputTypes),
		rule(docID, runIDs),
		rule(docQueryValue, runQueryValues),
		rule(docQueryNumber, runQueryNumbers),
		rule(docJoin, runJoins),
		rule(docZero, problems(types.ZeroDivision)),
		absence(rule(docConstant, runConstantConditions)),
		rule(docUnreachable, runUnreachable),
		rule(docRange, runRanges),
	}
}

// called names a thing in a message, such as "projection seats".
func called(kind string, name *spec.Scalar) string {
	if name == nil {
		return "a " + kind
	}
	return kind + " " + name.Value
}

// eachOp visits the ops of all actions and listeners.
func eachOp(p *analysis.Pass, visit func(opScope, *spec.Op)) {
	for i := range p.Types.Ops {
		s := &p.Types.Ops[i]
		visit(opScope{action: s.Action, listener: s.Listener, state: s.State}, s.Op)
	}
}

// opScope is where an op stands.
type opScope struct {
	action   *spec.Action   // nil in a listener
	listener *spec.Listener // nil in an action
	state    *spec.State
}

// who names what has the op, in a sentence.
func (s opScope) who() string {
	if s.action != nil {
		return called("action", s.action.Name)
	}
	return "the listener on " + symbols.Text(s.listener.On)
}

// pathOf returns the scalar that says what an op works on.
func pathOf(op *spec.Op) *spec.Scalar {
	if op.Path != nil {
		return op.Path
	}
	if op.Field != nil {
		return op.Field
	}
	return op.From
}
