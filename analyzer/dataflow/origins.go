package dataflow

import (
	"strings"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// OriginKind is a kind of expression whose result the graph follows.
type OriginKind uint8

// The kinds of origins.
const (
	NonDeterministic OriginKind = iota // a call or root that gives another value on every run
	Concatenation                      // a call of concat
)

// Origin is a call (or a forbidden root) whose result can be followed from Loc.
type Origin struct {
	Kind OriginKind
	Name string // the function's name
	Site *sites.Site
	Node spec.Node
	Loc  Loc
}

// Span returns the place of the call.
func (o *Origin) Span() spec.Span { return o.Site.Expr.Span(o.Node) }

// Origins returns the calls of one kind, in the order of the program.
func (g *Graph) Origins(kind OriginKind) []*Origin {
	var list []*Origin
	for _, o := range g.origins {
		if o.Kind == kind {
			list = append(list, o)
		}
	}
	return list
}

// eachOrigin calls visit for the origins in an expression, outer ones first. Of a path such as System.nanoTime() the
// outermost node that makes the value counts once.
func eachOrigin(s *sites.Site, visit func(OriginKind, string, spec.Node)) {
	f := originFinder{bound: s.Bound, visit: visit}
	f.find(s.Expr.Root)
}

type originFinder struct {
	bound map[string]bool
	visit func(OriginKind, string, spec.Node)
}

func (f *originFinder) find(n spec.Node) {
	if call, ok := n.(*spec.Call); ok {
		f.call(call)
		return
	}
	if id, ok := sites.PathRoot(n); ok {
		if neverRoot(id.Name) && !f.bound[id.Name] {
			f.visit(NonDeterministic, id.Name, n)
		}
		f.indexes(n)
		return
	}
	for _, c := range spec.Children(n) {
		f.find(c)
	}
}

func (f *originFinder) call(n *spec.Call) {
	switch {
	case n.Name == "concat":
		f.visit(Concatenation, n.Name, n)
	case neverCalled(n.Name):
		f.visit(NonDeterministic, n.Name, n)
	}
	if _, isName := sites.PathRoot(n.Fn); !isName {
		f.find(n.Fn)
	}
	for _, a := range n.Args {
		f.find(a)
	}
}

// indexes looks into the computed indexes of a path.
func (f *originFinder) indexes(n spec.Node) {
	switch n := n.(type) {
	case *spec.Member:
		f.indexes(n.X)
	case *spec.Index:
		f.indexes(n.X)
		f.find(n.I)
	}
}

// neverCalled reports whether a call of that name is never allowed, since a replay would diverge.
func neverCalled(name string) bool {
	if f, ok := expr.LookupFunction(name); ok {
		return !f.Allowed()
	}
	root, _, dotted := strings.Cut(name, ".")
	return dotted && neverRoot(root)
}

// neverRoot reports whether a name is never allowed as the root of a path, such as System in System.exit.
func neverRoot(name string) bool {
	f, ok := expr.LookupFunction(name)
	return ok && !f.Allowed()
}
