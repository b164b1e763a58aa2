package names

import (
	"fmt"
	"slices"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/rows"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

func runColumns(p *analysis.Pass) error {
	for _, q := range p.Program.Queries {
		checkQueryColumns(p, q)
	}
	for _, pr := range p.Program.Projections {
		if t := p.Symbols.Tables[symbols.TableName(pr)]; t != nil {
			checkProjectionColumns(p, pr, t)
		}
	}
	return nil
}

// checkProjectionColumns looks up the columns that a projection names without writing them.
func checkProjectionColumns(p *analysis.Pass, pr *spec.Projection, t *symbols.TableInfo) {
	check := func(c *spec.Scalar, who string) {
		if c == nil || c.Value == "" || t.Has(c.Value) {
			return
		}
		what := fmt.Sprintf("%s of projection %s names column %s, which table %s does not have", who, symbols.Text(pr.Name), quote(c.Value), t.Name)
		unknownColumn(p, c.Span(), what, c.Value, symbols.Names(t.Columns), "add it to fields, or correct the name")
	}
	for _, index := range pr.Indexes {
		for _, c := range index.Columns {
			check(c, "an index")
		}
	}
	check(pr.EntityKey, "the entity_key")
	if onlyBulk(pr) {
		checkUnwrittenKey(p, pr, t)
	}
	if pr.Partition != nil {
		check(pr.Partition.Field, "the partition")
	}
	for _, m := range pr.Mutations {
		for _, c := range m.Where {
			check(c.Column, "the where of "+symbols.Text(m.Event))
		}
	}
}

func checkQueryColumns(p *analysis.Pass, q *spec.Query) {
	if q.From == nil {
		return // the parser says so
	}
	seen := map[string]bool{}
	for _, u := range p.Symbols.ColumnUses(q) {
		if u.Table != nil || seen[u.At.Value] {
			continue
		}
		at := u.At.Span()
		column := u.At.Sub(len(u.At.Value)-len(u.Column), len(u.At.Value))
		switch {
		case u.Known:
			seen[u.At.Value] = true
			what := fmt.Sprintf("query %s reads column %s, which %s", symbols.Text(q.Name), quote(u.Column), lacks(u))
			unknownColumn(p, column, what, u.Column, columnsOf(p, q), "add it to the projection, or correct the name")
		case u.Prefix != "" && !u.Prefixed && readsKnown(p, q):
			seen[u.At.Value] = true
			hint, _ := p.Suggest(u.Prefix, sourceNames(q), at, "join it, or correct the name")
			p.Reportf(at, "query %s reads %s, but %s is neither its from nor one of its joins; %s", symbols.Text(q.Name), quote(u.At.Value), quote(u.Prefix), hint)
		}
	}
}

// onlyBulk reports whether a projection changes rows and makes none, so that nothing asks it for a key.
func onlyBulk(pr *spec.Projection) bool {
	return len(pr.Mutations) > 0 && !slices.ContainsFunc(rows.Handlers(pr), func(h rows.Handler) bool { return h.Op != "bulk_update" })
}

// checkUnwrittenKey looks up the key of a projection that gives it no value. Where a value is needed, another rule asks for it.
func checkUnwrittenKey(p *analysis.Pass, pr *spec.Projection, t *symbols.TableInfo) {
	var others []string
	for _, name := range symbols.Names(t.Columns) {
		if t.Columns[name] != symbols.Named {
			others = append(others, name)
		}
	}
	for _, k := range pr.PrimaryKey {
		if t.Columns[k.Value] == symbols.Named && k.Value != "shard_id" {
			what := fmt.Sprintf("the primary key of projection %s names column %s, which table %s does not have", symbols.Text(pr.Name), quote(k.Value), t.Name)
			unknownColumn(p, k.Span(), what, k.Value, others, "add it to fields, or correct the name")
		}
	}
}

// readsKnown reports whether all tables that a query reads are known; others have a rule of their own.
func readsKnown(p *analysis.Pass, q *spec.Query) bool {
	return !slices.ContainsFunc(symbols.Sources(q), func(s *spec.Scalar) bool { return p.Symbols.Table(s.Value) == nil })
}

func sourceNames(q *spec.Query) []string {
	var names []string
	for _, s := range symbols.Sources(q) {
		names = append(names, s.Value)
	}
	return names
}

// columnsOf returns the columns of the tables that a query reads.
func columnsOf(p *analysis.Pass, q *spec.Query) []string {
	var columns []string
	for _, name := range sourceNames(q) {
		if t := p.Symbols.Table(name); t != nil {
			columns = append(columns, symbols.Names(t.Columns)...)
		}
	}
	return columns
}

func unknownColumn(p *analysis.Pass, at spec.Span, what, column string, columns []string, otherwise string) {
	hint, fixes := p.Suggest(column, columns, at, otherwise)
	p.Report(spec.Diagnostic{Span: at, Fixes: fixes, Message: what + "; " + hint})
}

// lacks says who does not have the column.
func lacks(u symbols.ColumnUse) string {
	switch {
	case u.Prefix != "":
		return u.Prefix + " does not have"
	case u.Owner != "":
		return u.Owner + " does not have"
	}
	return "none of its tables has"
}

// runUndeclaredColumns finds columns that a projection writes and whose type it leaves open.
func runUndeclaredColumns(p *analysis.Pass) error {
	for _, name := range symbols.Names(p.Symbols.Tables) {
		t := p.Symbols.Tables[name]
		for _, pr := range t.Projections {
			undeclared(p, pr, t)
		}
	}
	return nil
}

// unwritten returns the declared columns that nothing writes. A key without a value has a rule of its own, but for shard_id,
// which then has one of its own.
func unwritten(t *symbols.TableInfo) []string {
	var free []string
	for _, name := range symbols.Names(t.Columns) {
		if is := t.Columns[name]; is == symbols.Declared || name == "shard_id" && is == symbols.Declared|symbols.Named {
			free = append(free, name)
		}
	}
	return free
}

// undeclared reports the columns of one projection, those that look like a misspelled one each by itself.
func undeclared(p *analysis.Pass, pr *spec.Projection, t *symbols.TableInfo) {
	var first *spec.Scalar
	var rest []*spec.Scalar
	seen := map[string]bool{}
	symbols.EachWritten(pr, func(c *spec.Scalar) {
		if t.Columns[c.Value]&symbols.Declared != 0 || seen[c.Value] {
			return
		}
		seen[c.Value] = true
		free := unwritten(t)
		if near := p.Nearest(c.Value, free); near != "" {
			at := c.Span()
			hint, fixes := p.Suggest(c.Value, free, at, "")
			p.Report(spec.Diagnostic{Span: at, Severity: spec.Warning, Fixes: fixes, Message: fmt.Sprintf(
				"projection %s writes column %s, which its fields do not declare, and nothing writes %s; %s", symbols.Text(pr.Name), c.Value, near, hint)})
			return
		}
		if c.Value == "shard_id" {
			return // its type is known
		}
		if first == nil {
			first = c
		} else {
			rest = append(rest, c)
		}
	})
	if first == nil {
		return
	}
	d := spec.Diagnostic{Span: first.Span(), Message: fmt.Sprintf(
		"the type of column %s of projection %s is not declared: the hosted compiler makes it TEXT, causetc infers it from the expression; add it to fields",
		first.Value, symbols.Text(pr.Name))}
	for i, c := range rest {
		if i < 5 {
			d.Related = append(d.Related, spec.Related{Span: c.Span(), Message: c.Value + " neither"})
		}
	}
	p.Report(d)
}
