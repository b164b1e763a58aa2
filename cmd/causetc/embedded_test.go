package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write golden files anew")

const specs = "../../testdata/specs"

// TestRunEmbeddedApps runs our own apps from spec to rows and compares what is printed.
func TestRunEmbeddedApps(t *testing.T) {
	for _, app := range []string{"tickets", "wallet"} {
		t.Run(app, func(t *testing.T) {
			dir := filepath.Join(specs, app)
			r := causetc(t, "run", "--embedded", "--until-end", "--events", filepath.Join(dir, "events.ndjson"), dir)
			r.want(t, exitClean)
			golden(t, filepath.Join(dir, "tables.golden.txt"), []byte(r.stdout))
		})
	}
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n")), got) {
		t.Errorf("%s differs; run the test with -update after a look.\ngot:\n%s", path, got)
	}
}

// TestDataIsKept runs twice on one folder, from the compiled program the second time: nothing is consumed twice, and the
// counter agrees with the query that counts over its dedup table.
func TestDataIsKept(t *testing.T) {
	dir, out, data := filepath.Join(specs, "tickets"), t.TempDir(), dataDir(t)
	events := filepath.Join(dir, "events.ndjson")
	causetc(t, "build", dir, "-o", out).want(t, exitClean, "app.ir.json", "schema.sql")
	first := runJSON(t, dir, "--embedded", "--data", data, "--until-end", "--events", events)
	second := runJSON(t, filepath.Join(out, "app.ir.json"), "--embedded", "--data", data, "--until-end", "--events", events)
	if text(t, first.Tables) != text(t, second.Tables) {
		t.Errorf("tables differ:\n%s\n%s", text(t, first.Tables), text(t, second.Tables))
	}
	if second.Published != 0 || second.Groups[0].Records != 0 {
		t.Errorf("the second run published %d lines and consumed %d records", second.Published, second.Groups[0].Records)
	}
	counted := queryRows(t, dir, data, "sales_by_show")
	if recounted := queryRows(t, dir, data, "sales_recounted"); recounted != counted || !strings.Contains(counted, `["opera-0214",4,27500]`) {
		t.Errorf("the counter has %s, a count over its dedup table %s", counted, recounted)
	}
	if got, want := queryRows(t, dir, data, "get_ticket", "--param", "show_id=opera-0214", "--param", "seat=B5"), `"dora","sold"`; !strings.Contains(got, want) {
		t.Errorf("get_ticket: %s, want %s in it", got, want)
	}
	causetc(t, "query", dir, "get_ticket", "--embedded", "--data", data).want(t, exitUsage, "show_id")
	causetc(t, "query", dir, "no_such", "--embedded", "--data", data).want(t, exitUsage, "get_ticket")
}

// queryRows runs a named query on kept data and returns its rows as JSON.
func queryRows(t *testing.T, dir, data, name string, params ...string) string {
	t.Helper()
	r := causetc(t, append([]string{"query", dir, name, "--embedded", "--data", data, "--format", "json"}, params...)...)
	r.want(t, exitClean)
	var got tableRows
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
		t.Fatalf("%v: %s", err, r.stdout)
	}
	rows, err := json.Marshal(got.Rows)
	if err != nil {
		t.Fatal(err)
	}
	return string(rows)
}

// dataDir is a folder that a server can use which runs as another user, as it does for root.
func dataDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func runJSON(t *testing.T, args ...string) runResult {
	t.Helper()
	r := causetc(t, append([]string{"run", "--format", "json"}, args...)...)
	r.want(t, exitClean)
	return decodeResult(t, r.stdout)
}

func decodeResult(t *testing.T, out string) runResult {
	t.Helper()
	var got runResult
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return got
}

