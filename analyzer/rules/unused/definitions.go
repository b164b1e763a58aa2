package unused

import (
	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/uses"
	"github.com/causetc/causetc/spec"
)

// runDefinitions finds prompts, providers, memories, decisions, relationships and resources that nothing names.
func runDefinitions(p *analysis.Pass) error {
	unnamed := func(kind symbols.Kind, name *spec.Scalar, how string) {
		if name != nil && !p.Uses.Named[uses.Definition{Kind: kind, Name: name.Value}] && !misspelled(p, kind.String(), name) {
			p.Reportf(name.Span(), "nothing uses %s %s; %s, or remove it", kind, name.Value, how)
		}
	}
	if len(p.Program.Decisions) > 0 || len(p.Program.Memories) > 0 {
		for _, x := range p.Program.Providers {
			unnamed(symbols.Provider, x.Name, "name it in a decision")
		}
	}
	if len(p.Program.Decisions) > 0 {
		for _, x := range p.Program.Prompts {
			unnamed(symbols.Prompt, x.Name, "name it in a decision")
		}
		for _, x := range p.Program.Memories {
			unnamed(symbols.Memory, x.Name, "list it in a decision's memories")
		}
	}
	if len(p.Program.Actions) > 0 {
		for _, x := range p.Program.Decisions {
			unnamed(symbols.Decision, x.Name, "ask it with `op: decision`")
		}
		for _, x := range p.Program.Relationships {
			unnamed(symbols.Relationship, x.Name, "link entities with `op: relationship_create`")
		}
	}
	if len(p.Program.Actions) > 0 || len(p.Program.Projections) > 0 {
		for _, x := range p.Program.Resources {
			unnamed(symbols.Resource, x.Name, "read it as resources."+symbols.Text(x.Name))
		}
	}
	return nil
}
