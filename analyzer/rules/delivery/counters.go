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
		{Doc: docClamp, Absent: analysis.InDefinition, Run: runClamp},
		{Doc: docDedupEvents, Names: true, Run: runDedupEvents},
		{Doc: docLastWrite, Requires: analysis.NeedSites, Run: runLastWrite},
		{Doc: docNotUnique, Run: runNotUnique},
		{Doc: docSubmit, Absent: analysis.InDefinition, Run: runSubmits},
		{Doc: docUnguarded, Run: runUnguarded},
		{Doc: docLookup, Requires: analysis.NeedSites, Run: runLookupInProjection},
	}
}

func runCounters(p *analysis.Pass) error {
	recorders := findRecorders(p)
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
		switch companion := recorders.companion(counts); {
		case linked:
			d.Message = c.linkedMessage()
			d.Related = append(d.Related, spec.Related{Span: pr.Dedup.Src.Span(), Message: "the key that only causetc reads"})
		case companion != nil:
			d.Message = c.unlinkedMessage(symbols.Text(companion.Name))
			d.Related = append(d.Related, spec.Related{Span: companion.Name.Span(), Message: "records the ids of the events, but nothing ties it to the counter"})
		default:
			d.Message = c.bareMessage(p.Target)
			if p.Target == analysis.Causetc {
				d.Fixes = dedupFix(pr)
			}
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
	var events, columns nameList
	for _, n := range c.counts {
		events.add(symbols.Text(n.Event))
		columns.add(symbols.Text(n.Column))
	}
	to := "its columns"
	if len(columns.names) > 0 {
		to = some(columns.names)
	}
	return fmt.Sprintf("projection %s adds %s to %s", symbols.Text(c.projection.Name), some(events.names), to)
}

// nameList collects names, each once, in the order in which they come.
type nameList struct {
	names []string
	seen  map[string]bool
}

func (l *nameList) add(name string) {
	if name == "" || l.seen[name] {
		return
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	l.seen[name] = true
	l.names = append(l.names, name)
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

// recorders are the projections that record the identities of events, and count nothing.
type recorders struct {
	byEvent map[string][]*spec.Projection // in the order of the program
	events  map[*spec.Projection]map[string]bool
}

func findRecorders(p *analysis.Pass) *recorders {
	r := &recorders{byEvent: map[string][]*spec.Projection{}, events: map[*spec.Projection]map[string]bool{}}
	for _, pr := range p.Program.Projections {
		if pr.Name == nil || len(rows.Counts(pr)) > 0 {
			continue
		}
		r.events[pr] = map[string]bool{}
		for _, h := range rows.Handlers(pr) {
			if h.Creates() && looksLikeRecord(p, &h) {
				r.events[pr][h.Event.Value] = true
				r.byEvent[h.Event.Value] = append(r.byEvent[h.Event.Value], pr)
			}
		}
	}
	return r
}

// companion returns a projection that records all events that a counter counts, or nil.
func (r *recorders) companion(counts []rows.Count) *spec.Projection {
	for _, pr := range r.byEvent[symbols.Text(counts[0].Event)] {
		if !slices.ContainsFunc(counts, func(c rows.Count) bool { return !r.events[pr][symbols.Text(c.Event)] }) {
			return pr
		}
	}
	return nil
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
