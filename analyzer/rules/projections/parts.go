package projections

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// implicitUpsert finds source events that neither mutations nor aggregates name, where they name others.
func implicitUpsert(p *analysis.Pass, pr *spec.Projection) {
	if len(pr.Mutations) == 0 && len(pr.Aggregates) == 0 {
		return // noWrites says so
	}
	named := map[string]bool{}
	for _, m := range pr.Mutations {
		named[symbols.Text(m.Event)] = true
	}
	for _, a := range pr.Aggregates {
		named[symbols.Text(a.Event)] = true
	}
	sources := map[string]bool{}
	for _, e := range pr.SourceEvents {
		sources[e.Value] = true
	}
	var strangers []string // named, but no source event, which has a rule of its own
	for _, n := range symbols.Names(named) {
		if !sources[n] {
			strangers = append(strangers, n)
		}
	}
	for _, e := range pr.SourceEvents {
		if !named[e.Value] && p.Symbols.Has(symbols.Event, e.Value) && p.Nearest(e.Value, strangers) == "" {
			named[e.Value] = true
			p.Reportf(e.Span(), "projection %s says nothing of what %s does, so it upserts the derived columns; write %[2]s: { op: upsert } under mutations if that is meant",
				nameOf(pr), e.Value)
		}
	}
}

// mutationParts finds mutations that lack a part their op needs, or have one that it does not read.
func mutationParts(p *analysis.Pass, pr *spec.Projection) {
	for _, m := range pr.Mutations {
		if m.Event == nil {
			continue
		}
		op := "upsert"
		at := m.Event.Span()
		if m.Op != nil {
			op, at = m.Op.Value, m.Op.Span()
		}
		switch {
		case op == "bulk_update" && len(m.Set) == 0:
			p.Reportf(at, "bulk_update of %s does not say what to write (derive does not count for it); add set: { column: value }, and where: { column: { eq: value } } for the rows", m.Event.Value)
		case op == "bulk_update" && len(m.Where) == 0:
			p.Report(spec.Diagnostic{Span: at, Severity: spec.Warning, Message: fmt.Sprintf(
				"bulk_update of %s has no where, so every such event writes all rows of %s; add where: { column: { eq: event.payload.FIELD } }", m.Event.Value, symbols.TableName(pr))})
		case op == "increment" && len(m.Set) == 0:
			p.Reportf(at, "increment of %s does not say what to count; add set: { column: 1 }", m.Event.Value)
		case op != "bulk_update" && len(m.Where) > 0:
			p.Reportf(m.Where[0].Column.Span(), "where chooses the rows of a bulk_update, and %s writes the row of its key; write condition for an event that is to be skipped", op)
		case op == "soft_delete" || op == "delete":
			if s := setBeside(pr, m); s != nil {
				p.Reportf(s.Span(), "%s of %s writes no column %s, so this has no effect; write update to set columns", op, m.Event.Value, s.Value)
			}
		}
	}
}

// setBeside returns the first column that a mutation sets although it writes no columns but that of a soft delete; the key
// says which row is meant.
func setBeside(pr *spec.Projection, m *spec.Mutation) *spec.Scalar {
	for _, s := range m.Set {
		if s.Key != nil && s.Key.Value != "deleted_at" && !isKey(pr, s.Key.Value) {
			return s.Key
		}
	}
	return nil
}

func serial(p *analysis.Pass, pr *spec.Projection) {
	for _, c := range pr.Fields {
		if c.TypeName == "SERIAL" || c.TypeName == "BIGSERIAL" {
			p.Reportf(c.Type.Span(), "column %s is kept as INTEGER: the numbers of a sequence depend on the order in which events arrive, so a rebuild would give others; "+
				"write INTEGER and derive the value", symbols.Text(c.Name))
		}
	}
}

