//go:build unix

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
)

// sessionTimeout is how long the brokers wait for a silent worker; they take no less.
const sessionTimeout = 6 * time.Second

// fault is something that is done to the services or the workers.
type fault func(ctx context.Context, t *trial) error

// deck is the mix of faults; it is shuffled each time that it is used up.
var deck = []fault{kill, kill, kill, pause, pause, loseAnswers, loseAnswers, disconnect, crashDatabase, killBroker, zombie}

// disturb does one fault after the other until the context ends. The topic grows before the second round.
func (t *trial) disturb(ctx context.Context) error {
	for round := 0; ; round++ {
		if round == 1 {
			if err := t.grow(context.WithoutCancel(ctx)); err != nil {
				return fmt.Errorf("making the topic grow: %w", err)
			}
		}
		for _, i := range t.rand.Perm(len(deck)) {
			select {
			case <-ctx.Done():
				t.pauses.Wait()
				return nil
			case <-time.After(time.Duration(500+t.rand.IntN(2000)) * time.Millisecond):
			}
			if err := deck[i](context.WithoutCancel(ctx), t); err != nil {
				return fmt.Errorf("fault %d of the deck: %w", i, err)
			}
		}
	}
}

func (t *trial) anySlot() *slot { return t.fleet.slots[t.rand.IntN(len(t.fleet.slots))] }

func kill(_ context.Context, t *trial) error {
	t.fleet.kill(t.anySlot())
	return nil
}

// pause goes on beside other faults.
func pause(ctx context.Context, t *trial) error {
	s := t.anySlot()
	t.pauses.Go(func() { t.fleet.pause(ctx, s) })
	return nil
}

// zombie is left alone by other faults, which would cut it off.
func zombie(ctx context.Context, t *trial) error {
	t.fleet.zombie(ctx, t.anySlot(), 1+t.rand.IntN(30))
	time.Sleep(time.Second) // in which it may do its worst
	return nil
}

func loseAnswers(_ context.Context, t *trial) error {
	t.proxy.loseAnswers(int64(1 + t.rand.IntN(5)))
	return nil
}

func disconnect(_ context.Context, t *trial) error {
	t.proxy.disconnect()
	return nil
}

func crashDatabase(ctx context.Context, t *trial) error {
	if err := t.database.crash(ctx); err != nil {
		return err
	}
	t.crashes++
	time.Sleep(time.Duration(t.rand.IntN(2000)) * time.Millisecond)
	return t.database.launch(ctx)
}

func killBroker(ctx context.Context, t *trial) error {
	t.broker.Kill()
	t.brokerKills++
	time.Sleep(time.Duration(t.rand.IntN(2000)) * time.Millisecond)
	return t.broker.Launch(ctx)
}

// grow doubles the topic's partitions. The producers go on, but none writes by the old number when one writes by the new.
func (t *trial) grow(ctx context.Context) error {
	t.producer.mu.Lock()
	defer t.producer.mu.Unlock()
	err := t.admin(ctx, func(admin *kadm.Client) error {
		responses, err := admin.UpdatePartitions(ctx, 2*partitions, topic)
		if err == nil {
			_, err = responses.On(topic, nil)
		}
		if err != nil {
			return err
		}
		for {
			details, err := admin.ListTopics(ctx, topic)
			if err != nil || len(details[topic].Partitions) == 2*partitions {
				return err
			}
		}
	})
	if err != nil {
		return err
	}
	t.growths++
	return t.producer.connect()
}
