package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/causetc/causetc/spec"
)

// The limits of GitHub on what a step may annotate: it drops further annotations of a level without a word.
const (
	githubPerLevel = 10
	githubTitle    = 255    // characters
	githubMessage  = 10_000 // characters; GitHub takes more, people don't
)

// GitHub prints findings as workflow commands, which GitHub Actions shows as annotations beside the source. A step may
// annotate ten places a level; further findings are plain lines in the log, and a last notice says how many they are.
func GitHub(w io.Writer, set *spec.FileSet, findings []spec.Diagnostic) error {
	g := &githubPrinter{out: bufio.NewWriter(w), text: textPrinter{set: set}, room: githubRoom(findings), left: map[string]int{}}
	for i := range findings {
		g.finding(&findings[i])
	}
	if rest := g.rest(); rest != "" {
		fmt.Fprintf(g.out, "::notice title=causetc::%s\n", commandData(rest))
	}
	return g.out.Flush()
}

type githubPrinter struct {
	out  *bufio.Writer
	text textPrinter
	room map[string]int // annotations that are left, by level
	left map[string]int // findings without annotation, by level
}

// githubRoom returns how many annotations of each level there may be; where some are left out, the notice about them needs
// a place too.
func githubRoom(findings []spec.Diagnostic) map[string]int {
	room := map[string]int{"error": githubPerLevel, "warning": githubPerLevel, "notice": githubPerLevel}
	counts := map[string]int{}
	for i := range findings {
		counts[githubLevel(findings[i].Severity)]++
	}
	for level, n := range counts {
		if n > room[level] {
			room["notice"] = githubPerLevel - 1
		}
	}
	return room
}

func githubLevel(s spec.Severity) string {
	switch s {
	case spec.Error:
		return "error"
	case spec.Warning:
		return "warning"
	}
	return "notice"
}

func (g *githubPrinter) finding(d *spec.Diagnostic) {
	level := githubLevel(d.Severity)
	if g.room[level] == 0 {
		g.left[level]++
		fmt.Fprintf(g.out, "%s: %s: %s [%s]\n", notCommand(g.text.place(d.Span)), d.Severity, oneLine(d.Message), d.Rule)
		return
	}
	g.room[level]--
	fmt.Fprintf(g.out, "::%s %stitle=%s::%s\n", level, g.place(d.Span), commandProperty(shortened(d.Rule, githubTitle)),
		commandData(shortened(d.Message, githubMessage)))
}

// place prints the properties of a place; columns only on one line, as GitHub wants it.
func (g *githubPrinter) place(s spec.Span) string {
	f := g.text.set.File(s.Start)
	if f == nil {
		return ""
	}
	start, end := f.Position(s.Start), f.Position(max(s.Start, s.End))
	at := fmt.Sprintf("file=%s,line=%d,endLine=%d,", commandProperty(f.Path), start.Line, end.Line)
	if start.Line == end.Line {
		at += fmt.Sprintf("col=%d,endColumn=%d,", start.Column, end.Column)
	}
	return at
}

// rest says how many findings have no annotation, or nothing.
func (g *githubPrinter) rest() string {
	var parts []string
	total := 0
	for _, level := range []string{"error", "warning", "notice"} {
		if n := g.left[level]; n > 0 {
			total += n
			word := level
			if n > 1 {
				word += "s"
			}
			parts = append(parts, fmt.Sprintf("%d more %s", n, word))
		}
	}
	if total == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + " in the log of this step: GitHub shows ten annotations of a level"
}

// notCommand keeps a line of the log from being taken for a command, whatever a file is called.
func notCommand(line string) string {
	if trimmed := strings.TrimLeft(line, " "); strings.HasPrefix(trimmed, "::") || strings.HasPrefix(trimmed, "##[") {
		return "./" + line
	}
	return line
}

func shortened(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// commandData escapes the message of a workflow command.
func commandData(s string) string { return dataEscapes.Replace(s) }

// commandProperty escapes a property of a workflow command.
func commandProperty(s string) string { return propertyEscapes.Replace(s) }
