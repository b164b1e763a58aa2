package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/causetc/causetc/analyzer/report"
)

// watching is a lint --watch that runs beside a test.
type watching struct {
	t      *testing.T
	lines  chan string // of standard output and standard error, each in its order
	ended  chan int    // the exit code
	cancel context.CancelFunc
	known  map[string]int // what it has told that there is, where it prints JSON
}

func startWatching(t *testing.T, args ...string) *watching {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	w := &watching{t: t, lines: make(chan string, 1000), ended: make(chan int, 1), cancel: cancel, known: map[string]int{}}
	in, out := io.Pipe()
	go func() {
		code := execute(ctx, append([]string{"causetc", "lint", "--watch"}, args...), strings.NewReader(""), out, out)
		_ = out.Close()
		w.ended <- code
	}()
	go func() {
		defer close(w.lines)
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			w.lines <- lines.Text()
		}
	}()
	t.Cleanup(func() {
		cancel()
		for range w.lines {
		}
	})
	return w
}

// next returns the next line.
func (w *watching) next(waitingFor string) string {
	w.t.Helper()
	select {
	case line, ok := <-w.lines:
		if !ok {
			w.t.Fatalf("the end came before %s", waitingFor)
		}
		return line
	case <-time.After(maxTime):
		w.t.Fatalf("nothing came while waiting for %s", waitingFor)
	}
	return ""
}

// await reads up to a line with a text, and returns all that was read.
func (w *watching) await(text string) string {
	w.t.Helper()
	var seen strings.Builder
	for {
		line := w.next(fmt.Sprintf("%q in\n%s", text, seen.String()))
		fmt.Fprintln(&seen, line)
		if strings.Contains(line, text) {
			return seen.String()
		}
	}
}

// end stops it, and checks that this is a success.
func (w *watching) end() {
	w.t.Helper()
	w.cancel()
	for range w.lines {
	}
	if code := <-w.ended; code != exitClean {
		w.t.Errorf("exit code %d, want %d", code, exitClean)
	}
}

// counted counts findings by what people see of them, the place in the file left out.
func counted(findings []report.Finding) map[string]int {
	counts := map[string]int{}
	for _, f := range findings {
		counts[f.File+" "+f.Severity+" "+f.Rule+" "+f.Message]++
	}
	return counts
}

// take reads a line of JSON.
func (w *watching) take(line string) {
	w.t.Helper()
	var c struct{ New, Gone []report.Finding }
	if err := json.Unmarshal([]byte(line), &c); err != nil {
		w.t.Fatalf("%v in %s", err, line)
	}
	for k, n := range counted(c.New) {
		w.known[k] += n
	}
	for k, n := range counted(c.Gone) {
		if w.known[k] -= n; w.known[k] < 0 {
			w.t.Fatalf("%s is gone, and has not been there", k)
		}
		if w.known[k] == 0 {
			delete(w.known, k)
		}
	}
}

// agree waits until what has been told is what a lint finds that starts anew.
func (w *watching) agree() {
	w.t.Helper()
	r := causetc(w.t, "lint", "--format", "json", "--fail-on", "never")
	want := map[string]int{}
	if r.code == exitClean {
		var doc report.Document
		if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
			w.t.Fatal(err)
		}
		want = counted(doc.Findings)
	}
	for r.code == exitClean && !maps.Equal(w.known, want) {
		line := w.next(fmt.Sprintf("%v instead of %v", want, w.known))
		if strings.HasPrefix(line, "{") {
			w.take(line)
		}
	}
}

// mustDo fails the test where the file system does.
func mustDo(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// saveByRename writes a file as editors do that let no one see half of it.
func saveByRename(t *testing.T, path, text string) {
	t.Helper()
	temp := filepath.Join(filepath.Dir(path), ".tmp-"+filepath.Base(path))
	mustDo(t, os.WriteFile(temp, []byte(text), 0o600), os.Rename(temp, path))
}

// TestWatchFollows changes a program at random in all ways in which files change: what has been told adds up to what a
// lint finds that starts anew.
func TestWatchFollows(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 7))
	manifest := "dsl_version: 1\napp: shows\nincludes:\n  states: [specs/**/*.causet, single.causet]\n"
	inFolder(t, "app.causet", manifest, "specs/a.causet", counting, "single.causet", "providers: { p: { executor: mock } }\n")
	w := startWatching(t, "--format", "json")
	w.await("watching")
	w.known = counted(lintedNow(t))
	event := func(i int) string {
		return fmt.Sprintf("events:\n  # %d\n  E%d: { state: show, entity_expr: event.show_id, payload: { show_id: strin%s } }\n", random.IntN(9), i, strings.Repeat("g", random.IntN(2)))
	}
	kinds := []func(i int){
		func(i int) { mustDo(t, os.WriteFile("specs/a.causet", []byte(event(i)), 0o600)) },
		func(i int) { saveByRename(t, "specs/a.causet", counting+"# "+event(i)) },
		func(i int) { // as vim does
			_ = os.Rename("specs/a.causet", "specs/a.causet~")
			mustDo(t, os.WriteFile("specs/a.causet", []byte(event(i)), 0o600), os.RemoveAll("specs/a.causet~"))
		},
		func(i int) { mustDo(t, os.WriteFile("specs/broken.causet", []byte("events: { A: [\n"), 0o600)) },
		func(i int) { mustDo(t, os.RemoveAll("specs/broken.causet")) },
		func(i int) {
			dir := fmt.Sprintf("specs/new%d/deep/er", random.IntN(3))
			mustDo(t, os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "x.causet"), []byte(event(i)), 0o600))
		},
		func(i int) {
			_ = os.Rename(fmt.Sprintf("specs/new%d", random.IntN(3)), fmt.Sprintf("specs/new%d", random.IntN(3)))
		},
		func(i int) { mustDo(t, os.RemoveAll(fmt.Sprintf("specs/new%d", random.IntN(3)))) },
		func(i int) { mustDo(t, os.RemoveAll("single.causet")) },
		func(i int) { mustDo(t, os.WriteFile("single.causet", []byte(event(i)), 0o600)) },
		func(i int) { mustDo(t, os.RemoveAll("specs"), os.MkdirAll("specs/new1", 0o700)) },
		func(i int) {
			saveByRename(t, "app.causet", manifest+"  # "+event(i)[:8]+"\n  events: later/*.causet\n")
		},
		func(i int) { saveByRename(t, "app.causet", manifest) },
		func(i int) {
			mustDo(t, os.MkdirAll("later", 0o700), os.WriteFile("later/x.causet", []byte(event(i)), 0o600))
		},
		func(i int) { mustDo(t, os.RemoveAll("later")) },
		func(i int) { mustDo(t, os.WriteFile(".causetc.yaml", []byte("rules: { CS361: error }\n"), 0o600)) },
		func(i int) {
			mustDo(t, os.WriteFile(".causetc.yaml", []byte("exclude: [specs/new1/**]\nrules: { CS601: off }\n"), 0o600))
		},
		func(i int) { mustDo(t, os.RemoveAll(".causetc.yaml")) },
	}
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	for round := range rounds {
		for n := range 1 + random.IntN(3)*random.IntN(3) { // now and then a burst
			kinds[random.IntN(len(kinds))](10*round + n)
		}
		w.agree()
	}
	w.end()
}

