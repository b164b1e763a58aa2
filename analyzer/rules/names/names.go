// Package names holds the rules on names: what is defined twice, and what is used but not defined.
package names

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// Rules returns the rules of this package.
func Rules() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		{Doc: docDuplicate, Run: runDuplicates},
		{Doc: docEvent, Names: true, Run: runEvents},
		{Doc: docState, Names: true, Requires: analysis.NeedSites, Run: runStates},
		{Doc: docAction, Names: true, Run: runActions},
		{Doc: docProjection, Names: true, Run: runProjections},
		{Doc: docColumn, Names: true, Run: runColumns},
		{Doc: docPayload, Names: true, Requires: analysis.NeedSites, Run: runPayload},
		{Doc: docFunction, Requires: analysis.NeedSites, Run: runFunctions},
		{Doc: docNamespace, Requires: analysis.NeedSites, Run: runNamespaces},
		{Doc: docInput, Names: true, Requires: analysis.NeedSites, Run: runInputs},
		{Doc: docReference, Names: true, Requires: analysis.NeedSites, Run: runReferences},
		{Doc: docArguments, Requires: analysis.NeedSites, Run: runArguments},
		{Doc: docTemplate, Names: true, Run: runTemplates},
		{Doc: docDerived, Requires: analysis.NeedSites, Run: runDerived},
		{Doc: docPlatformPath, Names: true, Run: runPlatformPaths},
		{Doc: docUndeclaredColumn, Absent: analysis.InDefinition, Run: runUndeclaredColumns},
		{Doc: docCycle, Requires: analysis.NeedSites, Run: runCycles},
	}
}

func runDuplicates(p *analysis.Pass) error {
	for _, dup := range p.Symbols.Duplicates {
		first := dup.Defs[0]
		for _, again := range dup.Defs[1:] {
			p.Report(spec.Diagnostic{
				Span:    again.Span(),
				Message: fmt.Sprintf("%s %s is defined twice, and only one of the two can count; rename or remove one", dup.Kind, again.Value),
				Related: []spec.Related{{Span: first.Span(), Message: "the first definition"}},
			})
		}
	}
	return nil
}

// checker looks up references of one kind.
type checker struct {
	p     *analysis.Pass
	kind  symbols.Kind
	known func(string) bool
	names []string // of that kind, for suggestions; empty where the program defines none
}

func newChecker[T any](p *analysis.Pass, kind symbols.Kind, m map[string]T) *checker {
	return &checker{p: p, kind: kind, names: symbols.Names(m), known: func(n string) bool { _, ok := m[n]; return ok }}
}

// check reports a reference to what is not defined. who says what refers to it, such as "projection seats".
func (c *checker) check(s *spec.Scalar, who string) {
	if s != nil && s.Value != "" {
		c.at(s.Value, s.Span(), who)
	}
}

func (c *checker) at(name string, at spec.Span, who string) {
	switch {
	case c.known(name):
	case len(c.names) == 0:
		c.p.ReportCause(c.kind.String(), who+" names one too", spec.Diagnostic{Span: at, Message: fmt.Sprintf(
			"%s names %s %s, but no %s is defined anywhere in the program; load the whole program (its folder or app.causet), or define it",
			who, c.kind, quote(name), c.kind)})
	default:
		hint, fixes := c.p.Suggest(name, c.names, at, "define it under "+c.kind.Section()+", or correct the name")
		cause := name
		if state, isStream := strings.CutSuffix(name, "_stream"); isStream && c.kind == symbols.State && fixes == nil {
			cause = state
			if near := c.p.Nearest(state, c.names); near != "" {
				hint, fixes = c.p.Suggest(name, []string{near + "_stream"}, at, hint)
			}
		}
		c.p.ReportCause(c.kind.String()+" "+cause, who+" names it too", spec.Diagnostic{Span: at, Fixes: fixes,
			Message: fmt.Sprintf("%s names %s %s, which is not defined; %s", who, c.kind, quote(name), hint)})
	}
}

func quote(name string) string { return fmt.Sprintf("%q", name) }

// called names a thing in a message, such as "projection seats".
func called(kind string, name *spec.Scalar) string {
	if name == nil {
		return "a " + kind
	}
	return kind + " " + name.Value
}