func text(t *testing.T, tables []tableRows) string {
	t.Helper()
	b, err := json.Marshal(tables)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestDeadLettersEndWithFindings: a poison event and a malformed line become dead letters that the exit code tells of.
func TestDeadLettersEndWithFindings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "events.ndjson")
	lines := `{"event_id":"1","event_type":"SHOW_ANNOUNCED","entity_id":"s","payload":{"show_id":"s","title":"T","venue":"V","starts_at":"not a time"}}
{"event_id":"2","event_type":"SHOW_ANNOUNCED","entity_id":"s",
{"event_id":"3","event_type":"SHOW_ANNOUNCED","entity_id":"s","payload":{"show_id":"s","title":"T","venue":null}}
`
	if err := os.WriteFile(file, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	r := causetc(t, "run", "--embedded", "--until-end", "--retry-initial-ms", "1", "--format", "json", "--events", file, filepath.Join(specs, "tickets"))
	r.want(t, exitFindings, "projection_retry", "projection_dead_letter", filepath.ToSlash(file)+":2")
	for _, g := range decodeResult(t, r.stdout).Groups {
		want := 1 // the malformed line
		if g.Group == "shows" {
			want = 2
		}
		if g.DeadLetters != want {
			t.Errorf("group %s has %d dead letters, want %d", g.Group, g.DeadLetters, want)
		}
	}
	if !strings.Contains(r.stdout, `["s","T",null,null]`) {
		t.Errorf("the event after the poison is missing: %s", r.stdout)
	}
}

// TestKilledWorkerLosesAndRepeatsNothing kills the worker with -9 several times in the middle of a long log and compares
// the tables with those of one undisturbed run.
func TestKilledWorkerLosesAndRepeatsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a long log")
	}
	const events = 100_000
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	file := filepath.Join(t.TempDir(), "events.ndjson")
	writeSales(t, r, file, events)
	args := []string{"run", "--embedded", "--until-end", "--format", "json", "--log-level", "debug", "--events", file, filepath.Join(specs, "tickets")}
	calm := causetcProcess(t, append(args, "--data", dataDir(t))...)
	calm.want(t, exitClean)
	want := text(t, decodeResult(t, calm.stdout).Tables)

	data := dataDir(t)
	args = append(args, "--data", data)
	for kill := range 3 {
		killAfterBatches(t, 1+r.IntN(2), args)
		t.Logf("kill %d done", kill+1)
	}
	last := causetcProcess(t, args...)
	last.want(t, exitClean)
	if got := text(t, decodeResult(t, last.stdout).Tables); got != want {
		t.Errorf("tables differ after kills: %s", firstDifference(want, got))
	}
}

// causetcProcess runs a command line in a process of its own, as after a kill.
func causetcProcess(t *testing.T, args ...string) result {
	t.Helper()
	cmd := command(t, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the exit code tells
	return result{code: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
}

// killAfterBatches starts a run and kills it once it has committed a number of batches that hold sales.
func killAfterBatches(t *testing.T, batches int, args []string) {
	t.Helper()
	cmd := command(t, args...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = io.Discard
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := 0
	lines := bufio.NewScanner(stderr)
	for seen < batches && lines.Scan() {
		if strings.Contains(lines.Text(), `"group":"show_sales"`) {
			seen++
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, stderr)
	_ = cmd.Wait()
	if seen < batches {
		t.Fatalf("the run ended before it could be killed: %d batches", seen)
	}
}

// writeSales writes sales of tickets with 5% duplicates.
func writeSales(t *testing.T, r *rand.Rand, path string, n int) {
	t.Helper()
	var b bytes.Buffer
	var recent []string
	for i := range n {
		if len(recent) > 0 && r.IntN(20) == 0 {
			b.WriteString(recent[r.IntN(len(recent))])
			continue
		}
		show := fmt.Sprintf("show-%d", r.IntN(100))
		line := fmt.Sprintf(`{"event_id":"e%d","event_type":"TICKET_PURCHASED","entity_id":%q,"ts":%d,"payload":{"ticket_id":"ticket_%s_%d","show_id":%q,"seat":"%d","user_id":"u%d","amount_cents":%d}}`+"\n",
			i, show, 1_700_000_000_000+int64(i), show, i%5000, show, i%5000, i%977, r.IntN(10_000))
		b.WriteString(line)
		if recent = append(recent, line); len(recent) > 1000 {
			recent = recent[1:]
		}
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func firstDifference(a, b string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("at byte %d: %q, want %q", i, b[i:min(len(b), i+80)], a[i:min(len(a), i+80)])
		}
	}
	return fmt.Sprintf("lengths %d and %d", len(b), len(a))
}
