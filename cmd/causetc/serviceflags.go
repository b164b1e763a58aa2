package main

import (
	"cmp"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/worker"
)

// kafkaFlags are the flags of commands that consume the topic; the variables are those of the hosted worker.
func kafkaFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "brokers", Usage: "Kafka brokers, `HOST:PORT,...`", EnvVars: []string{"KAFKA_BOOTSTRAP_SERVERS"}},
		&cli.StringFlag{Name: "consumer-group", Usage: "Kafka consumer `GROUP`", EnvVars: []string{"KAFKA_CONSUMER_GROUP_ID"}, Value: kafka.DefaultGroup},
		&cli.StringFlag{Name: "topic", Usage: "`TOPIC` of events", EnvVars: []string{"KAFKA_TOPIC_PROJECTION_EVENTS"}, Value: kafka.DefaultTopic},
		&cli.StringFlag{Name: "dlq-topic", Usage: "`TOPIC` of dead letters", EnvVars: []string{"KAFKA_TOPIC_DLQ"}, Value: kafka.DefaultDLQTopic},
		&cli.BoolFlag{Name: "tls", Usage: "connect to Kafka with TLS", EnvVars: []string{"KAFKA_TLS"}},
		&cli.StringFlag{Name: "tls-ca", Usage: "PEM `FILE` of the authorities to trust", EnvVars: []string{"KAFKA_TLS_CA"}},
		&cli.StringFlag{Name: "sasl", Usage: "`MECHANISM`: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512", EnvVars: []string{"KAFKA_SASL_MECHANISM"}},
		&cli.StringFlag{Name: "sasl-user", Usage: "SASL `USER`; the password comes from KAFKA_SASL_PASSWORD", EnvVars: []string{"KAFKA_SASL_USERNAME"}},
		&cli.DurationFlag{Name: "session-timeout", Usage: "`TIME` after which the brokers give a silent worker's partitions to others, such as 10s or 1m", DefaultText: "45s"},
	}
}

func kafkaConfig(c *cli.Context, getenv func(string) string) kafka.Config {
	conf := kafka.Config{
		Group:    cmp.Or(c.String("consumer-group"), kafka.DefaultGroup),
		Topic:    cmp.Or(c.String("topic"), kafka.DefaultTopic),
		DLQTopic: cmp.Or(c.String("dlq-topic"), kafka.DefaultDLQTopic),
		TLS:      c.Bool("tls"), CAFile: c.String("tls-ca"),
		SASLMechanism: c.String("sasl"), SASLUser: c.String("sasl-user"), SASLPassword: getenv("KAFKA_SASL_PASSWORD"),
		SessionTimeout: c.Duration("session-timeout"),
	}
	for _, b := range strings.Split(c.String("brokers"), ",") {
		if b = strings.TrimSpace(b); b != "" {
			conf.Brokers = append(conf.Brokers, b)
		}
	}
	return conf
}

// databaseFlags are the flags of commands that use the tables.
func databaseFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "db-url", Usage: "Postgres `URL`: postgres://... or r2dbc:postgresql://...", EnvVars: []string{"PROJECTION_DB_URL"}},
		&cli.StringFlag{Name: "db-user", Usage: "Postgres `USER`; the password comes from PROJECTION_DB_PASSWORD", EnvVars: []string{"PROJECTION_DB_USERNAME"}},
		&cli.StringFlag{Name: "schema", Usage: "Postgres `SCHEMA` of causetc's own", Value: "causetc"},
		&cli.StringFlag{Name: "fork", Usage: "the `FORK` to serve", Value: "main"},
	}
}

// embeddedFlags are the flags of commands that can start their own services.
func embeddedFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "embedded", Usage: "start an in-process Kafka and a private Postgres"},
		&cli.StringFlag{Name: "data", Usage: "with --embedded: `DIR` that keeps the data between runs"},
		&cli.StringFlag{Name: "postgres-bin", Usage: "`DIR` of the Postgres programs (also CAUSETC_POSTGRES_BIN)"},
		&cli.BoolFlag{Name: "no-download", Usage: "never fetch Postgres programs"},
	}
}

// retryFlags set the schedule of the Causet guide "Retries".
func retryFlags() []cli.Flag {
	d := worker.DefaultRetryPolicy()
	return []cli.Flag{
		&cli.IntFlag{Name: "max-retries", Usage: "`N` attempts, the first included, before an event goes to the dead letters", EnvVars: []string{"PROJECTION_WORKER_MAX_RETRIES"}, Value: d.MaxAttempts},
		&cli.Int64Flag{Name: "retry-initial-ms", Usage: "`MS` before the second attempt", EnvVars: []string{"PROJECTION_WORKER_RETRY_INITIAL_MS"}, Value: d.Initial.Milliseconds()},
		&cli.Float64Flag{Name: "retry-multiplier", Usage: "`FACTOR` by which each wait is longer than the one before", EnvVars: []string{"PROJECTION_WORKER_RETRY_MULTIPLIER"}, Value: d.Multiplier},
		&cli.Int64Flag{Name: "retry-max-ms", Usage: "`MS` of the longest wait between attempts", EnvVars: []string{"PROJECTION_WORKER_RETRY_MAX_MS"}, Value: d.Max.Milliseconds()},
	}
}

func retryPolicy(c *cli.Context) (worker.RetryPolicy, error) {
	p := worker.RetryPolicy{MaxAttempts: c.Int("max-retries"), Multiplier: c.Float64("retry-multiplier")}
	var err error
	if p.Initial, err = milliseconds(c, "retry-initial-ms"); err != nil {
		return p, err
	}
	if p.Max, err = milliseconds(c, "retry-max-ms"); err != nil {
		return p, err
	}
	switch {
	case p.MaxAttempts < 1:
		return p, usagef("--max-retries is %d; use 1 or more, since it counts the first attempt", p.MaxAttempts)
	case !(p.Multiplier >= 1 && p.Multiplier <= 1000):
		return p, usagef("--retry-multiplier is %v; use 1 to 1000", p.Multiplier)
	}
	return p, nil
}

// milliseconds returns the time that a flag gives.
func milliseconds(c *cli.Context, flag string) (time.Duration, error) {
	const most = int64(24 * time.Hour / time.Millisecond)
	ms := c.Int64(flag)
	if ms < 0 || ms > most {
		return 0, usagef("--%s is %d; use 0 to %d, which is a day", flag, ms, most)
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// joinFlags puts lists of flags together.
func joinFlags(lists ...[]cli.Flag) []cli.Flag {
	var all []cli.Flag
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}
