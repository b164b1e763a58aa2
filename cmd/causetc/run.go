package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/embedded"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/ops"
	"github.com/causetc/causetc/runtime/postgres"
	"github.com/causetc/causetc/runtime/store"
	"github.com/causetc/causetc/runtime/worker"
)

func runCommand() *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "execute the projections of a spec or of a compiled program: Kafka in, Postgres out",
		ArgsUsage: "SPEC|app.ir.json",
		UsageText: `causetc run --embedded --until-end --events FILE SPEC      try a spec on a file of events; keeps nothing
causetc run --embedded --data DIR SPEC                    a worker with a Kafka and a Postgres of its own
causetc run --brokers HOST:PORT --db-url URL app.ir.json  a worker; it stops in order on SIGTERM`,
		Flags: joinFlags(
			[]cli.Flag{
				&cli.StringSliceFlag{Name: "events", Usage: "with --embedded: publish this `FILE` of events first, one JSON object a line"},
				&cli.BoolFlag{Name: "until-end", Usage: "stop at the end that the topic has now, print the tables and what happened"},
				&cli.BoolFlag{Name: "auto-migrate", Usage: "create missing tables (always on with --embedded)"},
				formatFlag("text", "json"),
				&cli.IntFlag{Name: "rows", Usage: "print at most `N` rows of each table, 0: all", Value: 50},
				allowOutsideFlag(),
				&cli.StringFlag{Name: "log-level", Usage: "`LEVEL` of the log on standard error: debug, info, warn or error"},
			},
			serverFlags(), embeddedFlags(), kafkaFlags(), databaseFlags(), retryFlags(),
		),
		Action: runAction,
	}
}

func runAction(c *cli.Context) error {
	path, err := oneArgument(c, "a spec or a compiled program")
	if err != nil {
		return err
	}
	job, err := newJob(c, path)
	if err != nil {
		return err
	}
	err = job.serve(c)
	if !job.conf.UntilEnd && c.Context.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // a worker that was asked to stop and did
	}
	return err
}

// serve runs the job with the services that it needs.
func (j *job) serve(c *cli.Context) error {
	stop, err := j.startMonitor(c.Context)
	if err != nil {
		return err
	}
	defer stop()
	services, err := startServices(c.Context, c)
	if err != nil {
		return err
	}
	defer services.stop()
	return j.run(c.Context, services)
}

// job is one run of a program.
type job struct {
	program  *ir.Program
	conf     worker.Config
	events   []string
	dataDir  string
	fork     string
	migrate  bool
	embedded bool
	rows     int
	json     bool
	out      io.Writer
	port     int // of health and metrics, 0: none
	pprof    bool
	monitor  *ops.Monitor // nil where there is no port
}

func newJob(c *cli.Context, path string) (*job, error) {
	if err := checkEvents(c); err != nil {
		return nil, err
	}
	format, err := formatOf(c, "text", "json")
	if err != nil {
		return nil, err
	}
	rows, err := rowsOf(c)
	if err != nil {
		return nil, err
	}
	log, err := newLog(c)
	if err != nil {
		return nil, err
	}
	retry, err := retryPolicy(c)
	if err != nil {
		return nil, err
	}
	port, err := serverPort(c)
	if err != nil {
		return nil, err
	}
	if err := checkServices(c); err != nil {
		return nil, err
	}
	program, err := loadProgram(c, path)
	if err != nil {
		return nil, err
	}
	if len(program.Groups) == 0 {
		return nil, usagef("%s: there is nothing to run, since it has no projections", path)
	}
	return &job{
		program: program, events: c.StringSlice("events"), dataDir: c.String("data"), fork: c.String("fork"),
		migrate: c.Bool("auto-migrate") || c.Bool("embedded"), embedded: c.Bool("embedded"),
		port: port, pprof: c.Bool("pprof"), rows: rows, json: format == "json", out: c.App.Writer,
		conf: worker.Config{Fork: c.String("fork"), Retry: retry, UntilEnd: c.Bool("until-end"), Log: log},
	}, nil
}

// checkEvents looks at the files of events before anything is started for them.
func checkEvents(c *cli.Context) error {
	if c.IsSet("events") && !c.Bool("embedded") {
		return usagef("--events publishes to the in-process Kafka: it needs --embedded")
	}
	for _, path := range c.StringSlice("events") {
		info, err := os.Stat(path)
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s is not a regular file", path)
		}
		if err != nil {
			return usagef("--events: %w", err)
		}
	}
	return nil
}

// newLog writes JSON records to standard error; a run that prints tables keeps to warnings unless it is asked for more.
func newLog(c *cli.Context) (*slog.Logger, error) {
	level := slog.LevelInfo
	if c.Bool("until-end") {
		level = slog.LevelWarn
	}
	if text := c.String("log-level"); text != "" {
		if err := level.UnmarshalText([]byte(text)); err != nil {
			return nil, usagef("--log-level %q: use debug, info, warn or error", text)
		}
	}
	return slog.New(slog.NewJSONHandler(c.App.ErrWriter, &slog.HandlerOptions{Level: level})), nil
}

