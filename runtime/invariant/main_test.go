package invariant_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/causetc/causetc/codegen"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/runtime/embedded"
)

// shared are the services and the program of all tests: the services that the variables name, or else private ones.
var shared struct {
	dsn     string
	brokers []string
	program *ir.Program
}

func TestMain(m *testing.M) {
	embedded.RunJanitorIfAsked()
	if text := os.Getenv(victimVariable); text != "" {
		os.Exit(runVictim(text))
	}
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	ctx := context.Background()
	if shared.dsn = os.Getenv("CAUSETC_TEST_DB_URL"); shared.dsn == "" {
		server, err := embedded.StartPostgres(ctx, embedded.PostgresConfig{})
		if err != nil {
			return 1, err
		}
		defer func() { _ = server.Stop(ctx) }()
		shared.dsn = server.DSN()
	}
	if brokers := os.Getenv("CAUSETC_TEST_BROKERS"); brokers != "" {
		shared.brokers = strings.Split(brokers, ",")
	} else {
		cluster, err := kfake.NewCluster(kfake.NumBrokers(1))
		if err != nil {
			return 1, err
		}
		defer cluster.Close()
		shared.brokers = cluster.ListenAddrs()
	}
	var err error
	if shared.program, err = compile(ctx, "../../testdata/specs/chaos"); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

func compile(ctx context.Context, dir string) (*ir.Program, error) {
	loaded, err := parser.Load(ctx, parser.Options{Args: []string{dir}})
	if err != nil {
		return nil, err
	}
	program, diagnostics := codegen.Compile(loaded.Program, codegen.Options{})
	if program == nil {
		return nil, fmt.Errorf("the spec does not compile: %v", diagnostics)
	}
	return program, nil
}

// execSQL runs SQL beside the code under test.
func execSQL(t testing.TB, text string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, shared.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, text); err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
}
