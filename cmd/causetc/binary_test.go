//go:build unix

package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// namedPlant has the brokers and the database that the variables name, or else private ones, and topics of its own. Commands find
// all of them in the environment.
func namedPlant(t *testing.T, spec string) *plant {
	t.Helper()
	p := &plant{t: t, dir: t.TempDir(), db: server.database(t), topic: unique("events")}
	letters := unique("letters")
	if p.brokers = os.Getenv("CAUSETC_TEST_BROKERS"); p.brokers == "" {
		p.brokers = broker(t, p.topic, letters)
	} else {
		createTopics(t, p.brokers, p.topic, letters)
	}
	t.Setenv("KAFKA_BOOTSTRAP_SERVERS", p.brokers)
	t.Setenv("KAFKA_TOPIC_PROJECTION_EVENTS", p.topic)
	t.Setenv("KAFKA_TOPIC_DLQ", letters)
	t.Setenv("KAFKA_CONSUMER_GROUP_ID", p.topic)
	t.Setenv("PROJECTION_DB_URL", p.db)
	p.spec("app.causet", spec)
	return p
}

func createTopics(t *testing.T, brokers string, names ...string) {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(brokers, ",")...))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	forever := "-1" // the events are old
	responses, err := kadm.NewClient(client).CreateTopics(t.Context(), 1, 1, map[string]*string{"retention.ms": &forever}, names...)
	if err == nil {
		err = responses.Error()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestDeadLettersThroughTheBinary takes poison through a worker into the dead letters, and from there back or away, and reads what
// came of it. Each command is a process of its own.
func TestDeadLettersThroughTheBinary(t *testing.T) {
	spec := rateSpec + "queries:\n  all_rates: {from: rates, where: {name: {neq: ''}}}\n"
	p := namedPlant(t, strings.ReplaceAll(spec, "DIVISOR", "event.payload.votes"))
	dlq := func(args ...string) result { return runBounded(t, append([]string{"dlq"}, args...)...) }

	s := p.serve()
	s.until("/readyz", 200, "^ok\n$")
	p.publish(rated("1", 1000, "x", "old", 8, 0), rated("2", 2000, "x", "new", 8, 2), rated("3", 3000, "y", "poor", 5, 0), "no event at all")
	s.until("/metrics", 200, `(?m)^causetc_dead_total\{class="event",group="rates"\} 2$`)
	s.until("/metrics", 200, `(?m)^causetc_records_total\{group="totals",partition="0"\} 4$`)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	runBounded(t, "run", p.path(), "--until-end").want(t, exitClean) // everything is published then

	runBounded(t, "status", p.path()).want(t, exitFindings, "rates", "totals")
	var standing statusResult
	r := runBounded(t, "status", p.path(), "--format", "json")
	if err := json.Unmarshal([]byte(r.stdout), &standing); err != nil {
		t.Fatalf("%v: %s", err, r.stdout)
	}
	if g := standing.Groups[0].Partitions[0]; *g.Position != 4 || *g.Lag != 0 || g.DeadLetters != 3 || g.Parked != 0 {
		t.Errorf("status of rates: %s", r.stdout)
	}

	var list struct{ Letters []letterForm }
	r = dlq("list", "--group", "rates", "--class", "event", "--format", "json")
	if err := json.Unmarshal([]byte(r.stdout), &list); err != nil {
		t.Fatalf("%v: %s", err, r.stdout)
	}
	if len(list.Letters) != 2 || list.Letters[0].Message.Attempts != 5 || list.Letters[0].PublishedAt == nil {
		t.Fatalf("letters: %s", r.stdout)
	}
	dlq("show", list.Letters[0].Message.ID).want(t, exitClean, "first attempt", `"name":"old"`, p.topic)
	dlq("replay", p.path(), "--group", "rates", "--class", "event").want(t, exitFindings, "0 replayed, 2 failed again")
	mended := p.spec("mended.causet", strings.ReplaceAll(spec, "DIVISOR", "max(event.payload.votes, 1)"))
	dlq("replay", mended, "--group", "rates", "--class", "event", "--yes").want(t, exitClean, "2 replayed, 0 failed again")
	dlq("drop", "--class", "undecodable").want(t, exitClean, "2 dead letters dropped")
	dlq("list").want(t, exitClean, "no dead letters")

	runBounded(t, "query", p.path(), "all_rates").want(t, exitClean, "x", "new", "y", "poor")
	p.wantQuery(ratesText, "x new 4, y poor 5")
	p.wantQuery(totalsText, "new 2 1, old 0 1, poor 0 1")
	runBounded(t, "status", p.path()).want(t, exitClean, "ok  rates", "ok  totals")
}
