package worker

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/store"
)

// Worker runs a program's groups against one topic.
type Worker struct {
	conf   Config
	log    *slog.Logger
	client *kgo.Client
	topic  atomic.Pointer[kafka.Topic]
	relay  *relay
	now    func() time.Time // whole microseconds, as the database keeps them
	// process is what no other process is called.
	process string
	budget  *budget
	fetches slots // of groups that fetch alone
	turns   slots // to take up records and write them
	// connected is closed when the client can be used: it may ask for offsets before.
	connected chan struct{}

	trials sync.Mutex // held while a runner works on a record that may kill the process

	mu      sync.Mutex
	parts   map[int32]*partition // those assigned now
	counts  map[string]*Counts   // by group
	stopped map[string]error     // by group: why it is not worked for any more
	ends    *ends                // with UntilEnd
	notes   notes
	cancel  context.CancelCauseFunc
}

// errEndReached ends a run that consumed everything it was asked to.
var errEndReached = errors.New("the end is reached")

// Run consumes until the context ends, or with UntilEnd until the end. It returns what was done, also beside an error.
// Errors of the surroundings are *store.EnvironmentError, those of what is deployed *store.DeploymentError.
func Run(ctx context.Context, conf Config) (*Report, error) {
	w := newWorker(conf)
	own, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.cancel = cancel
	w.tuneCollector(0)
	err := w.run(own)
	return w.report(), outcome(ctx, own, err)
}

