package main

import (
	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/runtime/postgres"
)

// checkKeptDatabase looks at the flags of a command that is about a database which others fill.
func checkKeptDatabase(c *cli.Context) error {
	if err := checkDatabase(c); err != nil {
		return err
	}
	if c.Bool("embedded") && c.String("data") == "" {
		return usagef("an embedded database without --data DIR is empty; give the folder that `causetc run --embedded --data DIR` filled")
	}
	return nil
}

// withDatabase does something with the database that the flags name.
func withDatabase(c *cli.Context, do func(*postgres.DB) error) error {
	services := &services{postgres: postgresConfig(c, getenv)}
	if err := services.openDatabase(c.Context, c); err != nil {
		return err
	}
	defer services.stop()
	return useDatabase(c, services, do)
}

// useDatabase does something with the database of services that were started.
func useDatabase(c *cli.Context, s *services, do func(*postgres.DB) error) error {
	db, err := postgres.Open(c.Context, s.postgres)
	if err != nil {
		return usagef("--db-url: %w", err)
	}
	defer db.Close()
	return do(db)
}
