package sql

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/ir"
)

// firstVersion is the version under which a group is deployed at first.
const firstVersion = 1

// GroupObjects returns what a version of a group needs: the physical tables, the tables of exact ids, the note that the
// version is deployed, and the views.
func GroupObjects(g *ir.Group, version int, o Options) ([]Object, error) {
	note, err := deployment(g, version, o)
	if err != nil {
		return nil, err
	}
	var objects, views []Object
	for i := range g.Tables {
		physical := NewPhysical(&g.Tables[i], version)
		objects = append(objects, physical.Objects(o)...)
		views = append(views, physical.View(o)...)
	}
	for _, set := range g.ExactIDs {
		objects = append(objects, exactIDs(g.Name, set.Name, version, o))
	}
	return append(append(objects, note), views...), nil
}

// ProgramObjects returns everything that an empty database needs for a program, in an order in which it can be created.
func ProgramObjects(p *ir.Program, o Options) ([]Object, error) {
	objects := append(ControlObjects(o), Binding(p.App, o))
	for i := range p.Groups {
		group, err := GroupObjects(&p.Groups[i], firstVersion, o)
		if err != nil {
			return nil, err
		}
		objects = append(objects, group...)
	}
	return objects, nil
}

// Schema returns the whole schema.sql of a program for an empty database: one transaction, so that it is applied
// altogether or not at all.
func Schema(p *ir.Program, o Options) (string, error) {
	objects, err := ProgramObjects(p, o)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "-- The tables of %s.\n\nBEGIN;\n\n", oneLine(p.App))
	for _, object := range objects {
		b.WriteString(object.SQL)
		b.WriteString(";\n\n")
	}
	b.WriteString("COMMIT;\n")
	return b.String(), nil
}

// HostedSchema returns plain tables for the hosted worker: the declared columns, keys, indexes and partitions.
func HostedSchema(p *ir.Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- The tables of %s.\n", oneLine(p.App))
	for i := range p.Groups {
		for j := range p.Groups[i].Tables {
			for _, object := range hostedObjects(&p.Groups[i].Tables[j]) {
				fmt.Fprintf(&b, "\n%s;\n", object.SQL)
			}
		}
	}
	return b.String()
}

func hostedObjects(t *ir.Table) []Object {
	var defs []string
	for i := range t.Columns {
		defs = append(defs, hostedDef(&t.Columns[i]))
	}
	defs = append(defs, fmt.Sprintf("PRIMARY KEY (%s)", identList(t.Key)))
	objects := []Object{{Kind: KindTable, Name: t.Name,
		SQL: fmt.Sprintf("CREATE TABLE %s (\n  %s\n)%s", Ident(t.Name), strings.Join(defs, ",\n  "), partitionBy(t.Partition))}}
	objects = append(objects, partitions(t.Partition, "", t.Name)...)
	for i := range t.Indexes {
		objects = append(objects, hostedIndex(t, &t.Indexes[i]))
	}
	return objects
}

func hostedDef(c *ir.Column) string {
	def := Ident(c.Name) + " " + TypeSQL(c.Type)
	switch {
	case c.Role == ir.RoleKey:
		return def + " NOT NULL"
	case c.Role == ir.RoleSum:
		return def + " DEFAULT 0"
	case c.Default != "":
		return def + " DEFAULT " + Literal(c.Default)
	default:
		return def
	}
}

// hostedIndex leaves the choice of a name to Postgres, which picks a free one.
func hostedIndex(t *ir.Table, index *ir.Index) Object {
	terms := make([]string, len(index.Columns))
	for i, column := range index.Columns {
		terms[i] = Ident(column)
		if index.Desc {
			terms[i] += " DESC"
		}
	}
	return Object{Kind: KindIndex, SQL: fmt.Sprintf("CREATE %sINDEX ON %s (%s)",
		uniqueWord(index), Ident(t.Name), strings.Join(terms, ", "))}
}

// oneLine keeps a name from ending the comment that it stands in.
func oneLine(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '\u2028' || r == '\u2029' || r == '\u0085' {
			return ' '
		}
		return r
	}, name)
}
