//go:build unix

// Command chaos disturbs workers: several processes consume a random load while they are killed, paused, cut off from the
// database and crashed with it and with the brokers, and afterwards every invariant of docs/runtime.md must hold.
//
//	go run ./scripts/chaos --for 2m
//	go run ./scripts/chaos --for 15m --real
//
// It prints its seed, which repeats the choices though not the timing. Exit code 1: an invariant is broken, or less happened
// than the plan says; 2: the trial could not be held. It needs a Unix, and is started in the repository.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/causetc/causetc/runtime/embedded"
)

func main() {
	embedded.RunJanitorIfAsked()
	var p plan
	flag.Uint64Var(&p.seed, "seed", rand.Uint64(), "repeats the choices of a trial")
	flag.DurationVar(&p.length, "for", 2*time.Minute, "how long there are load and faults")
	flag.BoolVar(&p.real, "real", false, "with an Apache Kafka instead of one in this process; needs Java and Maven")
	flag.IntVar(&p.workers, "workers", 3, "how many worker processes")
	flag.IntVar(&p.rate, "rate", 400, "events a second")
	flag.StringVar(&p.off, "off", "", "take a `MECHANISM` of package failpoint out: the trial must fail then")
	keep := flag.Bool("keep", false, "keep the folder with the logs though all is well")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	code, err := hold(ctx, p, *keep)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = errors.Join(fmt.Errorf("stopped from outside: %w", cause), err)
		}
		fmt.Fprintln(os.Stderr, "chaos:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// hold holds a trial in a folder of its own and prints what came of it.
func hold(ctx context.Context, p plan, keep bool) (code int, err error) {
	fmt.Printf("seed %d\n", p.seed)
	if p.dir, err = os.MkdirTemp("", "causetc-chaos-"); err != nil {
		return 2, err
	}
	if err := os.Chmod(p.dir, 0o755); err != nil { // the database may run as another user
		return 2, err
	}
	defer func() {
		if code != 0 || err != nil || keep {
			fmt.Println("logs are in", p.dir)
		} else {
			_ = os.RemoveAll(p.dir)
		}
	}()
	t, err := newTrial(ctx, p)
	defer t.stop()
	if err != nil {
		return 2, err
	}
	if err := t.run(ctx); err != nil {
		return 1, errors.Join(err, t.explain(ctx, err))
	}
	o, err := t.verify(ctx)
	if err != nil {
		return 2, err
	}
	t.summarise(o)
	for _, v := range o.violations {
		fmt.Println(v)
		code = 1
	}
	return code, nil
}
