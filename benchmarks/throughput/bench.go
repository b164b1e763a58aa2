package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/kafka"
)

// dlqTopic is where the dead letters of all workers go.
const dlqTopic = kafka.DefaultDLQTopic

// batchSizes are what the bare loop is tried with.
var batchSizes = []int{1000, 4000, 16_000}

// bench takes the measurements.
type bench struct {
	settings
	services *services
	topics   map[load]string // those that are filled
	schemas  int             // made so far
}

// figure is what one run showed.
type figure struct {
	rate             float64       // events a second
	worker, postgres time.Duration // CPU time for a million events
	memory           int64
}

func (f figure) String() string {
	return fmt.Sprintf("%8.0f events/s, CPU a million events: %5.1f s + Postgres %5.1f s, %4d MiB",
		f.rate, f.worker.Seconds(), f.postgres.Seconds(), f.memory>>20)
}

// compare measures all workloads against the bare loop.
func (b *bench) compare(ctx context.Context) error {
	for _, w := range compared {
		if !b.selected(w.name) {
			continue
		}
		l := load{Events: b.events, Keys: workloads[w.name].keys, Partitions: 1}
		fmt.Printf("%s\n", w.title)
		if err := b.against(ctx, w.name, l, 1); err != nil {
			return err
		}
	}
	return nil
}

// against measures one workload in rounds, the worker and the bare loop in turn, and prints the medians.
func (b *bench) against(ctx context.Context, name string, l load, workers int) error {
	size, first, err := b.bestSize(ctx, name, l)
	if err != nil {
		return err
	}
	bares := []figure{first}
	var runs []figure
	for round := range max(b.rounds, 1) {
		f, err := b.worker(ctx, name, l, workers)
		if err != nil {
			return err
		}
		runs = append(runs, f)
		if round == 0 {
			continue // the bare loop of this round was that which found the size
		}
		if f, err = b.bare(ctx, name, l, size); err != nil {
			return err
		}
		bares = append(bares, f)
	}
	bare, worker := median(bares), median(runs)
	fmt.Printf("  bare loop  %v (batches of %d)\n", bare, size)
	fmt.Printf("  worker     %v\n", worker)
	fmt.Printf("  the worker has %.0f%% of the bare loop's rate, and %.2f times its CPU time\n", 100*worker.rate/bare.rate,
		(worker.worker+worker.postgres).Seconds()/(bare.worker+bare.postgres).Seconds())
	return nil
}

// bestSize finds the batch size with which the bare loop is fastest.
func (b *bench) bestSize(ctx context.Context, name string, l load) (size int, best figure, err error) {
	for _, s := range batchSizes {
		f, err := b.bare(ctx, name, l, s)
		if err != nil {
			return 0, best, err
		}
		if f.rate > best.rate {
			size, best = s, f
		}
	}
	return size, best, nil
}

// median takes the median of each kind of figure.
func median(list []figure) figure {
	return figure{rate: middle(list, func(f figure) float64 { return f.rate }),
		worker:   middle(list, func(f figure) time.Duration { return f.worker }),
		postgres: middle(list, func(f figure) time.Duration { return f.postgres }),
		memory:   middle(list, func(f figure) int64 { return f.memory })}
}

