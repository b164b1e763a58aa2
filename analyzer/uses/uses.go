// Package uses notes what the expressions and sections of a program read, so that rules can tell what nothing reads.
package uses

import (
	"regexp"
	"strings"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// Bound is a name that an action binds.
type Bound struct {
	Action *spec.Action
	Name   string
}

// Uses tells what is read. It must not be changed.
type Uses struct {
	Fields   map[*spec.Field]bool // inputs of actions and queries
	Whole    map[*spec.Action]bool
	Bound    map[Bound]bool
	Consumed map[string]bool // events
	Tables   map[*symbols.TableInfo]bool
	Named    map[Definition]bool
	// Missing are names that are used and not defined, by what they are names of: a kind, Inputs or Names.
	Missing map[string][]string

	table *symbols.Table
}

// Inputs is the place of an action's or a query's inputs in Missing.
func Inputs(kind symbols.Kind, name *spec.Scalar) string {
	return "inputs of " + kind.String() + " " + symbols.Text(name)
}

// Names is the place of the names that an action binds in Missing.
func Names(a *spec.Action) string { return "names of " + symbols.Text(a.Name) }

// Columns is the place of a table's columns in Missing: those that are written and not declared.
func Columns(t *symbols.TableInfo) string {
	if t == nil {
		return ""
	}
	return "columns of " + t.Name
}

func (u *Uses) missing(of, name string) { u.Missing[of] = append(u.Missing[of], name) }

// Definition is a named thing.
type Definition struct {
	Kind symbols.Kind
	Name string
}

// Collect reads a program.
func Collect(p *spec.Program, t *symbols.Table, paths []sites.Path) *Uses {
	u := &Uses{
		Fields: map[*spec.Field]bool{}, Whole: map[*spec.Action]bool{}, Bound: map[Bound]bool{},
		Consumed: map[string]bool{}, Tables: map[*symbols.TableInfo]bool{},
		Named: map[Definition]bool{}, Missing: map[string][]string{}, table: t,
	}
	for i := range paths {
		u.path(&paths[i])
	}
	u.actions(p)
	u.models(p)
	u.events(p)
	u.tables(p, t)
	return u
}

func (u *Uses) path(p *sites.Path) {
	s, root, ref := p.Site, p.Root, p.Ref
	if p.Lone() && s.Action != nil && (root.Name == "intent" || root.Name == "input" || root.Name == "event") {
		u.Whole[s.Action] = true
		return
	}
	switch ref.Kind {
	case sites.RefInput, sites.RefEnvelope:
		if s.Action != nil {
			u.input(s.Action, sites.FirstSegment(ref.Path))
		}
	case sites.RefQuery:
		u.field(s.Query.Input, sites.FirstSegment(ref.Path), Inputs(symbols.Query, s.Query.Name))
	case sites.RefLocal:
		u.Bound[Bound{s.Action, ref.Name}] = true
	case sites.RefDecision:
		u.Named[Definition{symbols.Decision, ref.Name}] = true
	case sites.RefNone:
		if s.Action != nil {
			u.missing(Names(s.Action), root.Name)
		}
	}
	if root.Name == "resources" {
		name := firstName(ref.Node)
		u.Named[Definition{symbols.Resource, name}] = true
		if u.table.Resources[name] == nil {
			u.missing(symbols.Resource.String(), name)
		}
	}
}

func (u *Uses) input(a *spec.Action, name string) {
	if name == "" || name == "*" {
		u.Whole[a] = true
		return
	}
	u.field(a.Input, name, Inputs(symbols.Action, a.Name))
}

func (u *Uses) field(fields []*spec.Field, name, of string) {
	if f := sites.FindField(fields, name); f != nil {
		u.Fields[f] = true
		return
	}
	u.missing(of, name)
}

// firstName returns the name behind the root of a path, empty where it is computed.
func firstName(n spec.Node) string {
	switch n := n.(type) {
	case *spec.Member:
		if _, isRoot := n.X.(*spec.Ident); isRoot {
			return n.Name
		}
		return firstName(n.X)
	case *spec.Index:
		if _, isRoot := n.X.(*spec.Ident); isRoot {
			if lit, ok := n.I.(*spec.Lit); ok {
				return lit.Text
			}
			return ""
		}
		return firstName(n.X)
	}
	return ""
}

// actions notes the definitions that ops name, and bound names in slash paths.
func (u *Uses) actions(p *spec.Program) {
	for _, a := range p.Actions {
		symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
			u.name(symbols.Decision, op.Ref)
			u.name(symbols.Relationship, op.Relationship)
			u.name(symbols.Event, op.EventType)
			for _, path := range []*spec.Scalar{op.Path, op.From} {
				name, _, _ := strings.Cut(strings.TrimPrefix(symbols.Text(path), "/"), "/")
				u.Bound[Bound{a, name}] = true
			}
		})
	}
}

