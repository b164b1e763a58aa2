package analyzer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// TestCorpus lints the public example apps: no error, and only findings that a careful reader agrees with.
func TestCorpus(t *testing.T) {
	root := os.Getenv("CAUSETC_CORPUS")
	if root == "" {
		t.Skip("CAUSETC_CORPUS is not set")
	}
	expected := map[string][]string{
		"ai-fraud-detection-demo": {
			// Two objects that the decision is given in parts instead.
			"hint CS362 fraud.actions.causet velocity",
			"hint CS362 fraud.actions.causet cardholder",
			// Emitted, but not declared in the event's payload, as the other events do.
			"warning CS330 fraud.actions.causet dashboard_id",
			// All transactions write one row; causetc goes by their clocks.
			"info CS606 fraud.projections.causet latest_transaction_id hosted",
			// Counters without a record of what was counted.
			"warning CS601 fraud.projections.causet add",
			// The status of the transaction may have moved on.
			"info CS610 fraud.projections.causet lookup",
		},
		"wallet-demo": {
			// A transfer is an entity of its own, and writes the rows of wallets.
			"info CS606 wallet.projections.causet owner",
			// Balances are read when a transfer is handled, and are later ones in a replay.
			"info CS610 wallet.projections.causet lookup",
			"info CS610 wallet.projections.causet lookup",
			"info CS610 wallet.projections.causet lookup",
			"info CS610 wallet.projections.causet lookup",
			// The newest hundred wallets of all, without an index by time.
			"hint CS434 wallet.queries.causet updated_at",
		},
		"hello-causet": nil,
	}
	for app, all := range expected {
		for _, target := range []analysis.Target{analysis.Hosted, analysis.Causetc} {
			var want []string
			for _, line := range all {
				if line, hosted := strings.CutSuffix(line, " hosted"); !hosted || target == analysis.Hosted {
					want = append(want, line)
				}
			}
			r, err := parser.Load(context.Background(), parser.Options{Args: []string{filepath.Join(root, app)}})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range run(t, r, analyzer.Options{Target: target}) {
				f := r.Program.Set.File(d.Span.Start)
				token := string(f.Text[f.Offset(d.Span.Start):f.Offset(d.Span.End)])
				got = append(got, fmt.Sprintf("%s %s %s %s", d.Severity, d.Rule, filepath.Base(f.Path), token))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s for %s: got %q, want %q", app, target, got, want)
			}
		}
	}
}

