package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/runtime/postgres"
)

func migrateCommand() *cli.Command {
	return &cli.Command{
		Name:      "migrate",
		Usage:     "make the tables and views that a program needs and the database lacks",
		ArgsUsage: "SPEC|app.ir.json",
		Description: `Nothing is changed that is there already, but for the secondary indexes that a program has gained or lost. All is done in
one transaction. Exit code 2: a group can't be helped (its rules changed, or a name is taken); the others are.`,
		Flags: joinFlags(
			[]cli.Flag{
				&cli.BoolFlag{Name: "dry-run", Usage: "print the SQL, and change nothing"},
				allowOutsideFlag(),
			},
			embeddedFlags(), databaseFlags(),
		),
		Action: migrateAction,
	}
}

func migrateAction(c *cli.Context) error {
	path, err := oneArgument(c, "a spec or a compiled program")
	if err != nil {
		return err
	}
	if err := checkDatabase(c); err != nil {
		return err
	}
	program, err := loadProgram(c, path)
	if err != nil {
		return err
	}
	return withDatabase(c, func(db *postgres.DB) error {
		plan, err := db.Migrate(c.Context, program, c.String("fork"), c.Bool("dry-run"))
		if err != nil {
			return err
		}
		if c.Bool("dry-run") {
			printScript(c.App.Writer, plan.Statements)
		} else {
			fmt.Fprintf(c.App.Writer, "%s done\n", countOf(len(plan.Statements), "statement"))
		}
		var refused []error
		for _, g := range plan.Refused {
			refused = append(refused, g.Err)
		}
		return errors.Join(refused...)
	})
}

// printScript writes statements as a script for psql, which does all of them or none.
func printScript(w io.Writer, statements []string) {
	if len(statements) == 0 {
		fmt.Fprintln(w, "-- Nothing is missing.")
		return
	}
	fmt.Fprint(w, "BEGIN;\n\n")
	for _, s := range statements {
		fmt.Fprintf(w, "%s;\n\n", s)
	}
	fmt.Fprintln(w, "COMMIT;")
}
