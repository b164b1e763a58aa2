package main

import (
	"context"
	"fmt"
)

// poisoned measures how much events that fail for good slow the others: the time until the position is at the end, in turn
// with the same events without a fault. Keys are distinct, so that in ordered tables none waits for another.
func (b *bench) poisoned(ctx context.Context) error {
	good := load{Events: b.events, Partitions: 1}
	dividing, refused := good, good
	dividing.PoisonParts, refused.PoisonPrice = true, true
	for _, c := range []struct {
		name, workload, title string
		bad                   load
	}{
		{"convergent-evaluation", "poison", "convergent table, 1% of the events can't be evaluated", dividing},
		{"convergent-constraint", "poison", "convergent table, 1% of the events are refused by a constraint", refused},
		{"ordered-evaluation", "ordered", "ordered table, 1% of the events can't be evaluated", dividing},
		{"ordered-constraint", "ordered", "ordered table, 1% of the events are refused by a constraint", refused},
	} {
		if !b.selected(c.name) {
			continue
		}
		fmt.Println(c.title)
		if err := b.slowed(ctx, c.workload, good, c.bad); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) slowed(ctx context.Context, name string, good, bad load) error {
	var without, with []figure
	for range max(b.rounds, 1) {
		f, err := b.worker(ctx, name, good, 1)
		if err != nil {
			return err
		}
		without = append(without, f)
		if f, err = b.worker(ctx, name, bad, 1); err != nil {
			return err
		}
		with = append(with, f)
	}
	a, z := median(without), median(with)
	fmt.Printf("  without    %v\n  with       %v\n  it takes %.2f times as long, and %.2f times the CPU time, all attempts included\n", a, z,
		a.rate/z.rate, (z.worker+z.postgres).Seconds()/(a.worker+a.postgres).Seconds())
	return nil
}
