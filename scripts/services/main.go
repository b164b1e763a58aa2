// Command services runs a command with a real Apache Kafka and a Postgres of its own, and stops them when it ends:
//
//	go run ./scripts/services go test ./runtime/...
//
// The command finds them by CAUSETC_TEST_BROKERS, CAUSETC_TEST_SECURE_BROKERS (TLS and SASL; CAUSETC_TEST_CA trusts it) and
// CAUSETC_TEST_DB_URL. Its exit code is the command's; 3 says that this machine has no Java or no Maven, or that Maven can't
// fetch Kafka. It needs a Unix.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/causetc/causetc/runtime/embedded"
	"github.com/causetc/causetc/runtime/realkafka"
)

const exitUnavailable = 3

func main() {
	embedded.RunJanitorIfAsked()
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: services COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "services:", err)
	}
	os.Exit(code)
}

func run(command []string) (int, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "causetc-services-")
	if err != nil {
		return 1, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	broker, err := realkafka.Start(ctx, dir)
	if errors.Is(err, realkafka.ErrUnavailable) {
		return exitUnavailable, err
	}
	if err != nil {
		return 1, err
	}
	defer broker.Kill()
	server, err := embedded.StartPostgres(ctx, embedded.PostgresConfig{})
	if err != nil {
		return 1, err
	}
	defer func() {
		hurry, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = server.Stop(hurry)
	}()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "CAUSETC_TEST_BROKERS="+broker.Address(), "CAUSETC_TEST_SECURE_BROKERS="+broker.SecureAddress(),
		"CAUSETC_TEST_CA="+broker.CAFile(), "CAUSETC_TEST_DB_URL="+server.DSN())
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	if err != nil {
		return 1, err
	}
	return 0, nil
}
