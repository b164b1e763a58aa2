package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

// counterProgram counts SOLD events by show and divides by a field, so that a zero is a poison.
func counterProgram(t *testing.T) *ir.Program {
	t.Helper()
	payload := func(name string) *ir.Expr {
		return &ir.Expr{Op: ir.OpMember, Name: name, Args: []*ir.Expr{{Op: ir.OpPayload}}}
	}
	table := ir.Table{
		Name: "sales", Class: ir.Convergent, Key: []string{"show"},
		Columns: []ir.Column{
			{Name: "show", Type: ir.SQLType{Name: ir.Text}, Role: ir.RoleKey},
			{Name: "share", Type: ir.SQLType{Name: ir.Numeric}, Role: ir.RolePlain},
			{Name: "sold", Type: ir.SQLType{Name: ir.BigInt}, Role: ir.RoleSum, Default: "0"},
		},
	}
	share := &ir.Expr{Op: ir.OpBinary, Name: "/", Args: []*ir.Expr{{Op: ir.OpInt, Text: "100"}, payload("parts")}}
	p := &ir.Program{Format: ir.FormatVersion, App: "shop", Groups: []ir.Group{{
		Name: "sales", Tables: []ir.Table{table},
		Projections: []ir.Projection{{Name: "sales", Table: "sales", Handlers: []ir.Handler{{
			Event: "SOLD", Op: ir.Upsert,
			Key:  []ir.Assign{{Column: "show", Value: payload("show")}},
			Set:  []ir.Assign{{Column: "share", Value: share}},
			Sums: []ir.Sum{{Column: "sold", Op: "add"}},
		}}}},
	}}}
	if err := ir.Seal(p); err != nil {
		t.Fatal(err)
	}
	return p
}

// bench is a broker with the two topics, and a group in memory.
type bench struct {
	t       *testing.T
	cluster *kfake.Cluster // nil where the broker is a real one
	kafka   kafka.Config
	client  *kgo.Client
	group   *fold.Group
	store   *memory.Store
	log     bytes.Buffer
	mu      sync.Mutex
}

// brokersVariable names brokers to test against instead of one in this process.
const brokersVariable = "CAUSETC_TEST_BROKERS"

func newBench(t *testing.T) *bench {
	t.Helper()
	if brokers := os.Getenv(brokersVariable); brokers != "" {
		return newBenchAt(t, nil, strings.Split(brokers, ","))
	}
	return newFakeBench(t)
}

// newFakeBench has a broker in this process, which the test can meddle with.
func newFakeBench(t *testing.T) *bench {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	return newBenchAt(t, cluster, cluster.ListenAddrs())
}

var benches atomic.Int64

func newBenchAt(t *testing.T, cluster *kfake.Cluster, brokers []string) *bench {
	t.Helper()
	name := fmt.Sprintf("worker-%d-%d", os.Getpid(), benches.Add(1))
	conf := kafka.Config{Brokers: brokers, Group: name, Topic: name + "-events", DLQTopic: name + "-letters"}
	client, err := conf.NewClient()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	p := counterProgram(t)
	group, err := fold.Compile(p, &p.Groups[0])
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, cluster: cluster, kafka: conf, client: client, group: group, store: memory.New(group, fold.WindowSize)}
	b.createTopic(conf.Topic)
	b.createTopic(conf.DLQTopic)
	return b
}

func (b *bench) createTopic(name string) {
	b.t.Helper()
	forever := "-1" // the tests' events are old
	settings := map[string]*string{"retention.ms": &forever}
	if _, err := kadm.NewClient(b.client).CreateTopic(b.t.Context(), 4, 1, settings, name); err != nil {
		b.t.Fatal(err)
	}
	for unknown := new(kafka.UnknownTopicError); ; { // brokers learn of it one by one
		_, err := kafka.DescribeTopic(b.t.Context(), b.client, name)
		if err == nil {
			return
		}
		if !errors.As(err, &unknown) && !errors.Is(err, kerr.UnknownTopicOrPartition) {
			b.t.Fatal(err)
		}
	}
}

