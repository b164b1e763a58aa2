package main

import (
	"crypto/tls"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/realkafka"
)

var mechanisms = []string{"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}

// secureBroker returns the address of a broker that asks for TLS and an account, the file of the authority to trust, and
// what is told of a wrong password: the real one that the variables name, or one in this process, which just hangs up.
func secureBroker(t *testing.T) (address, ca, refusal string) {
	t.Helper()
	if address := os.Getenv("CAUSETC_TEST_SECURE_BROKERS"); address != "" {
		return address, os.Getenv("CAUSETC_TEST_CA"), "SASL"
	}
	certificate, err := realkafka.NewCertificate()
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.X509KeyPair(certificate.Chain, certificate.Key)
	if err != nil {
		t.Fatal(err)
	}
	options := []kfake.Opt{kfake.NumBrokers(1), kfake.EnableSASL(), kfake.TLS(&tls.Config{Certificates: []tls.Certificate{pair}})}
	for _, mechanism := range mechanisms {
		options = append(options, kfake.Superuser(mechanism, realkafka.User, realkafka.Password))
	}
	cluster, err := kfake.NewCluster(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	ca = filepath.Join(t.TempDir(), "ca.pem")
	write(t, ca, string(certificate.Chain))
	return cluster.ListenAddrs()[0], ca, "EOF"
}

// secureTopics makes topics through the secured listener and returns the flags that name them.
func secureTopics(t *testing.T, address, ca string) []string {
	t.Helper()
	conf := kafka.Config{Brokers: []string{address}, TLS: true, CAFile: ca, SASLMechanism: "SCRAM-SHA-256", SASLUser: realkafka.User,
		SASLPassword: realkafka.Password}
	client, err := conf.NewClient()
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	events, letters := unique("events"), unique("letters")
	for _, topic := range []string{events, letters} {
		if _, err := kadm.NewClient(client).CreateTopic(t.Context(), 1, 1, nil, topic); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"--topic", events, "--dlq-topic", letters, "--consumer-group", events}
}

// TestTLSAndSASL runs against a broker that asks for both, with each mechanism, and with what it must refuse.
func TestTLSAndSASL(t *testing.T) {
	address, ca, refusal := secureBroker(t)
	topics := secureTopics(t, address, ca)
	database := server.database(t)
	run := func(t *testing.T, password string, flags ...string) result {
		t.Setenv("KAFKA_SASL_PASSWORD", password)
		return runAgainst(t, database, address, append(append([]string{"--auto-migrate"}, topics...), flags...)...)
	}
	for _, mechanism := range mechanisms {
		account := []string{"--sasl", mechanism, "--sasl-user", realkafka.User}
		t.Run(mechanism, func(t *testing.T) {
			run(t, realkafka.Password, append(account, "--tls", "--tls-ca", ca)...).want(t, exitClean)
		})
		t.Run(mechanism+", wrong password", func(t *testing.T) {
			r := run(t, "no-such-password", append(account, "--tls", "--tls-ca", ca)...)
			r.want(t, exitUsage, refusal)
			if strings.Contains(r.stdout+r.stderr, "no-such-password") {
				t.Errorf("the password is told: %s", r.stderr)
			}
		})
	}
	account := []string{"--sasl", "SCRAM-SHA-512", "--sasl-user", realkafka.User}
	t.Run("an authority that is not trusted", func(t *testing.T) {
		run(t, realkafka.Password, append(account, "--tls")...).want(t, exitUsage, "certificate")
	})
	if testing.Short() {
		return // what follows waits for timeouts
	}
	t.Run("no TLS", func(t *testing.T) {
		run(t, realkafka.Password, account...).want(t, exitUsage, "topic")
	})
	t.Run("no account", func(t *testing.T) {
		run(t, "", "--tls", "--tls-ca", ca).want(t, exitUsage, "topic")
	})
}
