package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestOperationsPage runs every command of docs/operations.md, in the order of the page, on a spec that has dead letters.
func TestOperationsPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	p := newPlant(t, "")
	if err := os.Mkdir(filepath.Join(p.dir, "app"), 0o755); err != nil {
		t.Fatal(err)
	}
	p.spec(filepath.Join("app", "app.causet"), strings.ReplaceAll(rateSpec, "DIVISOR", "event.payload.votes"))
	p.publish(rated("1", 1000, "x", "a", 1, 0), rated("2", 1000, "y", "a", 1, 0), "no event")
	t.Setenv("PROJECTION_DB_URL", p.db)
	t.Setenv("KAFKA_BOOTSTRAP_SERVERS", p.brokers)
	t.Setenv("PROJECTION_WORKER_RETRY_INITIAL_MS", "1")
	staging := server.database(t)
	t.Chdir(p.dir)

	commands := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
			commands++
			args := strings.Fields(line)
			if args[0] != "causetc" {
				t.Fatalf("not a command of ours: %s", line)
			}
			for i := range args {
				switch args[i] {
				case "$ID":
					args[i] = p.letters("--class", "event")[0].Message.ID
				case "$STAGING_URL":
					args[i] = staging
				case "8080":
					args[i] = "0" // the port may be taken
				}
			}
			p.follow(line, args)
		}
	}
	if commands < 10 {
		t.Errorf("only %d commands", commands)
	}
}

// follow runs a command; a worker that has no end is stopped when its dead letters are there.
func (p *plant) follow(line string, args []string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), maxTime)
	defer cancel()
	forever := args[1] == "run" && !strings.Contains(line, "--until-end")
	if forever {
		go func() {
			defer cancel()
			for ctx.Err() == nil {
				if n, err := p.tryQuery("SELECT count(*)::text FROM causetc.dead_letters"); err != nil || n == "4" {
					return
				}
				time.Sleep(20 * time.Millisecond) // between looks from outside
			}
		}()
	}
	var out strings.Builder
	code := execute(ctx, args, strings.NewReader(""), &out, &out)
	if code > exitFindings || (forever && code != exitClean) {
		p.t.Errorf("%s: exit code %d\n%s", line, code, out.String())
	}
}
