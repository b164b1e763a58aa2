package sites

import (
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// Path is a path in an expression, such as event.payload.seat, with what it reads.
type Path struct {
	Site *Site
	Root *spec.Ident // the name that it begins with; the whole path where it is a lone name
	Ref  Ref
}

// Lone reports whether the path is a name without parts.
func (p *Path) Lone() bool { return p.Ref.Node == spec.Node(p.Root) }

// Paths lists every path of every expression, whole: event.payload.seat once. The names of functions and the first
// argument of a lookup, which are names of other kinds, are left out.
func Paths(list []Site, t *symbols.Table) []Path {
	w := pathWalker{table: t, paths: make([]Path, 0, len(list))}
	for i := range list {
		w.site = &list[i]
		w.walk(w.site.Expr.Root)
	}
	return w.paths
}

type pathWalker struct {
	table *symbols.Table
	site  *Site
	paths []Path
}

func (w *pathWalker) walk(n spec.Node) {
	if root, ok := PathRoot(n); ok {
		ref, _ := w.site.Resolve(w.table, n)
		w.paths = append(w.paths, Path{w.site, root, ref})
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
