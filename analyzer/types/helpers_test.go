package types_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/analyzer/types"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// envelope is that of the samples' events.
var envelope = expr.Envelope{Type: expr.String("SHOWN"), TS: expr.Int(1_700_000_000_000), EntityID: expr.String("e")}

// checked is a program whose expressions have been typed.
type checked struct {
	info     *types.Info
	sites    []sites.Site
	problems map[*spec.Expr][]types.Problem
}

// typed reads and types a program.
func typed(t *testing.T, text string) checked {
	t.Helper()
	r, err := parser.Load(context.Background(), parser.Options{Args: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	table := symbols.New(r.Program)
	c := checked{sites: sites.List(r.Program, table), problems: map[*spec.Expr][]types.Problem{}}
	c.info = types.Build(r.Program, table, c.sites)
	for _, p := range c.info.Problems {
		c.problems[p.Site.Expr] = append(c.problems[p.Site.Expr], p)
	}
	return c
}

// check types expressions of a projection over the payload.
func check(t *testing.T, exprs []string) checked {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "events:\n  SHOWN:\n    payload: { %s }\n", payload)
	b.WriteString("projections:\n  shows:\n    source_events: [SHOWN]\n    target: { table: shows, primary_key: [e0] }\n    derive:\n")
	for i, e := range exprs {
		fmt.Fprintf(&b, "      e%d: %q\n", i, e)
	}
	return typed(t, strings.Replace(b.String(), "  SHOWN:\n", "  SHOWN:\n    state: show\n", 1))
}
