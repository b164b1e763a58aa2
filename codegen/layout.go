package codegen

import (
	"reflect"
	"regexp"
	"slices"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// indexes joins the indexes of all projections of a table, each once.
func (c *compiler) indexes(t *table) []ir.Index {
	var out []ir.Index
	for _, p := range t.projections {
		for _, src := range p.src.Indexes {
			index, ok := c.index(t, src)
			same := func(other ir.Index) bool { return reflect.DeepEqual(other, index) }
			if ok && !slices.ContainsFunc(out, same) {
				out = append(out, index)
			}
		}
	}
	return out
}

func (c *compiler) index(t *table, src *spec.TableIndex) (ir.Index, bool) {
	index := ir.Index{
		Desc:   src.Direction != nil && src.Direction.Value == "desc",
		Unique: src.Unique != nil && src.Unique.V,
	}
	for _, s := range src.Columns {
		if !c.hasColumn(t, s) {
			return index, false
		}
		if slices.Contains(index.Columns, s.Value) {
			c.report(ruleLayout, s.Span(), "%s is in the index twice", s.Value)
			return index, false
		}
		index.Columns = append(index.Columns, s.Value)
	}
	if len(index.Columns) > ir.MaxIndexColumns {
		c.report(ruleLayout, src.Columns[ir.MaxIndexColumns].Span(), "the index has %d columns; Postgres has room for %d", len(index.Columns), ir.MaxIndexColumns)
	}
	return index, len(index.Columns) > 0
}

func (c *compiler) hasColumn(t *table, s *spec.Scalar) bool {
	if t.byName[s.Value] == nil {
		c.report(ruleLayout, s.Span(), "the table %s has no column %s", t.name, s.Value)
		return false
	}
	return true
}

// span is a length of time as partitions have it.
var span = regexp.MustCompile(`^[1-9][0-9]{0,4} ?(hour|day|week|month|year)s?$`)

// partition returns the partitioning of a table; all projections that ask for one must ask for the same.
func (c *compiler) partition(t *table, indexes []ir.Index) *ir.Partition {
	var out *ir.Partition
	for _, p := range t.projections {
		src := p.src.Partition
		if src == nil {
			continue
		}
		part := c.onePartition(t, src, indexes)
		if part != nil && out != nil && *part != *out {
			c.report(ruleLayout, src.Field.Span(), "the table %s is partitioned in another way by another projection", t.name)
		}
		if out == nil {
			out = part
		}
	}
	return out
}

func (c *compiler) onePartition(t *table, src *spec.Partition, indexes []ir.Index) *ir.Partition {
	if src.Field == nil {
		if src.Key != nil {
			c.report(ruleLayout, src.Key.Span(), "the partition needs field: a column of the primary key")
		}
		return nil
	}
	field := src.Field.Value
	col := t.byName[field]
	if col == nil || !col.key {
		c.report(ruleLayout, src.Field.Span(), "the table is partitioned by %s, which Postgres wants in the primary key", field)
		return nil
	}
	for _, index := range indexes {
		if index.Unique && !slices.Contains(index.Columns, field) {
			c.report(ruleLayout, src.Field.Span(), "the table is partitioned by %s, which Postgres wants in every unique index", field)
		}
	}
	part := &ir.Partition{
		Strategy: valueOr(src.Strategy, "range"), Field: field,
		Interval: c.length(src.Interval), Retention: c.length(src.Retention),
		Partitions: count(src.Partitions), Precreate: count(src.Precreate),
		Default: src.DefaultPartition == nil || src.DefaultPartition.V,
	}
	switch part.Strategy {
	case "range", "hash", "list":
	default:
		c.report(ruleLayout, src.Strategy.Span(), "%q is not a strategy: range, hash or list", part.Strategy)
	}
	return part
}

func (c *compiler) length(s *spec.Scalar) string {
	if s != nil && !span.MatchString(s.Value) {
		c.report(ruleLayout, s.Span(), "%q is not a length of time, such as 1 month or 7 days", s.Value)
	}
	return valueOr(s, "")
}

// maxPartitions bounds the counts of partitions.
const maxPartitions = 1024

func count(n *spec.Int) int {
	if n == nil {
		return 0
	}
	return int(max(0, min(n.V, maxPartitions)))
}

func valueOr(s *spec.Scalar, other string) string {
	if s == nil {
		return other
	}
	return s.Value
}
