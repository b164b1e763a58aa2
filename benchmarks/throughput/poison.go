package main

import (
	"context"
	"fmt"
)

// poisoned measures how much events that fail for good slow the others: the time until the position is at the end, in turn
// with the same events without a fault. Keys are distinct, so that in ordered tables none waits for another.
func (b *bench) poisoned(ctx context.Context) error {
	for _, name := range []string{"poison", "ordered"} {
		good := load{Events: b.events, Partitions: 1}
		dividing, refused := good, good
		dividing.PoisonParts, refused.PoisonPrice = true, true
		for _, kind := range []struct {
			name, title string
			load        load
		}{{"evaluation", "can't be evaluated", dividing}, {"constraint", "are refused by a constraint", refused}} {
			if !b.selected(name) && !b.selected(kind.name) {
				continue
			}
			fmt.Printf("%s table, 1%% of the events %s\n", map[string]string{"poison": "convergent", "ordered": "ordered"}[name], kind.title)
			if err := b.slowed(ctx, name, good, kind.load); err != nil {
				return err
			}
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
