// Package worker consumes the event topic and folds its events into a program's tables.
package worker

import (
	"log/slog"
	"time"

	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/store"
)

// Config is what a worker is made of.
type Config struct {
	Kafka kafka.Config
	Fork  string // the fork that is served; events of others are skipped
	Retry RetryPolicy
	// UntilEnd makes the worker stop when every group has reached the end that the topic had at the start, and give up
	// when the surroundings fail for a whole retry schedule.
	UntilEnd bool
	// MaxParked is how many events of a partition may be parked or waiting in a group before it waits; 0 means 10,000.
	MaxParked int
	// TopicEvery is how often the worker looks whether the topic has grown, was made anew or has lost records; 0 means 10 s.
	TopicEvery time.Duration
	// OwnProcess says that the process does nothing else: its garbage collector is set for the worker.
	OwnProcess bool
	Log        *slog.Logger
	Observer   Observer
	Groups     []Group
}

// Group is one table group with what keeps it.
type Group struct {
	Fold    *fold.Group
	Version int
	Store   store.Group
}

// The sizes of the worker's queues and transactions.
const (
	maxBatch       = 12_000  // records in one transaction
	chunkRecords   = 1000    // of them decoded at a time
	chunkCost      = 4 << 20 // and what they may cost at most, if there is more than one
	windowSize     = fold.WindowSize
	maxErrorLength = 2000 // bytes of an error's text in logs and dead letters
	maxAttempts    = 500  // attempts on parked and waiting events in one transaction
	maxParked      = 10_000
)

// parkingBound returns how many events of a partition may be parked or waiting.
func (c *Config) parkingBound() int {
	if c.MaxParked > 0 {
		return c.MaxParked
	}
	return maxParked
}
