package invariant_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/invariant"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/oracle"
	"github.com/causetc/causetc/runtime/postgres"
	"github.com/causetc/causetc/runtime/store"
	"github.com/causetc/causetc/runtime/worker"
)

// rig is a deployment with topics and schemas of its own, and a producer.
type rig struct {
	t        testing.TB
	d        *invariant.Deployment
	db       *postgres.DB
	client   *kgo.Client
	workers  int
	uids     int
	extra    []invariant.Violation // found by the scenario itself
	patience time.Duration         // between the attempts on a parked event
	own      worker.Config         // of no worker: for looking at the stores
	refusing []string              // tables
}

// partitions is how many the topic of events has.
const partitions = 4

var rigs atomic.Int64

func newRig(t testing.TB) *rig {
	t.Helper()
	name := fmt.Sprintf("rig-%d-%d", os.Getpid(), rigs.Add(1))
	conf := kafka.Config{Brokers: shared.brokers, Topic: name + "-events", DLQTopic: name + "-letters"}
	client, err := conf.NewClient(kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	r := &rig{t: t, client: client, patience: time.Millisecond, d: &invariant.Deployment{
		Program: shared.program, Kafka: conf, DSN: shared.dsn, Schema: name, ViewSchema: name + "-views"}}
	r.createTopic(conf.Topic, partitions)
	r.createTopic(conf.DLQTopic, 1)
	execSQL(t, "CREATE SCHEMA "+sql.Ident(r.d.ViewSchema))
	t.Cleanup(func() {
		execSQL(t, "DROP SCHEMA "+sql.Ident(r.d.ViewSchema)+" CASCADE; DROP SCHEMA "+sql.Ident(r.d.Schema)+" CASCADE")
	})
	if r.db, err = postgres.Open(t.Context(), postgres.Config{DSN: shared.dsn, Schema: r.d.Schema, ViewSchema: r.d.ViewSchema}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.db.Close)
	plan, err := r.db.Migrate(t.Context(), shared.program, "main", false)
	if err != nil || len(plan.Refused) > 0 {
		t.Fatal(err, plan.Refused)
	}
	r.own = r.config()
	if err := r.d.Watch(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) createTopic(name string, partitions int32) {
	r.t.Helper()
	forever := "-1" // the events are old
	settings := map[string]*string{"retention.ms": &forever}
	if _, err := kadm.NewClient(r.client).CreateTopic(r.t.Context(), partitions, 1, settings, name); err != nil {
		r.t.Fatal(err)
	}
	for unknown := new(kafka.UnknownTopicError); ; {
		_, err := kafka.DescribeTopic(r.t.Context(), r.client, name)
		if err == nil {
			return
		}
		if !errors.As(err, &unknown) && !errors.Is(err, kerr.UnknownTopicOrPartition) {
			r.t.Fatal(err)
		}
	}
}

// refuse makes the database refuse a note in tables, until accept.
func (r *rig) refuse(tables ...string) {
	r.refusing = tables
	for _, table := range tables {
		execSQL(r.t, "ALTER TABLE "+sql.Qualified(r.d.Schema, table+"@1")+" ADD CONSTRAINT no_refused_notes CHECK (note <> '"+invariant.RefusedNote+"')")
	}
	r.d.Refused = func(group string, ev *event.Event) bool {
		return slices.Contains(tables, group) && invariant.RefusedIn(group, ev)
	}
}

// accept makes the database take everything from now on.
func (r *rig) accept() {
	for _, table := range r.refusing {
		execSQL(r.t, "ALTER TABLE "+sql.Qualified(r.d.Schema, table+"@1")+" DROP CONSTRAINT no_refused_notes")
	}
	r.refusing = nil
}

// wake makes all attempts on parked events due.
func (r *rig) wake() {
	execSQL(r.t, "UPDATE "+sql.Qualified(r.d.Schema, "parked")+" SET next_at = now() WHERE NOT waiting")
}

// put is a PUT that can be evaluated, with an identity of its own.
func (r *rig) put(partition int32, pool, note string, ts int64) invariant.Event {
	return r.event("PUT", partition, pool, note, ts)
}

func (r *rig) event(kind string, partition int32, pool, note string, ts int64) invariant.Event {
	r.uids++
	id := fmt.Sprintf("e%d", r.uids)
	return invariant.Event{Partition: partition, ID: id, UID: id, Type: kind, Account: fmt.Sprintf("a%d", partition), Pool: pool, Item: "i",
		Note: note, Amount: 1 + r.uids%7, Parts: 2, TS: ts}
}

// load returns random events of all kinds from seed, which it prints.
func (r *rig) load(seed uint64) func(n int) []invariant.Event {
	r.t.Logf("seed %d", seed)
	var now int64
	rnd := rand.New(rand.NewPCG(seed, 0))
	l := &invariant.Loader{Rand: rnd, Pools: 6, Bulk: 12,
		Now: func() int64 { now += rnd.Int64N(5); return now },
		Account: func() (string, int32) {
			partition := rnd.Int32N(partitions)
			return fmt.Sprintf("a%d-%d", partition, rnd.IntN(3)), partition
		}}
	return func(n int) []invariant.Event {
		events := make([]invariant.Event, n)
		for i := range events {
			events[i] = l.Next()
		}
		return events
	}
}

func (r *rig) produce(events ...invariant.Event) {
	r.t.Helper()
	records := make([]*kgo.Record, len(events))
	for i, e := range events {
		records[i] = e.Record(r.d.Kafka.Topic, time.UnixMilli(e.TS))
	}
	if err := r.client.ProduceSync(r.t.Context(), records...).FirstErr(); err != nil {
		r.t.Fatal(err)
	}
}

// abort produces events in a transaction that is aborted.
func (r *rig) abort(events ...invariant.Event) {
	r.t.Helper()
	tx, err := r.d.Kafka.NewClient(kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.TransactionalID(r.d.Kafka.Topic))
	if err != nil {
		r.t.Fatal(err)
	}
	defer tx.Close()
	if err := tx.BeginTransaction(); err != nil {
		r.t.Fatal(err)
	}
	for _, e := range events {
		if err := tx.ProduceSync(r.t.Context(), e.Record(r.d.Kafka.Topic, time.UnixMilli(e.TS))).FirstErr(); err != nil {
			r.t.Fatal(err)
		}
	}
	if err := tx.EndTransaction(r.t.Context(), kgo.TryAbort); err != nil {
		r.t.Fatal(err)
	}
	r.awaitMarkers()
}

// awaitMarkers returns when no transaction is open in the topic: a broker answers before it has written the markers, and until
// then the end of what can be read is before the transaction.
func (r *rig) awaitMarkers() {
	r.t.Helper()
	for {
		t, err := kafka.DescribeTopic(r.t.Context(), r.client, r.d.Kafka.Topic)
		if err != nil {
			r.t.Fatal(err)
		}
		open := false
		for _, extent := range t.Partitions {
			open = open || extent.End < extent.High
		}
		if !open {
			return
		}
	}
}

// config is that of another worker. Each is the only one of a consumer group of its own: all workers of a rig believe that
// they own every partition.
func (r *rig) config() worker.Config {
	r.t.Helper()
	r.workers++
	conf, err := newConfig(r.db, r.d.Kafka, r.patience)
	if err != nil {
		r.t.Fatal(err)
	}
	conf.Kafka.Group = fmt.Sprintf("%s-%d", r.d.Kafka.Topic, r.workers)
	return conf
}

// newConfig is a worker's that goes to the end, with the stores of all groups.
func newConfig(db *postgres.DB, k kafka.Config, patience time.Duration) (worker.Config, error) {
	conf := worker.Config{Kafka: k, Fork: "main", UntilEnd: true, Log: slog.New(slog.DiscardHandler),
		Retry: worker.RetryPolicy{MaxAttempts: 4, Initial: patience, Multiplier: 1, Max: patience}}
	for i := range shared.program.Groups {
		g := &shared.program.Groups[i]
		compiled, err := fold.Compile(shared.program, g)
		if err != nil {
			return conf, err
		}
		st, err := db.Group(g, compiled, 1)
		if err != nil {
			return conf, err
		}
		conf.Groups = append(conf.Groups, worker.Group{Fold: compiled, Version: 1, Store: st})
	}
	return conf, nil
}

// meddle puts something between a worker and its stores.
func meddle(conf worker.Config, with func(group string, st store.Group) store.Group) worker.Config {
	groups := make([]worker.Group, len(conf.Groups))
	for i, g := range conf.Groups {
		g.Store = with(g.Fold.Name, g.Store)
		groups[i] = g
	}
	conf.Groups = groups
	return conf
}

// run lets a worker go to the end of the topic.
func (r *rig) run(conf worker.Config) {
	r.t.Helper()
	if _, err := r.try(conf); err != nil {
		r.t.Fatal(err)
	}
}

// runTimeout ends a run that hangs.
const runTimeout = 2 * time.Minute

func (r *rig) try(conf worker.Config) (*worker.Report, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), runTimeout)
	defer cancel()
	return worker.Run(ctx, conf)
}