// partition is the one that the bench's key belongs to.
func (b *bench) partition() int32 {
	b.t.Helper()
	ends, err := kadm.NewClient(b.client).ListEndOffsets(context.WithoutCancel(b.t.Context()), b.kafka.Topic)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, end := range ends[b.kafka.Topic] {
		if end.Offset > 0 {
			return end.Partition
		}
	}
	b.t.Fatal("no partition has records")
	return 0
}

// Write makes the bench the log's destination.
func (b *bench) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log.Write(p)
}

func (b *bench) records() []map[string]any {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []map[string]any
	for _, line := range strings.Split(strings.TrimSpace(b.log.String()), "\n") {
		var m map[string]any
		if json.Unmarshal([]byte(line), &m) == nil {
			out = append(out, m)
		}
	}
	return out
}

func (b *bench) produce(lines ...string) {
	b.t.Helper()
	for _, line := range lines {
		rec := &kgo.Record{Topic: b.kafka.Topic, Key: []byte("k"), Value: []byte(line)}
		if line == "" {
			rec.Value = nil
		}
		if err := b.client.ProduceSync(b.t.Context(), rec).FirstErr(); err != nil {
			b.t.Fatal(err)
		}
	}
}

func sold(id, show string, parts int) string {
	return fmt.Sprintf(`{"event_id":%q,"event_type":"SOLD","entity_id":%q,"ts":1700000000000,"payload":{"show":%q,"parts":%d}}`, id, show, show, parts)
}

func (b *bench) config(st store.Group) Config {
	return Config{
		Kafka: b.kafka, Fork: "main", UntilEnd: true,
		Retry:  RetryPolicy{MaxAttempts: 5, Initial: time.Millisecond, Multiplier: 2, Max: 30 * time.Millisecond},
		Log:    slog.New(slog.NewJSONHandler(b, nil)),
		Groups: []Group{{Fold: b.group, Version: 1, Store: st}},
	}
}

func (b *bench) run(st store.Group) *Report {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	report, err := Run(ctx, b.config(st))
	if err != nil {
		b.t.Fatalf("%v\n%s", err, b.log.String())
	}
	return report
}

func (b *bench) rows() string {
	b.t.Helper()
	rows, err := b.store.Rows(b.t.Context(), "sales")
	if err != nil {
		b.t.Fatal(err)
	}
	return rowsText(rows)
}

