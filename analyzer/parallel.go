package analyzer

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/causetc/causetc/analyzer/analysis"
)

// parallel does tasks on all processors. A panic of one is a panic of the caller's, who can take it.
func parallel(tasks []func()) {
	queue := make(chan func(), len(tasks))
	for _, task := range tasks {
		queue <- task
	}
	close(queue)
	panics := make(chan string, len(tasks))
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(tasks)) {
		wait.Go(func() {
			for task := range queue {
				guard(task, panics)
			}
		})
	}
	wait.Wait()
	select {
	case p := <-panics:
		panic(p)
	default:
	}
}

func guard(task func(), panics chan<- string) {
	defer func() {
		if p := recover(); p != nil {
			panics <- fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	task()
}

// ruleRun is one run of one rule.
type ruleRun struct {
	rule  *analysis.Analyzer
	found []analysis.Finding
	err   error
}

// runAll runs rules beside each other, and returns all that they find in the order of the rules. Those that ask for types run
// one after the other, since goroutines can't share these.
func runAll(ctx context.Context, pass analysis.Pass, rules []*analysis.Analyzer) ([]analysis.Finding, error) {
	runs := make([]ruleRun, len(rules))
	var typed []*ruleRun
	var tasks []func()
	for i, rule := range rules {
		r := &runs[i]
		r.rule = rule
		if rule.Requires&analysis.NeedTypes != 0 {
			typed = append(typed, r)
			continue
		}
		tasks = append(tasks, func() { r.run(ctx, pass) })
	}
	parallel(append([]func(){func() { // the longest first
		for _, r := range typed {
			r.run(ctx, pass)
		}
	}}, tasks...))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var found []analysis.Finding
	for _, r := range runs {
		if r.err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.rule.Doc.ID, r.err)
		}
		found = append(found, r.found...)
	}
	return found, nil
}

func (r *ruleRun) run(ctx context.Context, pass analysis.Pass) {
	if ctx.Err() != nil || r.rule.Names && pass.Program.Incomplete {
		return
	}
	r.err = r.rule.Run(pass.With(r.rule, func(f analysis.Finding) { r.found = append(r.found, f) }))
}