func middle[T cmp.Ordered](list []figure, get func(figure) T) T {
	values := make([]T, len(list))
	for i, f := range list {
		values[i] = get(f)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// scaling measures upserts with more partitions and more workers, against one bare loop.
func (b *bench) scaling(ctx context.Context) error {
	for _, c := range []struct {
		partitions int32
		workers    int
	}{{1, 1}, {2, 1}, {4, 1}, {4, 2}, {4, 3}} {
		fmt.Printf("upserts, 100,000 keys, partitions: %d, workers: %d\n", c.partitions, c.workers)
		if err := b.against(ctx, "upserts", load{Events: b.events, Keys: 100_000, Partitions: c.partitions}, c.workers); err != nil {
			return err
		}
	}
	return nil
}

// memory measures the worker alone at a backlog.
func (b *bench) memory(ctx context.Context) error {
	for _, w := range compared {
		if !b.selected(w.name) {
			continue
		}
		f, err := b.worker(ctx, w.name, load{Events: b.backlog, Keys: workloads[w.name].keys, Partitions: int32(b.partitions)}, 1)
		if err != nil {
			return err
		}
		fmt.Printf("%s, backlog of %d events in %d partitions\n  worker     %v\n", w.title, b.backlog, b.partitions, f)
	}
	return nil
}

// bare runs the bare loop once, in a new schema.
func (b *bench) bare(ctx context.Context, name string, l load, size int) (figure, error) {
	topic, err := b.topic(ctx, l)
	if err != nil {
		return figure{}, err
	}
	schema := b.newSchema()
	if _, err := b.services.db.Exec(ctx, "CREATE SCHEMA "+schema); err != nil {
		return figure{}, err
	}
	for table, columns := range workloads[name].tables {
		if _, err := b.services.db.Exec(ctx, "CREATE TABLE "+schema+"."+table+" "+columns); err != nil {
			return figure{}, err
		}
	}
	t := task{Kind: bareTask, Brokers: b.services.brokers, Topic: topic, Load: l, DSN: b.services.dsn, Schema: schema, Workload: name, BatchSize: size}
	return b.measure(ctx, t, 1, schema, func() error { return nil })
}

// worker runs the worker once, in a new schema, and waits until nothing is left to do.
func (b *bench) worker(ctx context.Context, name string, l load, processes int) (figure, error) {
	topic, err := b.topic(ctx, l)
	if err != nil {
		return figure{}, err
	}
	schema := b.newSchema()
	p, err := b.deploy(ctx, name, schema)
	if err != nil {
		return figure{}, err
	}
	if l.PoisonPrice {
		if _, err := b.services.db.Exec(ctx, "ALTER TABLE "+schema+`."tickets@1" ADD CHECK (price >= 0)`); err != nil {
			return figure{}, err
		}
	}
	t := task{Kind: workerTask, Brokers: b.services.brokers, Topic: topic, Load: l, DSN: b.services.dsn, Schema: schema, Workload: name, Profile: b.profile}
	return b.measure(ctx, t, processes, schema, func() error { return b.await(ctx, schema, l.Events*len(p.Groups)) })
}

// deploy makes the tables of a workload in a new schema.
func (b *bench) deploy(ctx context.Context, name, schema string) (*ir.Program, error) {
	p, err := compile(ctx, workloads[name])
	if err != nil {
		return nil, err
	}
	if _, err := b.services.db.Exec(ctx, "CREATE SCHEMA "+schema+"_views"); err != nil {
		return nil, err
	}
	db, err := openDB(ctx, b.services.dsn, schema, p)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	_, err = db.Migrate(ctx, p, fork, false)
	return p, err
}

func (b *bench) newSchema() string {
	b.schemas++
	return fmt.Sprintf("throughput%d", b.schemas)
}

// measure runs processes with one task, each stopped when done returns, and adds up what they and Postgres used. The schema
// is dropped.
func (b *bench) measure(ctx context.Context, t task, processes int, schema string, done func() error) (figure, error) {
	if _, err := b.services.db.Exec(ctx, "CHECKPOINT"); err != nil {
		return figure{}, err
	}
	before, err := b.services.postgresCPU(ctx)
	if err != nil {
		return figure{}, err
	}
	total, err := runAll(ctx, t, processes, done)
	if err != nil {
		return figure{}, err
	}
	gone := "SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'client backend'" // and counted with the server
	if err := b.poll(ctx, gone, 20*time.Millisecond); err != nil {
		return figure{}, err
	}
	after, err := b.services.postgresCPU(ctx)
	if err != nil {
		return figure{}, err
	}
	million := float64(t.Load.Events) / 1e6
	f := figure{rate: float64(t.Load.Events) / total.Ended.Sub(total.Began).Seconds(), memory: total.memory,
		worker: time.Duration(float64(total.cpu) / million), postgres: time.Duration(float64(after-before) / million)}
	_, err = b.services.db.Exec(ctx, "DROP SCHEMA "+schema+" CASCADE; DROP SCHEMA IF EXISTS "+schema+"_views CASCADE")
	return f, err
}

// runAll runs processes with one task until done returns.
func runAll(ctx context.Context, t task, processes int, done func() error) (total usage, err error) {
	var children []*child
	for range processes {
		c, err := start(ctx, t)
		if err != nil {
			return total, err
		}
		children = append(children, c)
	}
	err = done()
	for _, c := range children {
		if t.Kind == workerTask {
			c.stop()
		}
		u, waitErr := c.wait()
		err = cmp.Or(err, waitErr)
		total.add(u)
	}
	return total, err
}

func (u *usage) add(v usage) {
	u.cpu += v.cpu
	u.memory = max(u.memory, v.memory)
	if !v.Began.IsZero() && (u.Began.IsZero() || v.Began.Before(u.Began)) {
		u.Began = v.Began
	}
	if v.Ended.After(u.Ended) {
		u.Ended = v.Ended
	}
}

// topic returns the name of a topic that holds a load.
func (b *bench) topic(ctx context.Context, l load) (string, error) {
	if name, filled := b.topics[l]; filled {
		return name, nil
	}
	name := fmt.Sprintf("throughput-%d-%d", time.Now().UnixMilli(), len(b.topics))
	c, err := start(ctx, task{Kind: produceTask, Brokers: b.services.brokers, Topic: name, Load: l})
	if err != nil {
		return "", err
	}
	if _, err := c.wait(); err != nil {
		return "", err
	}
	b.topics[l] = name
	return name, nil
}

// await returns when the positions of a schema add up to so many records and nothing is parked.
func (b *bench) await(ctx context.Context, schema string, records int) error {
	atEnd := fmt.Sprintf("SELECT coalesce(sum(next), 0) >= %d FROM %s.cursors", records, schema)
	if err := b.poll(ctx, atEnd, 20*time.Millisecond); err != nil {
		return err
	}
	return b.poll(ctx, "SELECT NOT EXISTS (SELECT FROM "+schema+".parked)", 500*time.Millisecond)
}

// poll asks until the answer is true.
func (b *bench) poll(ctx context.Context, question string, every time.Duration) error {
	for {
		var done bool
		if err := b.services.db.QueryRow(ctx, question).Scan(&done); err != nil || done {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
		}
	}
}
