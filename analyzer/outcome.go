package analyzer

import (
	"context"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// Outcome is all that comes of judging a program.
type Outcome struct {
	Findings   []spec.Diagnostic // as Run returns them, but all of them
	Suppressed []Suppressed      // in the order of the text
}

// Suppressed is a finding that the author acknowledges.
type Suppressed struct {
	Finding spec.Diagnostic
	By      spec.Suppression
}

// Judge judges a loaded program as Run does. It keeps what Run leaves out, and minds no Options.PerRule.
func Judge(ctx context.Context, loaded *parser.Result, opts Options) (*Outcome, error) {
	if opts.Target == "" {
		opts.Target = analysis.Hosted
	}
	rules := Analyzers()
	found, err := runRules(ctx, loaded.Program, opts.Target, rules)
	if err != nil {
		return nil, err
	}
	order := newOrder(loaded.Program.Set)
	for _, d := range loaded.Diagnostics {
		found = append(found, analysis.Finding{Diagnostic: d})
	}
	found = withoutConsequences(loaded.Program, rules, found)
	kept, suppressed := newSuppressor(loaded.Program, opts, rules).apply(order.sorted(found))
	return &Outcome{Findings: merged(order.sorted(kept)), Suppressed: suppressed}, nil
}
