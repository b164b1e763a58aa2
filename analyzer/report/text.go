// Package report prints findings: as text for people and problem matchers, and as JSON for programs.
package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/causetc/causetc/spec"
)

// TextOptions says how findings are printed as text.
type TextOptions struct {
	// Color adds ANSI colours; the caller knows whether the output is a terminal.
	Color bool
	// Brief prints only the first line of each finding.
	Brief bool
	lead  string // what each finding begins with
}

// Text prints findings for people. Each begins with one line "file:line:col: severity: message [RULE]"; the source with
// the place underlined, related places and the flow follow, indented.
func Text(w io.Writer, set *spec.FileSet, findings []spec.Diagnostic, opts TextOptions) error {
	t := &textPrinter{out: bufio.NewWriter(w), set: set, opts: opts}
	for i := range findings {
		t.finding(&findings[i])
	}
	return t.out.Flush()
}

type textPrinter struct {
	out  *bufio.Writer
	set  *spec.FileSet
	opts TextOptions
}

// The colours of a terminal.
const (
	bold   = "1"
	red    = "1;31"
	yellow = "1;33"
	blue   = "1;34"
	gray   = "2"
)

func colorOf(s spec.Severity) string {
	switch s {
	case spec.Error:
		return red
	case spec.Warning:
		return yellow
	}
	return blue
}

// paint wraps a text in a colour.
func (t *textPrinter) paint(color, s string) string {
	if !t.opts.Color {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

func (t *textPrinter) finding(d *spec.Diagnostic) {
	fmt.Fprintf(t.out, "%s%s: %s: %s %s\n", t.opts.lead, t.paint(bold, t.place(d.Span)), t.paint(colorOf(d.Severity), d.Severity.String()),
		oneLine(d.Message), t.paint(gray, "["+d.Rule+"]"))
	if t.opts.Brief {
		return
	}
	t.snippet(d.Span, colorOf(d.Severity))
	for i, hop := range d.Flow {
		fmt.Fprintf(t.out, "    %d. %s: %s\n", i+1, t.place(hop.Span), oneLine(hop.Message))
	}
	for _, r := range d.Related {
		fmt.Fprintf(t.out, "    see %s: %s\n", t.place(r.Span), oneLine(r.Message))
	}
	for _, f := range d.Fixes {
		kind := "fix"
		if f.Unsafe {
			kind = "unsafe fix"
		}
		fmt.Fprintf(t.out, "    %s: %s\n", kind, oneLine(f.Message))
	}
}

// place prints where a span starts, as file:line:col.
func (t *textPrinter) place(s spec.Span) string {
	f := t.set.File(s.Start)
	if f == nil {
		return "-:1:1"
	}
	p := f.Position(s.Start)
	return oneLine(f.Path) + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// snippet prints the line of a span with the span underlined; of a span over several lines, the first.
func (t *textPrinter) snippet(s spec.Span, color string) {
	f := t.set.File(s.Start)
	if f == nil {
		return
	}
	number := f.Position(s.Start).Line
	line, start := f.Line(number)
	from := min(max(f.Offset(s.Start)-start, 0), len(line))
	to := min(max(f.Offset(s.End)-start, from), len(line))
	shown, before, under := layout(line, from, to)
	gutter := strconv.Itoa(number)
	fmt.Fprintf(t.out, "%s %s\n", t.paint(gray, "  "+gutter+" |"), shown)
	fmt.Fprintf(t.out, "%s %s%s\n", t.paint(gray, "  "+strings.Repeat(" ", len(gutter))+" |"), strings.Repeat(" ", before),
		t.paint(color, strings.Repeat("^", max(under, 1))))
}

// oneLine keeps a text on its line and a terminal safe: control characters become visible ones.
func oneLine(s string) string {
	if strings.IndexFunc(s, isControl) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return visible(r)
		}
		return r
	}, s)
}
