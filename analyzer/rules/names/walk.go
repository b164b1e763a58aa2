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

// eachPath calls visit for every path in every expression, whole: for event.payload.seat once. The names of functions
// and the first argument of a lookup, which are names of other kinds, are left out.
func eachPath(p *analysis.Pass, visit func(*sites.Site, spec.Node)) {
	for i := range p.Sites {
		w := pathWalker{site: &p.Sites[i], visit: visit}
		w.walk(w.site.Expr.Root)
	}
}

type pathWalker struct {
	site  *sites.Site
	visit func(*sites.Site, spec.Node)
}

func (w *pathWalker) walk(n spec.Node) {
	if _, ok := sites.PathRoot(n); ok {
		w.visit(w.site, n)
		w.indexes(n)
		return
	}
	call, ok := n.(*spec.Call)
	if !ok {
		for _, c := range spec.Children(n) {
			w.walk(c)
		}
		return
	}
	args := call.Args
	if (call.Name == "lookup" || call.Name == "LOOKUP_FIELD") && len(args) > 0 {
		args = args[1:]
	}
	for _, a := range args {
		w.walk(a)
	}
}

// indexes looks into the computed indexes of a path.
func (w *pathWalker) indexes(n spec.Node) {
	switch n := n.(type) {
	case *spec.Member:
		w.indexes(n.X)
	case *spec.Index:
		w.indexes(n.X)
		w.walk(n.I)
	}
}
