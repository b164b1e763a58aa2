package names

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// runPlatformPaths looks up the paths at which sagas and commit envelopes keep what they know. Where nothing is declared
// the platform makes the place itself, so those are wrong only if a declared name is near.
func runPlatformPaths(p *analysis.Pass) error {
	for _, s := range p.Program.Sagas {
		k := pathChecker{p: p, who: called("saga", s.Name)}
		k.near(p.Symbols.StreamState(symbols.Text(s.State)), s.StatePath)
	}
	for _, e := range p.Program.Envelopes {
		k := pathChecker{p: p, who: called("commit envelope", e.Name)}
		k.near(p.Symbols.StreamState(symbols.Text(e.State)), e.StatePath)
		var states []*spec.State
		for _, part := range e.Participants {
			state := p.Symbols.StreamState(symbols.Text(part.State))
			states = append(states, state)
			k.declared([]*spec.State{state}, part.VisiblePath)
			k.near(state, part.PendingPath)
		}
		k.declared(states, e.CursorField)
	}
	return nil
}

// pathChecker looks up slash paths in states.
type pathChecker struct {
	p   *analysis.Pass
	who string
}

// declared reports a path that none of the states declares.
func (k *pathChecker) declared(states []*spec.State, path *spec.Scalar) {
	if len(states) == 0 || path == nil || path.Value == "" {
		return
	}
	var unknown spec.Range
	var names []string
	for _, s := range states {
		if s == nil || len(s.Fields) == 0 {
			return
		}
		at, known, ok := findPath(s, path.Value)
		if ok {
			return
		}
		if at.From >= unknown.From {
			unknown = at
		}
		names = append(names, known...)
	}
	k.report(states[0], path, unknown, names, "declare it under fields of the state, or correct the path")
}

// near reports a path whose first unknown name is close to a declared one.
func (k *pathChecker) near(s *spec.State, path *spec.Scalar) {
	if s == nil || path == nil || len(s.Fields) == 0 {
		return
	}
	if at, names, ok := findPath(s, path.Value); !ok && k.p.Nearest(path.Value[at.From:at.To], names) != "" {
		k.report(s, path, at, names, "")
	}
}

func (k *pathChecker) report(s *spec.State, path *spec.Scalar, unknown spec.Range, names []string, otherwise string) {
	at := path.Sub(int(unknown.From), int(unknown.To))
	hint, fixes := k.p.Suggest(path.Value[unknown.From:unknown.To], names, at, otherwise)
	k.p.Report(spec.Diagnostic{Span: at, Fixes: fixes, Message: fmt.Sprintf("%s works on %s, which state %s does not declare; %s",
		k.who, path.Value, symbols.Text(s.Name), hint)})
}

// findPath follows a slash path through the fields of a state. Where it is not declared, unknown is the first name that is
// not, and names are those that could stand there.
func findPath(s *spec.State, path string) (unknown spec.Range, names []string, ok bool) {
	fields := make([][]string, 0, len(s.Fields))
	for _, f := range s.Fields {
		fields = append(fields, strings.Split(sites.SlashPath(symbols.Text(f.Name)), "."))
	}
	at := 0
	for depth := 0; at < len(path); depth++ {
		for at < len(path) && (path[at] == '/' || path[at] == '.') {
			at++
		}
		end := at
		for end < len(path) && path[end] != '/' && path[end] != '.' {
			end++
		}
		name := path[at:end]
		if name == "" || depth == 0 && platformName(name) {
			return spec.Range{}, nil, true
		}
		var below [][]string
		names = nil
		for _, f := range fields {
			if depth < len(f) {
				names = append(names, f[depth])
				if f[depth] == name {
					below = append(below, f)
				}
			}
		}
		if len(below) == 0 {
			return spec.Range{From: int32(at), To: int32(end)}, names, false
		}
		if len(below) == 1 && len(below[0]) == depth+1 {
			return spec.Range{}, nil, true // an object of any fields
		}
		fields, at = below, end
	}
	return spec.Range{}, nil, true
}

// platformName reports whether the platform keeps something of its own under a name of a state.
func platformName(name string) bool {
	switch name {
	case "decisions", "pending_envelopes", "envelope":
		return true
	}
	return strings.HasPrefix(name, "_")
}
