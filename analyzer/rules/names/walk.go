package names

import (
	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/spec"
)

// eachCall calls visit for every call in every expression.
func eachCall(p *analysis.Pass, visit func(*sites.Site, *spec.Call)) {
	for i := range p.Sites {
		s := &p.Sites[i]
		spec.Walk(s.Expr.Root, func(n spec.Node) bool {
			if call, ok := n.(*spec.Call); ok {
				visit(s, call)
			}
			return true
		})
	}
}

// eachPath calls visit for every path in every expression, with what it reads.
func eachPath(p *analysis.Pass, visit func(*sites.Site, sites.Ref)) {
	for i := range p.Paths {
		visit(p.Paths[i].Site, p.Paths[i].Ref)
	}
}
