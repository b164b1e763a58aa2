package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/runtime/embedded"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/postgres"
)

// services are the Kafka and the Postgres that a command uses, its own or others'.
type services struct {
	kafka    kafka.Config
	postgres postgres.Config
	stops    []func()
}

// stop ends what was started, last first.
func (s *services) stop() {
	for i := len(s.stops) - 1; i >= 0; i-- {
		s.stops[i]()
	}
}

// stopTimeout bounds an orderly stop; what is left then is ended by force.
const stopTimeout = 20 * time.Second

// startServices starts the embedded services if they are asked for, else it takes what the flags and variables say.
func startServices(ctx context.Context, c *cli.Context) (*services, error) {
	s := &services{kafka: kafkaConfig(c, getenv), postgres: postgresConfig(c, getenv)}
	if err := s.openDatabase(ctx, c); err != nil {
		return nil, err
	}
	if !c.Bool("embedded") {
		return s, nil
	}
	if err := s.startKafka(ctx, c); err != nil {
		s.stop()
		return nil, &usageError{err: err}
	}
	return s, nil
}

// openDatabase starts the embedded Postgres if it is asked for.
func (s *services) openDatabase(ctx context.Context, c *cli.Context) error {
	if !c.Bool("embedded") {
		return nil
	}
	if err := s.startPostgres(ctx, c); err != nil {
		return &usageError{err: err}
	}
	return nil
}

// checkServices looks at the flags of the consumer's services, before anything is connected to.
func checkServices(c *cli.Context) error {
	if err := checkDatabase(c); err != nil {
		return err
	}
	if d := c.Duration("session-timeout"); d != 0 && (d < minSession || d > maxSession) {
		return usagef("--session-timeout is %s; use %s to %s", d, minSession, maxSession)
	}
	if c.Bool("embedded") {
		return refuseBeside(c, "brokers", "tls", "tls-ca", "sasl", "sasl-user")
	}
	return checkKafka(kafkaConfig(c, getenv))
}

// checkKafka looks at the settings of Kafka's clients.
func checkKafka(conf kafka.Config) error {
	for _, broker := range conf.Brokers {
		if err := checkBroker(broker); err != nil {
			return err
		}
	}
	switch strings.ToUpper(conf.SASLMechanism) {
	case "":
		if conf.SASLUser != "" {
			return usagef("--sasl-user is given without --sasl: use PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512")
		}
	case "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512":
		if conf.SASLUser == "" {
			return usagef("--sasl needs --sasl-user, and the password in KAFKA_SASL_PASSWORD")
		}
	default:
		return usagef("--sasl %q: use PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512", conf.SASLMechanism)
	}
	if conf.CAFile != "" && !conf.TLS {
		return usagef("--tls-ca is given without --tls")
	}
	client, err := conf.NewClient() // connects to nothing yet
	switch {
	case err != nil && conf.CAFile != "" && len(conf.Brokers) > 0:
		return usagef("--tls-ca: %w", err)
	case err != nil:
		return &usageError{err: err}
	}
	client.Close()
	return nil
}

// checkBroker accepts HOST and HOST:PORT.
func checkBroker(broker string) error {
	if !strings.Contains(broker, ":") {
		return nil
	}
	host, port, err := net.SplitHostPort(broker)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || host == "" {
		return usagef("--brokers %q: use HOST:PORT, and commas between several", broker)
	}
	return nil
}

// The bounds that brokers put on session timeouts, if nobody changed them.
const (
	minSession = 6 * time.Second
	maxSession = 30 * time.Minute
)

// checkDatabase looks at the flags of the database.
func checkDatabase(c *cli.Context) error {
	if c.Bool("embedded") {
		return refuseBeside(c, "db-url", "db-user")
	}
	for _, name := range []string{"data", "postgres-bin", "no-download"} {
		if c.IsSet(name) {
			return usagef("--%s is for the embedded services: it needs --embedded", name)
		}
	}
	if c.String("db-url") == "" {
		return usagef("no database: set --db-url or PROJECTION_DB_URL, or use --embedded")
	}
	return nil
}

// refuseBeside refuses flags of services that --embedded stands in for. Variables may be set for other runs.
func refuseBeside(c *cli.Context, names ...string) error {
	for _, flag := range c.Command.Flags {
		name := flag.Names()[0]
		if slices.Contains(names, name) && onCommandLine(c, flag) {
			return usagef("--%s names a service, and --embedded starts its own: leave one out", name)
		}
	}
	return nil
}

// onCommandLine reports whether a flag was given there, as far as that can be told from a variable of the same value.
func onCommandLine(c *cli.Context, flag cli.Flag) bool {
	name := flag.Names()[0]
	switch f := flag.(type) {
	case *cli.StringFlag:
		return c.IsSet(name) && !(inEnvironment(f.EnvVars) && getenv(f.EnvVars[0]) == c.String(name))
	case *cli.BoolFlag:
		return c.IsSet(name) && !inEnvironment(f.EnvVars)
	}
	return c.IsSet(name)
}

func (s *services) startKafka(ctx context.Context, c *cli.Context) error {
	k, err := embedded.StartKafka(ctx, embedded.KafkaConfig{
		DataDir: subfolder(c.String("data"), "kafka"),
		Topics:  map[string]int32{s.kafka.Topic: embeddedPartitions, s.kafka.DLQTopic: 1},
	})
	if err != nil {
		return fmt.Errorf("starting Kafka: %w", err)
	}
	s.stops = append(s.stops, k.Stop)
	s.kafka.Brokers = k.Brokers()
	return nil
}

// subfolder is a part of the folder that keeps the data; without that folder there is none.
func subfolder(dir, name string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

// embeddedPartitions is how many partitions the embedded topic of events has.
const embeddedPartitions = 4

func (s *services) startPostgres(ctx context.Context, c *cli.Context) error {
	p, err := embedded.StartPostgres(ctx, embedded.PostgresConfig{
		DataDir:    subfolder(c.String("data"), "postgres"),
		BinDir:     c.String("postgres-bin"),
		NoDownload: c.Bool("no-download"),
		Notice:     noticeTo(c.App.ErrWriter),
	})
	if err != nil {
		return fmt.Errorf("starting Postgres: %w", err)
	}
	s.stops = append(s.stops, func() {
		stopCtx, cancel := context.WithTimeout(context.Background(), stopTimeout)
		defer cancel()
		if err := p.Stop(stopCtx); err != nil {
			fmt.Fprintf(c.App.ErrWriter, "causetc: stopping Postgres: %v\n", err)
		}
	})
	s.postgres = postgres.Config{DSN: p.DSN(), Schema: c.String("schema")}
	return nil
}

func noticeTo(w io.Writer) func(string) {
	return func(text string) { fmt.Fprintf(w, "causetc: %s\n", text) }
}

func postgresConfig(c *cli.Context, getenv func(string) string) postgres.Config {
	return postgres.Config{
		DSN: c.String("db-url"), User: c.String("db-user"), Password: getenv("PROJECTION_DB_PASSWORD"), Schema: c.String("schema"),
	}
}
