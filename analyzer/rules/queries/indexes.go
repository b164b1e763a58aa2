package queries

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// runUnindexed finds queries whose conditions or order no key and no index serves, so that every row is read. Of queries
// that join or group it says nothing.
func runUnindexed(p *analysis.Pass) error {
	leading := map[*symbols.TableInfo]map[string]bool{}
	for _, q := range p.Program.Queries {
		t := p.Symbols.Table(symbols.Text(q.From))
		if t == nil || len(q.Joins) > 0 || len(q.GroupBy) > 0 || len(q.Aggregate) > 0 {
			continue
		}
		if leading[t] == nil {
			leading[t] = leadingColumns(t)
		}
		unindexed(p, q, t, leading[t])
	}
	return nil
}

func unindexed(p *analysis.Pass, q *spec.Query, t *symbols.TableInfo, leading map[string]bool) {
	var first *spec.Scalar
	for _, c := range q.Where {
		if !selects(c) || !t.Has(bare(symbols.Text(c.Column))) {
			continue
		}
		if leading[bare(symbols.Text(c.Column))] {
			return
		}
		if first == nil {
			first = c.Column
		}
	}
	if first != nil {
		p.Reportf(first.Span(), "query %s reads all rows of %s, since neither its key nor an index begins with %s; add an index: { columns: [%s] }",
			nameOf(q), t.Name, first.Value, bare(first.Value))
		return
	}
	if len(q.OrderBy) == 0 || q.Limit == nil || symbols.Text(q.OrderBy[0].Column) == "" {
		return
	}
	if o := q.OrderBy[0]; t.Has(bare(o.Column.Value)) && !leading[bare(o.Column.Value)] {
		p.Reportf(o.Column.Span(), "query %s sorts all rows of %s to return the first, since neither its key nor an index begins with %s; add an index: { columns: [%s]%s }",
			nameOf(q), t.Name, o.Column.Value, bare(o.Column.Value), direction(o))
	}
}

func direction(o *spec.OrderTerm) string {
	if strings.EqualFold(symbols.Text(o.Direction), "desc") {
		return fmt.Sprintf(", direction: %s", o.Direction.Value)
	}
	return ""
}

// selects reports whether a condition is one that an index could serve.
func selects(c *spec.Condition) bool {
	for _, t := range c.Tests {
		switch symbols.Text(t.Op) {
		case "eq", "in", "gt", "gte", "lt", "lte", "gte_window":
			return true
		}
	}
	return false
}

// leadingColumns returns the columns that the key or an index of a table begins with, or that all its rows are split by.
func leadingColumns(t *symbols.TableInfo) map[string]bool {
	leading := map[string]bool{}
	for _, pr := range t.Projections {
		key := pr.PrimaryKey
		if len(key) > 0 {
			leading[key[0].Value] = true
		}
		if len(key) > 1 && key[0].Value == "shard_id" {
			leading[key[1].Value] = true
		}
		for _, index := range pr.Indexes {
			if len(index.Columns) > 0 {
				leading[index.Columns[0].Value] = true
			}
		}
		if pr.Partition != nil {
			leading[symbols.Text(pr.Partition.Field)] = true
		}
	}
	return leading
}
