package main

import (
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"text/tabwriter"

	"github.com/causetc/causetc/runtime/worker"
)

// runResult is what a run that has an end prints: one JSON document, or the same for people.
type runResult struct {
	Version   int           `json:"version"` // of this document
	App       string        `json:"app"`
	Published int           `json:"published"` // lines of event files sent to the topic by this run
	Groups    []groupResult `json:"groups"`
	Tables    []tableRows   `json:"tables"`
}

// groupResult counts what happened to the records in one table group.
type groupResult struct {
	Group       string `json:"group"`
	Records     int    `json:"records"`
	Applied     int    `json:"applied"`
	Duplicates  int    `json:"duplicates"`
	Skipped     int    `json:"skipped"`
	Retries     int    `json:"retries"`
	DeadLetters int    `json:"deadLetters"`
}

func groupResults(report *worker.Report) []groupResult {
	results := []groupResult{}
	for _, g := range report.Groups {
		results = append(results, groupResult{
			Group: g.Group, Records: g.Records, Applied: g.Applied, Duplicates: g.Duplicates,
			Skipped: g.Skipped, Retries: g.Retries, DeadLetters: g.Dead,
		})
	}
	return results
}

func (r *runResult) dead() (n int) {
	for _, g := range r.Groups {
		n += g.DeadLetters
	}
	return n
}

func (r *runResult) print(w io.Writer, asJSON bool, rows int) error {
	sort.Slice(r.Tables, func(i, k int) bool { return r.Tables[i].Name < r.Tables[k].Name })
	if asJSON {
		return json.NewEncoder(w).Encode(r)
	}
	for _, t := range r.Tables {
		if err := printTable(w, t, rows); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if r.Published > 0 {
		fmt.Fprintf(w, "%s published\n", countOf(r.Published, "event"))
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "records\tapplied\tduplicates\tskipped\tretries\tdead letters\t  group")
	for _, g := range r.Groups {
		fmt.Fprintf(tab, "%d\t%d\t%d\t%d\t%d\t%d\t  %s\n", g.Records, g.Applied, g.Duplicates, g.Skipped, g.Retries, g.DeadLetters, g.Group)
	}
	return tab.Flush()
}
