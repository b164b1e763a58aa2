//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/invariant"
)

// producer writes random events, some of them in transactions, some of which are aborted.
type producer struct {
	brokers []string
	topic   string
	rate    int // events a second
	rand    *rand.Rand
	loader  *invariant.Loader

	mu      sync.Mutex // held while a batch is written
	plain   *kgo.Client
	tx      *kgo.Client
	written int
	aborted int
}

// accounts is how many there are.
const accounts = 200

func newProducer(brokers []string, topic string, rate int, r *rand.Rand) (*producer, error) {
	p := &producer{brokers: brokers, topic: topic, rate: rate, rand: r}
	p.loader = &invariant.Loader{Rand: r, Pools: 50, Bulk: 400,
		Now:     func() int64 { return time.Now().UnixMilli() },
		Account: func() (string, int32) { return fmt.Sprintf("account-%d", r.IntN(accounts)), 0 }}
	return p, p.connect()
}

// connect makes clients that know the topic as it is now.
func (p *producer) connect() (err error) {
	p.close()
	common := []kgo.Opt{kgo.SeedBrokers(p.brokers...), kgo.RecordPartitioner(kgo.StickyKeyPartitioner(nil)), kgo.MetadataMinAge(time.Second)}
	if p.plain, err = kgo.NewClient(common...); err != nil {
		return err
	}
	p.tx, err = kgo.NewClient(append(common, kgo.TransactionalID("chaos"), kgo.TransactionTimeout(10*time.Second))...)
	return err
}

func (p *producer) close() {
	for _, client := range []*kgo.Client{p.plain, p.tx} {
		if client != nil {
			client.Close()
		}
	}
}

// run produces until the context ends, and finishes its last batch.
func (p *producer) run(ctx context.Context) error {
	for ctx.Err() == nil {
		n := 1 + p.rand.IntN(100)
		if err := p.batch(context.WithoutCancel(ctx), n); err != nil {
			return fmt.Errorf("producing: %w", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(n) * time.Second / time.Duration(p.rate)):
		}
	}
	return nil
}

func (p *producer) batch(ctx context.Context, n int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	records := make([]*kgo.Record, n)
	for i := range records {
		records[i] = p.loader.Next().Record(p.topic, now)
	}
	p.written += n
	if p.rand.IntN(4) > 0 {
		return p.plain.ProduceSync(ctx, records...).FirstErr()
	}
	return p.transaction(ctx, records)
}

// transaction writes records in one; where that fails, which of them are in the log is the log's to say.
func (p *producer) transaction(ctx context.Context, records []*kgo.Record) error {
	end := kgo.TryCommit
	if p.rand.IntN(3) == 0 {
		end = kgo.TryAbort
	}
	err := p.tx.BeginTransaction()
	if err == nil {
		err = p.tx.ProduceSync(ctx, records...).FirstErr()
	}
	if err != nil {
		end = kgo.TryAbort
	}
	if endErr := p.tx.EndTransaction(ctx, end); endErr != nil {
		err = errors.Join(err, endErr)
	}
	if err != nil {
		return p.connect() // a new epoch fences what is left of the old one
	}
	if end == kgo.TryAbort {
		p.aborted++
	}
	return nil
}
