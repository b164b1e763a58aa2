// Package projections holds the rules on projections that can't be compiled, or whose parts contradict each other.
package projections

import (
	"fmt"
	"slices"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/rows"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// Rules returns the rules of this package.
func Rules() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		{Doc: docNoWrites, Absent: analysis.InDefinition, Run: each(noWrites)},
		{Doc: docKeyNotSet, Absent: analysis.InDefinition, Run: each(keyNotSet)},
		{Doc: docSoftDelete, Run: each(softDelete)},
		{Doc: docDeleteCounts, Run: each(deleteCounts)},
		{Doc: docWrittenTwice, Run: runWrittenTwice},
		{Doc: docTableConflict, Run: runTableConflict},
		{Doc: docNotSourced, Absent: analysis.InDefinition, Run: each(notSourced)},
		{Doc: docPartitionKey, Run: each(partitionKey)},
		{Doc: docMutationParts, Absent: analysis.InDefinition, Run: each(mutationParts)},
		{Doc: docImplicitUpsert, Absent: analysis.InDefinition, Run: each(implicitUpsert)},
		{Doc: docSerial, Run: each(serial)},
		{Doc: docOverride, Run: each(override)},
		{Doc: docPartitionParts, Absent: analysis.InDefinition, Run: each(partitionParts)},
		{Doc: docTooManyLookups, Requires: analysis.NeedSites, Run: runTooManyLookups},
	}
}

// each runs a check on every projection.
func each(check func(*analysis.Pass, *spec.Projection)) func(*analysis.Pass) error {
	return func(p *analysis.Pass) error {
		for _, pr := range p.Program.Projections {
			check(p, pr)
		}
		return nil
	}
}

func nameOf(pr *spec.Projection) string { return symbols.Text(pr.Name) }

func noWrites(p *analysis.Pass, pr *spec.Projection) {
	if len(pr.Mutations) == 0 && len(pr.Aggregates) == 0 && pr.Name != nil {
		event := "EVENT"
		if len(pr.SourceEvents) > 0 {
			event = pr.SourceEvents[0].Value
		}
		p.Reportf(pr.Name.Span(), "projection %s has neither mutations nor aggregates, so it writes nothing; add mutations: { %s: { op: upsert } }",
			nameOf(pr), event)
	}
}

func keyNotSet(p *analysis.Pass, pr *spec.Projection) {
	if len(pr.Mutations) == 0 && len(pr.Aggregates) == 0 {
		return // noWrites says so
	}
	derived := map[string]bool{}
	for _, d := range pr.Derive {
		derived[symbols.Text(d.Key)] = true
	}
	handlers := rows.Handlers(pr)
	bucket := symbols.BucketColumn(pr)
	for _, k := range pr.PrimaryKey {
		if k.Value == "shard_id" || k.Value == bucket || derived[k.Value] {
			continue
		}
		without := eventsWithout(handlers, k.Value)
		if len(without) == 0 {
			continue
		}
		hint := fmt.Sprintf("add it to derive, such as %s: event.payload.%s", k.Value, k.Value)
		if near := p.Nearest(k.Value, symbols.Names(derived)); near != "" && !isKey(pr, near) {
			hint = fmt.Sprintf("did you mean %q, which is derived?", near)
		}
		p.Reportf(k.Span(), "key column %s of projection %s has no value for %s: it is neither derived nor set; %s",
			k.Value, nameOf(pr), without[0], hint)
	}
}

func isKey(pr *spec.Projection, column string) bool {
	return slices.ContainsFunc(pr.PrimaryKey, func(k *spec.Scalar) bool { return k.Value == column })
}

// eventsWithout returns the source events whose handler does not set a column that derive does not give either.
func eventsWithout(handlers []rows.Handler, column string) []string {
	var list []string
	for _, h := range handlers {
		if h.Op != "bulk_update" && rows.KeyValue(&h, column) == nil {
			list = append(list, h.Event.Value)
		}
	}
	return list
}

func softDelete(p *analysis.Pass, pr *spec.Projection) {
	for _, m := range pr.Mutations {
		if symbols.Text(m.Op) != "soft_delete" {
			continue
		}
		if t := p.Symbols.Tables[symbols.TableName(pr)]; t != nil && t.Has("deleted_at") {
			continue
		}
		p.Report(spec.Diagnostic{Span: m.Op.Span(), Fixes: addDeletedAt(pr), Message: fmt.Sprintf(
			"soft_delete of %s stores its time in a column deleted_at, which %s does not have; add deleted_at: BIGINT to its fields",
			symbols.Text(m.Event), symbols.TableName(pr))})
	}
}

