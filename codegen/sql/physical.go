package sql

import (
	"fmt"

	"github.com/causetc/causetc/ir"
)

// DefaultSchema is the schema of ours where nothing else is asked for.
const DefaultSchema = "causetc"

// LayoutVersion is the version of the layout that this package describes, and the newest that a worker may use.
const LayoutVersion = 1

// Options say where things are placed. The zero Options are the defaults.
type Options struct {
	Schema     string // the schema of ours; empty: DefaultSchema
	ViewSchema string // where the views go; empty: the connection's current schema
	Fork       string // the fork that the schema is bound to; empty: "main"
}

func (o Options) schema() string {
	if o.Schema == "" {
		return DefaultSchema
	}
	return o.Schema
}

func (o Options) fork() string {
	if o.Fork == "" {
		return "main"
	}
	return o.Fork
}

// Physical tells how one version of a table is kept. Names are plain, not quoted.
type Physical struct {
	Table   *ir.Table
	Version int
	Name    string           // the physical table, in the schema of ours
	Keys    []PhysicalColumn // in the primary key's order
	Plain   []PhysicalColumn // in declared order
	Sums    []PhysicalColumn // in declared order
	Created string           // column with the order of the newest creating write
	First   string           // column with the order of the first one; empty where none is kept
	Deleted string           // column with the order of the newest delete; empty where none is kept
}

// PhysicalColumn is a declared column in the physical table.
type PhysicalColumn struct {
	Column *ir.Column
	Type   ir.SQLType // in the physical table
	Order  string     // of a plain column: the column with its order
}

// NewPhysical lays out version number version of a table.
func NewPhysical(t *ir.Table, version int) *Physical {
	p := &Physical{Table: t, Version: version, Name: Fit(t.Name, fmt.Sprintf("@%d", version))}
	names := make(map[string]bool)
	for _, c := range t.Columns {
		names[Fit(c.Name, "")] = true
	}
	p.Created = ownName("", "@created", names)
	if t.Updates {
		p.First = ownName("", "@first", names)
	}
	if t.Deletes {
		p.Deleted = ownName("", "@deleted", names)
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		column := PhysicalColumn{Column: c, Type: physicalType(c)}
		switch c.Role {
		case ir.RolePlain:
			column.Order = ownName(c.Name, "@", names)
			p.Plain = append(p.Plain, column)
		case ir.RoleSum:
			p.Sums = append(p.Sums, column)
		}
	}
	for _, key := range t.Key {
		for i := range t.Columns {
			if c := &t.Columns[i]; c.Name == key {
				p.Keys = append(p.Keys, PhysicalColumn{Column: c, Type: c.Type})
			}
		}
	}
	return p
}

// ownName returns a name of ours that no declared column has taken.
func ownName(base, suffix string, taken map[string]bool) string {
	name := Fit(base, suffix)
	for taken[name] {
		suffix += "@"
		name = Fit(base, suffix)
	}
	taken[name] = true
	return name
}

// Live is the condition under which a row of the physical table shows, with every column qualified by alias; empty where
// all rows do.
func (p *Physical) Live(alias string) string {
	created := qualify(alias, p.Created)
	switch {
	case p.Deleted != "":
		return created + " > " + qualify(alias, p.Deleted)
	case p.Table.Class == ir.Convergent && !p.Table.Updates:
		return ""
	default:
		return created + " > ''::bytea"
	}
}

// Shown is the expression of a column's value as readers see it, with every column qualified by alias.
func (p *Physical) Shown(c *ir.Column, alias string) string {
	value := qualify(alias, c.Name)
	switch {
	case c.Role == ir.RoleSum && isFloat(c.Type):
		return "(" + value + ")::" + TypeSQL(c.Type)
	case c.Role == ir.RolePlain && c.Hidden && p.First != "":
		order := qualify(alias, p.orderOf(c))
		otherwise := ""
		if c.Default != "" {
			otherwise = " ELSE " + Literal(c.Default) + "::" + TypeSQL(c.Type)
		}
		return fmt.Sprintf("CASE WHEN %s IS NULL OR %s >= %s THEN %s%s END",
			order, order, qualify(alias, p.First), value, otherwise)
	default:
		return value
	}
}

func (p *Physical) orderOf(c *ir.Column) string {
	for _, plain := range p.Plain {
		if plain.Column == c {
			return plain.Order
		}
	}
	return ""
}

func qualify(alias, name string) string {
	if alias == "" {
		return Ident(name)
	}
	return Ident(alias) + "." + Ident(name)
}
