package analyzer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/parser/nearest"
	"github.com/causetc/causetc/spec"
)

// The rules on suppressions.
const (
	ruleNoReason    = "CS801"
	ruleUnknownRule = "CS802"
	ruleUnused      = "CS803"
)

func suppressionRules() []spec.RuleDoc {
	const program = `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  # causetc:ignore %s
  SEAT_TAKEN: { state: %s, entity_expr: event.show_id, payload: { show_id: string } }
`
	with := func(comment, state string) string { return fmt.Sprintf(program, comment, state) }
	good := with("CS303 -- the state is made by another team's program", "arena")
	return []spec.RuleDoc{
		{
			ID: ruleNoReason, Name: "suppression-without-reason", Severity: spec.Warning, Since: "0.1.0",
			Title: "A suppression gives no reason",
			Why:   "A suppression is how an author acknowledges a risk. Who reads it later needs to know why; without a reason it suppresses nothing.",
			Bad:   with("CS303", "arena"), Good: good,
			Fix: "Write the reason behind two dashes: # causetc:ignore CS303 -- why this is right here.",
		},
		{
			ID: ruleUnknownRule, Name: "suppression-of-unknown-rule", Severity: spec.Warning, Since: "0.1.0",
			Title: "A suppression names a rule that does not exist",
			Why:   "It suppresses nothing, and what it was meant for is still reported.",
			Bad:   with("CS3003 -- the state is made by another team's program", "show"), Good: good,
			Fix: "Correct the id of the rule, or remove the comment.",
		},
		{
			ID: ruleUnused, Name: "unused-suppression", Severity: spec.Warning, Since: "0.1.0",
			Title: "A suppression suppresses nothing",
			Why:   "What it was for is gone, and it would hide the next finding of that rule that nobody has thought about.",
			Bad:   with("CS303 -- the state is made by another team's program", "show"), Good: good,
			Fix: "Remove the comment, or the rule's id from it.",
		},
	}
}

// suppressor applies the suppressions of a program.
type suppressor struct {
	program *spec.Program
	opts    Options
	known   []string
	binding map[string]bool
	used    map[*spec.SuppressedRule]bool
	byFile  map[*spec.File][]*spec.Suppression
}

func newSuppressor(p *spec.Program, opts Options, rules []*analysis.Analyzer) *suppressor {
	s := &suppressor{program: p, opts: opts, binding: map[string]bool{}, used: map[*spec.SuppressedRule]bool{}}
	for _, doc := range Rules() {
		s.known = append(s.known, doc.ID)
	}
	for _, r := range rules {
		s.binding[r.Doc.ID] = r.Binding
	}
	s.byFile = map[*spec.File][]*spec.Suppression{}
	for i := range p.Suppressions {
		sup := &p.Suppressions[i]
		f := p.Set.File(sup.Span.Start)
		s.byFile[f] = append(s.byFile[f], sup)
	}
	return s
}

// apply drops the suppressed findings and adds those on the suppressions themselves.
func (s *suppressor) apply(list []spec.Diagnostic) []spec.Diagnostic {
	if len(s.program.Suppressions) == 0 {
		return list
	}
	kept := list[:0:0]
	for _, d := range list {
		if !s.suppressed(&d) {
			kept = append(kept, d)
		}
	}
	for i := range s.program.Suppressions {
		kept = append(kept, s.judge(&s.program.Suppressions[i])...)
	}
	return kept
}

// suppressed reports whether a finding is acknowledged. All suppressions that meant it count as used.
func (s *suppressor) suppressed(d *spec.Diagnostic) bool {
	found := false
	for _, sup := range s.byFile[s.program.Set.File(d.Span.Start)] {
		in := sup.Whole || sup.Scope.Start <= d.Span.Start && d.Span.Start < sup.Scope.End
		if !in || sup.Reason == "" {
			continue
		}
		for i := range sup.Rules {
			if sup.Rules[i].ID == d.Rule {
				s.used[&sup.Rules[i]] = true
				found = true
			}
		}
	}
	return found && !(s.opts.Binding && s.binding[d.Rule])
}

// judge reports what is wrong with a suppression itself.
func (s *suppressor) judge(sup *spec.Suppression) []spec.Diagnostic {
	var list []spec.Diagnostic
	report := func(rule string, at spec.Span, format string, args ...any) {
		d := spec.Diagnostic{Rule: rule, Severity: spec.Warning, Span: at, Message: fmt.Sprintf(format, args...)}
		d.Key = rule + " " + d.Message
		list = append(list, d)
	}
	if sup.Reason == "" {
		if i := slices.IndexFunc(sup.Rules, func(r spec.SuppressedRule) bool { return !looksLikeRule(r.ID) }); i >= 0 {
			report(ruleNoReason, sup.Rules[i].Span, "this is neither a rule nor a reason; a reason does not count unless you write it behind two dashes: "+
				"-- why this is right here")
			return list
		}
		report(ruleNoReason, sup.Span, "a suppression needs a reason, or it does not count; write it behind two dashes: -- why this is right here")
	}
	for i := range sup.Rules {
		switch r := &sup.Rules[i]; {
		case strings.HasPrefix(r.ID, "CS9"):
			report(ruleUnknownRule, r.Span, "%s is about what can't be compiled, which no suppression can change; mend it instead", r.ID)
		case !slices.Contains(s.known, r.ID):
			report(ruleUnknownRule, r.Span, "there is no rule %s; %s", r.ID, s.nearRule(r.ID))
		case sup.Reason != "" && !s.used[r] && !s.undecided():
			report(ruleUnused, r.Span, "there is no finding of %s here, so this suppresses nothing; remove it", r.ID)
		}
	}
	return list
}

// looksLikeRule reports whether a word has the form of a rule's id.
func looksLikeRule(word string) bool { return strings.HasPrefix(strings.ToUpper(word), "CS") }

func (s *suppressor) nearRule(id string) string {
	if near := nearest.Word(id, s.known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return "the rules are listed in the documentation"
}

// undecided reports whether a suppression may have a use that this run does not show: other workers have other hazards
// (those of the hosted one include all of causetc's), and a program that is not whole has other findings.
func (s *suppressor) undecided() bool {
	return s.opts.Target != analysis.Hosted || s.program.Incomplete
}