// addDeletedAt declares the column that a soft delete writes. This is unsafe, since the op may be what is wrong.
func addDeletedAt(pr *spec.Projection) []spec.Fix {
	if len(pr.Fields) == 0 || pr.Fields[0].Name == nil || pr.Name == nil || pr.Fields[0].Name.File != pr.Name.File {
		return nil
	}
	edit, ok := analysis.InsertBefore(pr.Fields[0].Name, "deleted_at: BIGINT")
	if !ok {
		return nil
	}
	return []spec.Fix{{Message: "add deleted_at: BIGINT", Unsafe: true, Edits: []spec.Edit{edit}}}
}

func deleteCounts(p *analysis.Pass, pr *spec.Projection) {
	for _, h := range rows.Handlers(pr) {
		if h.Op == "delete" && h.Aggregates != nil && len(h.Aggregates.Columns) > 0 {
			p.Report(spec.Diagnostic{
				Span: h.Aggregates.Event.Span(),
				Message: fmt.Sprintf("%s both deletes the row and adds to it, and the sum would be gone with the row; "+
					"leave one of the two out, or count in a projection with another key", h.Event.Value),
				Related: []spec.Related{{Span: h.At().Span(), Message: "the row is deleted here"}},
			})
		}
	}
}

func notSourced(p *analysis.Pass, pr *spec.Projection) {
	if len(pr.SourceEvents) == 0 {
		return // which is said once, of the whole projection
	}
	sources := map[string]bool{}
	var names, unknown []string
	for _, e := range pr.SourceEvents {
		sources[e.Value] = true
		names = append(names, e.Value)
		if !p.Symbols.Has(symbols.Event, e.Value) {
			unknown = append(unknown, e.Value)
		}
	}
	report := func(event *spec.Scalar, where string) {
		if event == nil || sources[event.Value] {
			return
		}
		if p.Symbols.Has(symbols.Event, event.Value) && p.Nearest(event.Value, unknown) != "" {
			return // a source event of a wrong name, which has a rule of its own
		}
		hint, fixes := fmt.Sprintf("add %s to source_events", event.Value), addSource(pr, event.Value)
		if near := p.Nearest(event.Value, names); near != "" && p.Symbols.Events[event.Value] == nil {
			hint = fmt.Sprintf("did you mean %q?", near)
			fixes = []spec.Fix{{Message: "write " + near, Unsafe: true, Edits: []spec.Edit{{Span: event.Sub(0, len(event.Value)), New: near}}}}
		}
		sources[event.Value] = true
		p.Report(spec.Diagnostic{Span: event.Span(), Fixes: fixes, Message: fmt.Sprintf(
			"projection %s has %s for %s, which is not among its source_events, so it never runs; %s", nameOf(pr), where, event.Value, hint)})
	}
	for _, m := range pr.Mutations {
		report(m.Event, "a mutation")
	}
	for _, a := range pr.Aggregates {
		report(a.Event, "aggregates")
	}
}

// addSource lets a projection take an event. This is unsafe, since the handler may be what is wrong.
func addSource(pr *spec.Projection, event string) []spec.Fix {
	if len(pr.SourceEvents) == 0 {
		return nil
	}
	edit, ok := analysis.AppendItem(pr.SourceEvents[len(pr.SourceEvents)-1], event)
	if !ok {
		return nil
	}
	return []spec.Fix{{Message: "add it to source_events", Unsafe: true, Edits: []spec.Edit{edit}}}
}

// written reports whether a projection writes a column for some event.
func written(pr *spec.Projection, column string) bool {
	found := false
	symbols.EachWritten(pr, func(c *spec.Scalar) { found = found || c.Value == column })
	return found
}

func partitionKey(p *analysis.Pass, pr *spec.Projection) {
	if pr.Partition == nil || pr.Partition.Field == nil || len(pr.PrimaryKey) == 0 {
		return
	}
	field := pr.Partition.Field
	if t := p.Symbols.Tables[symbols.TableName(pr)]; t != nil && !t.Has(field.Value) {
		return // no column at all, which has a rule of its own
	}
	if !isKey(pr, field.Value) {
		if slices.ContainsFunc(pr.PrimaryKey, func(k *spec.Scalar) bool {
			return p.Nearest(k.Value, []string{field.Value}) != "" && !written(pr, k.Value)
		}) {
			return // the key misspells it, and has no value
		}
		p.Reportf(field.Span(), "partition field %s is not in the primary key of projection %s, which Postgres requires; add it to primary_key",
			field.Value, nameOf(pr))
		return
	}
	for _, index := range pr.Indexes {
		if index.Unique != nil && index.Unique.V && len(index.Columns) > 0 &&
			!slices.ContainsFunc(index.Columns, func(c *spec.Scalar) bool { return c.Value == field.Value }) {
			p.Reportf(index.Columns[0].Span(), "a unique index of projection %s lacks the partition field %s, and Postgres enforces it within a partition only; add %[2]s to its columns",
				nameOf(pr), field.Value)
		}
	}
}
