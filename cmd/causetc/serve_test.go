//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// served is a worker that runs as a process of its own and answers at a port.
type served struct {
	t     *testing.T
	port  int
	lines chan string // of its log
	log   []string
	stop  func() error
}

// freePort is a port that nobody has at the moment.
func freePort(t *testing.T) int {
	t.Helper()
	_, port, err := net.SplitHostPort(closedPort(t))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// serve starts a worker.
func (p *plant) serve(more ...string) *served {
	p.t.Helper()
	s := &served{t: p.t, port: freePort(p.t), lines: make(chan string, 10_000)}
	args := []string{"run", p.path(), "--db-url", p.db, "--brokers", p.brokers, "--auto-migrate", "--port", fmt.Sprint(s.port),
		"--retry-initial-ms", "1", "--retry-max-ms", "4"}
	cmd := command(p.t, append(args, more...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(s.lines)
		for scan := bufio.NewScanner(stderr); scan.Scan(); {
			s.lines <- scan.Text()
		}
	}()
	s.stop = func() error {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-done
		return cmd.Wait()
	}
	p.t.Cleanup(func() { _ = cmd.Process.Kill() })
	return s
}

// get asks the worker; code 0 means that it does not answer.
func (s *served) get(path string) (code int, body string) {
	ctx, cancel := context.WithTimeout(s.t.Context(), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d%s", s.port, path), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(text)
}

// until asks again until the answer is as wanted.
func (s *served) until(path string, code int, pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	deadline := time.Now().Add(maxTime)
	for {
		got, body := s.get(path)
		if got == code && re.MatchString(body) {
			return body
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("%s: %d %s\nwant %d %s\nlog: %s", path, got, body, code, pattern, strings.Join(s.log, "\n"))
		}
		select {
		case line, open := <-s.lines:
			if !open {
				s.t.Fatalf("the worker ended: %s", strings.Join(s.log, "\n"))
			}
			s.log = append(s.log, line)
		case <-time.After(50 * time.Millisecond): // a poll of an outside process
		}
	}
}

// TestServe follows a worker from its start to its stop by what it answers.
func TestServe(t *testing.T) {
	p := newPlant(t, strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes"))
	s := p.serve("--pprof")
	s.until("/healthz", 200, "^ok\n$")
	s.until("/readyz", 200, "^ok\n$")
	p.publish(rated("1", 1000, "x", "n", 8, 2), rated("1", 1000, "x", "n", 8, 2), rated("2", 2000, "y", "n", 8, 0),
		`{"event_type":"OTHER","entity_id":"x","event_id":"o"}`, `{"lifecycle":true}`,
		`{"event_id":"f","event_type":"RATED","entity_id":"x","fork_id":"elsewhere","payload":{}}`, `nothing`,
		`{"event_type":"RATED","entity_id":"z","payload":{"name":"n","sum":2,"votes":1}}`,
		`{"event_type":"RATED","entity_id":"z","payload":{"name":"n","sum":2,"votes":1}}`)
	for _, line := range []string{
		`causetc_records_total\{group="rates",partition="0"\} 9`,
		`causetc_applied_total\{group="rates",partition="0"\} 3`,
		`causetc_applied_total\{group="totals",partition="0"\} 4`,
		`causetc_duplicates_total\{group="rates",partition="0"\} 1`,
		`causetc_skipped_total\{group="rates",reason="not_named"\} 1`,
		`causetc_skipped_total\{group="rates",reason="no_event_type"\} 1`,
		`causetc_skipped_total\{group="rates",reason="other_fork"\} 1`,
		`causetc_skipped_total\{group="rates",reason="tombstone"\} 0`,
		`causetc_dead_total\{class="event",group="rates"\} 1`,
		`causetc_dead_total\{class="undecodable",group="totals"\} 1`,
		`causetc_retries_total\{group="rates"\} 4`,
		`causetc_stale_total\{group="rates"\} 0`,
		`causetc_dead_letters\{group="rates"\} 2`,
		`causetc_dead_letters_unpublished\{group="rates"\} 0`,
		`causetc_position\{group="rates",partition="0"\} 9`,
		`causetc_end\{partition="0"\} 9`,
		`causetc_lag\{group="rates",partition="0"\} 0`,
		`causetc_parked\{group="rates",partition="0"\} 0`,
		`causetc_group_up\{group="rates"\} 1`,
		`causetc_ready 1`, `causetc_assigned_partitions 1`,
		`causetc_batch_records_sum\{group="totals"\} 9`,
	} {
		s.until("/metrics", 200, "(?m)^"+line+"$")
	}
	if code, body := s.get("/debug/pprof/goroutine?debug=1"); code != 200 || !strings.Contains(body, "goroutine profile") {
		t.Errorf("pprof: %d %s", code, body)
	}
	if code, _ := s.get("/debug/pprof/cmdline"); code != 404 {
		t.Errorf("the command line is told: %d", code)
	}
	if err := s.stop(); err != nil {
		t.Errorf("the worker ended with %v", err)
	}
	for line := range s.lines {
		s.log = append(s.log, line)
	}
	if n := strings.Count(strings.Join(s.log, "\n"), `"event":"no_event_id"`); n != 1 {
		t.Errorf("the lack of event ids was told %d times:\n%s", n, strings.Join(s.log, "\n"))
	}
	if strings.Contains(strings.Join(s.log, "\n"), "other_forks_only") {
		t.Errorf("events of other forks are not the only ones:\n%s", strings.Join(s.log, "\n"))
	}
}

// TestServeStoppedGroup lets one group not fit what is deployed: readiness is red and says why, the other group works.
func TestServeStoppedGroup(t *testing.T) {
	p := newPlant(t, strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes"))
	p.run().want(t, exitClean)
	execSQL(t, p.db, `ALTER TABLE causetc."rates@1" RENAME COLUMN rate TO speed`)
	s := p.serve()
	p.publish(rated("1", 1000, "x", "n", 8, 2))
	s.until("/metrics", 200, `(?m)^causetc_applied_total\{group="totals",partition="0"\} 1$`)
	s.until("/readyz", 503, "group rates.*rate")
	s.until("/healthz", 200, "^ok\n$")
	s.until("/metrics", 200, `(?m)^causetc_group_up\{group="rates"\} 0$`)
	s.until("/metrics", 200, `(?m)^causetc_ready 0$`)
	if code, _ := s.get("/debug/pprof/"); code != 404 {
		t.Errorf("profiles without --pprof: %d", code)
	}
	_ = s.stop()
	for line := range s.lines {
		s.log = append(s.log, line)
	}
	if !strings.Contains(strings.Join(s.log, "\n"), `"event":"group_stopped"`) {
		t.Errorf("the log does not tell of the group:\n%s", strings.Join(s.log, "\n"))
	}
}

// TestServeOutage takes the database away and gives it back: readiness follows, health stays, nothing is given up.
func TestServeOutage(t *testing.T) {
	p := newPlant(t, strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes"))
	direct := p.db
	between := newProxy(t, direct)
	p.db = between.dsn
	s := p.serve()
	s.until("/readyz", 200, "^ok\n$")
	between.cut(true)
	p.publish(rated("1", 1000, "x", "n", 8, 2))
	s.until("/readyz", 503, "retry schedule")
	s.until("/healthz", 200, "^ok\n$")
	s.until("/metrics", 200, `(?m)^causetc_outages_total\{group="rates"\} [1-9]`)
	between.cut(false)
	s.until("/metrics", 200, `(?m)^causetc_applied_total\{group="rates",partition="0"\} 1$`)
	s.until("/readyz", 200, "^ok\n$")
	p.db = direct
	p.wantQuery(ratesText, "x n 4")
	p.wantQuery("SELECT count(*)::text FROM causetc.dead_letters", "0")
	if err := s.stop(); err != nil {
		t.Errorf("the worker ended with %v", err)
	}
}

// TestOtherForksOnly says once, and only where it is so, that a worker serves a fork that no event has.
func TestOtherForksOnly(t *testing.T) {
	p := newPlant(t, strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes"))
	p.publish(strings.Replace(rated("1", 1000, "x", "n", 8, 2), "{", `{"fork_id":"production",`, 1),
		strings.Replace(rated("2", 1000, "y", "n", 8, 2), "{", `{"fork_id":"production",`, 1))
	r := p.run()
	r.want(t, exitClean, "other_forks_only")
	if strings.Count(r.stderr, "other_forks_only") != 1 || strings.Contains(r.stderr, "no_event_id") {
		t.Errorf("said more than once, or more: %s", r.stderr)
	}
	p.publish(rated("3", 1000, "x", "n", 8, 2))
	if r := p.run(); strings.Contains(r.stderr, "other_forks_only") {
		t.Errorf("said of a fork that has events: %s", r.stderr)
	}
}

// proxy passes connections to a database on, unless it is cut.
type proxy struct {
	dsn   string
	mu    sync.Mutex
	off   bool
	conns []net.Conn
}

func newProxy(t *testing.T, dsn string) *proxy {
	t.Helper()
	conf, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	network, address := "tcp", net.JoinHostPort(conf.Host, strconv.Itoa(int(conf.Port)))
	if strings.HasPrefix(conf.Host, "/") {
		network, address = "unix", fmt.Sprintf("%s/.s.PGSQL.%d", conf.Host, conf.Port)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	p := &proxy{dsn: fmt.Sprintf("postgres://%s:%s@%s/%s?sslmode=disable", conf.User, conf.Password, l.Addr(), conf.Database)}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go p.pass(conn, network, address)
		}
	}()
	return p
}

func (p *proxy) pass(conn net.Conn, network, address string) {
	to, err := net.Dial(network, address)
	p.mu.Lock()
	off := p.off
	if err == nil && !off {
		p.conns = append(p.conns, conn, to)
	}
	p.mu.Unlock()
	if err != nil || off {
		_ = conn.Close()
		return
	}
	go func() { _, _ = io.Copy(to, conn); _ = to.Close() }()
	_, _ = io.Copy(conn, to)
	_ = conn.Close()
}

func (p *proxy) cut(off bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.off = off
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
}

// TestServeFlags reads the port from the flag and the variable, and refuses what is none.
func TestServeFlags(t *testing.T) {
	p := newPlant(t, strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes"))
	taken, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	p.run("--port", port).want(t, exitUsage, "--port", port)
	p.run("--port", "70000").want(t, exitUsage, "--port is 70000")
	p.run("--port", "x").want(t, exitUsage, "port")
	p.run("--pprof").want(t, exitUsage, "--port")
	t.Setenv("SERVER_PORT", port)
	p.run().want(t, exitClean) // a run that has an end does not serve by the variable
	serving := []string{"run", p.path(), "--db-url", p.db, "--brokers", p.brokers}
	causetc(t, serving...).want(t, exitUsage, port)
	t.Setenv("SERVER_PORT", "web")
	causetc(t, serving...).want(t, exitUsage, "SERVER_PORT")
}
