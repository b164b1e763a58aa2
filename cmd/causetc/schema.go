package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/analyzer/report"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/parser"
)

func schemaCommand() *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print a JSON Schema: of specs (for YAML editors), of findings, or of IR files",
		ArgsUsage: "[spec|findings|ir]",
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				return usagef("schema takes one name, got %s", countOf(c.NArg(), "argument"))
			}
			schemas := map[string]func() []byte{
				"": parser.JSONSchema, "spec": parser.JSONSchema, "findings": report.Schema, "ir": ir.JSONSchema,
			}
			schema, ok := schemas[c.Args().First()]
			if !ok {
				return usagef("there is no schema %q: use spec, findings or ir", c.Args().First())
			}
			_, err := c.App.Writer.Write([]byte(strings.TrimRight(string(schema()), "\n") + "\n"))
			return err
		},
	}
}
