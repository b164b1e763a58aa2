package main

import (
	"path/filepath"
	"strings"
	"testing"
)

const lookupSpec = `dsl_version: 1
app: shows
state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  OPENED: { state: show_stream, entity_expr: event.show_id, payload: { show_id: string, title: string } }
projections:
  titles:
    source_events: [OPENED]
    target: { table: titles, primary_key: [show_id] }
    fields: { show_id: text, title: text }
    derive: { show_id: event.payload.show_id, title: TITLE }
    mutations: { OPENED: { op: upsert } }
  shows:
    source_events: [OPENED]
    target: { table: shows, primary_key: [show_id] }
    fields: { show_id: text, title: text }
    derive: { show_id: event.payload.show_id, title: event.payload.title }
    mutations: { OPENED: { op: upsert } }
`

// TestLookupIsRefused runs programs of which one group reads other entities: it stops with a word why, and the other goes on.
func TestLookupIsRefused(t *testing.T) {
	events := filepath.Join(t.TempDir(), "events.ndjson")
	write(t, events, `{"event_id":"1","event_type":"OPENED","entity_id":"s1","stream_id":"show_stream","ts":1,"payload":{"show_id":"s1","title":"Opera"}}`+"\n")
	for _, read := range []string{`"LOOKUP_FIELD('show', event.payload.show_id, '/title')"`, `"lookup(show, event.payload.show_id).title"`} {
		spec := filepath.Join(t.TempDir(), "app.causet")
		write(t, spec, strings.ReplaceAll(lookupSpec, "TITLE", read))
		r := causetc(t, "run", spec, "--embedded", "--until-end", "--events", events)
		r.want(t, exitUsage, "titles", "uses lookup()", "Opera")
	}
}