func override(p *analysis.Pass, pr *spec.Projection) {
	for _, e := range pr.Override {
		if e.Key != nil && e.Key.Value != "dedup" {
			p.Reportf(e.Key.Span(), "causetc ignores %s: of what override holds it reads only dedup; keep it for the hosted worker, or remove it", e.Key.Value)
		}
	}
}

// partitionParts finds keys of a partition that its strategy does not use, and a hash without a number of partitions.
func partitionParts(p *analysis.Pass, pr *spec.Projection) {
	part := pr.Partition
	if part == nil {
		return
	}
	strategy := symbols.Text(part.Strategy)
	if strategy == "" {
		strategy = "range"
	}
	unused := func(s *spec.Scalar, key, of string) {
		if s != nil {
			p.ReportCause(nameOf(pr), key+" neither", spec.Diagnostic{Span: s.Span(), Message: fmt.Sprintf(
				"%s is for a partition by %s, and this one is by %s, so it has no effect; remove it, or change the strategy", key, of, strategy)})
		}
	}
	if strategy != "range" {
		unused(part.Interval, "interval", "range")
		unused(part.Retention, "retention", "range")
		if part.Precreate != nil {
			unused(part.Precreate.Scalar, "precreate", "range")
		}
	}
	if strategy == "hash" && part.DefaultPartition != nil {
		unused(part.DefaultPartition.Scalar, "default_partition", "range or list")
	}
	if strategy == "range" {
		undated(p, pr)
	}
	if strategy != "hash" && part.Partitions != nil {
		unused(part.Partitions.Scalar, "partitions", "hash")
	}
	if strategy == "hash" && part.Partitions == nil && part.Strategy != nil {
		p.Report(spec.Diagnostic{Span: part.Strategy.Span(), Message: fmt.Sprintf(
			"the partition of projection %s by hash does not say into how many tables; add partitions: 4, or as many as you want", nameOf(pr))})
	}
}

// undated finds settings about intervals of time in a partition that has none.
func undated(p *analysis.Pass, pr *spec.Projection) {
	part := pr.Partition
	report := func(s *spec.Scalar, message string) {
		p.Report(spec.Diagnostic{Span: s.Span(), Message: message})
	}
	if part.Interval == nil {
		if part.Retention != nil {
			report(part.Retention, "retention counts in whole intervals, and this partition does not say how long one is, so it has no effect; add interval: 1 month")
		}
		if part.Precreate != nil {
			report(part.Precreate.Scalar, "precreate counts intervals, and this partition does not say how long one is, so it has no effect; add interval: 1 month")
		}
		return
	}
	for _, c := range pr.Fields {
		if part.Field != nil && c.Name != nil && c.Name.Value == part.Field.Value && c.TypeName != "" &&
			!strings.HasPrefix(c.TypeName, "TIMESTAMP") && c.TypeName != "DATE" {
			report(part.Interval, fmt.Sprintf("the interval is one of time, and column %s is %s, so every row goes into the default partition; "+
				"partition by a TIMESTAMPTZ, TIMESTAMP or DATE column, or by hash", part.Field.Value, c.TypeName))
		}
	}
}

// maxLookups is the most lookups that the language lets a projection have.
const maxLookups = 8

func runTooManyLookups(p *analysis.Pass) error {
	counts := map[*spec.Projection]int{}
	for i := range p.Sites {
		s := &p.Sites[i]
		if s.Projection == nil {
			continue
		}
		spec.Walk(s.Expr.Root, func(n spec.Node) bool {
			call, ok := n.(*spec.Call)
			if !ok || call.Name != "lookup" && call.Name != "LOOKUP_FIELD" {
				return true
			}
			if counts[s.Projection]++; counts[s.Projection] == maxLookups+1 {
				p.Reportf(s.Expr.Span(call.Fn), "projection %s has more than %d lookups, and each is a query for every event; carry the values in the event's payload",
					nameOf(s.Projection), maxLookups)
			}
			return true
		})
	}
	return nil
}
