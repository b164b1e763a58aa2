package fold

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// Group is a compiled table group. It is immutable and safe for use by many goroutines.
type Group struct {
	Name        string
	Hash        string // the semantic hash of the IR
	Tables      []*Table
	Exact       []ExactSet
	Projections []string // names by ordinal

	events    map[string][]*handler // by event type, each list by ordinal
	resources map[string]expr.Value
	scratch   sync.Pool // of *expr.Env
}

// ExactSet is a set of event identities that is kept for ever.
type ExactSet struct {
	Name string
	// Projection is the ordinal of the projection whose key is the identity, or -1 where it is the event's id.
	Projection int
}

// CompileError says why a group of a program cannot be run: the IR is malformed.
type CompileError struct {
	Group   string
	Message string
}

// Error names the group.
func (e *CompileError) Error() string { return fmt.Sprintf("group %s: %s", e.Group, e.Message) }

// Compile makes a group of the program ready to evaluate events. The error is a *CompileError.
func Compile(p *ir.Program, g *ir.Group) (*Group, error) {
	c := compiler{
		source: g,
		group:  &Group{Name: g.Name, Hash: g.Hash, events: map[string][]*handler{}},
		exact:  map[string]int{},
	}
	if err := c.compile(p, g); err != nil {
		return nil, &CompileError{Group: g.Name, Message: err.Error()}
	}
	c.group.scratch.New = func() any { return &expr.Env{Resources: c.group.resources} }
	return c.group, nil
}

// Handles reports whether a projection of the group names the event type; an event of any other type is skipped.
func (g *Group) Handles(eventType string) bool { return len(g.events[eventType]) > 0 }

// EventTypes returns the types that Handles accepts, sorted.
func (g *Group) EventTypes() []string {
	types := make([]string, 0, len(g.events))
	for name := range g.events {
		types = append(types, name)
	}
	slices.Sort(types)
	return types
}

// Table returns the index of the named table in Tables, or -1.
func (g *Group) Table(name string) int {
	return slices.IndexFunc(g.Tables, func(t *Table) bool { return t.Name == name })
}

type compiler struct {
	source *ir.Group
	group  *Group
	exact  map[string]int // index into Group.Exact by name
}

func (c *compiler) compile(p *ir.Program, g *ir.Group) error {
	if err := c.compileResources(p); err != nil {
		return err
	}
	for i := range g.Tables {
		t, err := compileTable(&g.Tables[i])
		if err != nil {
			return fmt.Errorf("table %s: %w", g.Tables[i].Name, err)
		}
		if c.group.Table(t.Name) >= 0 {
			return fmt.Errorf("table %s: defined twice", t.Name)
		}
		c.group.Tables = append(c.group.Tables, t)
	}
	if err := c.compileExact(g); err != nil {
		return err
	}
	for i := range g.Projections {
		if err := c.compileProjection(&g.Projections[i], i); err != nil {
			return fmt.Errorf("projection %s: %w", g.Projections[i].Name, err)
		}
	}
	return nil
}

func (c *compiler) compileResources(p *ir.Program) error {
	c.group.resources = make(map[string]expr.Value, len(p.Resources))
	for _, resource := range p.Resources {
		f, err := expr.Compile(resource.Value)
		if err != nil {
			return fmt.Errorf("resource %s: %w", resource.Name, err)
		}
		value, err := f.Eval(&expr.Env{})
		if err != nil {
			return fmt.Errorf("resource %s: %w", resource.Name, err)
		}
		c.group.resources[resource.Name] = value
	}
	return nil
}

func (c *compiler) compileExact(g *ir.Group) error {
	for _, ids := range g.ExactIDs {
		if _, twice := c.exact[ids.Name]; twice || ids.Name == "" {
			return fmt.Errorf("exact ids %q: no name, or defined twice", ids.Name)
		}
		set := ExactSet{Name: ids.Name, Projection: -1}
		if ids.Projection != "" {
			set.Projection = slices.IndexFunc(g.Projections, func(p ir.Projection) bool { return p.Name == ids.Projection })
			if set.Projection < 0 {
				return fmt.Errorf("exact ids %s: unknown projection %s", ids.Name, ids.Projection)
			}
		}
		c.exact[ids.Name] = len(c.group.Exact)
		c.group.Exact = append(c.group.Exact, set)
	}
	return nil
}

func (c *compiler) compileProjection(p *ir.Projection, ordinal int) error {
	if ordinal >= math.MaxUint16 || slices.Contains(c.group.Projections, p.Name) {
		return fmt.Errorf("defined twice, or one of too many")
	}
	c.group.Projections = append(c.group.Projections, p.Name)
	table := c.group.Table(p.Table)
	if table < 0 {
		return fmt.Errorf("unknown table %s", p.Table)
	}
	dedup := -1
	if p.Dedup != "" {
		set, known := c.exact[p.Dedup]
		if !known {
			return fmt.Errorf("unknown exact ids %s", p.Dedup)
		}
		dedup = set
	}
	for i := range p.Handlers {
		h := &handler{projection: p.Name, ordinal: ordinal, table: table, dedup: -1, target: c.group.Tables[table]}
		if dedup >= 0 && c.source.Records(c.source.ExactIDs[dedup], p.Handlers[i].Event) {
			h.dedup = dedup
		}
		if err := h.compile(&p.Handlers[i]); err != nil {
			return fmt.Errorf("event %s: %w", p.Handlers[i].Event, err)
		}
		if err := c.addHandler(p.Handlers[i].Event, h); err != nil {
			return err
		}
	}
	return nil
}

func (c *compiler) addHandler(event string, h *handler) error {
	list := c.group.events[event]
	if n := len(list); event == "" || (n > 0 && list[n-1].ordinal == h.ordinal) {
		return fmt.Errorf("event %q has no name, or two handlers", event)
	}
	for set := range c.group.Exact {
		if c.group.Exact[set].Projection == h.ordinal {
			h.records = append(h.records, set)
		}
	}
	c.group.events[event] = append(list, h)
	return nil
}
