package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/analyzer/ruledoc"
	"github.com/causetc/causetc/codegen"
	"github.com/causetc/causetc/spec"
)

// allRules are the rules of every stage, by id.
func allRules() []spec.RuleDoc {
	docs := slices.Concat(analyzer.Rules(), codegen.Rules())
	slices.SortFunc(docs, func(a, b spec.RuleDoc) int { return strings.Compare(a.ID, b.ID) })
	return docs
}

func rulesCommand() *cli.Command {
	return &cli.Command{
		Name:  "rules",
		Usage: "list the rules",
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			tab := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
			for _, d := range allRules() {
				fmt.Fprintf(tab, "%s\t%s\t%s\t%s\n", d.ID, d.Name, d.Severity, d.Title)
			}
			return tab.Flush()
		},
	}
}

func explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "say what a rule finds, why, and what to write instead",
		ArgsUsage: "RULE",
		Action: func(c *cli.Context) error {
			id, err := oneArgument(c, "a rule")
			if err != nil {
				return err
			}
			for _, d := range allRules() {
				if strings.EqualFold(d.ID, id) || d.Name == id {
					_, err := c.App.Writer.Write(ruledoc.Page(d))
					return err
				}
			}
			return usagef("there is no rule %q; `causetc rules` lists them", id)
		},
	}
}
