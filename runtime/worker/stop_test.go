package worker

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

// dismissed is a store whose deployment is found to be at fault while it runs: at a commit, or already when it is opened.
type dismissed struct {
	*memory.Store
	atOnce bool
}

func (s *dismissed) LoadCursor(ctx context.Context, topic string, partition int32) (store.Cursor, bool, error) {
	if s.atOnce {
		return store.Cursor{}, false, &store.DeploymentError{Message: "the schema is gone"}
	}
	return s.Store.LoadCursor(ctx, topic, partition)
}

func (s *dismissed) Commit(context.Context, store.Batch) (store.Counts, error) {
	return store.Counts{}, &store.DeploymentError{Message: "the user lacks a privilege"}
}

// another is a group of that name by the same rules.
func another(t *testing.T, name string) *fold.Group {
	t.Helper()
	p := counterProgram(t)
	p.Groups[0].Name = name
	g, err := fold.Compile(p, &p.Groups[0])
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestStoppedGroupHoldsNoOther stops one of two groups while they run: the other consumes everything, also what comes
// later, in a run with an end and in one without.
func TestStoppedGroupHoldsNoOther(t *testing.T) {
	for _, atOnce := range []bool{false, true} {
		b := newBench(t)
		other := another(t, "other")
		var lines []string
		for range 3 {
			lines = append(lines, sold("1", "a", 2), sold("2", "b", 2))
		}
		b.produce(lines...)
		conf := b.config(b.store)
		conf.Groups = append(conf.Groups, Group{Fold: other, Version: 1, Store: &dismissed{Store: memory.New(other, fold.WindowSize), atOnce: atOnce}})
		var stopped []string
		conf.Observer.Stopped = func(group string, err error) { stopped = append(stopped, group+": "+err.Error()) }
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		report, err := Run(ctx, conf)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.rows(); got != "a 50 1; b 50 1" {
			t.Errorf("rows: %s", got)
		}
		if len(stopped) != 1 || !strings.HasPrefix(stopped[0], "other: ") {
			t.Errorf("stopped: %q", stopped)
		}
		if report.Groups[0].Err == nil || report.Groups[1].Err != nil || report.Groups[0].Applied != 0 {
			t.Errorf("report: %+v", report)
		}
		b.checkGoesOn(conf)
	}
}

// checkGoesOn runs without an end, until the group that works has what is produced meanwhile.
func (b *bench) checkGoesOn(conf Config) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), time.Minute)
	defer cancel()
	conf.UntilEnd = false
	applied := make(chan struct{}, 10)
	conf.Observer.Wrote = func(t Transaction) {
		if t.Group == "sales" && t.Outcomes.Applied > 0 {
			applied <- struct{}{}
		}
	}
	done := make(chan error, 1)
	go func() {
		_, err := Run(ctx, conf)
		done <- err
	}()
	b.produce(sold("3", "c", 2))
	select {
	case <-applied:
	case err := <-done:
		b.t.Fatalf("the run ended: %v", err)
	case <-ctx.Done():
		b.t.Fatal("nothing was applied")
	}
	cancel()
	if err := <-done; err != nil {
		b.t.Errorf("the run ended with %v", err)
	}
}

// TestAllGroupsStopped ends the run, since nothing is left to do.
func TestAllGroupsStopped(t *testing.T) {
	b := newBench(t)
	b.produce(sold("1", "a", 2))
	conf := b.config(&dismissed{Store: b.store})
	conf.UntilEnd = false
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := Run(ctx, conf)
	if err == nil || !strings.Contains(err.Error(), "privilege") || ctx.Err() != nil {
		t.Errorf("the run ended with %v", err)
	}
}

// cancelled is a store that something else than the worker cancels.
type cancelled struct{ *memory.Store }

func (s *cancelled) Commit(context.Context, store.Batch) (store.Counts, error) {
	return store.Counts{}, fmt.Errorf("the pool: %w", context.Canceled)
}

// TestEndTellsItsCause: a run that nobody has asked to stop does not end without a word, whatever was cancelled.
func TestEndTellsItsCause(t *testing.T) {
	b := newBench(t)
	b.produce(sold("1", "a", 2))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := Run(ctx, b.config(&cancelled{b.store}))
	if err == nil || !strings.Contains(err.Error(), "group sales, partition") || !strings.Contains(err.Error(), "the pool") {
		t.Errorf("the run ended with %v", err)
	}
}
