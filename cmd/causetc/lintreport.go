package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/analyzer/report"
	"github.com/causetc/causetc/spec"
)

// reportFile is a file that the report goes to, besides standard output.
type reportFile struct {
	path, format string
}

// reportFile reads --output. A file without a format of its own takes that of --format, and standard output has text.
func (l *linter) reportFile(text string) (*reportFile, error) {
	if text == "" {
		return nil, nil
	}
	if format, path, ok := strings.Cut(text, "="); ok && slices.Contains(lintFormats, format) {
		if path == "" {
			return nil, usagef("--output %s: name a file", text)
		}
		return &reportFile{path: path, format: format}, nil
	}
	f := &reportFile{path: text, format: l.format}
	l.format = "text"
	return f, nil
}

// report prints what a run found, and returns the error that it ends with.
func (l *linter) report(v *verdict) error {
	if f := l.output; f != nil {
		var b bytes.Buffer
		if err := l.write(&b, f.format, v, report.TextOptions{}); err != nil {
			return err
		}
		if err := saveReport(f.path, b.Bytes()); err != nil {
			return pathError("output", f.path, err)
		}
	}
	opts := report.TextOptions{Color: isTerminal(l.c.App.Writer), Brief: l.c.Bool("quiet")}
	var err error
	if l.c.Bool("statistics") {
		err = statistics(l.c.App.Writer, v.findings)
	} else {
		err = l.write(l.c.App.Writer, l.format, v, opts)
	}
	if err != nil {
		return err
	}
	if err := l.noteGone(v.gone); err != nil {
		return err
	}
	return l.outcome(v.findings)
}

// write prints findings in a format.
func (l *linter) write(w io.Writer, format string, v *verdict, opts report.TextOptions) error {
	set := v.program.Set
	findings := analyzer.Cap(set, v.findings, 0)
	switch format {
	case "json":
		return report.JSON(w, set, findings)
	case "github":
		return report.GitHub(w, set, findings)
	case "gitlab":
		return report.GitLab(w, set, findings)
	case "sarif":
		run := report.Run{Version: versionText(), Rules: allRules(), Findings: findings}
		for _, s := range v.suppressed {
			run.Suppressed = append(run.Suppressed, report.Suppressed(s))
		}
		return report.SARIF(w, set, run)
	}
	return report.Text(w, set, findings, opts)
}

// saveReport makes or replaces a file; what is none, such as a device, is written to.
func saveReport(path string, text []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, text, 0)
	}
	return writeFile(path, text)
}

// statistics prints how many findings each rule has, those with the most first.
func statistics(w io.Writer, findings []spec.Diagnostic) error {
	counts := map[string]int{}
	for _, d := range findings {
		counts[d.Rule]++
	}
	docs := slices.DeleteFunc(allRules(), func(d spec.RuleDoc) bool { return counts[d.ID] == 0 })
	slices.SortStableFunc(docs, func(a, b spec.RuleDoc) int { return counts[b.ID] - counts[a.ID] })
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, d := range docs {
		fmt.Fprintf(tab, "%d\t  %s  %s\n", counts[d.ID], d.ID, d.Name)
	}
	return tab.Flush()
}

// suppressedItem is one suppression as JSON.
type suppressedItem struct {
	Rules  []string        `json:"rules"`
	Reason string          `json:"reason"`
	File   string          `json:"file"`
	Start  report.Position `json:"start"`
	Whole  bool            `json:"wholeFile"`
	Count  int             `json:"findings"` // that it suppresses
}

// suppressions lists the suppressions of a program.
func (l *linter) suppressions() error {
	if l.format != "text" && l.format != "json" {
		return usagef("--suppressions prints text or json")
	}
	v, err := l.judge(l.c.Context, nil)
	if err != nil {
		return err
	}
	counts := map[spec.Pos]int{}
	for _, s := range v.suppressed {
		counts[s.By.Span.Start]++
	}
	items := []suppressedItem{}
	for _, s := range v.program.Suppressions {
		f := v.program.Set.File(s.Span.Start)
		item := suppressedItem{Rules: []string{}, Reason: s.Reason, File: f.Path, Start: report.Position(f.Position(s.Span.Start)), Whole: s.Whole, Count: counts[s.Span.Start]}
		for _, r := range s.Rules {
			item.Rules = append(item.Rules, r.ID)
		}
		items = append(items, item)
	}
	if l.format == "json" {
		e := json.NewEncoder(l.c.App.Writer)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(items)
	}
	return printSuppressions(l.c.App.Writer, items)
}

func printSuppressions(w io.Writer, items []suppressedItem) error {
	for _, s := range items {
		where := ""
		if s.Whole {
			where = " in the whole file"
		}
		reason := s.Reason
		if reason == "" {
			reason = "no reason given, so it does not count"
		}
		_, err := fmt.Fprintf(w, "%s:%d:%d: %s%s (%s): %s\n", s.File, s.Start.Line, s.Start.Column, strings.Join(s.Rules, ", "), where, countOf(s.Count, "finding"), reason)
		if err != nil {
			return err
		}
	}
	return nil
}
