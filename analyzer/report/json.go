package report

import (
	_ "embed"
	"encoding/json"
	"io"

	"github.com/causetc/causetc/spec"
)

// Version is the version of the JSON document. It changes only when a field changes its meaning or goes away.
const Version = 1

// Document is the JSON form of a run.
type Document struct {
	Version  int       `json:"version"`
	Findings []Finding `json:"findings"`
	Summary  Summary   `json:"summary"`
}

// Finding is one finding. End is exclusive.
type Finding struct {
	Rule     string     `json:"rule"`
	Severity string     `json:"severity"`
	Message  string     `json:"message"`
	File     string     `json:"file"`
	Start    Position   `json:"start"`
	End      Position   `json:"end"`
	Related  []Location `json:"related"`
	Flow     []Location `json:"flow"`
	Fixes    []Fix      `json:"fixes"`
	Doc      string     `json:"doc"` // path of the rule's page in the repository
}

// Position is a place: line and columns are 1-based, the offset is in bytes from 0. Column counts code points, UTF16
// code units.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	UTF16  int `json:"utf16"`
	Offset int `json:"offset"`
}

// Location is a place with a word about it.
type Location struct {
	File    string   `json:"file"`
	Start   Position `json:"start"`
	End     Position `json:"end"`
	Message string   `json:"message"`
}

// Fix is a change that mends a finding. An unsafe one may change what the program means.
type Fix struct {
	Message string `json:"message"`
	Unsafe  bool   `json:"unsafe"`
	Edits   []Edit `json:"edits"`
}

// Edit replaces the text of a place.
type Edit struct {
	File  string   `json:"file"`
	Start Position `json:"start"`
	End   Position `json:"end"`
	New   string   `json:"new"`
}

// Summary counts findings by severity, and the files of the program.
type Summary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Hints    int `json:"hints"`
	Files    int `json:"files"`
}

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema (draft 2020-12) of the document.
func Schema() []byte { return append([]byte(nil), schema...) }

// JSON prints findings as one document.
func JSON(w io.Writer, set *spec.FileSet, findings []spec.Diagnostic) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(NewDocument(set, findings))
}

// NewDocument makes the document of findings.
func NewDocument(set *spec.FileSet, findings []spec.Diagnostic) Document {
	c := converter{set}
	doc := Document{Version: Version, Findings: []Finding{}, Summary: Summarize(findings)}
	doc.Summary.Files = len(set.Files())
	for i := range findings {
		doc.Findings = append(doc.Findings, c.finding(&findings[i]))
	}
	return doc
}

// Summarize counts findings by severity.
func Summarize(findings []spec.Diagnostic) Summary {
	var s Summary
	for _, d := range findings {
		switch d.Severity {
		case spec.Error:
			s.Errors++
		case spec.Warning:
			s.Warnings++
		case spec.Info:
			s.Infos++
		default:
			s.Hints++
		}
	}
	return s
}

// DocPath returns the path of a rule's page in the repository.
func DocPath(rule string) string { return "docs/rules/" + rule + ".md" }

type converter struct {
	set *spec.FileSet
}

func (c converter) finding(d *spec.Diagnostic) Finding {
	f := Finding{Rule: d.Rule, Severity: d.Severity.String(), Message: d.Message, Doc: DocPath(d.Rule), Fixes: []Fix{}}
	f.File, f.Start, f.End = c.place(d.Span)
	f.Related, f.Flow = c.locations(d.Related), c.locations(d.Flow)
	for _, fix := range d.Fixes {
		out := Fix{Message: fix.Message, Unsafe: fix.Unsafe, Edits: []Edit{}}
		for _, e := range fix.Edits {
			edit := Edit{New: e.New}
			edit.File, edit.Start, edit.End = c.place(e.Span)
			out.Edits = append(out.Edits, edit)
		}
		f.Fixes = append(f.Fixes, out)
	}
	return f
}

func (c converter) locations(list []spec.Related) []Location {
	out := make([]Location, 0, len(list))
	for _, r := range list {
		l := Location{Message: r.Message}
		l.File, l.Start, l.End = c.place(r.Span)
		out = append(out, l)
	}
	return out
}

func (c converter) place(s spec.Span) (file string, start, end Position) {
	f := c.set.File(s.Start)
	if f == nil {
		first := Position{Line: 1, Column: 1, UTF16: 1}
		return "", first, first
	}
	return f.Path, Position(f.Position(s.Start)), Position(f.Position(max(s.Start, s.End)))
}
