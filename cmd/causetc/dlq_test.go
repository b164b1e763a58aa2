package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/embedded"
	"github.com/causetc/causetc/runtime/kafka"
)

// rateSpec divides by a payload field, counts exactly, and fills an ordered table; DIVISOR is what the rate divides by.
const rateSpec = `
dsl_version: 1
app: rates
state: {thing: {entity_key: thing_id, fields: {name: string}}}
events:
  RATED: {state: thing, entity_expr: event.entity_id, payload: {name: string, sum: number, votes: number}}
projections:
  rates:
    source_events: [RATED]
    target: {table: rates, primary_key: [id], entity_key: id}
    fields: {id: TEXT, name: TEXT, rate: NUMERIC}
    derive: {id: event.entity_id, name: event.payload.name, rate: "event.payload.sum / DIVISOR"}
    mutations: {RATED: upsert}
  totals:
    source_events: [RATED]
    target: {table: totals, primary_key: [name], entity_key: name}
    fields: {name: TEXT, votes: NUMERIC, ratings: BIGINT}
    derive: {name: event.payload.name}
    aggregates: {RATED: {votes: {op: add, by: event.payload.votes}, ratings: {op: add, by: 1}}}
    dedup: true
`

// plant is a program on disk, a database and a broker, with what the commands need to find them.
type plant struct {
	t       *testing.T
	dir     string
	db      string
	brokers string
	topic   string // of events
	lines   int
}

func newPlant(t *testing.T, spec string) *plant {
	t.Helper()
	p := &plant{t: t, dir: t.TempDir(), db: server.database(t), brokers: broker(t, kafka.DefaultTopic, kafka.DefaultDLQTopic), topic: kafka.DefaultTopic}
	p.spec("app.causet", spec)
	return p
}

// spec writes a spec and returns its path.
func (p *plant) spec(name, text string) string {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	write(p.t, path, text)
	return path
}

func (p *plant) path() string { return filepath.Join(p.dir, "app.causet") }

// publish sends lines to the topic.
func (p *plant) publish(lines ...string) {
	p.t.Helper()
	p.lines++
	file := filepath.Join(p.dir, fmt.Sprintf("events%d.ndjson", p.lines))
	write(p.t, file, strings.Join(lines, "\n")+"\n")
	if _, err := embedded.PublishFile(p.t.Context(), strings.Split(p.brokers, ","), p.topic, file, ""); err != nil {
		p.t.Fatal(err)
	}
}

// run works until the end of the topic.
func (p *plant) run(more ...string) result {
	p.t.Helper()
	args := []string{"run", p.path(), "--db-url", p.db, "--brokers", p.brokers, "--until-end", "--auto-migrate",
		"--retry-initial-ms", "1", "--retry-max-ms", "4"}
	return causetc(p.t, append(args, more...)...)
}

// dlq runs a command on the dead letters.
func (p *plant) dlq(args ...string) result {
	p.t.Helper()
	return causetc(p.t, append(append([]string{"dlq"}, args...), "--db-url", p.db)...)
}

// letterForm is a letter as `dlq list --format json` prints it.
type letterForm struct {
	State       string  `json:"state"`
	PublishedAt *string `json:"publishedAt"`
	Message     struct {
		ID             string `json:"id"`
		ProjectionName string `json:"projectionName"`
		Group          string `json:"group"`
		EntityID       string `json:"entityId"`
		Attempts       int    `json:"attempts"`
		FirstAttemptAt string `json:"firstAttemptAt"`
		LastAttemptAt  string `json:"lastAttemptAt"`
		ErrorClass     string `json:"errorClass"`
		SQLState       string `json:"sqlState"`
		Error          string `json:"error"`
		Source         struct {
			Offset int64  `json:"offset"`
			Value  string `json:"value"`
		} `json:"source"`
	} `json:"message"`
}

func (p *plant) letters(args ...string) []letterForm {
	p.t.Helper()
	r := p.dlq(append([]string{"list", "--format", "json"}, args...)...)
	r.want(p.t, exitClean)
	var got struct{ Letters []letterForm }
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
		p.t.Fatalf("%v: %s", err, r.stdout)
	}
	return got.Letters
}

// query returns a query's only value as text.
func (p *plant) query(text string) string {
	p.t.Helper()
	got, err := p.tryQuery(text)
	if err != nil {
		p.t.Fatalf("%s: %v", text, err)
	}
	return got
}

