package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/embedded"
	"github.com/causetc/causetc/runtime/kafka"
)

// sharedServer is a Postgres server that tests share, each with a database of its own: the one that a variable names, or
// else one that starts when the first test asks.
type sharedServer struct {
	once   sync.Once
	server *embedded.Postgres // nil where it was there before
	dsn    string
	err    error
}

var server sharedServer

func (s *sharedServer) stop() {
	if s.server != nil {
		_ = s.server.Stop(context.Background())
	}
}

func (s *sharedServer) find() {
	if s.dsn = os.Getenv("CAUSETC_TEST_DB_URL"); s.dsn != "" {
		return
	}
	if s.server, s.err = embedded.StartPostgres(context.Background(), embedded.PostgresConfig{}); s.err == nil {
		s.dsn = s.server.DSN()
	}
}

// database returns the URL of an empty database.
func (s *sharedServer) database(t *testing.T) string {
	t.Helper()
	s.once.Do(s.find)
	if s.err != nil {
		t.Fatal(s.err)
	}
	name := unique("test")
	execSQL(t, s.dsn, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize())
	u, err := url.Parse(s.dsn)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

func execSQL(t *testing.T, dsn, text string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

// broker returns the address of a broker with topics.
func broker(t *testing.T, topics ...string) string {
	t.Helper()
	partitions := map[string]int32{}
	for _, topic := range topics {
		partitions[topic] = 1
	}
	k, err := embedded.StartKafka(t.Context(), embedded.KafkaConfig{Topics: partitions})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Stop)
	return strings.Join(k.Brokers(), ",")
}

// closedPort is an address that nobody listens at.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// impostor is the address of a server that is not what it should be.
func impostor(t *testing.T, talk func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(func() { stop(); _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			context.AfterFunc(ctx, func() { _ = conn.Close() })
			go talk(conn)
		}
	}()
	return l.Addr().String()
}

// blackHole takes everything and says nothing.
func blackHole(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// website answers in the wrong language.
func website(conn net.Conn) {
	_, _ = bufio.NewReader(conn).ReadByte()
	_, _ = io.WriteString(conn, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	_ = conn.Close()
}

// hangUp ends every connection.
func hangUp(conn net.Conn) { _ = conn.Close() }

// wrongPassword is a Postgres that knows nobody.
func wrongPassword(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	var size uint32
	if binary.Read(conn, binary.BigEndian, &size) != nil || size < 4 || size > 10_000 {
		return
	}
	_, _ = io.CopyN(io.Discard, conn, int64(size)-4)
	body := "SFATAL\x00C28P01\x00Mpassword authentication failed for user \"me\"\x00\x00"
	_, _ = conn.Write(append(binary.BigEndian.AppendUint32([]byte{'E'}, uint32(4+len(body))), body...))
}

// once is a schedule of one attempt.
var once = []string{"--until-end", "--max-retries", "1"}

// runAgainst runs the tickets app against services.
func runAgainst(t *testing.T, database, brokers string, more ...string) result {
	t.Helper()
	args := append([]string{"run", filepath.Join(specs, "tickets"), "--db-url", database, "--brokers", brokers}, once...)
	return runBounded(t, append(args, more...)...)
}

func TestUnreachablePostgres(t *testing.T) {
	for name, test := range map[string]struct {
		address string
		texts   []string
	}{
		"nobody listens":  {closedPort(t), []string{"refused"}},
		"never answers":   {impostor(t, blackHole), []string{"timeout"}},
		"hangs up":        {impostor(t, hangUp), []string{"failed to connect"}},
		"a website":       {impostor(t, website), []string{"failed to connect"}},
		"wrong password":  {impostor(t, wrongPassword), []string{"password authentication failed"}},
		"no such machine": {"host.invalid:5432", []string{"host.invalid"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.texts[0] == "timeout" && testing.Short() {
				t.Skip("waits for the timeout")
			}
			dsn := "postgres://me:secret@" + test.address + "/x?sslmode=disable"
			r := runAgainst(t, dsn, "127.0.0.1:1")
			r.want(t, exitUsage, append(test.texts, "--db-url")...)
			if strings.Contains(r.stderr, "secret") {
				t.Errorf("the password is told: %s", r.stderr)
			}
			if test.texts[0] == "timeout" {
				return
			}
			q := causetc(t, "query", filepath.Join(specs, "tickets"), "get_ticket", "-p", "show_id=a", "-p", "seat=b", "--db-url", dsn)
			q.want(t, exitUsage, append(test.texts, "--db-url")...)
		})
	}
}

func TestUnreachableKafka(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for timeouts")
	}
	for name, test := range map[string]struct {
		address string
		text    string
	}{
		"nobody listens":  {closedPort(t), "refused"},
		"never answers":   {impostor(t, blackHole), "topic causet.projection-events.v1"},
		"hangs up":        {impostor(t, hangUp), "topic causet.projection-events.v1"},
		"a website":       {impostor(t, website), "topic causet.projection-events.v1"},
		"no such machine": {"host.invalid:9092", "host.invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runAgainst(t, server.database(t), test.address, "--auto-migrate").want(t, exitUsage, test.text, "--brokers")
		})
	}
}

// TestDeployment refuses what does not fit together, and touches nothing.
func TestDeployment(t *testing.T) {
	t.Parallel()
	good := broker(t, kafka.DefaultTopic, kafka.DefaultDLQTopic)
	t.Run("unknown topic", func(t *testing.T) {
		db := server.database(t)
		runAgainst(t, db, broker(t, kafka.DefaultDLQTopic), "--auto-migrate").want(t, exitUsage, `no topic "causet.projection-events.v1"`)
		runAgainst(t, db, broker(t, kafka.DefaultTopic)).want(t, exitUsage, `no topic "causet.projection-dlq.v1"`)
	})
	t.Run("no tables", func(t *testing.T) {
		runAgainst(t, server.database(t), good).want(t, exitUsage, "--auto-migrate")
	})
	t.Run("no database", func(t *testing.T) {
		u, err := url.Parse(server.database(t))
		if err != nil {
			t.Fatal(err)
		}
		u.Path += "_none"
		runAgainst(t, u.String(), good).want(t, exitUsage, "does not exist")
	})
	t.Run("a table of somebody else's", func(t *testing.T) {
		db := server.database(t)
		execSQL(t, db, "CREATE TABLE shows (note TEXT); INSERT INTO shows VALUES ('mine')")
		runAgainst(t, db, good, "--auto-migrate").want(t, exitUsage, "shows")
		execSQL(t, db, "DO $$ BEGIN ASSERT (SELECT note FROM shows) = 'mine'; END $$")
	})
	t.Run("other fork and app", func(t *testing.T) {
		db := server.database(t)
		runAgainst(t, db, good, "--auto-migrate").want(t, exitClean)
		runAgainst(t, db, good).want(t, exitClean)
		runAgainst(t, db, good, "--auto-migrate", "--fork", "other").want(t, exitUsage, "fork", "other")
		path := filepath.Join(t.TempDir(), "notes.causet")
		write(t, path, noteSpec)
		args := append([]string{"run", path, "--db-url", db, "--brokers", good, "--auto-migrate"}, once...)
		causetc(t, args...).want(t, exitUsage, "tickets", "notes")
	})
}

// TestOutputPlaces gives build places that it can't write to.
func TestOutputPlaces(t *testing.T) {
	dir, spec := t.TempDir(), filepath.Join(specs, "tickets")
	file := filepath.Join(dir, "file")
	write(t, file, "mine")
	causetc(t, "build", spec, "-o", file).want(t, exitUsage, file)
	causetc(t, "build", spec, "-o", filepath.Join(file, "below")).want(t, exitUsage, file)
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "app.ir.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	causetc(t, "build", spec, "-o", taken).want(t, exitUsage, "app.ir.json")
	entries, err := os.ReadDir(taken)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v %v", entries, err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the file was touched: %q %v", text, err)
	}
	causetc(t, "run", spec, "--embedded", "--data", file).want(t, exitUsage, file)
	causetc(t, "run", spec, "--embedded", "--data", filepath.Join(file, "below")).want(t, exitUsage, file)
}

var uniques atomic.Int64

// unique returns a name that no other test, and no earlier run of it, has.
func unique(name string) string {
	return fmt.Sprintf("%s-%d-%d", name, os.Getpid(), uniques.Add(1))
}
