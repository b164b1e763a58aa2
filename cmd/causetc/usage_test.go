package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestWrongFlags gives every flag its wrong values: the message names the flag and what to use, and nothing is started.
func TestWrongFlags(t *testing.T) {
	t.Setenv("KAFKA_BOOTSTRAP_SERVERS", "")
	t.Setenv("PROJECTION_DB_URL", "")
	spec, missing := filepath.Join(specs, "tickets"), filepath.Join(t.TempDir(), "missing")
	services := []string{"--db-url", "postgres://127.0.0.1:1/x", "--brokers", "127.0.0.1:1"}
	with := func(args ...string) []string { return append(append([]string{"run", spec}, services...), args...) }
	for _, test := range []struct {
		args  []string
		texts []string
	}{
		{[]string{"lint", spec, "--format", "xml"}, []string{"--format", `"xml"`, "text, json, sarif, github or gitlab"}},
		{[]string{"lint", spec, "--format", "JSON"}, []string{"--format", "github or gitlab"}},
		{[]string{"lint", spec, "--baseline", missing}, []string{"--baseline " + missing + ": no such file"}},
		{[]string{"lint", spec, "--config", missing}, []string{"--config " + missing + ": no such file"}},
		{[]string{"lint", spec, "--output", filepath.Join(missing, "x")}, []string{"--output " + filepath.Join(missing, "x") + ": no such file"}},
		{[]string{"lint", spec, "--write-baseline", missing, "--format", "json"}, []string{"leave --format out"}},
		{[]string{"lint", spec, "--diff", "--output", missing}, []string{"--diff makes no report", "leave --output out"}},
		{[]string{"lint", spec, "--suppressions", "--output", missing}, []string{"--suppressions makes no report"}},
		{[]string{"lint", spec, "--severity", "loud"}, []string{"--severity", "hint, info, warning or error"}},
		{[]string{"lint", spec, "--fail-on", "bad"}, []string{"--fail-on", "warning", "never"}},
		{[]string{"lint", spec, "--target", "else"}, []string{"--target", "hosted or causetc"}},
		{[]string{"lint", spec, "--only", missing}, []string{"--only", missing}},
		{[]string{"lint", spec, "--allow-outside=perhaps"}, []string{"allow-outside", "help lint"}},
		{[]string{"lint", spec, "--format"}, []string{"-format", "help lint"}},
		{[]string{"lint", spec, "-x"}, []string{"-x", "help lint"}},
		{[]string{"lint", "-", "--stdin-filename", "x.causet"}, []string{"standard input"}},
		{[]string{"build", spec}, []string{"-o DIR", "--print"}},
		{[]string{"build", spec, spec, "-o", missing}, []string{"2 arguments"}},
		{[]string{"build", spec, "-o", missing, "--target", "else"}, []string{"--target", "hosted or causetc"}},
		{[]string{"query", spec}, []string{"1 argument"}},
		{[]string{"query", spec, "get_ticket", "--rows", "-1"}, []string{"--rows", "0 for all"}},
		{[]string{"query", spec, "get_ticket", "--param", "x"}, []string{"--param", "KEY=VALUE"}},
		{[]string{"query", spec, "get_ticket", "--param", "=x"}, []string{"--param", "KEY=VALUE"}},
		{[]string{"query", spec, "get_ticket"}, []string{"--db-url", "--embedded"}},
		{[]string{"query", spec, "get_ticket", "--embedded"}, []string{"--data DIR"}},
		{[]string{"query", spec, "get_ticket", "--embedded", "--data", missing, "--db-url", "x"}, []string{"--db-url", "--embedded"}},
		{[]string{"query", spec, "get_ticket", "--format", "csv"}, []string{"--format", "text or json"}},
		{[]string{"schema", "no"}, []string{`"no"`, "spec, config, findings or ir"}},
		{[]string{"schema", "spec", "ir"}, []string{"2 arguments"}},
		{[]string{"explain", "CS000"}, []string{"CS000", "causetc rules"}},
		{[]string{"rules", "all"}, []string{"no arguments"}},
		{[]string{"help", "nothing"}, []string{"nothing"}},
		{[]string{"--what"}, []string{"-what", "causetc help"}},
		{[]string{"run", spec}, []string{"--db-url", "PROJECTION_DB_URL", "--embedded"}},
		{[]string{"run", spec, "--db-url", "x"}, []string{"--brokers", "KAFKA_BOOTSTRAP_SERVERS"}},
		{[]string{"run", spec, "--db-url", "postgres://h:port/x", "--brokers", "h"}, []string{"--db-url"}},
		{[]string{"run", spec, "--db-url", "x y z", "--brokers", "h"}, []string{"--db-url"}},
		{[]string{"run", spec, "--embedded", "--brokers", "x"}, []string{"--brokers", "--embedded"}},
		{[]string{"run", spec, "--embedded", "--tls"}, []string{"--tls", "--embedded"}},
		{[]string{"run", spec, "--embedded", "--postgres-bin", missing}, []string{missing, "initdb"}},
		{[]string{"run", spec, "--embedded", "--rows", "many"}, []string{"rows", "many", "help run"}},
		{with("--brokers", "a:b"), []string{"--brokers", "HOST:PORT"}},
		{with("--brokers", ":9092"), []string{"--brokers", "HOST:PORT"}},
		{with("--brokers", "h:99999"), []string{"--brokers", "HOST:PORT"}},
		{with("--brokers", " , "), []string{"--brokers"}},
		{with("--data", missing), []string{"--data", "--embedded"}},
		{with("--no-download"), []string{"--no-download", "--embedded"}},
		{with("--postgres-bin", missing), []string{"--postgres-bin", "--embedded"}},
		{with("--events", missing), []string{"--events", "--embedded"}},
		{with("--format", "yaml"), []string{"--format", "text or json"}},
		{with("--rows", "-5"), []string{"--rows", "0 for all"}},
		{with("--log-level", "loud"), []string{"--log-level", "debug, info, warn or error"}},
		{with("--sasl", "MAGIC"), []string{"--sasl", "SCRAM-SHA-256"}},
		{with("--sasl", "PLAIN"), []string{"--sasl-user", "KAFKA_SASL_PASSWORD"}},
		{with("--sasl-user", "me"), []string{"--sasl", "PLAIN"}},
		{with("--tls-ca", missing), []string{"--tls-ca", "--tls"}},
		{with("--tls", "--tls-ca", missing), []string{"--tls-ca", missing}},
		{with("--tls", "--tls-ca", filepath.Join(spec, "app.causet")), []string{"--tls-ca", "PEM"}},
		{with("--session-timeout", "1s"), []string{"--session-timeout", "6s"}},
		{with("--session-timeout", "-1s"), []string{"--session-timeout", "6s"}},
		{with("--session-timeout", "9h"), []string{"--session-timeout", "30m"}},
		{with("--session-timeout", "soon"), []string{"session-timeout", "soon"}},
		{with("--max-retries", "0"), []string{"--max-retries", "1 or more"}},
		{with("--max-retries", "5.5"), []string{"max-retries", "5.5"}},
		{with("--retry-initial-ms", "-1"), []string{"--retry-initial-ms", "0 to 86400000"}},
		{with("--retry-initial-ms", "9223372036854775807"), []string{"--retry-initial-ms", "0 to 86400000"}},
		{with("--retry-max-ms", "86400001"), []string{"--retry-max-ms", "0 to 86400000"}},
		{with("--retry-multiplier", "0.5"), []string{"--retry-multiplier", "1 to 1000"}},
		{with("--retry-multiplier", "NaN"), []string{"--retry-multiplier", "1 to 1000"}},
		{with("--retry-multiplier", "Inf"), []string{"--retry-multiplier", "1 to 1000"}},
	} {
		t.Run(strings.Join(test.args[:1], " ")+" "+strings.Join(test.args[max(1, len(test.args)-2):], " "), func(t *testing.T) {
			r := causetc(t, test.args...)
			r.want(t, exitUsage, test.texts...)
			if r.stdout != "" || strings.Count(r.stderr, "\n") != 1 {
				t.Errorf("more than a line: %s%s", r.stdout, r.stderr)
			}
		})
	}
}