func (p *plant) tryQuery(text string) (got string, err error) {
	conn, err := pgx.Connect(p.t.Context(), p.db)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(context.Background()) }()
	err = conn.QueryRow(p.t.Context(), text).Scan(&got)
	return got, err
}

func (p *plant) wantQuery(text, want string) {
	p.t.Helper()
	if got := p.query(text); got != want {
		p.t.Errorf("%s: %s, want %s", text, got, want)
	}
}

const (
	ratesText  = "SELECT coalesce(string_agg(format('%s %s %s', id, name, rate), ', ' ORDER BY id), '') FROM rates"
	totalsText = "SELECT coalesce(string_agg(format('%s %s %s', name, votes, ratings), ', ' ORDER BY name), '') FROM totals"
)

func rated(id string, ts int, entity, name string, sum, votes int) string {
	return fmt.Sprintf(`{"event_id":%q,"event_type":"RATED","entity_id":%q,"ts":%d,"payload":{"name":%q,"sum":%d,"votes":%d}}`, id, entity, ts, name, sum, votes)
}

// TestDeadLetterEndToEnd takes a poison from the topic to the tables: it becomes a dead letter, fails again while nothing is
// mended, and is replayed by a mended program, behind the newer event of its row and once only.
func TestDeadLetterEndToEnd(t *testing.T) {
	broken := strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes")
	p := newPlant(t, broken)
	p.publish(rated("1", 1000, "x", "old", 8, 0), rated("2", 2000, "x", "new", 8, 2), rated("3", 3000, "y", "poor", 5, 0), "no event at all")
	p.run().want(t, exitFindings)
	p.wantQuery(ratesText, "x new 4")
	p.wantQuery(totalsText, "new 2 1, old 0 1, poor 0 1")

	letters := p.letters("--group", "rates", "--class", "event")
	if len(letters) != 2 || letters[0].Message.Attempts != 5 || letters[0].State != "open" || letters[0].PublishedAt == nil ||
		!strings.Contains(letters[0].Message.Error, "zero") || letters[0].Message.EntityID != "x" || letters[0].Message.Source.Value != "" {
		t.Fatalf("letters: %+v", letters)
	}
	first := letters[0].Message
	p.dlq("list").want(t, exitClean, first.ID, "RATED", "undecodable", "totals")
	p.dlq("show", first.ID).want(t, exitClean, "first attempt", `"name":"old"`, kafka.DefaultTopic, "events1.ndjson:1")
	p.dlq("show", first.ID, "--format", "json").want(t, exitClean, `\"name\":\"old\"`, `"state":"open"`)

	// Nothing is mended.
	p.dlq("replay", p.path(), first.ID).want(t, exitFindings, "0 replayed, 1 failed again", "attempt 6")
	again := p.letters("--entity", "x", "--group", "rates")
	if len(again) != 1 || again[0].Message.Attempts != 6 || again[0].Message.FirstAttemptAt != first.FirstAttemptAt ||
		again[0].Message.LastAttemptAt <= first.LastAttemptAt || again[0].PublishedAt != nil {
		t.Errorf("after a failed replay: %+v", again)
	}
	p.run().want(t, exitClean) // it publishes the letter again
	if n := p.published(first.ID); n != 2 {
		t.Errorf("the letter was published %d times, want 2", n)
	}

	// Mended: the rules differ from those deployed, which asks for a word.
	mended := p.spec("mended.causet", strings.ReplaceAll(rateSpec, "DIVISOR", "max(event.payload.votes, 1)"))
	p.dlq("replay", mended, "--group", "rates", "--class", "event").want(t, exitUsage, "rules of the program differ", "--yes")
	p.wantQuery(ratesText, "x new 4")
	p.dlq("replay", mended, "--group", "rates", "--class", "event", "--yes").want(t, exitClean, "2 replayed, 0 failed again")
	p.wantQuery(ratesText, "x new 4, y poor 5")
	p.wantQuery(totalsText, "new 2 1, old 0 1, poor 0 1")

	// Again: by name it is refused, by flags there is nothing left, and nothing changes.
	p.dlq("replay", mended, first.ID, "--yes").want(t, exitUsage, "no dead letter", first.ID)
	p.dlq("replay", mended, "--group", "rates", "--class", "event", "--yes").want(t, exitClean, "0 replayed")
	p.wantQuery(ratesText, "x new 4, y poor 5")
	if got := p.letters("--state", "replayed"); len(got) != 2 {
		t.Errorf("replayed letters: %+v", got)
	}

	// What can never succeed stays, until it is dropped.
	p.dlq("replay", p.path(), "--class", "undecodable").want(t, exitFindings, "0 replayed, 2 failed again")
	p.dlq("drop", "--class", "undecodable").want(t, exitClean, "2 dead letters dropped")
	p.dlq("drop", "--class", "undecodable").want(t, exitClean, "0 dead letters dropped")
	p.dlq("list").want(t, exitClean, "no dead letters")
	p.run().want(t, exitClean)
	p.wantQuery("SELECT count(*)::text FROM causetc.dead_letters WHERE published_at IS NULL", "0")
}