func (j *job) run(ctx context.Context, s *services) error {
	j.conf.OwnProcess = !j.embedded // otherwise the broker is in the process too
	s.postgres.MaxConns = int32(worker.Connections(len(j.program.Groups)))
	db, err := postgres.Open(ctx, s.postgres)
	if err != nil {
		return usagef("--db-url: %w", err)
	}
	defer db.Close()
	deployed, err := j.prepare(ctx, db)
	if err != nil {
		return err
	}
	j.conf.Kafka = s.kafka
	published, err := j.publish(ctx, s)
	if err != nil {
		return err
	}
	refused := j.addGroups(db, deployed)
	if len(j.conf.Groups) == 0 {
		return refused
	}
	defer j.watch(ctx, db)()
	report, err := worker.Run(ctx, j.conf)
	for _, g := range report.Groups {
		refused = errors.Join(refused, g.Err)
	}
	if err != nil || !j.conf.UntilEnd {
		return errors.Join(err, refused)
	}
	return errors.Join(j.finish(ctx, db, published, report), refused)
}

// prepare makes what is missing where that is asked for, and looks how each group stands. A database that is not there yet
// is waited for, by the retry schedule.
func (j *job) prepare(ctx context.Context, db *postgres.DB) (d postgres.Deployment, err error) {
	err = worker.Await(ctx, j.conf, func() error {
		if j.migrate {
			if _, err := db.Migrate(ctx, j.program, j.fork, false); err != nil {
				return err
			}
		}
		d, err = db.Check(ctx, j.program, j.fork)
		return err
	})
	return d, err
}

// publish sends the event files to the topic.
func (j *job) publish(ctx context.Context, s *services) (total embedded.Published, err error) {
	for _, file := range j.events {
		p, err := embedded.PublishFile(ctx, s.kafka.Brokers, s.kafka.Topic, file, j.dataDir)
		if err != nil {
			return total, &usageError{err: err}
		}
		total.Lines += p.Lines
		total.Skipped += p.Skipped
	}
	return total, nil
}

// addGroups makes the groups that can run here ready. One that can't is told of at the end; the others are not held by it.
func (j *job) addGroups(db *postgres.DB, deployed postgres.Deployment) error {
	var refused []error
	for i := range j.program.Groups {
		group, err := readyGroup(j.program, &j.program.Groups[i], db, deployed.Groups[i])
		if err != nil {
			j.refuse(j.program.Groups[i].Name, err)
			refused = append(refused, err)
			continue
		}
		j.conf.Groups = append(j.conf.Groups, group)
	}
	return errors.Join(refused...)
}

func readyGroup(p *ir.Program, g *ir.Group, db *postgres.DB, deployed postgres.GroupDeployment) (worker.Group, error) {
	if deployed.Err != nil {
		return worker.Group{}, deployed.Err
	}
	if err := lookupError(g); err != nil {
		return worker.Group{}, err
	}
	compiled, err := fold.Compile(p, g)
	if err != nil {
		return worker.Group{}, err
	}
	st, err := db.Group(g, compiled, deployed.Version)
	return worker.Group{Fold: compiled, Version: deployed.Version, Store: st}, err
}

// lookupError refuses a group that reads other entities.
func lookupError(g *ir.Group) error {
	for i := range g.Projections {
		if p := &g.Projections[i]; p.ReadsEntities() {
			return &store.DeploymentError{Message: fmt.Sprintf(
				"group %s was not run: projection %s uses lookup(), which needs the state of other entities, and none is configured", g.Name, p.Name)}
		}
	}
	return nil
}

// finish prints the tables and what happened.
func (j *job) finish(ctx context.Context, db *postgres.DB, published embedded.Published, report *worker.Report) error {
	result := runResult{Version: 1, App: j.program.App, Published: published.Lines, Groups: groupResults(report)}
	for i := range j.program.Groups {
		for k := range j.program.Groups[i].Tables {
			t := &j.program.Groups[i].Tables[k]
			rows, err := db.Rows(ctx, t)
			if err != nil {
				return fmt.Errorf("reading table %s: %w", t.Name, err)
			}
			result.Tables = append(result.Tables, tableRows{Name: t.Name, Columns: columnNames(t), Rows: rows})
		}
	}
	if err := result.print(j.out, j.json, j.rows); err != nil {
		return err
	}
	if result.dead() > 0 {
		return errFindings
	}
	return nil
}

func columnNames(t *ir.Table) []string {
	names := make([]string, len(t.Columns))
	for i := range t.Columns {
		names[i] = t.Columns[i].Name
	}
	return names
}
