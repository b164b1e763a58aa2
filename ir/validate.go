package ir

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// MaxNameLength is the length of a Postgres identifier in bytes; a longer one would be cut off silently.
const MaxNameLength = 63

// maxProjections is the number of projections of a group that the order of writes can tell apart.
const maxProjections = 1 << 15

// Validate checks that a program is well-formed, so that whoever executes it need not ask again: every name resolves,
// every key column has a value, every list is in its fixed order, every expression has the operands of its kind and a
// bounded depth, and what the program says of a table (class, flags, roles) is what its handlers imply. The error is an
// *InvalidError. It does not look at hashes, and does not know the functions of expressions.
func Validate(p *Program) error {
	v := &validator{program: p, tables: map[string]*Table{}, resources: map[string]bool{}}
	if p.Format != FormatVersion {
		v.add("/format", "is %d, not %d", p.Format, FormatVersion)
	}
	if p.App == "" {
		v.add("/app", "is empty")
	}
	v.checkResources()
	v.checkGroups()
	v.checkQueries()
	return v.err()
}

// validator walks one program; its tables and resources are filled before what refers to them is checked.
type validator struct {
	problems
	program   *Program
	tables    map[string]*Table
	resources map[string]bool
}

func (v *validator) checkResources() {
	checkSorted(v, "/resources", v.program.Resources, func(r *Resource) string { return r.Name })
	for i := range v.program.Resources {
		r := &v.program.Resources[i]
		path := fmt.Sprintf("/resources/%d/value", i)
		if r.Value == nil || r.Value.Op != OpObject {
			v.add(path, "a resource is an object literal")
		}
		v.checkExpr(path, r.Value, exprScope{literal: true})
		v.resources[r.Name] = true
	}
}

func (v *validator) checkGroups() {
	checkSorted(v, "/groups", v.program.Groups, func(g *Group) string { return g.Name })
	names := map[string]bool{}
	for i := range v.program.Groups {
		v.checkGroup(fmt.Sprintf("/groups/%d", i), &v.program.Groups[i], names)
	}
}

// checkGroup checks one group; names holds the projections of the program so far.
func (v *validator) checkGroup(path string, g *Group, names map[string]bool) {
	checkSorted(v, path+"/tables", g.Tables, func(t *Table) string { return t.Name })
	checkSorted(v, path+"/projections", g.Projections, func(p *Projection) string { return p.Name })
	checkSorted(v, path+"/exact_ids", g.ExactIDs, func(e *ExactIDs) string { return e.Name })
	if len(g.Tables) == 0 || len(g.Projections) == 0 {
		v.add(path, "a group needs a table and a projection")
		return
	}
	if g.Name != g.Tables[0].Name {
		v.add(path+"/name", "is %q, not the smallest name of its tables, %q", g.Name, g.Tables[0].Name)
	}
	if len(g.Projections) > maxProjections {
		v.add(path+"/projections", "has %d projections, more than %d", len(g.Projections), maxProjections)
	}
	for i := range g.Tables {
		v.checkTable(fmt.Sprintf("%s/tables/%d", path, i), g, &g.Tables[i])
	}
	for i := range g.Projections {
		p := &g.Projections[i]
		at := fmt.Sprintf("%s/projections/%d", path, i)
		if names[p.Name] {
			v.add(at+"/name", "%q is in two groups", p.Name)
		}
		names[p.Name] = true
		v.checkProjection(at, g, p)
	}
	v.checkExactIDs(path, g)
	v.checkConnected(path, g)
}

func (v *validator) checkExactIDs(path string, g *Group) {
	for i, e := range g.ExactIDs {
		at := fmt.Sprintf("%s/exact_ids/%d", path, i)
		used := slices.ContainsFunc(g.Projections, func(p Projection) bool { return p.Dedup == e.Name })
		if !used {
			v.add(at, "no projection uses %q", e.Name)
		}
		if e.Projection == "" {
			continue
		}
		source := g.projection(e.Projection)
		if source == nil {
			v.add(at+"/projection", "%q is not a projection of this group", e.Projection)
			continue
		}
		for j := range g.Projections {
			if p := &g.Projections[j]; p.Dedup == e.Name {
				v.checkCovered(fmt.Sprintf("%s/projections/%d", path, j), p, source)
			}
		}
	}
}

// checkCovered requires that source gives an identity to every event of p.
func (v *validator) checkCovered(path string, p, source *Projection) {
	for i := range p.Handlers {
		h := source.handler(p.Handlers[i].Event)
		if h == nil || h.Op != Upsert && h.Op != Replace {
			v.add(path+"/dedup", "%q inserts no row for %s", source.Name, p.Handlers[i].Event)
		}
	}
}

// checkConnected requires that the tables of a group hang together by projections and dedup links, since whatever does
// not is a group of its own.
func (v *validator) checkConnected(path string, g *Group) {
	joined := NewComponents(len(g.Tables))
	index := map[string]int{}
	for i := range g.Tables {
		index[g.Tables[i].Name] = i
	}
	for _, e := range g.ExactIDs {
		first := -1
		if source := g.projection(e.Projection); source != nil {
			first = index[source.Table]
		}
		for i := range g.Projections {
			p := &g.Projections[i]
			at, known := index[p.Table]
			if p.Dedup != e.Name || !known {
				continue
			}
			if first < 0 {
				first = at
			}
			joined.Join(first, at)
		}
	}
	for i := range g.Tables {
		if joined.Find(i) != joined.Find(0) {
			v.add(path, "table %q has nothing to do with table %q: they are two groups", g.Tables[i].Name, g.Tables[0].Name)
		}
	}
}

func (g *Group) projection(name string) *Projection {
	for i := range g.Projections {
		if g.Projections[i].Name == name {
			return &g.Projections[i]
		}
	}
	return nil
}

func (g *Group) table(name string) *Table {
	for i := range g.Tables {
		if g.Tables[i].Name == name {
			return &g.Tables[i]
		}
	}
	return nil
}

func (p *Projection) handler(event string) *Handler {
	for i := range p.Handlers {
		if p.Handlers[i].Event == event {
			return &p.Handlers[i]
		}
	}
	return nil
}

func (t *Table) column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// checkSorted requires unique non-empty names in ascending order.
func checkSorted[T any](v *validator, path string, list []T, name func(*T) string) {
	for i := range list {
		n := name(&list[i])
		if n == "" {
			v.add(fmt.Sprintf("%s/%d", path, i), "has no name")
		}
		if i == 0 {
			continue
		}
		switch prev := name(&list[i-1]); {
		case prev == n:
			v.add(fmt.Sprintf("%s/%d", path, i), "%q is there twice", n)
		case prev > n:
			v.add(fmt.Sprintf("%s/%d", path, i), "%q stands after %q: the list is not sorted", n, prev)
		}
	}
}

// NameProblem says why a text can't be the name of a table or column, or is empty if it can.
func NameProblem(name string) string {
	switch {
	case name == "":
		return "is empty"
	case len(name) > MaxNameLength:
		return fmt.Sprintf("is longer than %d bytes", MaxNameLength)
	case strings.ContainsAny(name, ".\x00"):
		return "contains a dot or a NUL"
	}
	return ""
}

func joinNames(names []string) string { return strings.Join(names, ", ") }

func sortedNames(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