// published counts the records of a letter on the topic of dead letters.
func (p *plant) published(id string) (n int) {
	p.t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(p.brokers, ",")...), kgo.ConsumeTopics(kafka.DefaultDLQTopic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		p.t.Fatal(err)
	}
	defer client.Close()
	topic, err := kafka.DescribeTopic(p.t.Context(), client, kafka.DefaultDLQTopic)
	if err != nil {
		p.t.Fatal(err)
	}
	for next := int64(0); next < topic.Partitions[0].End; {
		fetches := client.PollFetches(p.t.Context())
		if err := fetches.Err(); err != nil {
			p.t.Fatal(err)
		}
		fetches.EachRecord(func(rec *kgo.Record) {
			next = rec.Offset + 1
			var m struct{ ID string }
			if json.Unmarshal(rec.Value, &m) == nil && m.ID == id {
				n++
			}
		})
	}
	return n
}

// TestReplayAfterConstraint lets Postgres refuse events until somebody takes a constraint away; then they are replayed by
// several commands at once, and count once.
func TestReplayAfterConstraint(t *testing.T) {
	p := newPlant(t, strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes"))
	p.run().want(t, exitClean)
	execSQL(t, p.db, `ALTER TABLE causetc."totals@1" ADD CONSTRAINT few CHECK (votes < 100)`)
	var lines []string
	for i := range 30 {
		lines = append(lines, rated(fmt.Sprint(i), 1000+i, fmt.Sprint("e", i), "big", 1, 200))
	}
	p.publish(append(lines, rated("small", 5000, "s", "small", 1, 1))...)
	p.run().want(t, exitFindings)
	p.wantQuery(totalsText, "small 1 1")
	letters := p.letters("--group", "totals")
	if len(letters) != 30 || letters[0].Message.SQLState != "23514" {
		t.Fatalf("%d letters: %+v", len(letters), letters)
	}
	p.dlq("replay", p.path(), "--all", "--rows-of-nothing").want(t, exitUsage)
	p.dlq("replay", p.path(), "--all").want(t, exitFindings, "0 replayed, 30 failed again")

	execSQL(t, p.db, `ALTER TABLE causetc."totals@1" DROP CONSTRAINT few`)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { _ = command(t, "dlq", "replay", p.path(), "--all", "--db-url", p.db).Run() })
	}
	all.Wait()
	p.wantQuery(totalsText, "big 6000 30, small 1 1")
	p.dlq("list").want(t, exitClean, "no dead letters")
}