func (u *Uses) name(kind symbols.Kind, s *spec.Scalar) {
	if s == nil {
		return
	}
	u.Named[Definition{kind, s.Value}] = true
	if !u.table.Has(kind, s.Value) {
		u.missing(kind.String(), s.Value)
	}
}

var memoryVariable = regexp.MustCompile(`\{\{\s*memories\.([A-Za-z0-9_]+)`)

func (u *Uses) models(p *spec.Program) {
	for _, d := range p.Decisions {
		u.name(symbols.Prompt, d.Prompt)
		u.name(symbols.Provider, d.Provider)
		for _, m := range d.Memories {
			u.name(symbols.Memory, m)
		}
	}
	for _, m := range p.Memories {
		u.name(symbols.Provider, m.Provider)
	}
	for _, pr := range p.Prompts {
		for _, m := range memoryVariable.FindAllStringSubmatch(symbols.Text(pr.Instructions), -1) {
			u.Named[Definition{symbols.Memory, m[1]}] = true
		}
	}
}

func (u *Uses) events(p *spec.Program) {
	take := func(s *spec.Scalar) {
		u.name(symbols.Event, s)
		u.Consumed[symbols.Text(s)] = true
	}
	for _, l := range p.Listeners {
		take(l.On)
	}
	for _, s := range p.Sagas {
		for _, step := range s.Steps {
			take(step.On)
		}
	}
	for _, m := range p.Memories {
		for _, e := range m.SourceEvents {
			take(e)
		}
	}
	for _, pr := range p.Projections {
		for _, e := range pr.SourceEvents {
			take(e)
		}
	}
	for _, r := range p.Relationships {
		u.name(symbols.Event, r.Created)
		u.name(symbols.Event, r.Removed)
	}
	for _, d := range p.Decisions {
		u.name(symbols.Event, d.Emits)
	}
	for _, e := range p.Envelopes {
		for _, s := range []*spec.Scalar{e.PrepareEvent, e.PreparedEvent, e.CommitEvent, e.AbortEvent, e.TickEvent} {
			u.name(symbols.Event, s)
		}
		u.name(symbols.Action, e.StartAction)
	}
}

func (u *Uses) tables(p *spec.Program, t *symbols.Table) {
	for _, q := range p.Queries {
		for _, s := range symbols.Sources(q) {
			table := t.Table(s.Value)
			u.Tables[table] = true
			if table == nil {
				u.missing(symbols.Projection.String(), s.Value)
			}
		}
	}
	for _, pr := range p.Projections {
		table := t.Tables[symbols.TableName(pr)]
		if pr.Dedup != nil && !pr.Dedup.Auto && !pr.Dedup.Off {
			u.Tables[t.Table(pr.Dedup.Src.Value)] = true
			u.name(symbols.Projection, pr.Dedup.Src)
		}
		symbols.EachWritten(pr, func(column *spec.Scalar) {
			if table != nil && table.Columns[column.Value]&symbols.Declared == 0 {
				u.missing(Columns(table), column.Value)
			}
		})
	}
}
