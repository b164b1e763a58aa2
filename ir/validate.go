package ir

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// MaxNameLength is the length of a Postgres identifier in bytes; a longer one would be cut off silently.
const MaxNameLength = 63

// The bounds of what a group, a table and a query hold. They are those of Postgres, of the order of writes (which tells
// 32,768 projections apart), or far beyond anything that makes sense; within them, checking takes time in proportion to
// the size of the program.
const (
	maxProjections = 1 << 15
	maxTables      = 1000

	MaxColumns      = 1600 // of a table
	MaxIndexColumns = 32   // of a key or an index
	MaxJoins        = 16   // of a query
)

// Validate checks that a program is well-formed, so that whoever executes it need not ask again: every name resolves,
// every key column has a value, every list is in its fixed order, every expression has the operands of its kind and a
// bounded depth, and what the program says of a table (class, flags, roles) is what its handlers imply. The error is an
// *InvalidError. It does not look at hashes, and does not know the functions of expressions.
func Validate(p *Program) error {
	v := &validator{program: p, tables: map[string]*Table{}, columns: map[*Table]map[string]*Column{}, resources: map[string]bool{}}
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
	columns   map[*Table]map[string]*Column
	resources map[string]bool
}

func (v *validator) checkResources() {
	checkSorted(v, "/resources", v.program.Resources, func(r *Resource) string { return r.Name })
	for i := range v.program.Resources {
		r := &v.program.Resources[i]
		path := item("/resources", i) + "/value"
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
		if v.hopeless() {
			return
		}
		v.checkGroup(item("/groups", i), &v.program.Groups[i], names)
	}
}

// groupNames are the names of a group.
type groupNames struct {
	*Group
	tables      map[string]int
	projections map[string]*Projection
	exact       map[string]bool
	linked      map[string][]int // projections by the exact ids that admit their events
}

func namesOf(g *Group) *groupNames {
	n := &groupNames{Group: g, tables: map[string]int{}, projections: map[string]*Projection{}, exact: map[string]bool{}, linked: map[string][]int{}}
	for i := range g.Tables {
		n.tables[g.Tables[i].Name] = i
	}
	for i := range g.Projections {
		p := &g.Projections[i]
		n.projections[p.Name] = p
		n.linked[p.Dedup] = append(n.linked[p.Dedup], i)
	}
	for _, e := range g.ExactIDs {
		n.exact[e.Name] = true
	}
	return n
}

// checkGroup checks one group; seen holds the projections of the program so far.
func (v *validator) checkGroup(path string, g *Group, seen map[string]bool) {
	checkSorted(v, path+"/tables", g.Tables, func(t *Table) string { return t.Name })
	checkSorted(v, path+"/projections", g.Projections, func(p *Projection) string { return p.Name })
	checkSorted(v, path+"/exact_ids", g.ExactIDs, func(e *ExactIDs) string { return e.Name })
	switch {
	case len(g.Tables) == 0 || len(g.Projections) == 0:
		v.add(path, "a group needs a table and a projection")
		return
	case len(g.Tables) > maxTables || len(g.Projections) > maxProjections || len(g.ExactIDs) > len(g.Projections):
		v.add(path, "has more than %d tables or %d projections, or more exact ids than projections", maxTables, maxProjections)
		return
	}
	if g.Name != g.Tables[0].Name {
		v.add(path+"/name", "is %q, not the smallest name of its tables, %q", g.Name, g.Tables[0].Name)
	}
	names := namesOf(g)
	for i := range g.Tables {
		v.checkTable(item(path+"/tables", i), g, &g.Tables[i])
	}
	for i := range g.Projections {
		p := &g.Projections[i]
		at := item(path+"/projections", i)
		if seen[p.Name] {
			v.add(at+"/name", "%q is in two groups", p.Name)
		}
		seen[p.Name] = true
		v.checkProjection(at, names, p)
	}
	v.checkExactIDs(path, names)
	v.checkConnected(path, names)
}

func (v *validator) checkExactIDs(path string, g *groupNames) {
	for i, e := range g.ExactIDs {
		at := item(path+"/exact_ids", i)
		if len(g.linked[e.Name]) == 0 {
			v.add(at, "no projection uses %q", e.Name)
		}
		if e.Projection == "" {
			continue
		}
		source := g.projections[e.Projection]
		if source == nil {
			v.add(at+"/projection", "%q is not a projection of this group", e.Projection)
			continue
		}
		for _, j := range g.linked[e.Name] {
			v.checkCovered(item(path+"/projections", j), &g.Projections[j], source)
		}
	}
}

// checkCovered requires that source gives an identity to every event that p counts, and to those that both take.
func (v *validator) checkCovered(path string, p, source *Projection) {
	for i := range p.Handlers {
		h := source.handler(p.Handlers[i].Event)
		if h == nil && !p.Handlers[i].Counts() {
			continue
		}
		if h == nil || h.Op != Upsert && h.Op != Replace {
			v.add(path+"/dedup", "%q inserts no row for %s", source.Name, p.Handlers[i].Event)
		}
	}
}

// checkConnected requires that the tables of a group hang together by projections and dedup links, since whatever does
// not is a group of its own.
func (v *validator) checkConnected(path string, g *groupNames) {
	joined := NewComponents(len(g.Tables))
	for _, e := range g.ExactIDs {
		first, found := 0, false
		if source := g.projections[e.Projection]; source != nil {
			first, found = g.tables[source.Table]
		}
		for _, i := range g.linked[e.Name] {
			at, known := g.tables[g.Projections[i].Table]
			if known && found {
				joined.Join(first, at)
			} else if known {
				first, found = at, true
			}
		}
	}
	for i := range g.Tables {
		if joined.Find(i) != joined.Find(0) {
			v.add(path, "table %q has nothing to do with table %q: they are two groups", g.Tables[i].Name, g.Tables[0].Name)
		}
	}
}

// handler returns the handler of an event, in a list that is sorted.
func (p *Projection) handler(event string) *Handler {
	i, found := slices.BinarySearchFunc(p.Handlers, event, func(h Handler, name string) int { return strings.Compare(h.Event, name) })
	if !found {
		return nil
	}
	return &p.Handlers[i]
}

func (v *validator) column(t *Table, name string) *Column { return v.columns[t][name] }

// item returns the path of an item of the list at a path.
func item(path string, i int) string { return path + "/" + strconv.Itoa(i) }

// checkSorted requires unique non-empty names in ascending order.
func checkSorted[T any](v *validator, path string, list []T, name func(*T) string) {
	for i := range list {
		if v.hopeless() {
			return
		}
		n := name(&list[i])
		if n == "" {
			v.add(item(path, i), "has no name")
		}
		if i == 0 {
			continue
		}
		switch prev := name(&list[i-1]); {
		case prev == n:
			v.add(item(path, i), "%q is there twice", n)
		case prev > n:
			v.add(item(path, i), "%q stands after %q: the list is not sorted", n, prev)
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
