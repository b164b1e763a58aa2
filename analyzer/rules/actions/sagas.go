package actions

import (
	"fmt"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// once reports names that stand twice in a list of parts.
type once struct {
	p     *analysis.Pass
	first map[string]*spec.Scalar
}

func (o *once) check(name *spec.Scalar, whole, part string) {
	if name == nil {
		return
	}
	before := o.first[name.Value]
	if before == nil {
		o.first[name.Value] = name
		return
	}
	o.p.Report(spec.Diagnostic{
		Span:    name.Span(),
		Message: fmt.Sprintf("%s has two %ss called %s, so the platform can't tell them apart; rename one", whole, part, name.Value),
		Related: []spec.Related{{Span: before.Span(), Message: "the first one"}},
	})
}

func runStepNames(p *analysis.Pass) error {
	for _, s := range p.Program.Sagas {
		o := once{p, map[string]*spec.Scalar{}}
		for _, step := range s.Steps {
			o.check(step.Name, "saga "+symbols.Text(s.Name), "step")
		}
	}
	for _, e := range p.Program.Envelopes {
		o := once{p, map[string]*spec.Scalar{}}
		for _, part := range e.Participants {
			o.check(part.Name, "commit envelope "+symbols.Text(e.Name), "participant")
		}
	}
	return nil
}

func runStepEvents(p *analysis.Pass) error {
	for _, s := range p.Program.Sagas {
		for i, step := range s.Steps {
			if i > 0 && step.On == nil && step.Name != nil {
				p.Reportf(step.Name.Span(), "step %s of saga %s waits for no event, so it never runs (only the first step may go without, as the state before any event); "+
					"add on: EVENT", step.Name.Value, symbols.Text(s.Name))
			}
		}
	}
	return nil
}