// runWhile lets a worker go on until the condition holds after one of its transactions.
func (r *rig) runWhile(conf worker.Config, enough func() bool) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), runTimeout)
	defer cancel()
	conf.UntilEnd = false
	reached := make(chan struct{}, 1)
	conf.Observer.Wrote = func(worker.Transaction) {
		select {
		case reached <- struct{}{}:
		default:
		}
	}
	done := make(chan error, 1)
	go func() {
		_, err := worker.Run(ctx, conf)
		done <- err
	}()
	for !enough() {
		select {
		case <-reached:
		case err := <-done:
			r.t.Fatalf("the worker ended: %v", err)
		}
	}
	cancel()
	if err := <-done; err != nil {
		r.t.Fatal(err)
	}
}

// consumed reports whether all cursors are at the end of the topic.
func (r *rig) consumed() bool {
	topic, err := kafka.DescribeTopic(r.t.Context(), r.client, r.d.Kafka.Topic)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, g := range r.own.Groups {
		for number, extent := range topic.Partitions {
			c, _, err := g.Store.LoadCursor(r.t.Context(), topic.Name, number)
			if err != nil {
				r.t.Fatal(err)
			}
			if c.Next < extent.End {
				return false
			}
		}
	}
	return true
}

// check returns what does not hold.
func (r *rig) check(settled bool) []invariant.Violation {
	r.t.Helper()
	report, err := r.d.Check(r.t.Context(), settled)
	if err != nil {
		r.t.Fatal(err)
	}
	return append(report.Violations, r.extra...)
}

// tables are the contents of all tables as text.
func (r *rig) tables() string {
	r.t.Helper()
	var b strings.Builder
	for i := range shared.program.Groups {
		for k := range shared.program.Groups[i].Tables {
			t := &shared.program.Groups[i].Tables[k]
			rows, err := r.db.Rows(r.t.Context(), t)
			if err != nil {
				r.t.Fatal(err)
			}
			for _, row := range rows {
				fmt.Fprintln(&b, t.Name, oracle.RowText(t, row))
			}
		}
	}
	return b.String()
}

// found notes a violation that a scenario sees by itself.
func (r *rig) found(invariantName, format string, args ...any) {
	r.extra = append(r.extra, invariant.Violation{Invariant: invariantName, Text: fmt.Sprintf(format, args...)})
}
