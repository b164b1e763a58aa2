package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/causetc/causetc/runtime/store"
)

func kindOf(err error) string {
	var data *store.DataError
	var environment *store.EnvironmentError
	var deployment *store.DeploymentError
	switch {
	case errors.As(err, &data):
		return "data"
	case errors.As(err, &environment):
		return "environment"
	case errors.As(err, &deployment):
		return "deployment"
	case errors.Is(err, context.Canceled):
		return "context"
	case errors.Is(err, store.ErrFenced):
		return "fenced"
	default:
		return fmt.Sprintf("%T", err)
	}
}

func TestClassifyCodes(t *testing.T) {
	for code, want := range map[string]string{
		"22003": "data", "22001": "data", "22021": "data", "22P02": "data", "23502": "data", "23505": "data", "23514": "data",
		"42703": "data", "42P01": "data", "54000": "data", "54001": "data", "21000": "data", "0A000": "data", "P0001": "data",
		"42501": "deployment", "28P01": "deployment", "28000": "deployment", "3D000": "deployment", "3F000": "deployment",
		"08006": "environment", "08000": "environment", "53100": "environment", "53200": "environment", "53300": "environment",
		"57P01": "environment", "57P03": "environment", "57014": "environment", "40001": "environment", "40P01": "environment",
		"40003": "environment", "25006": "environment", "25P02": "environment", "55P03": "environment", "58030": "environment",
		"XX000": "environment", "F0000": "environment", "ZZ999": "environment", "": "environment",
	} {
		err := fmt.Errorf("wrapped: %w", &pgconn.PgError{Code: code, Message: "m", Detail: "d"})
		got := classify(context.Background(), err)
		if kindOf(got) != want {
			t.Errorf("%s is %s, want %s", code, kindOf(got), want)
		}
		var data *store.DataError
		if errors.As(got, &data) && (data.SQLState != code || data.Message != "m: d") {
			t.Errorf("%s: %+v", code, data)
		}
	}
}

func TestClassifyOthers(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	data := &store.DataError{Message: "x"}
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want string
	}{
		{context.Background(), nil, "<nil>"},
		{context.Background(), io.ErrUnexpectedEOF, "environment"},
		{context.Background(), errors.New("anything"), "environment"},
		{context.Background(), fmt.Errorf("x: %w", store.ErrFenced), "fenced"},
		{context.Background(), fmt.Errorf("x: %w", data), "data"},
		{canceled, io.EOF, "context"},
		{canceled, data, "data"},
	} {
		if got := kindOf(classify(c.ctx, c.err)); got != c.want {
			t.Errorf("%v is %s, want %s", c.err, got, c.want)
		}
	}
}

// TestClassifyAgainstServer provokes real errors.
func TestClassifyAgainstServer(t *testing.T) {
	cfg := newConfig(t)
	db := open(t, cfg)
	for text, want := range map[string]string{
		"SELECT 'x'::integer":   "data",
		"SELECT 1/0":            "data",
		"SELECT nothing":        "data",
		"SELECT * FROM nothing": "data",
		"SET statement_timeout = 1; SELECT pg_sleep(9)": "environment",
		"SELECT pg_terminate_backend(pg_backend_pid())": "environment",
	} {
		_, err := db.pool.Exec(context.Background(), text, simple)
		if got := kindOf(classify(context.Background(), err)); got != want {
			t.Errorf("%s: %v is %s, want %s", text, err, got, want)
		}
	}
	missing := Config{DSN: "postgres://nobody@127.0.0.1:1/none"}
	if got := kindOf(open(t, missing).Ping(context.Background())); got != "environment" {
		t.Errorf("no server is %s", got)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if got := kindOf(db.Ping(canceled)); got != "context" {
		t.Errorf("a canceled context is %s", got)
	}
}
