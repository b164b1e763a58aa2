package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
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

// openDatabase starts the embedded Postgres, or looks whether another one is named.
func (s *services) openDatabase(ctx context.Context, c *cli.Context) error {
	if c.Bool("embedded") {
		if err := s.startPostgres(ctx, c); err != nil {
			return &usageError{err: err}
		}
		return nil
	}
	switch {
	case c.IsSet("data"):
		return usagef("--data is the folder of the embedded services: it needs --embedded")
	case s.postgres.DSN == "":
		return usagef("no database: set --db-url or PROJECTION_DB_URL, or use --embedded")
	}
	return nil
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
