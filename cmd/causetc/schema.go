package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/analyzer/config"
	"github.com/causetc/causetc/analyzer/report"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/parser"
)

func schemaCommand() *cli.Command {
	return &cli.Command{
		Name:      "schema",
		Usage:     "print a JSON Schema: of specs and of .causetc.yaml (for YAML editors), of findings, or of IR files",
		ArgsUsage: "[spec|config|findings|ir]",
		Action: func(c *cli.Context) error {
			if c.NArg() > 1 {
				return usagef("schema takes one name, got %s", countOf(c.NArg(), "argument"))
			}
			schemas := map[string]func() []byte{
				"": parser.JSONSchema, "spec": parser.JSONSchema, "findings": report.Schema, "ir": ir.JSONSchema,
				"config": func() []byte { return config.Schema(allRules()) },
			}
			schema, ok := schemas[c.Args().First()]
			if !ok {
				return usagef("there is no schema %q: use spec, config, findings or ir", c.Args().First())
			}
			_, err := c.App.Writer.Write([]byte(strings.TrimRight(string(schema()), "\n") + "\n"))
			return err
		},
	}
}