// outcome is the error of a run in the context own, which was made from the caller's. Of what was cancelled the cause is told; only
// the caller, and the end that was to be reached, cancel without an error.
func outcome(callers, own context.Context, err error) error {
	if cause := context.Cause(own); cause != nil && (err == nil || errors.Is(err, context.Canceled)) {
		err = cause
	}
	if errors.Is(err, errEndReached) || callers.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func newWorker(conf Config) *Worker {
	w := &Worker{conf: conf, log: conf.Log, process: rand.Text(), budget: newBudget(), fetches: slots{most: maxAlone, mostGroup: maxAloneGroup},
		turns: newTurns(len(conf.Groups)), connected: make(chan struct{}), parts: map[int32]*partition{}, counts: map[string]*Counts{}, stopped: map[string]error{}}
	w.now = func() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
	for _, g := range conf.Groups {
		w.counts[g.Fold.Name] = &Counts{}
	}
	return w
}

func (w *Worker) run(ctx context.Context) error {
	if err := w.checkTopics(ctx); err != nil {
		return err
	}
	if w.conf.UntilEnd {
		w.ends = newEnds(w.topic.Load(), w.conf.Groups)
	}
	if err := w.placeAll(ctx, w.topic.Load()); err != nil {
		return err
	}
	if err := w.connect(); err != nil {
		return err
	}
	defer w.client.Close()
	relayDone := make(chan error, 1)
	relayCtx, stopRelay := context.WithCancel(context.WithoutCancel(ctx))
	defer stopRelay()
	go func() { relayDone <- w.relay.run(relayCtx) }()
	go atIntervals(relayCtx, remindEvery, w.relay.wake)
	go atIntervals(ctx, hintEvery, func() { w.hint(ctx, w.assignedPartitions()) })
	go w.watchTopic(ctx)

	err := w.poll(ctx)
	w.hint(relayCtx, w.releaseAll())
	if errors.Is(context.Cause(ctx), errEndReached) || ctx.Err() == nil {
		w.relay.finish()
		return errors.Join(err, <-relayDone)
	}
	return err
}

// checkTopics looks at the topics before anything is consumed.
func (w *Worker) checkTopics(ctx context.Context) error {
	return w.environment(ctx, Group{}, nil, func() error {
		t, err := w.describeTopic(ctx)
		if err != nil {
			return err
		}
		if w.topic.Load() == nil {
			w.topic.Store(t)
		}
		client, err := w.conf.Kafka.NewClient()
		if err != nil {
			return err
		}
		defer client.Close()
		_, err = describe(ctx, client, w.conf.Kafka.DLQTopic)
		return err
	})
}

// describeTopic asks for the topic of events as it is now.
func (w *Worker) describeTopic(ctx context.Context) (*kafka.Topic, error) {
	if w.client != nil {
		return describe(ctx, w.client, w.conf.Kafka.Topic)
	}
	client, err := w.conf.Kafka.NewClient()
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return describe(ctx, client, w.conf.Kafka.Topic)
}

// describe asks for a topic within a bounded time.
func describe(ctx context.Context, client *kgo.Client, name string) (*kafka.Topic, error) {
	attempt, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	t, err := kafka.DescribeTopic(attempt, client, name)
	var unknown *kafka.UnknownTopicError
	switch {
	case errors.As(err, &unknown), kafka.Refused(err):
		return nil, &store.DeploymentError{Message: err.Error()}
	case err != nil && ctx.Err() == nil:
		return nil, &store.EnvironmentError{Err: err}
	}
	return t, err
}

// maxFetch is how many bytes of records each broker may answer with at a time; the client holds one answer of each.
const (
	maxFetch          = 2 << 20
	maxFetchPartition = 256 << 10 // of one partition, so that the feeds come close to their limits only
)

// fetchWait is how long a broker keeps a request for records while there are none. A partition whose fetch goes on after a pause is
// asked for by the next request only, so it waits as long where the others are at their ends.
const fetchWait = 250 * time.Millisecond

func (w *Worker) connect() error {
	opts := []kgo.Opt{
		kgo.ConsumerGroup(w.conf.Kafka.Group),
		kgo.ConsumeTopics(w.conf.Kafka.Topic),
		kgo.FetchIsolationLevel(isolation()),
		kgo.KeepControlRecords(), // transaction markers occupy offsets: the position must pass them
		kgo.Balancers(kgo.CooperativeStickyBalancer()),
		kgo.ConsumeResetOffset(kgo.NoResetOffset()),
		kgo.FetchMaxBytes(maxFetch), kgo.FetchMaxPartitionBytes(maxFetchPartition), kgo.FetchMaxWait(fetchWait),
		kgo.AdjustFetchOffsetsFn(w.startOffsets),
		kgo.OnPartitionsAssigned(w.assigned),
		kgo.OnPartitionsRevoked(w.revoked),
		kgo.OnPartitionsLost(w.lost),
		kgo.DisableAutoCommit(), // the positions are in the database
		kgo.RequiredAcks(kgo.AllISRAcks()),
	}
	if w.conf.Kafka.SessionTimeout > 0 {
		opts = append(opts, kgo.SessionTimeout(w.conf.Kafka.SessionTimeout))
	}
	client, err := w.conf.Kafka.NewClient(opts...)
	if err != nil {
		return err
	}
	w.client = client
	w.relay = newRelay(w)
	close(w.connected)
	return nil
}

// isolation leaves the records of aborted transactions out.
func isolation() kgo.IsolationLevel {
	if failpoint.Off(failpoint.ReadCommitted) {
		return kgo.ReadUncommitted()
	}
	return kgo.ReadCommitted()
}

// poll hands fetched records to the partitions until the context ends.
func (w *Worker) poll(ctx context.Context) error {
	const loop = "topic"
	defer w.conf.Observer.idle(loop)
	for {
		w.conf.Observer.idle(loop)
		if err := w.budget.wait(ctx); err != nil {
			return err
		}
		fetches, err := w.fetch(ctx)
		w.conf.Observer.busy(loop)
		if err != nil {
			return err
		}
		w.fetchErrors(fetches)
		fetches.EachPartition(func(p kgo.FetchTopicPartition) {
			if len(p.Records) > 0 {
				w.deliver(p.Partition, p.Records)
			}
		})
	}
}

// fetch waits for records. A run that has an end asks the brokers for a sign of life when nothing comes, since the client
// itself would wait for them for ever.
func (w *Worker) fetch(ctx context.Context) (kgo.Fetches, error) {
	if !w.conf.UntilEnd {
		fetches := w.client.PollFetches(ctx)
		return fetches, ctx.Err()
	}
	attempt, cancel := context.WithTimeout(ctx, quietTimeout)
	defer cancel()
	fetches := w.client.PollFetches(attempt)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case nothingCame(fetches, attempt.Err()):
		return nil, w.checkTopics(ctx)
	}
	return fetches, nil
}

// nothingCame reports whether a wait ended in vain. Records that came are never dropped, however late: nobody would fetch
// them again.
func nothingCame(fetches kgo.Fetches, waited error) bool {
	return waited != nil && fetches.NumRecords() == 0
}

// fetchErrors stops the groups that no waiting helps; the client retries what may pass.
func (w *Worker) fetchErrors(fetches kgo.Fetches) {
	for _, e := range fetches.Errors() {
		switch {
		case kafka.Refused(e.Err):
			w.stopAll(fetchFailure(&e))
		case kafka.OutsideLog(e.Err):
			w.stopReaders(e.Partition, fetchFailure(&e))
		default:
			w.log.Warn("fetching failed", "topic", e.Topic, "partition", e.Partition, "error", e.Err.Error())
		}
	}
}

// stopReaders stops the groups that read a partition together; those that are behind fetch for themselves.
func (w *Worker) stopReaders(number int32, err error) {
	w.mu.Lock()
	p := w.parts[number]
	w.mu.Unlock()
	if p == nil {
		return
	}
	from := p.feed.die()
	for _, r := range p.runners {
		if r.position.Load() >= from {
			w.stop(r.group, fmt.Errorf("group %s: %w", r.group.Fold.Name, err))
		}
	}
}
