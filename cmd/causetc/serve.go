package main

import (
	"context"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/ops"
	"github.com/causetc/causetc/runtime/postgres"
)

// portVariable is the hosted worker's name for the port. It is read by hand, since a run that has an end leaves it alone.
const portVariable = "SERVER_PORT"

// serverFlags are the flags of the server of health and metrics.
func serverFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "port", Usage: "answer /healthz, /readyz and /metrics at this `PORT`, 0: don't (also " + portVariable + ", but with --until-end)", DefaultText: "0"},
		&cli.BoolFlag{Name: "pprof", Usage: "with --port: answer /debug/pprof/ too"},
	}
}

// serverPort returns the port to serve at; 0 is none.
func serverPort(c *cli.Context) (int, error) {
	port, from := c.Int("port"), "--port"
	if text := getenv(portVariable); !c.IsSet("port") && !c.Bool("until-end") && text != "" {
		var err error
		from = portVariable
		if port, err = strconv.Atoi(text); err != nil {
			return 0, usagef("%s is %q; use a number of a port", portVariable, text)
		}
	}
	if port < 0 || port > 65535 {
		return 0, usagef("%s is %d; use 1 to 65535, or 0 for none", from, port)
	}
	if port == 0 && c.Bool("pprof") {
		return 0, usagef("--pprof answers at the port of the metrics: it needs --port")
	}
	return port, nil
}

// startMonitor answers questions about the job, if it is to. The function returned ends that.
func (j *job) startMonitor(ctx context.Context) (stop func(), err error) {
	if j.port == 0 {
		return func() {}, nil
	}
	j.monitor = ops.NewMonitor(versionText(), groupNames(j.program))
	j.conf.Observer = j.monitor.Observer()
	server, err := j.monitor.Start(ctx, ops.ServerConfig{Port: j.port, Pprof: j.pprof, Log: j.conf.Log})
	if err != nil {
		return nil, usagef("--port: %w", err)
	}
	return server.Close, nil
}

func groupNames(p *ir.Program) []string {
	names := make([]string, len(p.Groups))
	for i := range p.Groups {
		names[i] = p.Groups[i].Name
	}
	return names
}

// watch keeps what the brokers and the database know up to date in the metrics. The function returned ends that.
func (j *job) watch(ctx context.Context, db *postgres.DB) (stop func()) {
	if j.monitor == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := j.monitor.Watch(ctx, j.conf.Kafka, db); err != nil && ctx.Err() == nil {
			j.conf.Log.Error("the ends of the topic can't be watched", "error", err.Error())
		}
	}()
	return func() { cancel(); <-done }
}

// refuse notes that a group can't run here; the others are not held by it.
func (j *job) refuse(group string, err error) {
	j.conf.Log.Error("group stopped; the other groups go on", "event", "group_stopped", "group", group, "error", err.Error())
	if j.monitor != nil {
		j.monitor.Stop(group, err)
	}
}
