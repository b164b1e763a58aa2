package types

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/spec"
)

// runPaths reports entity paths that are not declared: reads of what nothing writes, and writes of what nobody declares. Where
// several places agree on a name, and nothing uses the declared one that is near, the declaration is what is misspelt.
func runPaths(p *analysis.Pass) error {
	u := undeclared{p: p}
	for i := range p.Types.Problems {
		if pr := &p.Types.Problems[i]; pr.Kind == types.UnknownPath {
			u.add(pr.Of, pr.Name, func() { reportProblem(p, pr) })
		}
	}
	bound := map[*spec.Action]map[string]bool{}
	eachOp(p, func(sc opScope, op *spec.Op) {
		for _, path := range []*spec.Scalar{pathOf(op), op.Into} {
			if path == nil || sc.state == nil || path == op.Into && !strings.Contains(path.Value, "/") || isBound(bound, sc.action, path) {
				continue
			}
			if target := p.Types.Path(sc.state, path); target.Unknown != "" {
				u.add(called("state", sc.state.Name), path.Value, func() { reportPath(p, sc, op, path, target) })
			}
		}
	})
	u.report()
	return nil
}

// undeclared collects the places that use paths which a state does not declare.
type undeclared struct {
	p     *analysis.Pass
	names []undeclaredName // in the order of their first use
	used  map[string]int   // how many places use a path, of any state
}

type undeclaredName struct {
	state, path string // the state as messages call it, and the path with dots
	uses        []func()
}

func (u *undeclared) add(state, path string, report func()) {
	path = sites.SlashPath(path)
	i := slices.IndexFunc(u.names, func(n undeclaredName) bool { return n.state == state && n.path == path })
	if i < 0 {
		i = len(u.names)
		u.names = append(u.names, undeclaredName{state: state, path: path})
	}
	u.names[i].uses = append(u.names[i].uses, report)
}

func (u *undeclared) report() {
	for _, n := range u.names {
		if f, s := u.misspelt(n); f != nil {
			u.atDeclaration(n, f, s)
			continue
		}
		for _, report := range n.uses {
			report()
		}
	}
}

// misspelt returns the declared field that was meant to be what several places use, with its state.
func (u *undeclared) misspelt(n undeclaredName) (*spec.Field, *spec.State) {
	if u.places(n.path) < 2 {
		return nil, nil
	}
	for _, s := range u.p.Program.States {
		if called("state", s.Name) != n.state {
			continue
		}
		byPath := map[string]*spec.Field{}
		for _, f := range s.Fields {
			if f.Name != nil {
				byPath[sites.SlashPath(f.Name.Value)] = f
			}
		}
		if f := byPath[u.p.Nearest(n.path, symbols.Names(byPath))]; f != nil && u.places(sites.SlashPath(f.Name.Value)) == 0 {
			return f, s
		}
	}
	return nil, nil
}

// places returns how many expressions and ops name a path of some state.
func (u *undeclared) places(path string) int {
	if u.used == nil {
		u.used = map[string]int{}
		for i := range u.p.Paths {
			u.used[u.p.Paths[i].Ref.Path]++
		}
		eachOp(u.p, func(_ opScope, op *spec.Op) {
			for _, s := range []*spec.Scalar{pathOf(op), op.Into} {
				u.used[sites.SlashPath(symbols.Text(s))]++
			}
		})
	}
	return u.used[path]
}

func (u *undeclared) atDeclaration(n undeclaredName, f *spec.Field, s *spec.State) {
	last := lastOf(sites.SlashPath(f.Name.Value))
	at := f.Name.Sub(len(f.Name.Value)-len(last), len(f.Name.Value))
	hint, fixes := u.p.Suggest(last, []string{lastOf(n.path)}, at, "write "+lastOf(n.path))
	u.p.Report(spec.Diagnostic{Span: at, Fixes: fixes, Message: fmt.Sprintf(
		"nothing uses field %s of state %s, and %d places use %s, which it does not declare; %s", f.Name.Value, symbols.Text(s.Name), u.places(n.path), n.path, hint)})
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

func reportPath(p *analysis.Pass, sc opScope, op *spec.Op, path *spec.Scalar, target types.Path) {
	at := path.Sub(target.From, target.From+len(target.Unknown))
	hint, fixes := p.Suggest(target.Unknown, target.Known, at, "declare it under fields of the state, or correct the path")
	if root, rest, dotted := strings.Cut(path.Value, "."); dotted && (root == "entity" || root == "state") {
		hint, fixes = "the path of an op begins in the state; write /"+strings.ReplaceAll(rest, ".", "/"), nil
	}
	what := fmt.Sprintf("%s has no field %s", called("state", sc.state.Name), path.Value)
	p.ReportCause(what, "it is used here too", spec.Diagnostic{Span: at, Severity: spec.Warning, Fixes: fixes,
		Message: fmt.Sprintf("%s, which the op %s of %s works on; %s", what, symbols.Text(op.Kind), sc.who(), hint)})
}
