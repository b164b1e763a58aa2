//go:build unix

package main

import "fmt"

// figure is something that happened, and how often the plan says that it must have happened at least.
type figure struct {
	name  string
	count int
	least int
}

// figures compare what happened with the plan, which grows with the trial's length.
func (t *trial) figures(o *outcome) []figure {
	c := &t.fleet.counted
	minutes := func(perMinute float64) int { return int(perMinute * t.length.Minutes()) }
	return []figure{
		{"events written", t.producer.written, minutes(4000)},
		{"transactions aborted", t.producer.aborted, minutes(5)},
		{"duplicates", o.report.Duplicates, minutes(1000)},
		{"dead letters", o.report.Dead, minutes(100)},
		{"failed attempts", int(c.retries.Load()), minutes(100)},
		{"workers killed at random", int(c.kills.Load()), minutes(4)},
		{"workers killed at failpoints", int(c.failpoints.Load()), minutes(3)},
		{"workers paused beyond their session", int(c.pauses.Load()), minutes(1)},
		{"workers overtaken in a transaction", int(c.zombies.Load()), minutes(0.5)},
		{"rebalances seen", int(c.rebalances.Load()), minutes(5)},
		{"answers to commits lost", int(t.proxy.cut.Load()), minutes(3)},
		{"crashes of the database", t.crashes, minutes(0.9)},
		{"growths of the topic", t.growths, 1},
		{"times that the broker was away", t.brokerKills, minutes(0.9)},
	}
}

// summarise prints what happened. Less than planned is a violation: such a trial has shown nothing.
func (t *trial) summarise(o *outcome) {
	fmt.Printf("%v with %d workers and a rival, %d records in the log, %d dead letters on their topic\n", t.length, t.workers, o.report.Records, o.report.Letters)
	for _, f := range t.figures(o) {
		fmt.Printf("%8d %s\n", f.count, f.name)
		if f.count < f.least {
			o.blame("plan: %d %s, at least %d are needed", f.count, f.name, f.least)
		}
	}
}
