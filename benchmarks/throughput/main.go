// Command throughput measures the worker against a bare loop that does the same to the tables with nothing that makes it right:
// poll, decode into a struct, keep the last of each key (or count), one upsert by unnest, commit. Both are processes of their
// own and take turns on the same topic and the same database; the bare loop is given the best of three batch sizes. Printed are
// the medians of the rounds, and the ratios.
//
//	go run ./benchmarks/throughput [-events 200000] [-rounds 3] [-only upserts,exact]
//	go run ./benchmarks/throughput -scale              1 to 4 partitions, 1 to 3 workers
//	go run ./benchmarks/throughput -backlog 5000000    memory at a backlog [-partitions 4]
//	go run ./benchmarks/throughput -poison             1% of the events fail for good [-only ordered-constraint,...]
//
// Without -brokers and -db-url it starts services of its own, with a synced database. CPU time of Postgres can be told on Linux,
// where the server runs on this machine.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"github.com/causetc/causetc/runtime/embedded"
)

func main() {
	embedded.RunJanitorIfAsked()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "throughput:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	events, rounds, backlog int
	partitions              int
	only                    string
	scale, poison           bool
	brokers, dbURL          string
	profile                 string
}

func run(ctx context.Context) error {
	var s settings
	flag.IntVar(&s.events, "events", 200_000, "events of each measurement")
	flag.IntVar(&s.rounds, "rounds", 3, "rounds, of which the median counts")
	flag.StringVar(&s.only, "only", "", "names of the workloads to measure, with commas; all where empty")
	flag.BoolVar(&s.scale, "scale", false, "measure upserts with 1 to 4 partitions and 1 to 3 workers instead")
	flag.IntVar(&s.backlog, "backlog", 0, "measure the worker's memory at a backlog of so many events instead")
	flag.IntVar(&s.partitions, "partitions", 4, "partitions of the topic with the backlog")
	flag.BoolVar(&s.poison, "poison", false, "measure how much 1% of events that fail for good slow the others instead")
	flag.StringVar(&s.brokers, "brokers", "", "Kafka to use, which must allow to create topics; one of its own where empty")
	flag.StringVar(&s.dbURL, "db-url", "", "database to use, in which schemas are created; one of its own where empty")
	flag.StringVar(&s.profile, "profile", "", "write CPU and heap profiles of the last worker to files that begin so")
	task := flag.String("task", "", "what a process that this program starts is to do, as JSON")
	flag.Parse()
	if *task != "" {
		return work(ctx, *task)
	}
	services, err := startServices(ctx, s.brokers, s.dbURL)
	if err != nil {
		return err
	}
	defer services.stop()
	b := &bench{settings: s, services: services, topics: map[load]string{}}
	switch {
	case s.scale:
		return b.scaling(ctx)
	case s.backlog > 0:
		return b.memory(ctx)
	case s.poison:
		return b.poisoned(ctx)
	}
	return b.compare(ctx)
}

// work does the task of a process.
func work(ctx context.Context, text string) error {
	var t task
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return err
	}
	// The end of standard input is the order to stop, so that no process outlives the one that started it.
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		_, _ = os.Stdin.Read(make([]byte, 1))
		cancel()
	}()
	var result any
	var err error
	switch t.Kind {
	case kafkaTask:
		return serveKafka(ctx)
	case produceTask:
		err = produce(ctx, t)
	case workerTask:
		result, err = runWorker(ctx, t)
	case bareTask:
		result, err = runBare(ctx, t)
	default:
		err = fmt.Errorf("unknown task %q", t.Kind)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

// selected reports whether a workload is to be measured.
func (s *settings) selected(name string) bool {
	if s.only == "" {
		return true
	}
	for _, part := range strings.Split(s.only, ",") {
		if part == name {
			return true
		}
	}
	return false
}
