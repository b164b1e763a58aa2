// Package realkafka starts an Apache Kafka broker in a Java process. It is for tests only; the programs come from Maven.
package realkafka

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The account that the secured listener takes, by PLAIN and by SCRAM.
const (
	User     = "causetc"
	Password = "test-secret"
)

// Broker is one broker, which may be killed and started again. It listens on loopback only.
type Broker struct {
	dir     string
	jars    string
	ports   [3]int // plaintext, SASL over TLS, controller
	process *exec.Cmd
	lifter  io.Closer // closing it kills the process
}

// Start makes a broker in a folder, which must exist and keeps its data and log, and returns when it listens. Errors:
// ErrUnavailable, the context's, or one with what the broker said.
func Start(ctx context.Context, dir string) (*Broker, error) {
	b := &Broker{dir: dir}
	var err error
	if b.jars, err = jars(ctx); err != nil {
		return nil, err
	}
	for i := range b.ports {
		if b.ports[i], err = freePort(); err != nil {
			return nil, err
		}
	}
	if err := b.configure(); err != nil {
		return nil, err
	}
	if err := b.format(ctx); err != nil {
		return nil, err
	}
	return b, b.Launch(ctx)
}

// freePort returns a port that nobody listens at now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Address is where clients bootstrap from without TLS and without an account.
func (b *Broker) Address() string { return fmt.Sprintf("127.0.0.1:%d", b.ports[0]) }

// SecureAddress is where clients need TLS and the account; CAFile is whom they are to trust.
func (b *Broker) SecureAddress() string { return fmt.Sprintf("127.0.0.1:%d", b.ports[1]) }

// CAFile is a PEM file of the authority that the secured listener's certificate comes from.
func (b *Broker) CAFile() string { return filepath.Join(b.dir, "certificate.pem") }

func (b *Broker) properties() string { return filepath.Join(b.dir, "server.properties") }

// configure writes the settings. Nothing expires unless a topic asks for it.
func (b *Broker) configure() error {
	certificate, err := NewCertificate()
	if err != nil {
		return err
	}
	keystore := filepath.Join(b.dir, "keystore.pem")
	if err := os.WriteFile(keystore, append(certificate.Key, certificate.Chain...), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(b.CAFile(), certificate.Chain, 0o644); err != nil {
		return err
	}
	lines := []string{
		"process.roles=broker,controller",
		"node.id=1",
		fmt.Sprintf("controller.quorum.voters=1@127.0.0.1:%d", b.ports[2]),
		"controller.listener.names=CONTROLLER",
		fmt.Sprintf("listeners=PLAINTEXT://127.0.0.1:%d,SECURE://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d", b.ports[0], b.ports[1], b.ports[2]),
		"listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL,CONTROLLER:PLAINTEXT",
		"inter.broker.listener.name=PLAINTEXT",
		"ssl.keystore.type=PEM",
		"ssl.keystore.location=" + keystore,
		"ssl.client.auth=none",
		"sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
		fmt.Sprintf(`listener.name.secure.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_%s="%s";`, User, Password),
		"listener.name.secure.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;",
		"listener.name.secure.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;",
		"log.dirs=" + filepath.Join(b.dir, "data"),
		"log.retention.ms=-1",
		"log.retention.check.interval.ms=1000",
		"log.segment.delete.delay.ms=1000",
		"auto.create.topics.enable=false",
		"offsets.topic.replication.factor=1",
		"offsets.topic.num.partitions=4",
		"transaction.state.log.replication.factor=1",
		"transaction.state.log.min.isr=1",
		"transaction.state.log.num.partitions=4",
		"share.coordinator.state.topic.replication.factor=1",
		"share.coordinator.state.topic.min.isr=1",
		"group.initial.rebalance.delay.ms=0",
	}
	return os.WriteFile(b.properties(), []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

// format prepares the data folder and makes the account.
func (b *Broker) format(ctx context.Context) error {
	args := []string{"-cp", filepath.Join(b.jars, "*"), "kafka.tools.StorageTool", "format", "-t", "Y2F1c2V0Yy10ZXN0LXJ1bg", "-c", b.properties()}
	for _, mechanism := range []string{"SCRAM-SHA-256", "SCRAM-SHA-512"} {
		args = append(args, "--add-scram", fmt.Sprintf("%s=[name=%s,password=%s]", mechanism, User, Password))
	}
	if out, err := exec.CommandContext(ctx, "java", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("formatting Kafka's storage: %w: %s", err, out)
	}
	return nil
}

// startTimeout bounds a start on a busy machine.
const startTimeout = 2 * time.Minute

// Launch starts the broker's process and returns when it listens. The process dies with this one: it is a child of a
// shell that kills it when its standard input ends.
func (b *Broker) Launch(ctx context.Context) error {
	log, err := os.OpenFile(filepath.Join(b.dir, "broker.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	b.process = exec.Command("sh", "-c", `"$@" </dev/null & cat; kill -9 $!; wait $!`, "sh",
		"java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", filepath.Join(b.jars, "*"), "kafka.Kafka", b.properties())
	b.process.Stdout, b.process.Stderr = log, log
	if b.lifter, err = b.process.StdinPipe(); err != nil {
		return err
	}
	if err := b.process.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", b.SecureAddress())
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			b.Kill()
			said, _ := os.ReadFile(log.Name())
			return fmt.Errorf("kafka does not listen: %w: %s", ctx.Err(), said[max(len(said)-2000, 0):])
		case <-time.After(100 * time.Millisecond): // until the next try
		}
	}
}

// Kill ends the broker as kill -9 does. Launch starts it again with its data. A broker that does not run is left alone.
func (b *Broker) Kill() {
	if b.process == nil {
		return
	}
	_ = b.lifter.Close()
	_ = b.process.Wait()
	b.process = nil
}
