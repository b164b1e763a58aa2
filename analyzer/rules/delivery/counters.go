// Package delivery holds the rules on what happens when events are delivered twice, or in another order than they were
// made in.
package delivery

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/rows"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// Rules returns the rules of this package.
func Rules() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		{Doc: docCounter, Run: runCounters},
		{Doc: docDeleteOrder, Requires: analysis.NeedSites, Run: runDeleteOrder},
		{Doc: docDedupKey, Run: runDedupKey},
		{Doc: docClamp, Run: runClamp},
		{Doc: docDedupEvents, Names: true, Run: runDedupEvents},
	}
}

func runCounters(p *analysis.Pass) error {
	for _, pr := range p.Program.Projections {
		counts := rows.Counts(pr)
		if len(counts) == 0 {
			continue
		}
		linked := pr.Dedup != nil && !pr.Dedup.Off
		if linked && p.Target == analysis.Causetc {
			continue
		}
		c := counter{projection: pr, counts: counts}
		d := spec.Diagnostic{Span: counts[0].At.Span(), Key: docCounter.ID + " " + symbols.Text(pr.Name)}
		switch companion := findCompanion(p, pr, counts); {
		case linked:
			d.Message = c.linkedMessage()
			d.Related = append(d.Related, spec.Related{Span: pr.Dedup.Src.Span(), Message: "the key that only causetc reads"})
		case companion != nil:
			d.Message = c.unlinkedMessage(symbols.Text(companion.Name))
			d.Related = append(d.Related, spec.Related{Span: companion.Name.Span(), Message: "records the ids of the events, but nothing ties it to the counter"})
		default:
			d.Message = c.bareMessage(p.Target)
		}
		d.Related = append(d.Related, c.others()...)
		p.Report(d)
	}
	return nil
}

// counter is a projection that adds events to its columns.
type counter struct {
	projection *spec.Projection
	counts     []rows.Count
}

// what says which events go into which columns.
func (c *counter) what() string {
	var events, columns []string
	for _, n := range c.counts {
		events = appendNew(events, symbols.Text(n.Event))
		columns = appendNew(columns, symbols.Text(n.Column))
	}
	if len(columns) == 0 {
		columns = []string{"its columns"}
	}
	return fmt.Sprintf("projection %s adds %s to %s", symbols.Text(c.projection.Name), some(events), some(columns))
}

func appendNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// some joins names for a sentence and cuts a long list.
func some(names []string) string {
	switch {
	case len(names) <= 2:
		return strings.Join(names, " and ")
	default:
		return fmt.Sprintf("%s, %s and %d more", names[0], names[1], len(names)-2)
	}
}

func (c *counter) bareMessage(target analysis.Target) string {
	if target == analysis.Causetc {
		return c.what() + ", but keeps no record of the events that it counted: causetc remembers recent event ids only, " +
			"so an event that is delivered again much later is counted twice; add `dedup: true` to the projection"
	}
	return c.what() + ", but keeps no record of the events that it counted: one that is delivered again is counted twice; " +
		"record event.event_id in a deduplication table and count its rows in a query, or run it with causetc and `dedup: true`"
}

func (c *counter) unlinkedMessage(companion string) string {
	return fmt.Sprintf("%s, and %s records those events, but nothing ties the two together: an event that is delivered again is still added "+
		"(causetc's window of ids hides only recent duplicates); count the rows of %s in a query instead, or link it with `dedup: %s`",
		c.what(), companion, companion, companion)
}

func (c *counter) linkedMessage() string {
	way := "record the events in a deduplication table and count its rows in a query"
	if d := c.projection.Dedup; !d.Auto {
		way = fmt.Sprintf("count the rows of %s in a query", symbols.Text(d.Src))
	}
	return fmt.Sprintf("%s, and the hosted worker ignores `dedup`: there, an event that is delivered again is counted twice "+
		"(causetc counts it once); where the hosted worker runs this, %s", c.what(), way)
}

// others are the further places that count.
func (c *counter) others() []spec.Related {
	const most = 5
	var list []spec.Related
	for i, n := range c.counts[1:] {
		if i == most {
			break
		}
		list = append(list, spec.Related{Span: n.At.Span(), Message: "counts " + symbols.Text(n.Event) + " too"})
	}
	return list
}

// findCompanion returns a projection that records the identities of all events that a counter counts, or nil.
func findCompanion(p *analysis.Pass, counter *spec.Projection, counts []rows.Count) *spec.Projection {
	for _, other := range p.Program.Projections {
		if other != counter && other.Name != nil && len(rows.Counts(other)) == 0 && records(p, other, counts) {
			return other
		}
	}
	return nil
}

func records(p *analysis.Pass, other *spec.Projection, counts []rows.Count) bool {
	handlers := rows.Handlers(other)
	for _, c := range counts {
		i := slices.IndexFunc(handlers, func(h rows.Handler) bool { return h.Event.Value == symbols.Text(c.Event) })
		if i < 0 || !handlers[i].Creates() || !looksLikeRecord(p, &handlers[i]) {
			return false
		}
	}
	return true
}

// looksLikeRecord reports whether a handler writes a row for each event: its key holds the event's id, or the author calls
// it a deduplication table.
func looksLikeRecord(p *analysis.Pass, h *rows.Handler) bool {
	if rows.KeyIdentity(p.Symbols, h) == rows.Unique {
		return true
	}
	name := symbols.Text(h.Projection.Name) + " " + symbols.TableName(h.Projection)
	return strings.Contains(strings.ToLower(name), "dedup")
}
