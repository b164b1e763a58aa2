package analyzer

import (
	"bytes"
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
	order   *order
	opts    Options
	known   []string
	binding map[string]bool
	used    map[*spec.SuppressedRule]bool
	errors  bool               // there are errors, which may hide what a suppression is for
	scopes  map[string]*scopes // by rule
}

// scopes are where the findings of one rule are acknowledged.
type scopes struct {
	order *order
	list  []scope // by where they start
	next  int     // the first that the sweep over the findings has not reached
	open  []scope // reached, and perhaps not left
	whole map[*spec.File][]scope
}

type scope struct {
	span spec.Span
	rule *spec.SuppressedRule
	by   *spec.Suppression
}

func newSuppressor(p *spec.Program, opts Options, rules []*analysis.Analyzer) *suppressor {
	s := &suppressor{program: p, order: newOrder(p.Set), opts: opts, binding: map[string]bool{}, used: map[*spec.SuppressedRule]bool{}}
	for _, doc := range Rules() {
		s.known = append(s.known, doc.ID)
	}
	for _, r := range rules {
		s.binding[r.Doc.ID] = r.Binding
	}
	s.collect()
	return s
}

// collect sorts the scopes of the suppressions that count by rule and place.
func (s *suppressor) collect() {
	s.scopes = map[string]*scopes{}
	for i := range s.program.Suppressions {
		sup := &s.program.Suppressions[i]
		if sup.Reason == "" {
			continue
		}
		for j := range sup.Rules {
			r := &sup.Rules[j]
			of := s.scopes[r.ID]
			if of == nil {
				of = &scopes{order: s.order, whole: map[*spec.File][]scope{}}
				s.scopes[r.ID] = of
			}
			sc := scope{sup.Scope, r, sup}
			if f := s.program.Set.File(sup.Span.Start); sup.Whole {
				of.whole[f] = append(of.whole[f], sc)
			} else {
				of.list = append(of.list, sc)
			}
		}
	}
	for _, of := range s.scopes {
		slices.SortStableFunc(of.list, func(a, b scope) int { return s.order.compare(a.span.Start, b.span.Start) })
	}
}

// at returns the suppressions that mean a place. Places must come in order.
func (of *scopes) at(p spec.Pos) []scope {
	for ; of.next < len(of.list) && of.order.compare(of.list[of.next].span.Start, p) <= 0; of.next++ {
		of.open = append(of.open, of.list[of.next])
	}
	of.open = slices.DeleteFunc(of.open, func(sc scope) bool { return of.order.compare(sc.span.End, p) <= 0 })
	return of.open
}

// apply takes the suppressed findings out of a sorted list, and adds those on the suppressions themselves.
func (s *suppressor) apply(list []analysis.Finding) (kept []analysis.Finding, suppressed []Suppressed) {
	if len(s.program.Suppressions) == 0 {
		return list, nil
	}
	for _, f := range list {
		if by := s.suppression(&f.Diagnostic); by != nil && !(s.opts.Binding && s.binding[f.Rule]) {
			suppressed = append(suppressed, Suppressed{Finding: f.Diagnostic, By: *by})
			continue
		}
		kept = append(kept, f)
		s.errors = s.errors || f.Severity == spec.Error
	}
	for i := range s.program.Suppressions {
		for _, d := range s.judge(&s.program.Suppressions[i]) {
			kept = append(kept, analysis.Finding{Diagnostic: d})
		}
	}
	return kept, suppressed
}

// suppression returns what acknowledges a finding, or nil; of several the nearest. All that mean it count as used.
func (s *suppressor) suppression(d *spec.Diagnostic) *spec.Suppression {
	of := s.scopes[d.Rule]
	if of == nil {
		return nil
	}
	var by *spec.Suppression
	f := s.program.Set.File(d.Span.Start)
	for _, sc := range of.whole[f] {
		s.used[sc.rule] = true
		by = sc.by
	}
	of.whole[f] = of.whole[f][:min(1, len(of.whole[f]))] // the others are marked now
	for _, sc := range of.at(d.Span.Start) {
		s.used[sc.rule] = true
		by = sc.by
	}
	return by
}

// judge reports what is wrong with a suppression itself.
func (s *suppressor) judge(sup *spec.Suppression) []spec.Diagnostic {
	var list []spec.Diagnostic
	report := func(rule string, at spec.Span, format string, args ...any) *spec.Diagnostic {
		d := spec.Diagnostic{Rule: rule, Severity: spec.Warning, Span: at, Message: fmt.Sprintf(format, args...)}
		d.Key = rule + " " + d.Message
		list = append(list, d)
		return &list[len(list)-1]
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
			hint, fixes := s.nearRule(r)
			report(ruleUnknownRule, r.Span, "there is no rule %s; %s", r.ID, hint).Fixes = fixes
		case sup.Reason != "" && !s.used[r] && !s.undecided():
			report(ruleUnused, r.Span, "there is no finding of %s here, so this suppresses nothing; remove it", r.ID).Fixes = s.removal(sup, i)
		}
	}
	return list
}

// looksLikeRule reports whether a word has the form of a rule's id.
func looksLikeRule(word string) bool { return strings.HasPrefix(strings.ToUpper(word), "CS") }

// nearRule says which rule was probably meant.
func (s *suppressor) nearRule(r *spec.SuppressedRule) (hint string, fixes []spec.Fix) {
	near := nearest.Word(r.ID, s.known)
	if near == "" {
		return "the rules are listed in the documentation", nil
	}
	fix := spec.Fix{Message: "write " + near, Unsafe: true, Edits: []spec.Edit{{Span: r.Span, New: near}}} // it may hide a finding
	return fmt.Sprintf("did you mean %s?", near), []spec.Fix{fix}
}

// removal takes one rule out of a suppression, and the whole comment if it is the only one. Beside errors it is not
// offered, since their mending may bring back what is suppressed.
func (s *suppressor) removal(sup *spec.Suppression, i int) []spec.Fix {
	if s.errors {
		return nil
	}
	f := s.program.Set.File(sup.Span.Start)
	var gone spec.Span
	switch last := len(sup.Rules) - 1; {
	case last == 0:
		gone = wholeComment(f, sup.Span)
	case i < last:
		gone = spec.Span{Start: sup.Rules[i].Span.Start, End: sup.Rules[i+1].Span.Start}
	default:
		gone = spec.Span{Start: sup.Rules[i-1].Span.End, End: sup.Rules[i].Span.End}
	}
	return []spec.Fix{{Message: "remove it", Edits: []spec.Edit{{Span: gone}}}}
}

// wholeComment returns a comment with the blanks before it, and with its line if nothing else stands there.
func wholeComment(f *spec.File, comment spec.Span) spec.Span {
	from, to := f.Offset(comment.Start), f.Offset(comment.End)
	for from > 0 && (f.Text[from-1] == ' ' || f.Text[from-1] == '\t') {
		from--
	}
	if from == 0 || f.Text[from-1] == '\n' {
		rest := f.Text[to:]
		rest = bytes.TrimPrefix(rest, []byte("\r"))
		rest = bytes.TrimPrefix(rest, []byte("\n"))
		to = len(f.Text) - len(rest)
	}
	return f.Span(from, to)
}

// undecided reports whether a suppression may have a use that this run does not show: other workers have other hazards
// (those of the hosted one include all of causetc's), and a program that is not whole has other findings.
func (s *suppressor) undecided() bool {
	return s.opts.Target != analysis.Hosted || s.program.Incomplete
}
