// Package actions holds the rules on actions, listeners and sagas: which op may stand in which phase, and what is there twice.
package actions

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// Rules returns the rules of this package.
func Rules() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		{Doc: docPhase, Run: runPhases},
		{Doc: docReject, Run: runRejects},
		{Doc: docLookup, Requires: analysis.NeedSites, Run: runLookups},
		{Doc: docRuleName, Run: runRuleNames},
		{Doc: docContinue, Run: runContinue},
		{Doc: docStepName, Run: runStepNames},
		{Doc: docStepEvent, Run: runStepEvents},
	}
}

// The phases of an action.
const (
	preflight   = "preflight"
	core        = "core"
	sideEffects = "side_effects"
)

// phaseOf names a phase as the language does, whatever spelling the author used.
func phaseOf(a *spec.Action, ph *spec.Phase) string {
	switch ph {
	case a.Preflight:
		return preflight
	case a.Core:
		return core
	}
	return sideEffects
}

func runPhases(p *analysis.Pass) error {
	for _, a := range p.Program.Actions {
		symbols.EachOp(a, func(ph *spec.Phase, _ *spec.Rule, op *spec.Op) {
			if d := misplaced(phaseOf(a, ph), op); d.Message != "" {
				d.Span = op.Kind.Span()
				p.Report(d)
			}
		})
	}
	return nil
}

// misplaced says what is wrong with an op in a phase; the message is empty where nothing is.
func misplaced(phase string, op *spec.Op) spec.Diagnostic {
	kind := symbols.Text(op.Kind)
	switch {
	case kind == "decision" && phase != sideEffects:
		return spec.Diagnostic{Message: fmt.Sprintf("a decision asks a model, which takes seconds and may answer differently each time, so it can't run in %s; "+
			"move it to side_effects", phase)}
	case phase == preflight && (kind == "emit" || kind == "emit_each"):
		return spec.Diagnostic{Message: kind + " in preflight would tell of something that may still be rejected; move it to core"}
	case phase == preflight && (kind == "submit" || kind == "schedule"):
		return spec.Diagnostic{Message: kind + " in preflight would start something although the intent may still be rejected; move it to side_effects"}
	case phase == preflight && changes(op):
		return spec.Diagnostic{Message: fmt.Sprintf("%s changes state, and preflight only decides whether the intent is taken; move it to core", kind)}
	case phase == core && (kind == "submit" || kind == "schedule"):
		return spec.Diagnostic{Severity: spec.Warning, Message: fmt.Sprintf("%s reaches beyond the transaction that core is, and would remain if that fails; move it to side_effects", kind)}
	}
	return spec.Diagnostic{}
}

// changes reports whether an op changes entities, rather than the scratch space of the action.
func changes(op *spec.Op) bool {
	switch symbols.Text(op.Kind) {
	case "relationship_create", "relationship_remove", "compute_regen":
		return true
	case "set", "add", "sub", "unset", "merge", "push", "increment", "update":
		return !scratch(op.Path)
	case "remove", "filter", "map", "sort":
		if op.Into == nil {
			return op.Path != nil && !scratch(op.Path)
		}
		fallthrough
	case "find", "clone":
		return strings.Contains(symbols.Text(op.Into), "/") && !scratch(op.Into)
	}
	return false
}

// scratch reports whether a path lies below a name that the runtime keeps for the action.
func scratch(path *spec.Scalar) bool {
	return strings.HasPrefix(strings.TrimPrefix(symbols.Text(path), "/"), "_")
}

func runRejects(p *analysis.Pass) error {
	for _, a := range p.Program.Actions {
		symbols.EachOp(a, func(ph *spec.Phase, _ *spec.Rule, op *spec.Op) {
			phase := phaseOf(a, ph)
			if symbols.Text(op.Kind) != "reject" || phase == preflight {
				return
			}
			why := "other ops of core have run when it comes"
			if phase == sideEffects {
				why = "it comes after the commit and undoes nothing"
			}
			p.Reportf(op.Kind.Span(), "reject refuses an intent before anything happens, but in %s %s; move the check to preflight", phase, why)
		})
	}
	return nil
}

// runLookups finds readings of other entities where none may be read.
func runLookups(p *analysis.Pass) error {
	for _, a := range p.Program.Actions {
		symbols.EachOp(a, func(ph *spec.Phase, _ *spec.Rule, op *spec.Op) {
			if phase := phaseOf(a, ph); symbols.Text(op.Kind) == "lookup" && phase != preflight {
				p.Reportf(op.Kind.Span(), "lookup in %s would read another entity within this one's commit, which sees no other; "+
					"look it up in preflight and read what it bound", phase)
			}
		})
	}
	for i := range p.Sites {
		s := &p.Sites[i]
		if s.Projection != nil || s.Action != nil && s.Phase != nil && phaseOf(s.Action, s.Phase) == preflight {
			continue
		}
		spec.Walk(s.Expr.Root, func(n spec.Node) bool {
			call, ok := n.(*spec.Call)
			if ok && (call.Name == "lookup" || call.Name == "LOOKUP_FIELD") {
				p.Reportf(s.Expr.Span(call.Fn), "%s() reads another entity, which only preflight and projections can; %s", call.Name, insteadOfLookup(s))
			}
			return true
		})
	}
	return nil
}

func insteadOfLookup(s *sites.Site) string {
	switch {
	case s.Action != nil && s.Phase != nil:
		return "look it up in preflight with `op: lookup`, and read what it bound"
	case s.Query != nil:
		return "join the projection that holds the value"
	}
	return "carry the value in the event's payload"
}

func runRuleNames(p *analysis.Pass) error {
	for _, a := range p.Program.Actions {
		first := map[string]*spec.Scalar{}
		for _, ph := range symbols.Phases(a) {
			for _, r := range ph.Rules {
				if r.Name == nil {
					continue
				}
				if before := first[r.Name.Value]; before != nil {
					p.Report(spec.Diagnostic{
						Span:    r.Name.Span(),
						Message: fmt.Sprintf("action %s has two rules called %s, and a trace can't tell which of them ran; rename one", symbols.Text(a.Name), r.Name.Value),
						Related: []spec.Related{{Span: before.Span(), Message: "the first one"}},
					})
					continue
				}
				first[r.Name.Value] = r.Name
			}
		}
	}
	return nil
}

func runContinue(p *analysis.Pass) error {
	for _, a := range p.Program.Actions {
		for _, ph := range symbols.Phases(a) {
			for _, r := range ph.Rules {
				looseContinue(p, r.Then)
			}
		}
	}
	return nil
}

// looseContinue reports continues outside of loops.
func looseContinue(p *analysis.Pass, ops []*spec.Op) {
	for _, op := range ops {
		if op == nil {
			continue
		}
		switch symbols.Text(op.Kind) {
		case "for_each", "foreach":
		case "continue":
			p.Reportf(op.Kind.Span(), "continue goes on with the next item of a for_each, and there is none around it; write stop to end the rule")
		default:
			looseContinue(p, op.Then)
			looseContinue(p, op.Else)
		}
	}
}
