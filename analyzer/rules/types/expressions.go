package types

import (
	"fmt"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/spec"
)

// problems reports what is wrong inside of expressions, of one kind.
func problems(kind types.ProblemKind) func(*analysis.Pass) error {
	return func(p *analysis.Pass) error {
		for i := range p.Types.Problems {
			if pr := &p.Types.Problems[i]; pr.Kind == kind {
				reportProblem(p, pr)
			}
		}
		return nil
	}
}

func reportProblem(p *analysis.Pass, pr *types.Problem) {
	at := pr.Site.Expr.At(pr.At)
	if pr.Name == "" {
		p.Report(spec.Diagnostic{Span: at, Message: pr.Message})
		return
	}
	hint, fixes := p.Suggest(lastOf(pr.Name), pr.Known, at, "")
	if hint == "" {
		if pr.Loose {
			return
		}
		hint = "declare it there, or correct the name"
	}
	what := fmt.Sprintf("%s has no field %s, so this is always missing", pr.Of, pr.Name)
	p.ReportCause(what, "it is read here too", spec.Diagnostic{Span: at, Fixes: fixes, Message: what + "; " + hint})
}

// lastOf returns the last name of a path with dots.
func lastOf(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '.' {
			return path[i+1:]
		}
	}
	return path
}

// runConditions reports conditions that are neither true nor false, and those of ? :.
func runConditions(p *analysis.Pass) error {
	for i := range p.Sites {
		s := &p.Sites[i]
		if !s.Place.Condition() || s.Place == sites.MutationWhere {
			continue
		}
		if t := p.Types.Of(s.Expr); !t.MayBeBool() {
			text := types.Text(s.Expr, s.Expr.Root)
			p.Reportf(s.Expr.Span(s.Expr.Root), "%s is %s, and a condition must be true or false; %s", text, t.A(), types.CompareHint(t, text))
		}
	}
	return problems(types.BadTest)(p)
}
