package sites

import "github.com/causetc/causetc/spec"

// EachPath calls visit for every path in every expression, whole: for event.payload.seat once. The names of functions
// and the first argument of a lookup, which are names of other kinds, are left out.
func EachPath(list []Site, visit func(*Site, spec.Node)) {
	for i := range list {
		w := pathWalker{site: &list[i], visit: visit}
		w.walk(w.site.Expr.Root)
	}
}

type pathWalker struct {
	site  *Site
	visit func(*Site, spec.Node)
}

func (w *pathWalker) walk(n spec.Node) {
	if _, ok := PathRoot(n); ok {
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
