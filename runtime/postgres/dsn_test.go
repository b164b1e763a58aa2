package postgres

import (
	"context"
	"strings"
	"testing"
)

func TestDriverURLs(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"postgres://u:p@h:1/d?sslmode=disable", "postgres://u:p@h:1/d?sslmode=disable"},
		{"host=h dbname=d", "host=h dbname=d"},
		{"r2dbc:postgresql://h:5433/d", "postgres://h:5433/d"},
		{"r2dbc:pool:postgresql://u:p%40@h/d?maxSize=5", "postgres://u:p%40@h/d"},
		{"r2dbc:postgresql://h/d?schema=app&sslMode=VERIFY_FULL", "postgres://h/d?search_path=app&sslmode=verify-full"},
		{"r2dbcs:postgresql://h/d", "postgres://h/d?sslmode=verify-full"},
		{"jdbc:postgresql://h/d?user=U&password=Se%26cret&currentSchema=s&ssl=true&prepareThreshold=0",
			"postgres://h/d?password=Se%26cret&search_path=s&sslmode=verify-full&user=U"},
		{"jdbc:postgresql://h/d?ssl=false", "postgres://h/d"},
	} {
		got, err := normalizeDSN(c.in)
		if err != nil || got != c.want {
			t.Errorf("%s: %s, %v; want %s", c.in, got, err, c.want)
		}
	}
}

func TestBadURLKeepsThePassword(t *testing.T) {
	for _, dsn := range []string{"jdbc:postgresql://u:hunter2@h:port/d", "r2dbc:postgresql://u:hunter2@[::1/d", "postgres://u:hunter2@h:99999999/d"} {
		_, err := Open(context.Background(), Config{DSN: dsn})
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: error %v", dsn, err)
		}
	}
}

func TestUserAndPasswordWin(t *testing.T) {
	db, err := Open(context.Background(), Config{DSN: "r2dbc:postgresql://u:p@h/d", User: "other", Password: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if c := db.pool.Config().ConnConfig; c.User != "other" || c.Password != "secret" || c.Host != "h" || c.Database != "d" {
		t.Errorf("connects as %s to %s/%s", c.User, c.Host, c.Database)
	}
}
