// Package unused holds the rules on what a program defines and never uses. All of them are hints: what is unused here may
// be used by other programs, or be meant for later.
package unused

import (
	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/uses"
	"github.com/causetc/causetc/spec"
)

// Rules returns the rules of this package.
func Rules() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		{Doc: docNeverEmitted, Absent: analysis.InProgram, Names: true, Requires: analysis.NeedUses, Run: runNeverEmitted},
		{Doc: docNeverConsumed, Absent: analysis.InProgram, Names: true, Requires: analysis.NeedUses, Run: runNeverConsumed},
		{Doc: docInput, Absent: analysis.InDefinition, Names: true, Requires: analysis.NeedUses, Run: runInputs},
		{Doc: docColumn, Absent: analysis.InDefinition, Names: true, Requires: analysis.NeedUses, Run: runColumns},
		{Doc: docProjection, Absent: analysis.InProgram, Names: true, Requires: analysis.NeedUses, Run: runProjections},
		{Doc: docParameter, Absent: analysis.InDefinition, Requires: analysis.NeedUses, Run: runParameters},
		{Doc: docDefinition, Absent: analysis.InProgram, Names: true, Requires: analysis.NeedUses, Run: runDefinitions},
		{Doc: docBound, Absent: analysis.InDefinition, Requires: analysis.NeedUses, Run: runBound},
	}
}

// platforms reports whether the platform makes or reads an event by itself.
func platforms(p *analysis.Pass, e *spec.Event) bool {
	return symbols.Text(e.Kind) == "system" || p.Symbols.PlatformEmits(symbols.Text(e.Name)) || len(p.Symbols.Deciders(symbols.Text(e.Name))) > 0
}

// misspelled reports whether a name seems to be used after all, under a name that is not defined and has been reported.
func misspelled(p *analysis.Pass, of string, name *spec.Scalar) bool {
	return name != nil && len(p.Uses.Missing[of]) > 0 && p.Nearest(name.Value, p.Uses.Missing[of]) != ""
}

func runNeverEmitted(p *analysis.Pass) error {
	if len(p.Program.Actions) == 0 {
		return nil
	}
	for _, e := range p.Program.Events {
		if e.Name == nil || platforms(p, e) || len(p.Symbols.Emits(e.Name.Value)) > 0 || misspelled(p, symbols.Event.String(), e.Name) {
			continue
		}
		p.Reportf(e.Name.Span(), "no action or decision emits event %s, so what waits for it never runs; emit it, or remove it", e.Name.Value)
	}
	return nil
}

func runNeverConsumed(p *analysis.Pass) error {
	if len(p.Program.Projections) == 0 {
		return nil
	}
	for _, e := range p.Program.Events {
		if e.Name == nil || platforms(p, e) || p.Uses.Consumed[e.Name.Value] || misspelled(p, symbols.Event.String(), e.Name) {
			continue
		}
		p.Reportf(e.Name.Span(), "nothing takes event %s: no projection, listener, saga or memory names it; list it in source_events where it matters, or remove it", e.Name.Value)
	}
	return nil
}

func runInputs(p *analysis.Pass) error {
	starts := map[*spec.Action]bool{}
	for _, e := range p.Program.Envelopes {
		starts[p.Symbols.Actions[symbols.Text(e.StartAction)]] = true
	}
	for _, a := range p.Program.Actions {
		if starts[a] || p.Uses.Whole[a] || !hasRules(a) || misspelled(p, symbols.Action.String(), a.Name) {
			continue
		}
		for _, f := range a.Input {
			if f.Name != nil && !p.Uses.Fields[f] && f.Name.Value != "idempotency_key" && !misspelled(p, uses.Inputs(symbols.Action, a.Name), f.Name) {
				p.Reportf(f.Name.Span(), "action %s never reads its input %s, so callers fill it in for nothing; use it, or remove it", symbols.Text(a.Name), f.Name.Value)
			}
		}
	}
	return nil
}

// hasRules reports whether an action does anything in this program; others are carried out elsewhere, with all inputs.
func hasRules(a *spec.Action) bool {
	for _, ph := range symbols.Phases(a) {
		if len(ph.Rules) > 0 {
			return true
		}
	}
	return false
}

func runColumns(p *analysis.Pass) error {
	type column struct {
		table *symbols.TableInfo
		name  string
	}
	reported := map[column]bool{}
	for _, pr := range p.Program.Projections {
		table := p.Symbols.Tables[symbols.TableName(pr)]
		if table == nil {
			continue
		}
		for _, c := range pr.Fields {
			// in a key, a missing value has a rule of its own
			if c.Name == nil || table.Columns[c.Name.Value] != symbols.Declared || c.Name.Value == "shard_id" || misspelled(p, uses.Columns(table), c.Name) {
				continue
			}
			if reported[column{table, c.Name.Value}] {
				continue
			}
			reported[column{table, c.Name.Value}] = true
			p.Reportf(c.Name.Span(), "projection %s declares column %s, but no event writes it, so it is always null; add it to derive, or remove it",
				symbols.Text(pr.Name), c.Name.Value)
		}
	}
	return nil
}

func runProjections(p *analysis.Pass) error {
	if len(p.Program.Queries) == 0 {
		return nil
	}
	for _, pr := range p.Program.Projections {
		table := p.Symbols.Tables[symbols.TableName(pr)]
		if pr.Name == nil || p.Uses.Tables[table] || misspelled(p, symbols.Projection.String(), pr.Name) || misspelled(p, symbols.Projection.String(), pr.Table) {
			continue
		}
		if table != nil && table.Projections[0] != pr {
			continue // said of the first
		}
		p.Reportf(pr.Name.Span(), "no query reads table %s of projection %s, so the worker keeps it for nothing; add a query, or remove the projection", symbols.TableName(pr), pr.Name.Value)
	}
	return nil
}

func runParameters(p *analysis.Pass) error {
	for _, q := range p.Program.Queries {
		for _, f := range q.Input {
			if f.Name != nil && f.Name.Value != "limit" && !p.Uses.Fields[f] && !misspelled(p, uses.Inputs(symbols.Query, q.Name), f.Name) {
				p.Reportf(f.Name.Span(), "query %s never uses its input %s, so it returns the same whatever is given; write input.%[2]s in where, or remove it",
					symbols.Text(q.Name), f.Name.Value)
			}
		}
	}
	return nil
}

func runBound(p *analysis.Pass) error {
	for _, a := range p.Program.Actions {
		symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
			unread := func(s *spec.Scalar, otherwise string) {
				if s != nil && s.Value != "" && plain(s.Value) && !p.Uses.Bound[uses.Bound{Action: a, Name: s.Value}] && !misspelled(p, uses.Names(a), s) {
					p.Reportf(s.Span(), "nothing reads %s, which this %s binds; %s", s.Value, symbols.Text(op.Kind), otherwise)
				}
			}
			unread(op.As, "read it, or leave as out")
			unread(op.Into, "read it, or remove the op")
		})
	}
	return nil
}

// plain reports whether a text is a name and no path.
func plain(s string) bool {
	for _, r := range s {
		if r == '/' || r == '.' {
			return false
		}
	}
	return true
}
