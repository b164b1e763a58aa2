//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/invariant"
	"github.com/causetc/causetc/runtime/kafka"
)

// plan is what a trial is to be.
type plan struct {
	seed    uint64
	length  time.Duration
	real    bool
	workers int
	rate    int
	off     string // a mechanism that the workers lack
	dir     string
}

// trial is one run of load and faults.
type trial struct {
	plan
	rand       *rand.Rand
	binary     string
	program    string // the compiled program's file
	broker     broker
	database   *database
	proxy      *proxy
	producer   *producer
	fleet      *fleet
	deployment *invariant.Deployment
	pauses     sync.WaitGroup

	crashes, brokerKills, growths int
}

const (
	topic    = "events"
	dlqTopic = "letters"
	// partitions is how many the topic of events has at the beginning.
	partitions = 4
)

// newTrial builds the binary and starts the services. Whatever it returns, stop gives everything back.
func newTrial(ctx context.Context, p plan) (*trial, error) {
	t := &trial{plan: p, rand: rand.New(rand.NewPCG(p.seed, 1)), binary: filepath.Join(p.dir, "causetc"), program: filepath.Join(p.dir, "app.ir.json")}
	err := command(ctx, "go", "build", "-tags", "failpoints", "-o", t.binary, "./cmd/causetc")
	if err == nil {
		err = command(ctx, t.binary, "build", "testdata/specs/chaos", "-o", p.dir)
	}
	if err != nil {
		return t, err
	}
	if t.database, err = startDatabase(ctx, p.dir); err != nil {
		return t, err
	}
	if t.broker, err = startBroker(ctx, p.dir, p.real); err != nil {
		return t, err
	}
	if t.proxy, err = startProxy(t.database.socket); err != nil {
		return t, err
	}
	return t, t.deploy(ctx)
}

// command runs a program that is to succeed.
func command(ctx context.Context, name string, args ...string) error {
	if out, err := exec.CommandContext(ctx, name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w\n%s", name, args, err, out)
	}
	return nil
}

// deploy makes the topics and the tables.
func (t *trial) deploy(ctx context.Context) error {
	text, err := os.ReadFile(t.program)
	if err != nil {
		return err
	}
	program, err := ir.Decode(text)
	if err != nil {
		return err
	}
	t.deployment = &invariant.Deployment{Program: program, DSN: t.database.dsn(), Refused: invariant.RefusedIn,
		Kafka: kafka.Config{Brokers: []string{t.broker.Address()}, Topic: topic, DLQTopic: dlqTopic}}
	if err := t.createTopics(ctx, map[string]int32{topic: partitions, dlqTopic: 1}); err != nil {
		return err
	}
	if err := command(ctx, t.binary, "migrate", t.program, "--db-url", t.proxy.dsn()); err != nil {
		return err
	}
	for _, table := range invariant.RefusingTables {
		if err := t.database.exec(ctx, "ALTER TABLE "+sql.Qualified("causetc", table+"@1")+" ADD CONSTRAINT no_refused_notes CHECK (note <> '"+invariant.RefusedNote+"')"); err != nil {
			return err
		}
	}
	return t.deployment.Watch(ctx)
}

func (t *trial) admin(ctx context.Context, do func(*kadm.Client) error) error {
	client, err := t.deployment.Kafka.NewClient()
	if err != nil {
		return err
	}
	defer client.Close()
	return do(kadm.NewClient(client))
}

func (t *trial) createTopics(ctx context.Context, topics map[string]int32) error {
	return t.admin(ctx, func(admin *kadm.Client) error {
		forever := "-1"
		for name, n := range topics {
			if _, err := admin.CreateTopic(ctx, n, 1, map[string]*string{"retention.ms": &forever}, name); err != nil {
				return err
			}
		}
		return nil
	})
}

// workerArgs are a worker's command line.
func (t *trial) workerArgs() []string {
	return []string{"run", t.program, "--brokers", t.broker.Address(), "--topic", topic, "--dlq-topic", dlqTopic, "--db-url", t.proxy.dsn(),
		"--session-timeout", sessionTimeout.String(), "--retry-initial-ms", "20", "--retry-max-ms", "1000"}
}

// run is the load with the faults, and the time after it in which everything is to come to rest.
func (t *trial) run(ctx context.Context) (err error) {
	if t.producer, err = newProducer([]string{t.broker.Address()}, topic, t.rate, rand.New(rand.NewPCG(t.seed, 2))); err != nil {
		return err
	}
	defer t.producer.close()
	t.fleet = &fleet{binary: t.binary, args: t.workerArgs(), dir: t.dir, off: t.off}
	if err := t.fleet.start(t.workers, t.rand); err != nil {
		return err
	}
	defer t.fleet.end()
	if err := t.loadAndDisturb(ctx); err != nil {
		return err
	}
	t.proxy.loseAnswers(0)
	t.fleet.calmDown()
	return t.settle(ctx)
}

// loadAndDisturb goes on for the trial's length, or until one of the two fails.
func (t *trial) loadAndDisturb(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, t.length)
	defer stop()
	produced := make(chan error, 1)
	go func() {
		defer stop()
		produced <- t.producer.run(ctx)
	}()
	err := t.disturb(ctx)
	stop()
	return errors.Join(err, <-produced)
}

// patience bounds the time in which everything comes to rest. Workers that lack a mechanism may never do.
const (
	patience    = 4 * time.Minute
	offPatience = 30 * time.Second
)

var errRestless = errors.New("the workers do not come to rest")

// settle waits until everything is consumed, tried and published.
func (t *trial) settle(ctx context.Context) error {
	limit := patience
	if t.off != "" {
		limit = offPatience
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var last standing
	nudge := time.NewTicker(nudgeEvery)
	defer nudge.Stop()
	for {
		at, err := t.standing(ctx)
		if err == nil && at == (standing{}) {
			return nil
		}
		if err == nil {
			last = at
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("%w: %+v", errRestless, last), err)
		case <-nudge.C:
			if !t.real {
				t.anySlot().signal(syscall.SIGKILL)
			}
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// nudgeEvery is how often a worker is restarted while everything is to come to rest, where the broker is the one in this
// process: a worker that was killed while it joined stays a member there, with partitions, until the next rebalance.
const nudgeEvery = 20 * time.Second

// standing is what is left to do.
type standing struct{ behind, parked, unpublished int64 }

func (t *trial) standing(ctx context.Context) (s standing, err error) {
	err = t.admin(ctx, func(admin *kadm.Client) error {
		ends, err := admin.ListCommittedOffsets(ctx, topic)
		if err != nil {
			return err
		}
		ends.Each(func(o kadm.ListedOffset) { s.behind += o.Offset * int64(len(t.deployment.Program.Groups)) })
		return nil
	})
	if err != nil {
		return s, err
	}
	var consumed int64
	err = t.database.query(ctx, `SELECT (SELECT coalesce(sum(next), 0)::bigint FROM causetc.cursors), (SELECT count(*) FROM causetc.parked),
		(SELECT count(*) FROM causetc.dead_letters WHERE published_at IS NULL)`, &consumed, &s.parked, &s.unpublished)
	s.behind -= consumed
	return s, err
}

// stop ends the services.
func (t *trial) stop() {
	if t.broker != nil {
		t.broker.Kill()
	}
	if t.database != nil {
		_ = t.database.stop(context.Background())
	}
}