// TestReplayHonoursExactIDs replays an event whose copy in another partition was applied meanwhile: it counts once.
func TestReplayHonoursExactIDs(t *testing.T) {
	p := newPlant(t, strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes"))
	p.run().want(t, exitClean)
	execSQL(t, p.db, `ALTER TABLE causetc."totals@1" ADD CONSTRAINT few CHECK (votes < 100)`)
	p.publish(rated("one", 1000, "a", "big", 1, 200))
	p.run().want(t, exitFindings)
	execSQL(t, p.db, `ALTER TABLE causetc."totals@1" DROP CONSTRAINT few`)
	// The copy: its id has left the window.
	execSQL(t, p.db, `DELETE FROM causetc.recent_ids`)
	p.publish(rated("one", 1000, "a", "big", 1, 200))
	p.run().want(t, exitClean)
	p.wantQuery(totalsText, "big 200 1")
	p.dlq("replay", p.path(), "--all").want(t, exitClean, "1 replayed")
	p.wantQuery(totalsText, "big 200 1")
}

// orderedSpec deletes beside an add, so that its table is ordered.
const orderedSpec = `
dsl_version: 1
app: stock
state: {item: {entity_key: item_id, fields: {name: string}}}
events:
  ADDED: {state: item, entity_expr: event.entity_id, payload: {n: number}}
  GONE: {state: item, entity_expr: event.entity_id, payload: {}}
projections:
  stock:
    source_events: [ADDED, GONE]
    target: {table: stock, primary_key: [id], entity_key: id}
    fields: {id: TEXT, n: "NUMERIC(4,0)"}
    derive: {id: event.entity_id}
    mutations: {GONE: delete}
    aggregates: {ADDED: {n: {op: add, by: event.payload.n}}}
    dedup: true
`

// TestReplayOrderedAndOld: an ordered table asks for a word, and a letter of an older version can't be replayed.
func TestReplayOrderedAndOld(t *testing.T) {
	p := newPlant(t, orderedSpec)
	p.publish(`{"event_id":"1","event_type":"ADDED","entity_id":"a","ts":1,"payload":{"n":99999}}`,
		`{"event_id":"2","event_type":"ADDED","entity_id":"b","ts":2,"payload":{"n":1}}`)
	p.run().want(t, exitFindings)
	p.dlq("replay", p.path(), "--all").want(t, exitUsage, "table stock is ordered", "--yes", "0 replayed")
	p.dlq("replay", p.path(), "--all", "--yes").want(t, exitFindings, "table stock is ordered", "1 failed again")
	execSQL(t, p.db, `UPDATE causetc.dead_letters SET version = 0`)
	p.dlq("replay", p.path(), "--all", "--yes").want(t, exitFindings, "version 0", "1 left as they are")
	other := p.spec("other.causet", strings.ReplaceAll(orderedSpec, "NUMERIC(4,0)", "NUMERIC(9,0)"))
	execSQL(t, p.db, `UPDATE causetc.dead_letters SET version = 1`)
	p.dlq("replay", other, "--all", "--yes").want(t, exitFindings, "the tables differ", "rebuild")
}

// TestLetterFilters selects letters by each flag.
func TestLetterFilters(t *testing.T) {
	p := newPlant(t, strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes"))
	p.publish(rated("1", 1, "x", "a", 1, 0), rated("2", 2, "y", "a", 1, 0), `{"event_type":"RATED"}`)
	p.run().want(t, exitFindings)
	execSQL(t, p.db, `UPDATE causetc.dead_letters SET last_at = now() - interval '2 days' WHERE entity_id = 'x'`)
	for _, test := range []struct {
		want int
		args []string
	}{
		{4, nil}, {3, []string{"--group", "rates"}}, {1, []string{"--group", "totals"}}, {0, []string{"--group", "none"}},
		{2, []string{"--projection", "rates", "--type", "RATED"}}, {1, []string{"--entity", "x"}}, {2, []string{"--class", "undecodable"}},
		{2, []string{"--error", "ZERO"}}, {0, []string{"--error", "100%"}}, {1, []string{"--older", "24h"}}, {3, []string{"--newer", "24h"}},
		{0, []string{"--older", "24h", "--newer", "1h"}}, {4, []string{"--state", "all"}}, {0, []string{"--state", "dropped"}}, {2, []string{"--rows", "2"}},
	} {
		if got := p.letters(test.args...); len(got) != test.want {
			t.Errorf("%q: %d letters, want %d", test.args, len(got), test.want)
		}
	}
	p.dlq("list", "--rows", "1").want(t, exitClean, "and more")
	for _, args := range [][]string{{"list", "--class", "x"}, {"list", "--state", "x"}, {"list", "--older", "soon"}, {"list", "--older", "-1h"},
		{"list", "x"}, {"drop"}, {"replay"}, {"replay", p.path()}, {"replay", p.path(), "--all", "--entity", "x"}, {"show"}, {"show", "x"}, {"drop", "x"}} {
		p.dlq(args...).want(t, exitUsage)
	}
	if got := p.letters(); len(got) != 4 {
		t.Errorf("a refused command changed the letters: %+v", got)
	}
}
