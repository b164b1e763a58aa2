// Package analysis defines what a rule is: a plain value with its documentation, what it needs, and a function that
// looks at a program and reports what it finds.
package analysis

import (
	"fmt"

	"github.com/causetc/causetc/analyzer/dataflow"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/analyzer/uses"
	"github.com/causetc/causetc/parser/nearest"
	"github.com/causetc/causetc/spec"
)

// Target is the worker for which hazards are judged.
type Target string

// The targets.
const (
	// Hosted is the platform's own worker: it applies events as they arrive, and an event again when it is delivered again.
	Hosted Target = "hosted"
	// Causetc is this project's worker, with its guard on the order of events and its windows of applied ids.
	Causetc Target = "causetc"
)

// Fact is something about a program that is worked out once for all rules.
type Fact uint8

// The facts that a rule can ask for. The table of names is always there.
const (
	NeedSites Fact = 1 << iota // Pass.Sites
	NeedFlow                   // Pass.Flow; implies NeedSites
	NeedTypes                  // Pass.Types; implies NeedSites
	NeedUses                   // Pass.Uses; implies NeedSites
)

// Scope is a part of a program.
type Scope uint8

// The scopes in which a mistake in the structure may be the cause of a finding.
const (
	Nowhere Scope = iota
	InDefinition
	InProgram
)

// Analyzer is one rule.
type Analyzer struct {
	Doc      spec.RuleDoc
	Requires Fact
	// Names tells that the rule judges references: where a file of the program could not be read, what it refers to may
	// well be there, and the rule does not run.
	Names bool
	// Absent tells that a finding means something that is not there: where the parser could not read a part of this scope, that
	// part may have been it, and the finding is left out.
	Absent Scope
	// Binding findings can't be suppressed for a program that is to be built or run.
	Binding bool
	// Run reports what it finds. An error is one of the analysis, never a finding.
	Run func(*Pass) error
}

// Pass is one run of one rule over a program. What it holds is shared by rules that run beside each other and must not be changed;
// only those that ask for types run one after the other.
type Pass struct {
	Program *spec.Program
	Target  Target
	Symbols *symbols.Table
	Sites   []sites.Site    // nil unless asked for
	Paths   []sites.Path    // of the sites
	Flow    *dataflow.Graph // nil unless asked for
	Types   *types.Info     // nil unless asked for
	Uses    *uses.Uses      // nil unless asked for

	rule    *Analyzer
	report  func(Finding)
	compare int // how many more words Nearest may look at
}

// maxCompared bounds the words that one rule compares for suggestions: a program with thousands of wrong names gets none
// for the last of them.
const maxCompared = 2_000_000

// Finding is a diagnostic as a rule reports it.
type Finding struct {
	spec.Diagnostic
	// Cause names what is wrong where several places can suffer from it. Of the findings of one rule with one cause the
	// first is printed, with the others beside it; Further is what is said of a place that is beside another.
	Cause, Further string
}

// With returns a pass for one rule whose findings go to report.
func (p Pass) With(rule *Analyzer, report func(Finding)) *Pass {
	p.rule, p.report, p.compare = rule, report, maxCompared
	return &p
}

// Report adds a finding. Rule, severity and key are filled in where they are empty: from the rule, and from the message.
func (p *Pass) Report(d spec.Diagnostic) { p.ReportCause("", "", d) }

// ReportCause adds a finding that may have the same cause as others.
func (p *Pass) ReportCause(cause, further string, d spec.Diagnostic) {
	if d.Rule == "" {
		d.Rule = p.rule.Doc.ID
	}
	if d.Severity == 0 {
		d.Severity = p.rule.Doc.Severity
	}
	if d.Key == "" {
		d.Key = d.Rule + " " + d.Message
	}
	p.report(Finding{Diagnostic: d, Cause: cause, Further: further})
}

// Nearest returns the candidate that a wrong name was probably meant to be, or nothing.
func (p *Pass) Nearest(word string, candidates []string) string {
	if p.compare -= len(candidates); p.compare < 0 {
		return ""
	}
	return nearest.Word(word, candidates)
}

// Reportf adds a finding that is only a message at a place.
func (p *Pass) Reportf(at spec.Span, format string, args ...any) {
	p.Report(spec.Diagnostic{Span: at, Message: fmt.Sprintf(format, args...)})
}