// TestEmptyFlags gives every flag that takes a text an empty one, which an unset shell variable would.
func TestEmptyFlags(t *testing.T) {
	for _, cmd := range newApp(strings.NewReader(""), nil, nil).Commands {
		for _, flag := range cmd.Flags {
			switch f := flag.(type) {
			case *cli.StringFlag:
				if inEnvironment(f.EnvVars) {
					continue
				}
			case *cli.StringSliceFlag:
			default:
				continue
			}
			name := "--" + flag.Names()[0]
			causetc(t, cmd.Name, "x", name, "").want(t, exitUsage, name, "is empty")
		}
	}
	for _, args := range [][]string{{"lint", ""}, {"build", "", "-o", "x"}, {"run", ""}, {"query", "", "x"}, {"explain", ""}} {
		causetc(t, args...).want(t, exitUsage, "is empty")
	}
}

// TestEmptyVariables: a variable that is set to nothing is as good as one that is not set.
func TestEmptyVariables(t *testing.T) {
	for _, flag := range runCommand().Flags {
		if docs, ok := flag.(cli.DocGenerationFlag); ok {
			for _, name := range docs.GetEnvVars() {
				t.Setenv(name, "")
			}
		}
	}
	causetc(t, "run", filepath.Join(specs, "tickets"), "--db-url", "postgres://h/x").want(t, exitUsage, "no brokers")
}

