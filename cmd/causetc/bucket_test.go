package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestBucketsOfTexts: the moment of a bucket may be RFC 3339 text, of any zone, or a number, from one event to the next. What is no
// moment fails like any event.
func TestBucketsOfTexts(t *testing.T) {
	dir := t.TempDir()
	spec := filepath.Join(dir, "app.causet")
	events := filepath.Join(dir, "events.ndjson")
	write(t, spec, `dsl_version: 1
app: visits
state:
  visitor: { entity_key: id, fields: { name: string } }
events:
  VISITED: { state: visitor, entity_expr: event.id, payload: { id: string, at: string } }
projections:
  visits:
    source_events: [VISITED]
    target: { table: visits, primary_key: [bucket_start] }
    bucket: { field: at, interval: 1h }
    dedup: true
    aggregates:
      VISITED: { n: { op: add } }
`)
	var lines strings.Builder
	for i, at := range []string{`"2024-05-01T10:59:59.999Z"`, `"2024-05-01T12:30:00+02:00"`, `1714557600000`, `"2024-05-01T11:00:00Z"`, `"noon"`} {
		lines.WriteString(`{"event_id":"` + string(rune('a'+i)) + `","event_type":"VISITED","entity_id":"v","ts":1,"payload":{"id":"v","at":` + at + "}}\n")
	}
	write(t, events, lines.String())
	causetc(t, "run", "--embedded", "--until-end", "--retry-initial-ms", "1", "--events", events, spec).
		want(t, exitFindings, "2024-05-01T10:00:00Z  3", "2024-05-01T11:00:00Z  1", `"noon\" is not a moment`)
}
