package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
)

func buildCommand() *cli.Command {
	return &cli.Command{
		Name:      "build",
		Usage:     "compile a spec to app.ir.json and schema.sql",
		ArgsUsage: "SPEC",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write into `DIR`, which is made if it is not there"},
			targetFlag("causetc"),
			&cli.StringFlag{Name: "schema", Usage: "Postgres `SCHEMA` of causetc's own, in schema.sql", Value: sql.DefaultSchema},
			&cli.StringFlag{Name: "fork", Usage: "the `FORK` that the schema is bound to", Value: "main"},
			&cli.BoolFlag{Name: "print", Usage: "print the compiled program for people, and write nothing unless --output is given"},
			allowOutsideFlag(),
		},
		Action: buildAction,
	}
}

func buildAction(c *cli.Context) error {
	path, err := oneArgument(c, "a spec")
	if err != nil {
		return err
	}
	dir := c.String("output")
	if dir == "" && !c.Bool("print") {
		return usagef("build needs a place to write to: -o DIR, or --print")
	}
	target, err := targetOf(c)
	if err != nil {
		return err
	}
	p, err := compileSpec(c, path, target)
	if err != nil {
		return err
	}
	if c.Bool("print") {
		if err := ir.Print(c.App.Writer, p); err != nil {
			return err
		}
	}
	if dir == "" {
		return nil
	}
	return writeBuild(c, p, dir, target)
}

// writeBuild writes the two files, whole or not at all.
func writeBuild(c *cli.Context, p *ir.Program, dir string, target analysis.Target) error {
	encoded, err := ir.Encode(p)
	if err != nil {
		return err
	}
	schema := sql.HostedSchema(p)
	if target == analysis.Causetc {
		schema, err = sql.Schema(p, sql.Options{Schema: c.String("schema"), Fork: c.String("fork")})
		if err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{{"app.ir.json", encoded}, {"schema.sql", []byte(schema)}} {
		if err := writeFile(filepath.Join(dir, f.name), f.data); err != nil {
			return err
		}
		fmt.Fprintf(c.App.Writer, "%s (%s)\n", filepath.ToSlash(filepath.Join(dir, f.name)), countOf(len(f.data), "byte"))
	}
	return nil
}

// writeFile replaces a file at once, so that nobody ever reads half of it.
func writeFile(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".causetc-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // no longer there after a success
	if _, err := tmp.Write(data); err != nil {
		_ = tmp.Close()
		return err
	}
	if err := tmp.Chmod(0o644); err != nil {
		_ = tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