// TestWrongVariables names the variable.
func TestWrongVariables(t *testing.T) {
	for name, value := range map[string]string{
		"PROJECTION_WORKER_MAX_RETRIES": "many", "PROJECTION_WORKER_RETRY_MULTIPLIER": "x", "KAFKA_TLS": "perhaps", "PROJECTION_WORKER_RETRY_MAX_MS": "1.5",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			causetc(t, "run", "x").want(t, exitUsage, name, value)
		})
	}
}

// TestHelp looks at the help of every command: it goes to standard output, names every flag, and fits a terminal's memory.
func TestHelp(t *testing.T) {
	overview := causetc(t, "help")
	overview.want(t, exitClean, "Exit codes: 0")
	for _, cmd := range newApp(strings.NewReader(""), nil, nil).Commands {
		overview.want(t, exitClean, "   "+cmd.Name)
		if cmd.Name == "help" { // `help --help` is the overview
			continue
		}
		for _, args := range [][]string{{"help", cmd.Name}, {cmd.Name, "--help"}, {cmd.Name, "-h"}} {
			r := causetc(t, args...)
			r.want(t, exitClean, "causetc "+cmd.Name, cmd.Usage)
			for _, flag := range cmd.Flags {
				r.want(t, exitClean, "--"+flag.Names()[0])
			}
			if r.stderr != "" || strings.Contains(r.stdout, "(default: false)") {
				t.Errorf("%v: %s%s", args, r.stdout, r.stderr)
			}
		}
	}
	if bare := causetc(t); bare.code != exitClean || bare.stdout != overview.stdout {
		t.Errorf("without a command: code %d, %s", bare.code, bare.stdout)
	}
	for _, args := range [][]string{{"--help"}, {"-h"}, {"h"}, {"help", "--help"}} {
		if got := causetc(t, args...); got != overview {
			t.Errorf("%v: %+v", args, got)
		}
	}
	causetc(t, "dlq", "help").want(t, exitClean, "causetc dlq", "list")
	causetc(t, "dlq", "help", "list").want(t, exitClean, "causetc dlq list", "--state")
	causetc(t, "help", "nothing").want(t, exitUsage, `"nothing"`, "causetc help")
	causetc(t, "dlq", "help", "nothing").want(t, exitUsage, `"nothing"`, "causetc dlq help")
	version := causetc(t, "version")
	version.want(t, exitClean, "causetc ", "IR format 1")
	if got := causetc(t, "--version"); got != version {
		t.Errorf("got %+v", got)
	}
}
