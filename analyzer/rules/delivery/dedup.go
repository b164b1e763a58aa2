package delivery

import (
	"fmt"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/rows"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// linkedTo returns the projection that a counter's dedup names, or nil.
func linkedTo(p *analysis.Pass, pr *spec.Projection) *spec.Projection {
	if pr.Dedup == nil || pr.Dedup.Auto || pr.Dedup.Off {
		return nil
	}
	return p.Symbols.Projections[symbols.Text(pr.Dedup.Src)]
}

// runDedupEvents finds events that the linked deduplication table should record and does not: those that are counted, and
// those that it takes but makes no row for. An event that is neither is applied without asking the table.
func runDedupEvents(p *analysis.Pass) error {
	for _, pr := range p.Program.Projections {
		linked := linkedTo(p, pr)
		if linked == nil || linked == pr {
			continue
		}
		recorded := map[string]bool{}
		var unknown []string
		for _, h := range rows.Handlers(linked) {
			recorded[h.Event.Value] = h.Creates()
			if !p.Symbols.Has(symbols.Event, h.Event.Value) {
				unknown = append(unknown, h.Event.Value)
			}
		}
		counted := map[string]bool{}
		for _, c := range rows.Counts(pr) {
			counted[symbols.Text(c.Event)] = true
		}
		var missing nameList
		for _, e := range pr.SourceEvents {
			if made, taken := recorded[e.Value]; !made && (taken || counted[e.Value]) && p.Nearest(e.Value, unknown) == "" {
				missing.add(e.Value)
			}
		}
		if len(missing.names) == 0 {
			continue
		}
		name := symbols.Text(linked.Name)
		p.Report(spec.Diagnostic{
			Span: pr.Dedup.Src.Span(),
			Message: fmt.Sprintf("projection %s applies an event when its row in %s is new, but %s makes no row for %s, so nothing can tell a duplicate; "+
				"let %s upsert a row for every event that %s counts", symbols.Text(pr.Name), name, name, some(missing.names), name, symbols.Text(pr.Name)),
			Related: []spec.Related{{Span: linked.Name.Span(), Message: "the deduplication table"}},
		})
	}
	return nil
}

// runDedupKey finds deduplication tables whose key does not tell two events apart.
func runDedupKey(p *analysis.Pass) error {
	linked := map[*spec.Projection]*spec.Projection{}
	for _, pr := range p.Program.Projections {
		if l := linkedTo(p, pr); l != nil && linked[l] == nil {
			linked[l] = pr
		}
	}
	for _, pr := range p.Program.Projections {
		for _, h := range rows.Handlers(pr) {
			if judgeDedupKey(p, &h, linked[pr]) {
				break
			}
		}
	}
	return nil
}

// judgeDedupKey reports on the key of one event, and whether it did. A projection that nothing links counts only where it
// says itself that its key is an event's id.
func judgeDedupKey(p *analysis.Pass, h *rows.Handler, counter *spec.Projection) bool {
	if !h.Creates() || rows.KeyIdentity(p.Symbols, h) != rows.Shared {
		return false
	}
	key := h.Projection.PrimaryKey[0]
	value := rows.KeyValue(h, key.Value)
	if counter == nil && (key.Value != "event_id" || len(h.Projection.PrimaryKey) > 1 || value.Kind == spec.ValueConst) {
		return false
	}
	d := spec.Diagnostic{Span: value.Span(), Key: docDedupKey.ID + " " + symbols.Text(h.Projection.Name)}
	d.Message = fmt.Sprintf("the key of %s is the same for every %s of one entity, so only the first is recorded and further ones pass for duplicates; "+
		"write event.event_id, which identifies the event", symbols.Text(h.Projection.Name), h.Event.Value)
	if counter == nil {
		d.Severity = spec.Info
	} else {
		d.Related = []spec.Related{{Span: counter.Dedup.Src.Span(), Message: symbols.Text(counter.Name) + " counts what is new here"}}
	}
	p.Report(d)
	return true
}
