package types

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
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

// runPaths reports entity paths that are not declared: reads of what nothing writes, and writes of what nobody declares.
func runPaths(p *analysis.Pass) error {
	if err := problems(types.UnknownPath)(p); err != nil {
		return err
	}
	bound := map[*spec.Action]map[string]bool{}
	eachOp(p, func(sc opScope, op *spec.Op) {
		for _, path := range []*spec.Scalar{pathOf(op), op.Into} {
			if path == nil || sc.state == nil || path == op.Into && !strings.Contains(path.Value, "/") {
				continue
			}
			if !isBound(bound, sc.action, path) {
				checkPath(p, sc, op, path)
			}
		}
	})
	return nil
}

// isBound reports whether a path begins with a name that an op of the action binds. cache holds those names.
func isBound(cache map[*spec.Action]map[string]bool, a *spec.Action, path *spec.Scalar) bool {
	if a == nil {
		return false
	}
	names, ok := cache[a]
	if !ok {
		names = sites.BoundNames(a)
		cache[a] = names
	}
	return names[sites.FirstSegment(sites.SlashPath(path.Value))]
}

func checkPath(p *analysis.Pass, sc opScope, op *spec.Op, path *spec.Scalar) {
	target := p.Types.Path(sc.state, path)
	if target.Unknown == "" {
		return
	}
	at := path.Sub(target.From, target.From+len(target.Unknown))
	hint, fixes := p.Suggest(target.Unknown, target.Known, at, "declare it under fields of the state, or correct the path")
	what := fmt.Sprintf("%s has no field %s", called("state", sc.state.Name), path.Value)
	p.ReportCause(what, "it is used here too", spec.Diagnostic{Span: at, Severity: spec.Warning, Fixes: fixes,
		Message: fmt.Sprintf("%s, which the op %s of %s works on; %s", what, symbols.Text(op.Kind), sc.who(), hint)})
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
