package main

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/postgres"
)

func queryCommand() *cli.Command {
	return &cli.Command{
		Name:      "query",
		Usage:     "run a named query over the tables",
		ArgsUsage: "SPEC|app.ir.json NAME",
		Flags: joinFlags(
			[]cli.Flag{
				&cli.StringSliceFlag{Name: "param", Aliases: []string{"p"}, Usage: "a parameter, `KEY=VALUE`; for a list, give the key several times"},
				&cli.StringFlag{Name: "at", Usage: "the moment where windows end, `MS` since 1970 or an RFC 3339 time; default: now"},
				formatFlag("text", "json"),
				&cli.IntFlag{Name: "rows", Usage: "print at most `N` rows, 0: all", Value: 0},
				allowOutsideFlag(),
			},
			embeddedFlags(), databaseFlags(),
		),
		Action: queryAction,
	}
}

func queryAction(c *cli.Context) error {
	if c.NArg() != 2 {
		return usagef("query needs a spec and the name of a query, got %s", countOf(c.NArg(), "argument"))
	}
	format, err := formatOf(c, "text", "json")
	if err != nil {
		return err
	}
	if err := noEmptyArguments(c); err != nil {
		return err
	}
	rows, err := rowsOf(c)
	if err != nil {
		return err
	}
	args, err := queryArguments(c)
	if err != nil {
		return err
	}
	if err := checkKeptDatabase(c); err != nil {
		return err
	}
	program, err := loadProgram(c, c.Args().Get(0))
	if err != nil {
		return err
	}
	statement, err := findQuery(program, c.Args().Get(1), sql.Options{Schema: c.String("schema"), Fork: c.String("fork")})
	if err != nil {
		return err
	}
	result, err := runQuery(c, statement, args)
	if err != nil {
		return err
	}
	table := tableRows{Name: c.Args().Get(1), Columns: result.Columns, Rows: result.Rows}
	if format == "json" {
		return json.NewEncoder(c.App.Writer).Encode(table)
	}
	return printTable(c.App.Writer, table, rows)
}

// queryArguments reads the parameters. A key that is given several times is a list.
func queryArguments(c *cli.Context) (sql.Arguments, error) {
	args := sql.Arguments{Inputs: map[string]expr.Value{}, Moment: expr.Int(time.Now().UnixMilli())}
	if at := c.String("at"); at != "" {
		args.Moment = expr.String(at)
	}
	lists := map[string][]expr.Value{}
	for _, p := range c.StringSlice("param") {
		key, value, ok := strings.Cut(p, "=")
		if !ok || key == "" {
			return args, usagef("--param %q: write KEY=VALUE", p)
		}
		lists[key] = append(lists[key], expr.String(value))
	}
	for key, values := range lists {
		args.Inputs[key] = values[0]
		if len(values) > 1 {
			args.Inputs[key] = expr.Array(values)
		}
	}
	return args, nil
}

func findQuery(p *ir.Program, name string, o sql.Options) (*sql.Statement, error) {
	names := []string{}
	for i := range p.Queries {
		if p.Queries[i].Name == name {
			return sql.Query(sql.TablesOf(p), &p.Queries[i], o)
		}
		names = append(names, p.Queries[i].Name)
	}
	if len(names) == 0 {
		return nil, usagef("the program has no query %q; it has none at all", name)
	}
	return nil, usagef("the program has no query %q; it has %s", name, strings.Join(names, ", "))
}

func runQuery(c *cli.Context, s *sql.Statement, args sql.Arguments) (postgres.Result, error) {
	services := &services{kafka: kafka.Config{}, postgres: postgresConfig(c, getenv)}
	if err := services.openDatabase(c.Context, c); err != nil {
		return postgres.Result{}, err
	}
	defer services.stop()
	db, err := postgres.Open(c.Context, services.postgres)
	if err != nil {
		return postgres.Result{}, usagef("--db-url: %w", err)
	}
	defer db.Close()
	result, err := db.Query(c.Context, s, args)
	var bind *sql.BindError
	if errors.As(err, &bind) {
		return result, &usageError{err: err}
	}
	return result, err
}