// manyFiles splits all bad specs into a program of several files, so that most rules have findings across files.
func manyFiles(t *testing.T) []string {
	t.Helper()
	var texts []string
	for _, file := range specCases(t) {
		if filepath.Base(file) != "bad.causet" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// program loads texts as the files of one program, given in the order of perm, with names that do not depend on it.
func program(t *testing.T, texts []string, perm []int) *parser.Result {
	t.Helper()
	dir := t.TempDir()
	var args []string
	for _, i := range perm {
		path := filepath.Join(dir, fmt.Sprintf("f%02d.causet", i))
		if err := os.WriteFile(path, []byte(texts[i]), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	r, err := parser.Load(context.Background(), parser.Options{Args: args, AllowOutside: true})
	if err != nil {
		t.Fatal(err)
	}
	shuffle(r.Program, perm)
	return r
}

// shuffle brings the sections into another order than that of the files.
func shuffle(p *spec.Program, perm []int) {
	random := rand.New(rand.NewPCG(uint64(len(perm)), uint64(perm[0])))
	mix := func(n int, swap func(i, j int)) { random.Shuffle(n, swap) }
	mix(len(p.Events), func(i, j int) { p.Events[i], p.Events[j] = p.Events[j], p.Events[i] })
	mix(len(p.States), func(i, j int) { p.States[i], p.States[j] = p.States[j], p.States[i] })
	mix(len(p.Actions), func(i, j int) { p.Actions[i], p.Actions[j] = p.Actions[j], p.Actions[i] })
	mix(len(p.Projections), func(i, j int) { p.Projections[i], p.Projections[j] = p.Projections[j], p.Projections[i] })
	mix(len(p.Queries), func(i, j int) { p.Queries[i], p.Queries[j] = p.Queries[j], p.Queries[i] })
	mix(len(p.Decisions), func(i, j int) { p.Decisions[i], p.Decisions[j] = p.Decisions[j], p.Decisions[i] })
	mix(len(p.Relationships), func(i, j int) {
		p.Relationships[i], p.Relationships[j] = p.Relationships[j], p.Relationships[i]
	})
}

// TestFileOrder checks that the findings do not depend on the order of files, nor of sections in the program.
func TestFileOrder(t *testing.T) {
	texts := manyFiles(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	var first string
	rules := map[string]bool{}
	for round := range 8 {
		perm := random.Perm(len(texts))
		if round == 0 {
			slices.Sort(perm)
		}
		r := program(t, texts, perm)
		found := run(t, r, analyzer.Options{PerRule: 5})
		out := strings.ReplaceAll(printed(r, found), filepath.ToSlash(filepath.Dir(r.Program.Set.Files()[0].Path))+"/", "")
		for _, d := range found {
			rules[d.Rule] = true
		}
		switch {
		case round == 0:
			first = out
		case out != first:
			t.Fatalf("the order %v gives other findings:\n%s\n--- instead of ---\n%s", perm, out, first)
		}
	}
	if len(rules) < 15 {
		t.Errorf("only %d rules have findings, so this test says little: %v", len(rules), rules)
	}
}

// TestCap checks that one rule does not flood the output, and that what is left out is counted.
func TestCap(t *testing.T) {
	var b strings.Builder
	b.WriteString("events:\n")
	for i := range 100 {
		fmt.Fprintf(&b, "  E%d: { state: show, entity_expr: event.nope, payload: { show_id: string } }\n", i)
	}
	b.WriteString("state:\n  show: { entity_key: show_id, fields: { title: string } }\n")
	r := load(t, b.String())
	found := run(t, r, analyzer.Options{PerRule: 10})
	if len(found) != 10 || !strings.Contains(found[9].Message, "(and 90 more of this rule in the file)") {
		t.Errorf("%d findings, the last: %s", len(found), found[len(found)-1].Message)
	}
	if found := run(t, r, analyzer.Options{}); len(found) != 50 {
		t.Errorf("%d findings by default, want 50", len(found))
	}
	if found := run(t, r, analyzer.Options{PerRule: -1}); len(found) != 100 {
		t.Errorf("%d findings without a bound, want 100", len(found))
	}
}

// TestOneCause checks that a name that is missing is reported once, and at the next place where the first is acknowledged.
func TestOneCause(t *testing.T) {
	const text = `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  OPENED: { state: arena, entity_expr: event.show_id, payload: { show_id: string } }%s
  CLOSED: { state: arena, entity_expr: event.show_id, payload: { show_id: string } }
  ENDED: { state: arena, entity_expr: event.show_id, payload: { show_id: string } }
`
	for comment, line := range map[string]int{"": 4, " # causetc:ignore CS303 -- not ours": 5} {
		r := load(t, fmt.Sprintf(text, comment))
		found := run(t, r, analyzer.Options{})
		if len(found) != 1 || len(found[0].Related) != 6-line {
			t.Fatalf("want one finding with the other places beside it:\n%s", printed(r, found))
		}
		if got := r.Program.Set.File(found[0].Span.Start).Position(found[0].Span.Start).Line; got != line {
			t.Errorf("reported on line %d, want %d", got, line)
		}
	}
}

const suppressedID = `state:
  show: { entity_key: show_id, fields: { title: string } }
actions:
  OPEN:
    state: show
    entity_id_expr: uuid() # causetc:ignore CS501 -- a demo that nobody replays
    input: { title: string }
`

// TestBinding checks that non-determinism can be acknowledged for a lint, but not for what is built or run.
func TestBinding(t *testing.T) {
	r := load(t, suppressedID)
	if found := run(t, r, analyzer.Options{}); len(found) != 0 {
		t.Errorf("lint:\n%s", printed(r, found))
	}
	found := run(t, r, analyzer.Options{Binding: true, Target: analysis.Causetc})
	if len(found) != 1 || found[0].Rule != "CS501" || found[0].Severity != spec.Error {
		t.Errorf("build:\n%s", printed(r, found))
	}
}

// TestBroken checks that a program of which a part could not be read has no findings on what may stand in that part.
func TestBroken(t *testing.T) {
	texts := []string{
		"events:\n  OPENED: { state: show, entity_expr: event.show_id\n",
		"projections:\n  shows:\n    source_events: [OPENED]\n    target: { table: shows, primary_key: [show_id] }\n" +
			"    fields: { show_id: TEXT }\n    derive: { show_id: event.payload.show_id }\n    mutations: { OPENED: { op: upsert } }\n",
	}
	r := program(t, texts, []int{0, 1})
	found := run(t, r, analyzer.Options{})
	for _, d := range found {
		if d.Rule >= "CS300" {
			t.Errorf("a consequence of the broken file is reported:\n%s", printed(r, []spec.Diagnostic{d}))
		}
	}
	if len(found) == 0 {
		t.Error("the broken file is not reported")
	}
}

// TestCancelled checks that a cancelled context ends the run.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := analyzer.Run(ctx, load(t, suppressedID), analyzer.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// TestOdd runs inputs that a rule might trip over.
func TestOdd(t *testing.T) {
	for _, text := range []string{
		"", "events:", "events: []", "projections: { p: }", "projections: { p: { source_events: [], target: {} } }",
		"actions: { A: { core: { rules: [{ then: [{}] }] } } }", "queries: { q: { from: [] } }", "listeners: [{}]", "sagas: { s: { steps: [{}] } }",
		"decisions: { d: {} }", "commit_envelopes: { e: { participants: [{}] } }", "memories: { m: {} }", "relationships: { r: {} }",
		"state: { s: { fields: [{}] } }", "actions: { A: { core: { rules: [{ then: [{ op: emit_each, from: /, event_type: '' }] }] } } }",
		"actions: { A: { core: { rules: [{ then: [{ op: find, path: /, where: it, into: / }, { op: set, path: '', value: { '': 1 } }] }] } } }",
		"projections: { p: { source_events: [E], target: { table: t, primary_key: [a] }, derive: { a: 'lookup()', b: 'lookup(x).y', c: 'LOOKUP_FIELD(1, 2)' } } }",
	} {
		r := load(t, text)
		run(t, r, analyzer.Options{})
		run(t, r, analyzer.Options{Target: analysis.Causetc, Binding: true})
	}
}
