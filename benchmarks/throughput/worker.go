package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"time"

	"github.com/causetc/causetc/codegen"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/postgres"
	"github.com/causetc/causetc/runtime/worker"
)

// fork is that of the events.
const fork = "main"

//go:embed specs
var specs embed.FS

// compile reads a workload's spec.
func compile(ctx context.Context, w workload) (*ir.Program, error) {
	text, err := specs.ReadFile("specs/" + w.spec + ".causet")
	if err != nil {
		return nil, err
	}
	loaded, err := parser.Load(ctx, parser.Options{Args: []string{"-"}, Stdin: strings.NewReader(string(text))})
	if err != nil {
		return nil, err
	}
	p, problems := codegen.Compile(loaded.Program, codegen.Options{})
	if p == nil {
		return nil, fmt.Errorf("%s: %v", w.spec, problems)
	}
	return p, nil
}

// groups opens the stores of a program that is deployed.
func groups(ctx context.Context, db *postgres.DB, p *ir.Program) ([]worker.Group, error) {
	d, err := db.Check(ctx, p, fork)
	if err != nil {
		return nil, err
	}
	var list []worker.Group
	for i := range p.Groups {
		g, err := fold.Compile(p, &p.Groups[i])
		if err != nil {
			return nil, err
		}
		st, err := db.Group(&p.Groups[i], g, d.Groups[i].Version)
		if err != nil {
			return nil, err
		}
		list = append(list, worker.Group{Fold: g, Version: d.Groups[i].Version, Store: st})
	}
	return list, nil
}

func openDB(ctx context.Context, dsn, schema string, p *ir.Program) (*postgres.DB, error) {
	return postgres.Open(ctx, postgres.Config{DSN: dsn, Schema: schema, ViewSchema: schema + "_views", MaxConns: int32(worker.Connections(len(p.Groups)))})
}

// runWorker consumes a topic until it is told to stop, and returns when it began and when it wrote last.
func runWorker(ctx context.Context, t task) (span, error) {
	p, err := compile(ctx, workloads[t.Workload])
	if err != nil {
		return span{}, err
	}
	db, err := openDB(ctx, t.DSN, t.Schema, p)
	if err != nil {
		return span{}, err
	}
	defer db.Close()
	list, err := groups(ctx, db, p)
	if err != nil {
		return span{}, err
	}
	stopProfile, err := startProfile(t.Profile)
	if err != nil {
		return span{}, err
	}
	var c clock
	_, err = worker.Run(ctx, worker.Config{
		Kafka:      kafka.Config{Brokers: t.Brokers, Group: t.Schema, Topic: t.Topic, DLQTopic: dlqTopic},
		Fork:       fork,
		OwnProcess: true, // as in the command
		Retry:      worker.DefaultRetryPolicy(),
		Log:        slog.New(slog.NewJSONHandler(io.Discard, nil)),
		Groups:     list,
		Observer:   worker.Observer{Assigned: c.assigned, Wrote: c.wrote},
	})
	return c.span, errors.Join(err, stopProfile())
}

// clock notes when a worker began, and when it wrote last records of the topic.
type clock struct {
	mu sync.Mutex
	span
}

func (c *clock) assigned(partitions []int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Began.IsZero() && len(partitions) > 0 {
		c.Began = time.Now()
	}
}

func (c *clock) wrote(t worker.Transaction) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.Records > 0 {
		c.Ended = time.Now()
	}
}

// startProfile profiles the process, if there is a place for it.
func startProfile(prefix string) (stop func() error, err error) {
	if prefix == "" {
		return func() error { return nil }, nil
	}
	cpu, err := os.Create(prefix + ".cpu")
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		heap, err := os.Create(prefix + ".heap")
		if err != nil {
			return err
		}
		runtime.GC()
		return errors.Join(pprof.Lookup("allocs").WriteTo(heap, 0), heap.Close(), cpu.Close())
	}, nil
}
