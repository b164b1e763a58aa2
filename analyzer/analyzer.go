// Package analyzer finds what is wrong in a loaded program: it runs rules over the tree, the table of names and the
// dataflow graph, applies the author's suppressions, and returns the findings in an order that depends on the text alone.
package analyzer

import (
	"context"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/dataflow"
	"github.com/causetc/causetc/analyzer/rules/actions"
	"github.com/causetc/causetc/analyzer/rules/declarations"
	"github.com/causetc/causetc/analyzer/rules/delivery"
	"github.com/causetc/causetc/analyzer/rules/determinism"
	"github.com/causetc/causetc/analyzer/rules/names"
	"github.com/causetc/causetc/analyzer/rules/projections"
	"github.com/causetc/causetc/analyzer/rules/queries"
	typerules "github.com/causetc/causetc/analyzer/rules/types"
	"github.com/causetc/causetc/analyzer/rules/unused"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/analyzer/uses"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// Options says how a program is judged.
type Options struct {
	// Target is the worker for which hazards are judged; hosted where it is empty.
	Target analysis.Target
	// Binding is for a program that is to be built or run: findings on non-determinism count there, whatever suppresses
	// them.
	Binding bool
	// PerRule bounds the findings of one rule in one file; the last of them then says how many more there are. 0 means 50,
	// a negative number no bound.
	PerRule int
}

// Analyzers returns the rules of this package, by id.
func Analyzers() []*analysis.Analyzer {
	var list []*analysis.Analyzer
	for _, group := range [][]*analysis.Analyzer{
		names.Rules(), typerules.Rules(), unused.Rules(), actions.Rules(), projections.Rules(), queries.Rules(), declarations.Rules(),
		determinism.Rules(), delivery.Rules(),
	} {
		list = append(list, group...)
	}
	slices.SortFunc(list, func(a, b *analysis.Analyzer) int { return strings.Compare(a.Doc.ID, b.Doc.ID) })
	return list
}

// Rules describes all rules: those of the parser, of this package, and those on suppressions; by id.
func Rules() []spec.RuleDoc {
	docs := slices.Clone(parser.Rules())
	for _, a := range Analyzers() {
		docs = append(docs, a.Doc)
	}
	docs = append(docs, suppressionRules()...)
	slices.SortFunc(docs, func(a, b spec.RuleDoc) int { return strings.Compare(a.ID, b.ID) })
	return docs
}

// Run judges a loaded program. The findings hold those of the parser, without the suppressed ones, sorted by file, place
// and rule. An error is a cancelled context or a fault of the analysis, never a finding.
func Run(ctx context.Context, loaded *parser.Result, opts Options) ([]spec.Diagnostic, error) {
	o, err := Judge(ctx, loaded, opts)
	if err != nil {
		return nil, err
	}
	return Cap(loaded.Program.Set, o.Findings, opts.PerRule), nil
}

// runRules runs rules over a program and returns all that they find.
func runRules(ctx context.Context, p *spec.Program, target analysis.Target, rules []*analysis.Analyzer) ([]analysis.Finding, error) {
	pass := analysis.Pass{Program: inOrder(p), Target: target}
	pass.Symbols = symbols.New(pass.Program)
	var needs analysis.Fact
	for _, r := range rules {
		needs |= r.Requires
	}
	if needs != 0 {
		pass.Sites = sites.List(pass.Program, pass.Symbols)
		pass.Paths = sites.Paths(pass.Sites, pass.Symbols)
	}
	var facts []func()
	if needs&analysis.NeedFlow != 0 {
		facts = append(facts, func() { pass.Flow = dataflow.Build(pass.Program, pass.Symbols, pass.Sites) })
	}
	if needs&analysis.NeedTypes != 0 {
		facts = append(facts, func() { pass.Types = types.Build(pass.Program, pass.Symbols, pass.Sites) })
	}
	if needs&analysis.NeedUses != 0 {
		facts = append(facts, func() { pass.Uses = uses.Collect(pass.Program, pass.Symbols, pass.Paths) })
	}
	parallel(facts)
	return runAll(ctx, pass, rules)
}
