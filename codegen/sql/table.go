package sql

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/ir"
)

// Objects returns what keeps a version of the table: the physical table with its partitions and indexes.
func (p *Physical) Objects(o Options) []Object {
	table := Object{Kind: KindTable, Schema: o.schema(), Name: p.Name,
		SQL: fmt.Sprintf("CREATE TABLE %s (\n  %s\n)%s", Qualified(o.schema(), p.Name),
			strings.Join(p.columnDefs(), ",\n  "), partitionBy(p.Table.Partition))}
	objects := append([]Object{table}, partitions(p.Table.Partition, o.schema(), p.Name)...)
	return append(objects, p.Indexes(o)...)
}

// PhysicalColumnDef is a column of the physical table as Postgres's catalog describes it.
type PhysicalColumnDef struct {
	Name string
	Type string // as the function format_type prints it
}

// Definition lists the columns of the physical table in order.
func (p *Physical) Definition() []PhysicalColumnDef {
	var defs []PhysicalColumnDef
	for i := range p.Table.Columns {
		c := &p.Table.Columns[i]
		defs = append(defs, PhysicalColumnDef{Fit(c.Name, ""), CatalogType(physicalType(c))})
	}
	for _, name := range p.orderColumns() {
		defs = append(defs, PhysicalColumnDef{name, "bytea"})
	}
	return defs
}

func (p *Physical) orderColumns() []string {
	names := []string{p.Created}
	if p.First != "" {
		names = append(names, p.First)
	}
	if p.Deleted != "" {
		names = append(names, p.Deleted)
	}
	for _, c := range p.Plain {
		names = append(names, c.Order)
	}
	return names
}

func (p *Physical) columnDefs() []string {
	var defs []string
	for i := range p.Table.Columns {
		defs = append(defs, physicalDef(&p.Table.Columns[i]))
	}
	defs = append(defs, Ident(p.Created)+" bytea NOT NULL DEFAULT ''")
	if p.First != "" {
		defs = append(defs, Ident(p.First)+" bytea")
	}
	if p.Deleted != "" {
		defs = append(defs, Ident(p.Deleted)+" bytea NOT NULL DEFAULT ''")
	}
	for _, c := range p.Plain {
		defs = append(defs, Ident(c.Order)+" bytea")
	}
	keys := make([]string, len(p.Keys))
	for i, key := range p.Keys {
		keys[i] = key.Column.Name
	}
	return append(defs, fmt.Sprintf("CONSTRAINT %s PRIMARY KEY (%s)", Ident(Fit(p.Name, "@key")), identList(keys)))
}

// The bounds between which a NUMERIC can be cast to the binary type without an error, other than 0.
var floatBounds = map[ir.TypeName][2]string{
	ir.Double: {"1e-307", "1.7976931348623157e308"},
	ir.Real:   {"1e-37", "3.4028234e38"},
}

// physicalDef defines a declared column. A sum that the view shows as a binary float is checked to be one, since the cast
// would fail for whoever reads the view.
func physicalDef(c *ir.Column) string {
	def := Ident(c.Name) + " " + TypeSQL(physicalType(c))
	switch c.Role {
	case ir.RoleKey:
		return def + " NOT NULL"
	case ir.RoleSum:
		def += " NOT NULL DEFAULT 0"
		if bounds, ok := floatBounds[c.Type.Name]; ok {
			def += fmt.Sprintf(" CHECK (%s = 0 OR abs(%s) BETWEEN %s AND %s)",
				Ident(c.Name), Ident(c.Name), bounds[0], bounds[1])
		}
		return def
	default:
		if c.Default != "" {
			def += " DEFAULT " + Literal(c.Default)
		}
		return def
	}
}

// Indexes returns the secondary indexes. Their names say what they hold, so that a changed index has another name.
func (p *Physical) Indexes(o Options) []Object {
	var objects []Object
	for i := range p.Table.Indexes {
		index := &p.Table.Indexes[i]
		name := p.indexName(index)
		where := ""
		if live := p.Live(""); index.Unique && live != "" {
			where = " WHERE " + live
		}
		objects = append(objects, Object{Kind: KindIndex, Schema: o.schema(), Name: name,
			SQL: fmt.Sprintf("CREATE %sINDEX %s ON %s (%s)%s", uniqueWord(index), Ident(name),
				Qualified(o.schema(), p.Name), p.indexTerms(index), where)})
	}
	return objects
}

func uniqueWord(index *ir.Index) string {
	if index.Unique {
		return "UNIQUE "
	}
	return ""
}

func (p *Physical) indexName(index *ir.Index) string {
	quoted := make([]string, len(index.Columns))
	for i, column := range index.Columns {
		quoted[i] = strings.ReplaceAll(column, ",", ",,")
	}
	name := p.Name + "@" + strings.Join(quoted, ",")
	suffix := "@index"
	if index.Desc {
		suffix = "@desc"
	}
	if index.Unique {
		suffix += "@unique"
	}
	return Fit(name, suffix)
}

// indexTerms are the indexed expressions: those that the view shows, so that a query through the view can use the index.
func (p *Physical) indexTerms(index *ir.Index) string {
	var terms []string
	for _, column := range index.Columns {
		term := Ident(column)
		for i := range p.Table.Columns {
			if c := &p.Table.Columns[i]; c.Name == column {
				term = p.Shown(c, "")
			}
		}
		if term != Ident(column) {
			term = "(" + term + ")"
		}
		if index.Desc {
			term += " DESC"
		}
		terms = append(terms, term)
	}
	return strings.Join(terms, ", ")
}

// View returns the view by which readers see the table, and the trigger that keeps them from writing it.
func (p *Physical) View(o Options) []Object {
	columns := make([]string, len(p.Table.Columns))
	for i := range p.Table.Columns {
		c := &p.Table.Columns[i]
		columns[i] = p.Shown(c, "t") + " AS " + Ident(c.Name)
	}
	where := ""
	if live := p.Live("t"); live != "" {
		where = "\nWHERE " + live
	}
	name := Fit(p.Table.Name, "")
	view := Qualified(o.ViewSchema, p.Table.Name)
	return []Object{
		{Kind: KindView, Schema: o.ViewSchema, Name: name,
			SQL: fmt.Sprintf("CREATE VIEW %s AS\nSELECT %s\nFROM %s AS %s%s", view, strings.Join(columns, ",\n  "),
				Qualified(o.schema(), p.Name), Ident("t"), where)},
		{Kind: KindTrigger, Schema: o.ViewSchema, Name: name,
			SQL: fmt.Sprintf("CREATE TRIGGER causetc INSTEAD OF INSERT OR UPDATE OR DELETE ON %s\nFOR EACH ROW EXECUTE FUNCTION %s()",
				view, Qualified(o.schema(), "refuse_write"))},
	}
}
