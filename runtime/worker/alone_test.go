package worker

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

// gated is a store whose commits wait for a gate to open.
type gated struct {
	*memory.Store
	gate chan struct{}
}

func (g *gated) Commit(ctx context.Context, b store.Batch) (store.Counts, error) {
	select {
	case <-ctx.Done():
		return store.Counts{}, ctx.Err()
	case <-g.gate:
	}
	return g.Store.Commit(ctx, b)
}

// pair is a bench with a second group, whose commits wait for a gate.
type pair struct {
	*bench
	other *gated
	conf  Config
	stood chan Standing
	at    map[string]int64 // by group: the farthest position that was told
	ended chan error
	stop  context.CancelFunc
}

func newPair(t *testing.T) *pair {
	p := &pair{bench: newBench(t), stood: make(chan Standing, 1000), at: map[string]int64{}, ended: make(chan error, 1)}
	g := another(t, "other")
	p.other = &gated{Store: memory.New(g, fold.WindowSize), gate: make(chan struct{})}
	p.conf = p.config(p.store)
	p.conf.UntilEnd = false
	p.conf.Groups = append(p.conf.Groups, Group{Fold: g, Version: 1, Store: p.other})
	p.conf.Observer.Standing = func(s Standing) { p.stood <- s }
	return p
}

func (p *pair) start() {
	ctx, cancel := context.WithTimeout(p.t.Context(), 2*time.Minute)
	p.stop = cancel
	go func() {
		_, err := Run(ctx, p.conf)
		p.ended <- err
	}()
	p.t.Cleanup(func() {
		cancel()
		for {
			select {
			case <-p.stood:
			case err := <-p.ended:
				if err != nil {
					p.t.Error(err)
				}
				return
			}
		}
	})
}

// await waits until a group stands at an offset.
func (p *pair) await(group string, next int64) {
	p.t.Helper()
	for p.at[group] < next {
		select {
		case s := <-p.stood:
			p.at[s.Group] = max(p.at[s.Group], s.Next)
		case err := <-p.ended:
			p.ended <- err
			p.t.Fatalf("the run ended: %v\n%s", err, p.log.String())
		}
	}
}

// fill produces n records with the ids from first on, each show's in turn, and a copy of each tenth.
func (p *pair) fill(first, n int) {
	p.t.Helper()
	recs := make([]*kgo.Record, 0, n)
	for i := range n {
		id := first + i - i%10/9 // the tenth is the ninth again
		recs = append(recs, &kgo.Record{Topic: p.kafka.Topic, Key: []byte("k"), Value: []byte(sold(fmt.Sprint(id), fmt.Sprint("show", id%7), 4))})
	}
	if err := p.client.ProduceSync(p.t.Context(), recs...).FirstErr(); err != nil {
		p.t.Fatal(err)
	}
}

// compare holds the two groups, which have the same rules, to each other.
func (p *pair) compare() {
	p.t.Helper()
	theirs, err := p.other.Rows(p.t.Context(), "sales")
	if err != nil {
		p.t.Fatal(err)
	}
	if ours, theirs := p.rows(), rowsText(theirs); ours != theirs {
		p.t.Errorf("the groups differ:\n%s\n%s", ours, theirs)
	}
}

// happened counts the log's records of an event.
func (p *pair) happened(event string) (n int) {
	for _, rec := range p.records() {
		if rec["event"] == event && rec["group"] == "other" {
			n++
		}
	}
	return n
}

// TestLaggingGroupFetchesAlone: one group hangs in a commit while so much comes that no queue could take it; the other gets
// all of it. Then it catches up, and both read together again.
func TestLaggingGroupFetchesAlone(t *testing.T) {
	const backlog = 30_000
	p := newPair(t)
	p.fill(0, backlog)
	p.start()
	p.await("sales", backlog)
	p.fill(backlog, 10)
	p.await("sales", backlog+10)
	close(p.other.gate)
	p.await("other", backlog+10)
	p.fill(2*backlog, 20)
	p.await("other", backlog+30)
	p.await("sales", backlog+30)
	p.compare()
	if alone, joined := p.happened("group_alone"), p.happened("group_joined"); alone == 0 || joined != alone {
		t.Errorf("fetched alone %d times, joined the other %d times", alone, joined)
	}
}

// TestNewGroupOnOldTopic begins at the start of the log, while the other goes on at its end.
func TestNewGroupOnOldTopic(t *testing.T) {
	const old = 30_000
	p := newPair(t)
	p.fill(0, old)
	p.run(p.store)
	p.start()
	p.await("sales", old)
	p.fill(old, 10)
	p.await("sales", old+10)
	close(p.other.gate)
	p.await("other", old+10)
	p.compare()
	if p.happened("group_alone") == 0 || p.happened("group_joined") == 0 {
		t.Error("the new group did not fetch alone, or not join the other")
	}
}

// TestGroupWithAnotherHistory: a group is new where the start of the log is gone. What the others know from there is new to
// it, for as long as they remember it; they read together all the same.
func TestGroupWithAnotherHistory(t *testing.T) {
	p := newPair(t)
	p.produce(sold("1", "a", 4), sold("2", "b", 4), sold("3", "b", 4))
	p.run(p.store)
	p.deleteRecords(p.partition(), 1)
	close(p.other.gate)
	p.start()
	p.await("other", 3)
	p.produce(sold("1", "a", 4), sold("2", "b", 4), sold("4", "b", 4))
	p.await("other", 6)
	p.await("sales", 6)
	if got := p.rows(); got != "a 25 1; b 25 3" {
		t.Errorf("the group that was there first has %s", got)
	}
	rows, err := p.other.Rows(t.Context(), "sales")
	if got := rowsText(rows); err != nil || got != "a 25 1; b 25 3" {
		t.Errorf("the new group has %s, %v", got, err)
	}
}
