package codegen

import (
	"slices"
	"strings"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// column is one column of a table and what the projections do with it.
type column struct {
	name     string
	key      bool
	declared *spec.Column // the first declaration with a usable type
	typ      ir.SQLType   // of declared; else what settleColumns infers
	inferred inference
	plain    *spec.Scalar // where derive, set or bucket first write it
	sum      *spec.Scalar // where an aggregate or increment first writes it
	adds     bool         // some aggregate adds or subtracts
}

func (t *table) column(name string) *column {
	col := t.byName[name]
	if col == nil {
		col = &column{name: name}
		t.byName[name] = col
		t.columns = append(t.columns, col)
	}
	return col
}

// readColumns finds the columns of every table: those that are declared, those of the key, and those that are written.
func (c *compiler) readColumns() {
	for _, t := range c.tables {
		for i, s := range t.key {
			if slices.ContainsFunc(t.key[:i], func(k *spec.Scalar) bool { return k.Value == s.Value }) {
				c.report(ruleKey, s.Span(), "%s is in the primary key twice; remove one", s.Value)
			}
		}
		for _, p := range t.projections {
			c.readProjectionColumns(t, p)
		}
		if len(t.columns) > ir.MaxColumns {
			c.report(ruleLayout, t.projections[0].src.Table.Span(), "the table %s has %d columns; Postgres has room for %d", t.name, len(t.columns), ir.MaxColumns)
		}
		if len(t.key) > ir.MaxIndexColumns {
			c.report(ruleKey, t.key[ir.MaxIndexColumns].Span(), "the key has %d columns; Postgres has room for %d", len(t.key), ir.MaxIndexColumns)
		}
	}
}

func (c *compiler) readProjectionColumns(t *table, p *projection) {
	for _, f := range p.src.Fields {
		if c.checkName(f.Name, "column") {
			c.declare(t, t.column(f.Name.Value), f)
		}
	}
	for _, s := range p.src.PrimaryKey {
		if c.checkName(s, "column") {
			t.column(s.Value).key = true
		}
	}
	for _, e := range p.src.Derive {
		c.writePlain(t, e.Key)
	}
	for _, m := range p.src.Mutations {
		for _, e := range m.Set {
			if opOf(m) == opIncrement {
				c.writeSum(t, e.Key, true)
			} else {
				c.writePlain(t, e.Key)
			}
		}
	}
	for _, ea := range p.src.Aggregates {
		for _, a := range ea.Columns {
			c.writeSum(t, a.Column, a.Op == nil || a.Op.Value != ir.SumSet)
		}
	}
	c.readBucket(t, p)
}

func (c *compiler) declare(t *table, col *column, f *spec.Column) {
	typ, problem := columnType(f)
	switch {
	case problem != "":
		c.report(ruleType, f.Type.Span(), "%s", problem)
	case col.declared == nil:
		col.declared, col.typ = f, typ
	case col.typ != typ:
		c.report(ruleType, f.Type.Span(), "the column %s of the table %s is %s here and %s elsewhere", f.Name.Value, t.name, typ, col.typ)
	}
}

func (c *compiler) writePlain(t *table, at *spec.Scalar) {
	if !c.checkName(at, "column") {
		return
	}
	if col := t.column(at.Value); col.plain == nil {
		col.plain = at
	}
}

func (c *compiler) writeSum(t *table, at *spec.Scalar, adds bool) {
	if !c.checkName(at, "column") {
		return
	}
	col := t.column(at.Value)
	if col.sum == nil {
		col.sum = at
	}
	col.adds = col.adds || adds
}

// role is what the column is for the fold. A column that aggregates only set is a plain one with a default.
func (col *column) role() ir.Role {
	switch {
	case col.key:
		return ir.RoleKey
	case col.sum != nil && col.adds:
		return ir.RoleSum
	}
	return ir.RolePlain
}

// settleColumns checks roles against types and infers the types that nobody declared.
func (c *compiler) settleColumns() {
	for _, t := range c.tables {
		for _, col := range t.columns {
			c.settleColumn(t, col)
		}
	}
}

func (c *compiler) settleColumn(t *table, col *column) {
	if col.declared == nil {
		c.inferType(t, col)
	}
	place := c.columnPlace(t, col)
	switch {
	case col.sum != nil && col.key:
		c.report(ruleRole, col.sum.Span(), "%s is in the primary key of %s, and an aggregate would change it", col.name, t.name)
	case col.sum != nil && col.plain != nil:
		c.report(ruleRole, col.sum.Span(), "%s is written by an aggregate here and by derive or set elsewhere: a column of %s is one or the other",
			col.name, t.name)
	case col.sum != nil && !col.typ.IsNumber():
		c.report(ruleType, place, "%s is an aggregate and needs a number type, not %s", col.name, col.typ)
	case col.key && col.typ.Name == ir.JSON:
		c.report(ruleType, place, "%s is in the primary key, and JSON can't be compared; declare it JSONB", col.name)
	}
}

// inferType takes the type of what is written; a column that nothing is known of is TEXT.
func (c *compiler) inferType(t *table, col *column) {
	switch {
	case col.inferred.conflict:
		c.report(ruleType, c.columnPlace(t, col), "%s is not declared in fields, and its events give it values of different types; declare it", col.name)
	case col.inferred.known:
		col.typ = col.inferred.typ
	case col.sum != nil:
		col.typ = ir.SQLType{Name: ir.BigInt}
	default:
		col.typ = ir.SQLType{Name: ir.Text}
	}
}

// columnPlace is where a column is declared or first written.
func (c *compiler) columnPlace(t *table, col *column) spec.Span {
	switch {
	case col.declared != nil:
		return col.declared.Type.Span()
	case col.plain != nil:
		return col.plain.Span()
	case col.sum != nil:
		return col.sum.Span()
	}
	for _, s := range t.key {
		if s.Value == col.name {
			return s.Span()
		}
	}
	return t.projections[0].src.Name.Span()
}

func sameNames(a, b []*spec.Scalar) bool {
	return slices.EqualFunc(a, b, func(x, y *spec.Scalar) bool { return x.Value == y.Value })
}

func joinScalars(list []*spec.Scalar) string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = s.Value
	}
	return strings.Join(names, ", ")
}
