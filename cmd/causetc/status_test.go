package main

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causetc/causetc/runtime/kafka"
)

// status returns what the command prints as JSON.
func (p *plant) status(code int, more ...string) (s statusResult) {
	p.t.Helper()
	r := causetc(p.t, append([]string{"status", p.path(), "--db-url", p.db, "--format", "json"}, more...)...)
	r.want(p.t, code)
	if err := json.Unmarshal([]byte(r.stdout), &s); err != nil {
		p.t.Fatalf("%v: %s", err, r.stdout)
	}
	return s
}

func TestStatus(t *testing.T) {
	p := newPlant(t, strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes"))
	causetc(t, "status", p.path(), "--db-url", p.db).want(t, exitUsage, "no tables")
	causetc(t, "migrate", p.path(), "--db-url", p.db).want(t, exitClean)
	p.publish(rated("1", 1000, "x", "n", 8, 2), rated("2", 2000, "y", "n", 8, 2))
	if s := p.status(exitClean, "--brokers", p.brokers); *s.Groups[0].Partitions[0].Lag != 2 || s.Groups[0].Partitions[0].Position != nil {
		t.Errorf("before consuming: %+v", s.Groups[0].Partitions[0])
	}
	p.run().want(t, exitClean)
	s := p.status(exitClean, "--brokers", p.brokers)
	if len(s.Groups) != 2 || s.Groups[1].Group != "totals" || s.Groups[1].Version != 1 || s.Groups[1].Health != healthOK {
		t.Fatalf("status: %+v", s)
	}
	if got := s.Groups[1].Partitions[0]; *got.Position != 2 || *got.End != 2 || *got.Lag != 0 || got.DeadLetters != 0 {
		t.Errorf("consumed: %+v", got)
	}
	if s := p.status(exitClean); s.Groups[0].Partitions[0].End != nil || *s.Groups[0].Partitions[0].Position != 2 {
		t.Errorf("without brokers: %+v", s.Groups[0].Partitions)
	}

	p.publish(rated("3", 3000, "y", "n", 8, 0))
	p.run().want(t, exitFindings)
	s = p.status(exitFindings, "--brokers", p.brokers)
	if g := s.Groups[0]; g.Health != healthDead || g.Partitions[0].DeadLetters != 1 || s.Groups[1].Health != healthOK {
		t.Errorf("with a dead letter: %+v", s)
	}
	execSQL(t, p.db, `INSERT INTO causetc.parked SELECT group_name, version, topic, partition, "offset" + 1, clock, projection, event_id, event_type, entity_id, fork_id, 1,
		first_at, last_at, error_class, sql_state, message, key, value, record_ts, header_keys, header_values, now(), false, '{}' FROM causetc.dead_letters;
		UPDATE causetc.dead_letters SET dropped_at = now()`)
	if g := p.status(exitFindings).Groups[0]; g.Health != healthParked || g.Partitions[0].Parked != 1 || g.Partitions[0].DeadLetters != 0 {
		t.Errorf("with a parked event: %+v", g)
	}
	execSQL(t, p.db, `DELETE FROM causetc.parked; ALTER TABLE causetc."rates@1" ADD COLUMN mine int; ALTER TABLE causetc."rates@1" RENAME COLUMN rate TO speed`)
	if g := p.status(exitFindings).Groups[0]; g.Health != healthStopped || !strings.Contains(g.Error, "rate") {
		t.Errorf("with a changed table: %+v", g)
	}
	causetc(t, "status", p.path(), "--db-url", p.db, "--brokers", p.brokers).want(t, exitFindings, "stopped", "ok  totals", "changed by hand")

	// Another topic of that name: the position means nothing there.
	fresh := broker(t, kafka.DefaultTopic)
	if g := p.status(exitFindings, "--brokers", fresh).Groups[1]; g.Health != healthStopped || !strings.Contains(g.Error, "made anew") {
		t.Errorf("with another topic: %+v", g)
	}
	causetc(t, "status", p.path(), "--db-url", p.db, "--brokers", broker(t, "other")).want(t, exitUsage, "no topic")
}

func TestMigrate(t *testing.T) {
	p := newPlant(t, strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes"))
	migrate := func(path string, more ...string) result {
		return causetc(t, append([]string{"migrate", path, "--db-url", p.db}, more...)...)
	}
	script := migrate(p.path(), "--dry-run")
	script.want(t, exitClean, "BEGIN;", "CREATE TABLE", "COMMIT;")
	p.wantQuery("SELECT count(*)::text FROM pg_namespace WHERE nspname = 'causetc'", "0")
	migrate(p.path()).want(t, exitClean, "statements done")
	migrate(p.path()).want(t, exitClean, "0 statements done")
	migrate(p.path(), "--dry-run").want(t, exitClean, "Nothing is missing")
	causetc(t, "run", p.path(), "--db-url", p.db, "--brokers", p.brokers, "--until-end").want(t, exitClean)

	// The script does the same in another database.
	other := server.database(t)
	execSQL(t, other, script.stdout)
	causetc(t, "migrate", p.path(), "--db-url", other).want(t, exitClean, "0 statements done")

	changed := p.spec("changed.causet", strings.ReplaceAll(rateSpec, "DIVISOR", "max(event.payload.votes, 1)"))
	migrate(changed).want(t, exitUsage, "0 statements done", "group rates", "rebuild")
	migrate(p.path(), "--fork", "other").want(t, exitUsage, "fork")
	migrate(p.path(), "--embedded").want(t, exitUsage, "--db-url")
	migrate(filepath.Join(p.dir, "none")).want(t, exitUsage, "none")
}

// TestNoCommandTellsPasswords gives every command that connects a password, in URLs that do and do not work.
func TestNoCommandTellsPasswords(t *testing.T) {
	p := newPlant(t, strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes"))
	const secret = "hush7hush"
	t.Setenv("PROJECTION_DB_PASSWORD", secret)
	u, err := url.Parse(p.db)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(u.User.Username(), secret)
	for _, dsn := range []string{u.String(), "postgres://me:" + secret + "@" + closedPort(t) + "/x", "postgres://me:" + secret + "@h:port/x",
		"r2dbc:postgresql://me:" + secret + "@h:port/x", "host=127.0.0.1 port=1 password=" + secret, "password=" + secret + " oops",
		"postgres://me:" + secret + "@" + impostor(t, wrongPassword) + "/x?sslmode=disable"} {
		for _, args := range [][]string{
			{"migrate", p.path()}, {"status", p.path()}, {"dlq", "list"}, {"dlq", "show", "x"}, {"dlq", "drop", "--all"},
			{"dlq", "replay", p.path(), "--all", "--max-retries", "1"},
			{"run", p.path(), "--until-end", "--max-retries", "1", "--brokers", p.brokers, "--log-level", "debug"},
		} {
			r := causetc(t, append(args, "--db-url", dsn)...)
			if strings.Contains(r.stdout+r.stderr, secret) {
				t.Errorf("%q tells the password: %s%s", args, r.stdout, r.stderr)
			}
		}
	}
}
