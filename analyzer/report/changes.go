package report

import (
	"encoding/json"
	"io"

	"github.com/causetc/causetc/spec"
)

// Judged is a program's files and what has been found in them.
type Judged struct {
	Set      *spec.FileSet
	Findings []spec.Diagnostic
}

// Changes is what a later look at a program finds other than an earlier one.
type Changes struct {
	New   Judged // not found before
	Gone  Judged // found before, not any more
	Total Summary
}

// Compare returns what has changed. A finding that has only moved within its file is the same; of several that nothing but
// their lines tells apart, the last are the new or gone ones.
func Compare(before, after Judged) Changes {
	was, is := before.keys(), after.keys()
	c := Changes{Total: Summarize(after.Findings)}
	c.Total.Files = len(after.Set.Files())
	c.New = Judged{after.Set, without(after.Findings, is, was)}
	c.Gone = Judged{before.Set, without(before.Findings, was, is)}
	return c
}

// changeKey is what makes two findings the same one for who has read the first.
type changeKey struct {
	file, print, message string
	severity             spec.Severity
}

func (j Judged) keys() []changeKey {
	keys := make([]changeKey, len(j.Findings))
	for i, print := range Fingerprints(j.Set, j.Findings) {
		d := &j.Findings[i]
		keys[i] = changeKey{print: print, message: d.Message, severity: d.Severity}
		if f := j.Set.File(d.Span.Start); f != nil {
			keys[i].file = f.Path
		}
	}
	return keys
}

// without returns the findings whose keys are not among others, as often as they are there.
func without(findings []spec.Diagnostic, keys, others []changeKey) []spec.Diagnostic {
	left := map[changeKey]int{}
	for _, k := range others {
		left[k]++
	}
	var rest []spec.Diagnostic
	for i, k := range keys {
		if left[k] > 0 {
			left[k]--
			continue
		}
		rest = append(rest, findings[i])
	}
	return rest
}

// changesDocument is the JSON form of changes.
type changesDocument struct {
	Version int       `json:"version"`
	New     []Finding `json:"new"`
	Gone    []Finding `json:"gone"`
	Summary Summary   `json:"summary"` // of all findings
}

// ChangesJSON prints changes as one line.
func ChangesJSON(w io.Writer, c Changes) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(changesDocument{
		Version: Version, Summary: c.Total,
		New: NewDocument(c.New.Set, c.New.Findings).Findings, Gone: NewDocument(c.Gone.Set, c.Gone.Findings).Findings,
	})
}

// ChangesText prints changes for people: the new findings as Text does, and a line for each that is gone.
func ChangesText(w io.Writer, c Changes, opts TextOptions) error {
	if err := Text(w, c.New.Set, c.New.Findings, opts); err != nil {
		return err
	}
	opts.Brief, opts.lead = true, "gone: "
	return Text(w, c.Gone.Set, c.Gone.Findings, opts)
}
