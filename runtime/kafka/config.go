// Package kafka is the worker's side of Kafka: clients, the checks of topics, and the topic of dead letters.
package kafka

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

// The topics' and the consumer group's names where the operator gives none; the topics are those of the Causet guides.
const (
	DefaultTopic    = "causet.projection-events.v1"
	DefaultDLQTopic = "causet.projection-dlq.v1"
	DefaultGroup    = "causet-projection-worker"
)

// Config says how to reach the brokers and which topics to use.
type Config struct {
	Brokers  []string
	Group    string
	Topic    string
	DLQTopic string

	TLS           bool
	CAFile        string // PEM; empty: the system's roots
	SASLMechanism string // PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512; empty: none
	SASLUser      string
	SASLPassword  string

	// SessionTimeout is how long a silent worker keeps its partitions; 0 is the client's default. Brokers ask for 6 s at
	// least.
	SessionTimeout time.Duration
}

// ErrConfig marks settings that can't work, whatever the brokers say.
var ErrConfig = errors.New("kafka settings")

// metadataAge is how old what a client knows of topics may be when it is asked: what has changed is to be found soon.
const metadataAge = time.Second

// clientOptions are the options of every client.
func (c Config) clientOptions() ([]kgo.Opt, error) {
	if len(c.Brokers) == 0 {
		return nil, fmt.Errorf("%w: no brokers given; set --brokers or KAFKA_BOOTSTRAP_SERVERS", ErrConfig)
	}
	opts := []kgo.Opt{kgo.SeedBrokers(c.Brokers...), kgo.ClientID("causetc"), kgo.MetadataMinAge(metadataAge)}
	if c.TLS {
		conf, err := c.tlsConfig()
		if err != nil {
			return nil, err
		}
		opts = append(opts, kgo.DialTLSConfig(conf))
	}
	mech, err := c.mechanism()
	if err != nil {
		return nil, err
	}
	if mech != nil {
		opts = append(opts, kgo.SASL(mech))
	}
	return opts, nil
}

func (c Config) tlsConfig() (*tls.Config, error) {
	conf := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.CAFile == "" {
		return conf, nil
	}
	pem, err := os.ReadFile(c.CAFile)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	conf.RootCAs = x509.NewCertPool()
	if !conf.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%w: %s holds no PEM certificate", ErrConfig, c.CAFile)
	}
	return conf, nil
}

func (c Config) mechanism() (sasl.Mechanism, error) {
	switch strings.ToUpper(c.SASLMechanism) {
	case "":
		return nil, nil
	case "PLAIN":
		return plain.Auth{User: c.SASLUser, Pass: c.SASLPassword}.AsMechanism(), nil
	case "SCRAM-SHA-256":
		return scram.Auth{User: c.SASLUser, Pass: c.SASLPassword}.AsSha256Mechanism(), nil
	case "SCRAM-SHA-512":
		return scram.Auth{User: c.SASLUser, Pass: c.SASLPassword}.AsSha512Mechanism(), nil
	}
	return nil, fmt.Errorf("%w: unknown SASL mechanism %q; use PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512", ErrConfig, c.SASLMechanism)
}

// NewClient returns a client of the brokers with further options.
func (c Config) NewClient(extra ...kgo.Opt) (*kgo.Client, error) {
	opts, err := c.clientOptions()
	if err != nil {
		return nil, err
	}
	client, err := kgo.NewClient(append(opts, extra...)...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return client, nil
}