func rowsText(rows [][]expr.Value) string {
	var lines []string
	for _, row := range rows {
		var cells []string
		for _, v := range row {
			cells = append(cells, v.Text())
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	return strings.Join(lines, "; ")
}

// TestRunCountsEachEventOnce feeds duplicates and records that are no events, in two runs.
func TestRunCountsEachEventOnce(t *testing.T) {
	b := newBench(t)
	b.produce(sold("1", "a", 2), sold("2", "a", 4), sold("1", "a", 2), "", `{"status":"up"}`,
		`{"event_id":"9","event_type":"OTHER","entity_id":"x"}`,
		`{"event_id":"8","event_type":"SOLD","entity_id":"x","fork_id":"dev","payload":{"show":"z","parts":1}}`)
	got := b.run(b.store).Groups[0].Counts
	want := Counts{Records: 7, Applied: 2, Skipped: 4, OtherForks: 1, Duplicates: 1}
	if got != want {
		t.Errorf("first run: %+v, want %+v", got, want)
	}
	b.produce(sold("2", "a", 4), sold("3", "b", 5))
	got = b.run(b.store).Groups[0].Counts
	if want := (Counts{Records: 2, Applied: 1, Duplicates: 1}); got != want {
		t.Errorf("second run: %+v, want %+v", got, want)
	}
	if got, want := b.rows(), "a 25 2; b 20 1"; got != want {
		t.Errorf("rows %q, want %q", got, want)
	}
}

// TestPoisonIsRetriedAndDeadLettered holds the log records and the message to the Causet guide "Retries".
func TestPoisonIsRetriedAndDeadLettered(t *testing.T) {
	b := newBench(t)
	b.produce(sold("1", "a", 2), sold("2", "a", 0), "not json", sold("3", "a", 4))
	got := b.run(b.store).Groups[0].Counts
	if want := (Counts{Records: 4, Applied: 2, Dead: 2, Retries: 4}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
	if got, want := b.rows(), "a 25 2"; got != want {
		t.Errorf("rows %q, want %q", got, want)
	}
	b.checkRetryLog()
	b.checkDeadLetters()
}

func (b *bench) checkRetryLog() {
	b.t.Helper()
	attempt := 0
	waits := []string{"1ms", "2ms", "4ms", "8ms"}
	for _, rec := range b.records() {
		if rec["event"] != "projection_retry" {
			continue
		}
		want := map[string]any{
			"time": rec["time"], "level": "WARN", "msg": rec["msg"], "event": "projection_retry", "projectionName": "sales",
			"eventType": "SOLD", "entityId": "a", "forkId": "main", "retryAttempt": float64(attempt + 1),
			"error": rec["error"], "nextRetryIn": waits[attempt],
		}
		if fmt.Sprint(rec) != fmt.Sprint(want) {
			b.t.Errorf("record %v, want %v", rec, want)
		}
		if msg, _ := rec["error"].(string); !strings.Contains(msg, "zero") {
			b.t.Errorf("error %q does not tell of the division by zero", msg)
		}
		attempt++
	}
	if attempt != len(waits) {
		b.t.Errorf("%d retry records, want %d", attempt, len(waits))
	}
}

func (b *bench) checkDeadLetters() {
	b.t.Helper()
	letters := b.consume(b.kafka.DLQTopic, 2)
	byClass := map[string]map[string]any{}
	for _, rec := range letters {
		var m map[string]any
		if err := json.Unmarshal(rec.Value, &m); err != nil {
			b.t.Fatal(err)
		}
		if string(rec.Key) != "k" {
			b.t.Errorf("key %q, want the original", rec.Key)
		}
		byClass[fmt.Sprint(m["errorClass"])] = m
	}
	event, undecodable := byClass[classEvent], byClass[classUndecodable]
	if event == nil || undecodable == nil {
		b.t.Fatalf("dead letters %v", byClass)
	}
	if event["attempts"] != 5.0 || event["projectionName"] != "sales" || event["eventId"] != "2" || event["entityId"] != "a" {
		b.t.Errorf("dead letter %v", event)
	}
	if source := event["source"].(map[string]any); source["value"] != sold("2", "a", 0) {
		b.t.Errorf("source %v", source)
	}
	if source := undecodable["source"].(map[string]any); source["value"] != "not json" || undecodable["attempts"] != 1.0 {
		b.t.Errorf("dead letter %v", undecodable)
	}
	if left, err := b.store.UnpublishedDeadLetters(b.t.Context(), 10); err != nil || len(left) != 0 {
		b.t.Errorf("%d letters unpublished, %v", len(left), err)
	}
}

func (b *bench) consume(topic string, n int) []*kgo.Record {
	b.t.Helper()
	client, err := b.kafka.NewClient(kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		b.t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(b.t.Context(), 20*time.Second)
	defer cancel()
	var recs []*kgo.Record
	for len(recs) < n {
		fetches := client.PollFetches(ctx)
		if err := ctx.Err(); err != nil {
			b.t.Fatalf("%d of %d records on %s: %v", len(recs), n, topic, err)
		}
		recs = append(recs, fetches.Records()...)
	}
	return recs
}

// TestEndBehindTransactionMarkers: markers and aborted records occupy offsets that nobody delivers as data.
func TestEndBehindTransactionMarkers(t *testing.T) {
	b := newBench(t)
	tx, err := b.kafka.NewClient(kgo.TransactionalID("tx"))
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	for _, commit := range []kgo.TransactionEndTry{kgo.TryCommit, kgo.TryAbort} {
		if err := tx.BeginTransaction(); err != nil {
			t.Fatal(err)
		}
		rec := &kgo.Record{Topic: b.kafka.Topic, Key: []byte("k"), Value: []byte(sold(fmt.Sprint("id", commit), "a", 2))}
		if err := tx.ProduceSync(t.Context(), rec).FirstErr(); err != nil {
			t.Fatal(err)
		}
		if err := tx.EndTransaction(t.Context(), commit); err != nil {
			t.Fatal(err)
		}
	}
	got := b.run(b.store).Groups[0].Counts
	if want := (Counts{Records: 1, Applied: 1}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
}

// flaky fails commits: before they happen, or after, so that their answer is lost.
type flaky struct {
	*memory.Store
	before, after int
}

func (f *flaky) Commit(ctx context.Context, b store.Batch) (store.Counts, error) {
	lost := &store.EnvironmentError{Err: errors.New("connection lost")}
	if f.before > 0 {
		f.before--
		return store.Counts{}, lost
	}
	counts, err := f.Store.Commit(ctx, b)
	if err == nil && f.after > 0 {
		f.after--
		return store.Counts{}, lost
	}
	return counts, err
}

// TestLostConnections neither lose nor repeat an event, and make no dead letters.
func TestLostConnections(t *testing.T) {
	b := newBench(t)
	b.produce(sold("1", "a", 2), sold("2", "a", 4))
	got := b.run(&flaky{Store: b.store, before: 3, after: 1}).Groups[0].Counts
	if got.Dead != 0 || got.Applied != 2 || got.Retries != 3 {
		t.Errorf("counts %+v", got)
	}
	if got, want := b.rows(), "a 25 2"; got != want {
		t.Errorf("rows %q, want %q", got, want)
	}
}

// TestOutageEndsOneShotRuns after a whole schedule, with an error of the surroundings.
func TestOutageEndsOneShotRuns(t *testing.T) {
	b := newBench(t)
	b.produce(sold("1", "a", 2))
	_, err := Run(t.Context(), b.config(&flaky{Store: b.store, before: 1000}))
	var env *store.EnvironmentError
	if !errors.As(err, &env) {
		t.Errorf("error %v, want an environment error", err)
	}
}

// TestFencedRunnerGoesOnFromTheStoredCursor: another worker moved the cursor in the meantime.
func TestFencedRunnerGoesOnFromTheStoredCursor(t *testing.T) {
	b := newBench(t)
	b.produce(sold("1", "a", 2), sold("2", "a", 4))
	rival := &rivalStore{Store: b.store, bench: b}
	got := b.run(rival).Groups[0].Counts
	if !rival.done || got.Applied != 1 {
		t.Errorf("rival %v, counts %+v", rival.done, got)
	}
	if got, want := b.rows(), "a 25 2"; got != want {
		t.Errorf("rows %q, want %q", got, want)
	}
}

// rivalStore commits the first record of the first batch as another worker would.
type rivalStore struct {
	*memory.Store
	bench *bench
	done  bool
}

func (r *rivalStore) Commit(ctx context.Context, b store.Batch) (store.Counts, error) {
	if !r.done && len(b.Entries) > 1 {
		r.done = true
		first := b
		first.Entries = b.Entries[:1]
		first.To.Next, first.To.Clock = b.Entries[0].Position.Offset+1, b.Entries[0].Clock
		if _, err := r.Store.Commit(ctx, first); err != nil {
			r.bench.t.Error(err)
		}
	}
	return r.Store.Commit(ctx, b)
}

// TestDeploymentErrors: what no waiting mends ends the run at once, with a message that names it.
func TestDeploymentErrors(t *testing.T) {
	b := newBench(t)
	b.produce(sold("1", "a", 2))
	conf := b.config(b.store)
	conf.Kafka.Topic = "nowhere"
	_, err := Run(t.Context(), conf)
	var dep *store.DeploymentError
	if !errors.As(err, &dep) || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("unknown topic: %v", err)
	}
	b.run(b.store)
	adm := kadm.NewClient(b.client)
	if _, err := adm.DeleteTopics(t.Context(), b.kafka.Topic); err != nil {
		t.Fatal(err)
	}
	b.createTopic(b.kafka.Topic)
	_, err = Run(t.Context(), b.config(b.store))
	if !errors.As(err, &dep) || !strings.Contains(err.Error(), "made anew") {
		t.Errorf("recreated topic: %v", err)
	}
}

// TestUnreachableBrokers end a one-shot run after the schedule.
func TestUnreachableBrokers(t *testing.T) {
	b := newBench(t)
	conf := b.config(b.store)
	conf.Kafka.Brokers = []string{"127.0.0.1:1"}
	conf.Retry.MaxAttempts = 1
	_, err := Run(t.Context(), conf)
	var env *store.EnvironmentError
	if !errors.As(err, &env) {
		t.Errorf("error %v, want an environment error", err)
	}
}
