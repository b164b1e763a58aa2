package analyzer

import (
	"slices"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// withoutConsequences leaves out findings that something is missing, where what is missing was written but could not be
// read: one mistake in the structure has one finding. It also leaves out the doubt whether a text is an expression, where an error
// says what is wrong with that very text.
func withoutConsequences(p *spec.Program, rules []*analysis.Analyzer, found []analysis.Finding) []analysis.Finding {
	if !slices.ContainsFunc(found, func(f analysis.Finding) bool { return f.Severity == spec.Error }) {
		return found
	}
	absent := map[string]analysis.Scope{}
	for _, r := range rules {
		absent[r.Doc.ID] = r.Absent
	}
	starts := definitions(p)
	broken := map[definition]bool{}
	wrong := map[spec.Span]bool{}
	for _, f := range found {
		if f.Severity == spec.Error {
			wrong[f.Span] = true
			if parser.LosesPart(f.Rule) {
				broken[definitionAt(p.Set, starts, f.Span.Start)] = true
			}
		}
	}
	return slices.DeleteFunc(found, func(f analysis.Finding) bool {
		switch absent[f.Rule] {
		case analysis.InDefinition:
			return broken[definitionAt(p.Set, starts, f.Span.Start)]
		case analysis.InProgram:
			return len(broken) > 0
		}
		return f.Rule == parser.AmbiguousText && wrong[f.Span]
	})
}

// definitions returns where the definitions of a program start, sorted.
func definitions(p *spec.Program) []spec.Pos {
	var starts []spec.Pos
	add := func(name *spec.Scalar) {
		if name != nil {
			starts = append(starts, name.Span().Start)
		}
	}
	each(p.States, func(x *spec.State) { add(x.Name) })
	each(p.Events, func(x *spec.Event) { add(x.Name) })
	each(p.Actions, func(x *spec.Action) { add(x.Name) })
	each(p.Projections, func(x *spec.Projection) { add(x.Name) })
	each(p.Queries, func(x *spec.Query) { add(x.Name) })
	each(p.Relationships, func(x *spec.Relationship) { add(x.Name) })
	each(p.Listeners, func(x *spec.Listener) { add(x.On) })
	each(p.Sagas, func(x *spec.Saga) { add(x.Name) })
	each(p.Resources, func(x *spec.Resource) { add(x.Name) })
	each(p.Envelopes, func(x *spec.Envelope) { add(x.Name) })
	each(p.Providers, func(x *spec.Provider) { add(x.Name) })
	each(p.Prompts, func(x *spec.Prompt) { add(x.Name) })
	each(p.Decisions, func(x *spec.Decision) { add(x.Name) })
	each(p.Memories, func(x *spec.Memory) { add(x.Name) })
	slices.Sort(starts)
	return starts
}

func each[T any](list []*T, visit func(*T)) {
	for _, x := range list {
		visit(x)
	}
}

// definition is a part of a program: a definition by its index, or what stands before the first of a file.
type definition struct {
	file  *spec.File
	index int
}

// definitionAt returns the definition that holds a place.
func definitionAt(set *spec.FileSet, starts []spec.Pos, at spec.Pos) definition {
	file := set.File(at)
	i, exact := slices.BinarySearch(starts, at)
	if !exact {
		i--
	}
	if i < 0 || set.File(starts[i]) != file {
		i = -1
	}
	return definition{file, i}
}