// lintedNow returns what a lint finds that starts anew.
func lintedNow(t *testing.T) []report.Finding {
	t.Helper()
	var doc report.Document
	r := causetc(t, "lint", "--format", "json", "--fail-on", "never")
	r.want(t, exitClean)
	mustDo(t, json.Unmarshal([]byte(r.stdout), &doc))
	return doc.Findings
}

// TestWatchText checks what people see: at first all, then only what changed, and nothing of what only moved.
func TestWatchText(t *testing.T) {
	inFolder(t, "a.causet", counting)
	w := startWatching(t, "a.causet")
	if first := w.await("watching"); !strings.Contains(first, "a.causet:11:36: warning: ") || !strings.Contains(first, "causetc: 1 finding in 1 file; watching\n") {
		t.Errorf("at first:\n%s", first)
	}
	mustDo(t, os.WriteFile("a.causet", []byte("# one line more\n"+strings.Replace(counting, ": string }", ": strin }", 1)), 0o600))
	second := w.await(" gone;")
	if !strings.Contains(second, "a.causet:3:49: error: ") || !strings.Contains(second, "    fix: write string\n") || strings.Contains(second, "CS601") ||
		!strings.Contains(second, "causetc: 1 new finding, 0 gone; 2 findings in 1 file\n") {
		t.Errorf("after a mistake:\n%s", second)
	}
	mustDo(t, os.WriteFile("a.causet", []byte(counting), 0o600))
	if third := w.await(" gone;"); !strings.HasPrefix(third, "gone: a.causet:3:49: error: ") || strings.Count(third, "\n") != 2 {
		t.Errorf("after it was mended:\n%s", third)
	}
	w.end()
}

// TestWatchTrouble takes away what there is to lint, and gives it back: this is told once each time, and the watching goes
// on.
func TestWatchTrouble(t *testing.T) {
	inFolder(t, "a.causet", counting, "other/known.json", "")
	causetc(t, "lint", "a.causet", "--write-baseline", "known.json").want(t, exitClean)
	w := startWatching(t, "a.causet", "--baseline", "known.json")
	w.await("causetc: 0 findings in 1 file; watching")
	for _, path := range []string{"a.causet", "known.json"} {
		text := readFile(t, path)
		mustDo(t, os.Remove(path))
		w.await("causetc: " + map[string]string{"a.causet": "", "known.json": "--baseline "}[path] + path + ": no such file")
		mustDo(t, os.WriteFile(path, []byte(text), 0o600))
		w.await("causetc: 0 new findings, 0 gone; 0 findings in 1 file")
	}
	mustDo(t, os.WriteFile(".causetc.yaml", []byte("rules: { CS6O1: off }\n"), 0o600))
	w.await(`unknown rule "CS6O1"; did you mean "CS601"?`)
	mustDo(t, os.WriteFile(".causetc.yaml", []byte("rules: { CS201: hint }\n"), 0o600))
	w.await("causetc: 0 new findings, 0 gone;")
	saveByRename(t, "known.json", `{"version": 1, "findings": []}`)
	w.await("causetc: 1 new finding, 0 gone; 1 finding in 1 file")
	w.end()
}

// TestWatchUsage checks what can't stand beside --watch, and that a mistyped path is told at once.
func TestWatchUsage(t *testing.T) {
	inFolder(t, "a.causet", counting)
	for _, c := range []struct {
		args []string
		text string
	}{
		{[]string{"-"}, "standard input"},
		{[]string{"--stdin-filename", "a.causet"}, "standard input"},
		{[]string{"--fix"}, "--fix and --watch can't be used together"},
		{[]string{"--write-baseline", "b"}, "can't be used together"},
		{[]string{"--format", "sarif"}, "text or json, not sarif"},
		{[]string{"--output", "x"}, "leave --output out"},
		{[]string{"--fail-on", "error"}, "leave --fail-on out"},
		{[]string{"missing.causet"}, "missing.causet: no such file"},
		{[]string{"--only", "missing.causet"}, "missing.causet"},
	} {
		causetc(t, slices.Concat([]string{"lint", "--watch"}, c.args)...).want(t, exitUsage, c.text)
	}
}
