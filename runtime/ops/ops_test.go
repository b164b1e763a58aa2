package ops

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/causetc/causetc/runtime/store"
	"github.com/causetc/causetc/runtime/worker"
)

func get(t *testing.T, m *Monitor, path string) (int, string) {
	t.Helper()
	rec := httptest.NewRecorder()
	m.Handler(false).ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return rec.Code, rec.Body.String()
}

func wantReady(t *testing.T, m *Monitor, reason string) {
	t.Helper()
	code, body := get(t, m, "/readyz")
	_, metrics := get(t, m, "/metrics")
	switch {
	case reason == "" && (code != http.StatusOK || !strings.Contains(metrics, "\ncausetc_ready 1\n")):
		t.Errorf("not ready: %d %s", code, body)
	case reason != "" && (code != http.StatusServiceUnavailable || !strings.Contains(body, reason) || !strings.Contains(metrics, "\ncausetc_ready 0\n")):
		t.Errorf("readiness: %d %s, want %q", code, body, reason)
	}
}

// TestReadiness: red before the first assignment, while the surroundings fail beyond the schedule, and for good where a
// group is stopped.
func TestReadiness(t *testing.T) {
	m := NewMonitor("test", []string{"a", "b"})
	o := m.Observer()
	wantReady(t, m, "joined")
	o.Assigned(nil) // a spare worker has no partitions, and is ready
	wantReady(t, m, "")

	conf := worker.Config{Observer: o, Log: slog.New(slog.DiscardHandler),
		Retry: worker.RetryPolicy{MaxAttempts: 3, Initial: time.Microsecond, Multiplier: 1, Max: time.Microsecond}}
	tries := 0
	err := worker.Await(t.Context(), conf, func() error {
		tries++
		switch {
		case tries <= 3:
			wantReady(t, m, "") // it fails for a while
		case tries <= 10:
			wantReady(t, m, "the worker: the database or the brokers")
		default:
			return nil
		}
		return &store.EnvironmentError{Err: errors.New("away")}
	})
	if err != nil || tries != 11 {
		t.Fatalf("%d tries, %v", tries, err)
	}
	wantReady(t, m, "")

	ctx, cancel := context.WithCancel(t.Context())
	_ = worker.Await(ctx, conf, func() error { // given up: nobody waits any more
		if tries++; tries == 30 {
			cancel()
		}
		return &store.EnvironmentError{Err: errors.New("away")}
	})
	wantReady(t, m, "")

	o.Stopped("b", errors.New("its tables were changed"))
	wantReady(t, m, "group b is stopped: its tables were changed")
	if code, body := get(t, m, "/healthz"); code != http.StatusOK {
		t.Errorf("health: %d %s", code, body)
	}
}

// TestHealth is red where a loop works on one step for too long, but not where it tries one again.
func TestHealth(t *testing.T) {
	m := NewMonitor("test", nil)
	at := time.Unix(0, 0)
	m.now = func() time.Time { return at }
	o := m.Observer()
	wantHealth := func(text string) {
		t.Helper()
		code, body := get(t, m, "/healthz")
		if red := code != http.StatusOK; red != (text != "") || !strings.Contains(body, text) {
			t.Errorf("health: %d %s, want %q", code, body, text)
		}
	}
	o.Busy("a/0")
	at = at.Add(stuckAfter)
	wantHealth("")
	at = at.Add(time.Second)
	wantHealth("a/0")
	o.Busy("a/0") // the next step
	wantHealth("")
	o.OutageBegan("a")
	at = at.Add(2 * stuckAfter)
	wantHealth("")
	o.OutageEnded("a", false)
	wantHealth("a/0")
	o.Idle("a/0")
	wantHealth("")
}

// TestLag follows positions and ends, and forgets what another worker has now.
func TestLag(t *testing.T) {
	m := NewMonitor("test", []string{"a"})
	o := m.Observer()
	want := func(pattern string, found bool) {
		t.Helper()
		_, body := get(t, m, "/metrics")
		if regexp.MustCompile("(?m)^"+pattern+"$").MatchString(body) != found {
			t.Errorf("%s: want %v in:\n%s", pattern, found, body)
		}
	}
	o.Assigned([]int32{0, 1})
	o.Standing(worker.Standing{Group: "a", Partition: 1, Next: 3, Parked: 2, Waiting: 1})
	want(`causetc_lag\{.*`, false)
	m.metrics.showEnds(map[int32]int64{0: 5, 1: 10})
	want(`causetc_lag\{group="a",partition="1"\} 7`, true)
	want(`causetc_parked\{group="a",partition="1"\} 2`, true)
	o.Standing(worker.Standing{Group: "a", Partition: 1, Next: 12})
	want(`causetc_lag\{group="a",partition="1"\} 0`, true)
	want(`causetc_waiting\{group="a",partition="1"\} 0`, true)
	o.Revoked([]int32{1})
	want(`causetc_(lag|position|parked)\{.*partition="1"\}.*`, false)
	want(`causetc_assigned_partitions 1`, true)
}

// TestMetricsAreDocumented holds the table of docs/operations.md to the code, in both directions, labels included.
func TestMetricsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(causetc_[a-z_]+)` \\| ([a-z]+) \\| ([^|]*) \\|").FindAllStringSubmatch(string(text), -1) {
		documented = append(documented, m[1]+" "+strings.Join(regexp.MustCompile("[a-z]+").FindAllString(m[3], -1), ","))
	}
	var made []string
	descs := make(chan *prometheus.Desc, 100)
	for _, c := range newMetrics("test").own {
		c.Describe(descs)
	}
	close(descs)
	name := regexp.MustCompile(`fqName: "([^"]+)".*variableLabels: \{([^}]*)\}`)
	for d := range descs {
		m := name.FindStringSubmatch(d.String())
		if m == nil {
			t.Fatalf("can't read %s", d)
		}
		made = append(made, m[1]+" "+m[2])
	}
	slices.Sort(documented)
	slices.Sort(made)
	if !slices.Equal(documented, made) {
		t.Errorf("documented:\n%s\nmade:\n%s", strings.Join(documented, "\n"), strings.Join(made, "\n"))
	}
}

// TestServerAnswers starts a server at a port and ends it.
func TestServerAnswers(t *testing.T) {
	m := NewMonitor("test", nil)
	s, err := m.Start(t.Context(), ServerConfig{Log: slog.New(slog.DiscardHandler)}) // any free port
	if err != nil {
		t.Fatal(err)
	}
	url := fmt.Sprintf("http://%s/metrics", s.listener.Addr())
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || !strings.Contains(string(body), `causetc_build_info{version="test"} 1`) || !strings.Contains(string(body), "process_cpu_seconds_total") {
		t.Errorf("%v: %s", err, body)
	}
	s.Close()
	if resp, err := http.DefaultClient.Do(req); err == nil {
		_ = resp.Body.Close()
		t.Error("it still answers")
	}
}
