package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/causetc/causetc/ir/expr"
)

// tableRows is a table's or a query's result for printing.
type tableRows struct {
	Name    string         `json:"name"`
	Columns []string       `json:"columns"`
	Rows    [][]expr.Value `json:"rows"`
}

// printTable writes rows aligned under their columns, at most limit of them (0: all), and says how many there are.
func printTable(w io.Writer, t tableRows, limit int) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s (%s)\n", t.Name, countOf(len(t.Rows), "row"))
	tab := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if len(t.Rows) > 0 {
		line := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			line[i] = escaped(c)
		}
		fmt.Fprintf(tab, "  %s\n", strings.Join(line, "\t"))
	}
	shown := len(t.Rows)
	if limit > 0 {
		shown = min(shown, limit)
	}
	for _, row := range t.Rows[:shown] {
		line := make([]string, len(row))
		for i, v := range row {
			line[i] = cellText(v)
		}
		fmt.Fprintf(tab, "  %s\n", strings.Join(line, "\t"))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if shown < len(t.Rows) {
		fmt.Fprintf(out, "  ... and %d more; --rows 0 prints all\n", len(t.Rows)-shown)
	}
	return out.Flush()
}

// cellText shows a value so that NULL, an empty text and the text NULL can be told apart.
func cellText(v expr.Value) string {
	if v.IsNull() {
		return "NULL"
	}
	text := v.Text()
	if s, ok := v.AsString(); ok && (s == "" || s == "NULL" || strings.TrimSpace(s) != s) {
		return strconv.Quote(s)
	}
	return escaped(text)
}

// escaped keeps control characters of data from a terminal.
func escaped(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return s
	}
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
