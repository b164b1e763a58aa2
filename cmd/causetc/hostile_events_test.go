package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// noteSpec writes one row an event and converts as little as possible.
const noteSpec = `
dsl_version: 1
app: notes
state: {note: {entity_key: note_id, fields: {text: string}}}
events:
  NOTED: {state: note, entity_expr: event.entity_id, payload: {text: "string?", n: "number?", more: "json?"}}
projections:
  notes:
    source_events: [NOTED]
    target: {table: notes, primary_key: [id], entity_key: id}
    fields: {id: TEXT, body: TEXT, n: NUMERIC, more: JSONB}
    derive: {id: event.event_id, body: event.text, n: event.n, more: event.more}
    mutations: {NOTED: upsert}
`

// eventLine is a line of a file of events and what becomes of it.
type eventLine struct {
	line                   string
	applied, skipped, dead int
}

func hostileLines() []eventLine {
	noted := func(id, payload string) string {
		return fmt.Sprintf(`{"event_id":%q,"event_type":"NOTED","entity_id":"e","payload":{%s}}`, id, payload)
	}
	return []eventLine{
		{line: noted("plain", `"text":"a","n":1`), applied: 1},
		{line: noted("with CR", `"text":"b"`) + "\r", applied: 1},
		{line: "   "},
		{line: "\r"},
		{line: "hello", dead: 1},
		{line: "{", dead: 1},
		{line: noted("cut", `"text":"a"`)[:40], dead: 1},
		{line: noted("two", "") + noted("objects", ""), dead: 1},
		{line: "\x00\x01\x02\xff\xfe", dead: 1},
		{line: noted("not UTF-8", "\"text\":\"\xff\""), dead: 1},
		{line: noted("a control character", "\"text\":\"\x01\""), dead: 1},
		{line: "[1,2,3]", dead: 1},
		{line: "42", dead: 1},
		{line: `"NOTED"`, dead: 1},
		{line: "null", dead: 1},
		{line: "{}", skipped: 1},
		{line: `{"event_type":"OTHER","entity_id":"e"}`, skipped: 1},
		{line: `{"event_type":null,"entity_id":"e"}`, skipped: 1},
		{line: `{"event_type":"NOTED","entity_id":"e","fork_id":"other"}`, skipped: 1},
		{line: `{"event_type":"NOTED"}`, dead: 1},
		{line: `{"event_type":["NOTED"],"entity_id":"e"}`, dead: 1},
		{line: `{"event_type":"NOTED","entity_id":{"a":1}}`, dead: 1},
		{line: `{"event_type":"NOTED","entity_id":"e","payload":[1]}`, dead: 1},
		{line: `{"event_type":"NOTED","entity_id":"e","ts":"yesterday"}`, dead: 1},
		{line: `{"event_type":"NOTED","entity_id":"e","ts":1e400}`, dead: 1},
		{line: `{"event_type":"NOTED","entity_id":"e\u0000"}`, dead: 1},
		{line: noted("a NUL in a key", `"te\u0000xt":"a"`), applied: 1},
		{line: noted("a NUL in a value", `"text":"a\u0000b"`), dead: 1},
		{line: noted("a NUL in a document", `"more":{"a":"\u0000"}`), dead: 1},
		{line: noted("a lone surrogate", `"text":"\ud800"`), dead: 1},
		{line: noted("deep", `"more":`+strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)), dead: 1},
		{line: noted("open brackets", `"more":`+strings.Repeat(`{"a":`, 100_000)), dead: 1},
		{line: noted("a huge exponent", `"n":1e999999999`), dead: 1},
		{line: noted("a tiny exponent", `"n":1e-999999999`), dead: 1},
		{line: noted("many digits", `"n":`+strings.Repeat("9", 200_000)), dead: 1},
		{line: noted("a long integer", `"n":123456789012345678901234567890`), applied: 1},
		{line: noted("a long text", `"text":"`+strings.Repeat("x", 900_000)+`"`), applied: 1},
		{line: noted("many members", `"more":[`+strings.Repeat("0,", 300_000)+"0]"), applied: 1},
		{line: noted("a text as number", `"n":"many"`), dead: 1},
	}
}

// TestHostileEvents publishes lines of every kind: each ends as stated, none ends the run, and no worker needs much memory.
func TestHostileEvents(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, file := filepath.Join(dir, "notes.causet"), filepath.Join(dir, "events.ndjson")
	write(t, path, noteSpec)
	lines := hostileLines()
	var text []string
	var want groupResult
	for _, l := range lines {
		text = append(text, l.line)
		want.Applied += l.applied
		want.Skipped += l.skipped
		want.DeadLetters += l.dead
	}
	write(t, file, "\ufeff"+strings.Join(text, "\n")) // the last line has no end
	r := runBounded(t, "run", "--embedded", "--until-end", "--format", "json", "--retry-initial-ms", "1", "--retry-max-ms", "1", "--events", file, path)
	r.want(t, exitFindings)
	got := decodeResult(t, r.stdout)
	want.Group, want.Records, want.Retries = "notes", want.Applied+want.Skipped+want.DeadLetters, got.Groups[0].Retries
	if got.Groups[0] != want {
		t.Errorf("got %+v, want %+v", got.Groups[0], want)
		t.Logf("standard error: %.3000s", r.stderr)
	}
	for _, line := range strings.Split(r.stderr, "\n") {
		if len(line) > 8000 {
			t.Errorf("a line of %d bytes in the log: %.200s", len(line), line)
		}
	}
	for i, l := range lines {
		place := fmt.Sprintf("%s:%d\"", filepath.ToSlash(file), i+1)
		if l.dead > 0 != strings.Contains(r.stderr, place) {
			t.Errorf("line %d is told of: %v, want %v: %.60q", i+1, l.dead == 0, l.dead > 0, l.line)
		}
	}
	if len(got.Tables) != 1 || len(got.Tables[0].Rows) != want.Applied {
		t.Errorf("tables: %.2000s", r.stdout)
	}
}

// TestUnreadableEvents names files of events that can't be published.
func TestUnreadableEvents(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, file := filepath.Join(dir, "notes.causet"), filepath.Join(dir, "events.ndjson")
	write(t, path, noteSpec)
	run := func(file string) result {
		return causetc(t, "run", "--embedded", "--until-end", "--events", file, path)
	}
	run(filepath.Join(dir, "missing.ndjson")).want(t, exitUsage, "--events", "missing.ndjson")
	run(dir).want(t, exitUsage, "--events", "not a regular file")
	run(os.DevNull).want(t, exitUsage, "--events", "not a regular file")
	causetc(t, "run", "--until-end", "--events", file, path).want(t, exitUsage, "--events", "--embedded")

	write(t, file, "\xff\xfe{\x00}\x00")
	run(file).want(t, exitUsage, file, "UTF-16")
	long := `{"event_id":"long","event_type":"NOTED","entity_id":"e","payload":{"text":"` + strings.Repeat("x", 10<<20) + `"}}`
	write(t, file, "\n"+long+"\n")
	run(file).want(t, exitUsage, file+":2", "longer than")
	write(t, file, "")
	run(file).want(t, exitClean, "notes (0 rows)")
}
