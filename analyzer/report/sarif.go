package report

import (
	"encoding/json"
	"io"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/causetc/causetc/analyzer/ruledoc"
	"github.com/causetc/causetc/spec"
)

// Suppressed is a finding that a comment acknowledges.
type Suppressed struct {
	Finding spec.Diagnostic
	By      spec.Suppression
}

// Run is what a report in SARIF tells of a run.
type Run struct {
	Version    string            // of this program
	Rules      []spec.RuleDoc    // those that the findings may name
	Findings   []spec.Diagnostic // in the order of the report
	Suppressed []Suppressed      // they follow, marked as such
}

// fingerprintName names our fingerprints in SARIF; the number changes when they are made in another way.
const fingerprintName = "causetc/v1"

// sourceRoot stands for the working directory.
const sourceRoot = "%SRCROOT%"

// SARIF prints a run as a SARIF 2.1.0 log. Nothing in it depends on the machine or the time.
func SARIF(w io.Writer, set *spec.FileSet, run Run) error {
	s := newSarifRun(set, run)
	log := sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{s.run()}}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(log)
}

// sarifWriter turns the findings of a run into results.
type sarifWriter struct {
	set   *spec.FileSet
	in    Run
	all   []spec.Diagnostic // findings, then suppressed ones
	rules []spec.RuleDoc    // those that occur
	index map[string]int
}

func newSarifRun(set *spec.FileSet, in Run) *sarifWriter {
	s := &sarifWriter{set: set, in: in, all: slices.Clone(in.Findings), index: map[string]int{}}
	for _, x := range in.Suppressed {
		s.all = append(s.all, x.Finding)
	}
	occurs := map[string]bool{}
	for i := range s.all {
		occurs[s.all[i].Rule] = true
	}
	for _, doc := range in.Rules {
		if occurs[doc.ID] {
			s.index[doc.ID] = len(s.rules)
			s.rules = append(s.rules, doc)
		}
	}
	return s
}

func (s *sarifWriter) run() sarifRun {
	driver := sarifDriver{Name: "causetc", Version: s.in.Version, Rules: make([]sarifRule, 0, len(s.rules))}
	for _, doc := range s.rules {
		driver.Rules = append(driver.Rules, newSarifRule(doc))
	}
	out := sarifRun{
		Tool:             sarifTool{driver},
		Invocations:      []sarifInvocation{{ExecutionSuccessful: true}},
		BaseIDs:          map[string]sarifBase{sourceRoot: {Description: sarifText{"the working directory"}}},
		ColumnKind:       "unicodeCodePoints",
		NewlineSequences: []string{"\r\n", "\n", "\r"},
		Results:          make([]sarifResult, 0, len(s.all)),
	}
	prints := numbered(Fingerprints(s.set, s.all))
	for i := range s.all {
		r := s.result(&s.all[i])
		r.PartialFingerprints = map[string]string{fingerprintName: prints[i]}
		if n := i - len(s.in.Findings); n >= 0 {
			by := s.in.Suppressed[n].By
			r.Suppressions = append(r.Suppressions, sarifSuppression{Kind: "inSource", Justification: by.Reason, Location: s.location(by.Span, "")})
		}
		out.Results = append(out.Results, r)
	}
	return out
}

// numbered tells equal fingerprints apart by counting them.
func numbered(prints []string) []string {
	seen := map[string]int{}
	out := make([]string, len(prints))
	for i, p := range prints {
		seen[p]++
		out[i] = p + ":" + strconv.Itoa(seen[p])
	}
	return out
}

func newSarifRule(doc spec.RuleDoc) sarifRule {
	return sarifRule{
		ID: doc.ID, Name: doc.Name,
		Short: sarifText{doc.Title}, Full: sarifText{doc.Why},
		Help:          sarifHelp{Text: doc.Fix + " See " + DocPath(doc.ID) + ".", Markdown: string(ruledoc.Page(doc))},
		Configuration: sarifConfiguration{Level: sarifLevel(doc.Severity)},
	}
}

func sarifLevel(sev spec.Severity) string {
	switch sev {
	case spec.Error:
		return "error"
	case spec.Warning:
		return "warning"
	}
	return "note"
}

func (s *sarifWriter) result(d *spec.Diagnostic) sarifResult {
	r := sarifResult{
		RuleID: d.Rule, Level: sarifLevel(d.Severity), Message: sarifText{d.Message},
		Locations: []sarifLocation{}, Suppressions: []sarifSuppression{},
	}
	if i, ok := s.index[d.Rule]; ok {
		r.RuleIndex = &i
	}
	if l := s.location(d.Span, ""); l != nil {
		r.Locations = append(r.Locations, *l)
	}
	for _, rel := range d.Related {
		if l := s.location(rel.Span, rel.Message); l != nil {
			id := len(r.Related) + 1
			l.ID = &id
			r.Related = append(r.Related, *l)
		}
	}
	if flow := s.flow(d); len(flow) > 0 {
		r.CodeFlows = []sarifCodeFlow{{[]sarifThreadFlow{{flow}}}}
	}
	for _, f := range d.Fixes {
		if fix := s.fix(f); len(fix.Changes) > 0 {
			r.Fixes = append(r.Fixes, fix)
		}
	}
	return r
}

func (s *sarifWriter) flow(d *spec.Diagnostic) []sarifFlowLocation {
	var flow []sarifFlowLocation
	for _, hop := range d.Flow {
		if l := s.location(hop.Span, hop.Message); l != nil {
			flow = append(flow, sarifFlowLocation{Location: *l, Importance: "essential"})
		}
	}
	return flow
}

// fix groups the edits of a fix by file.
func (s *sarifWriter) fix(f spec.Fix) sarifFix {
	out := sarifFix{Description: sarifText{f.Message}}
	if f.Unsafe {
		out.Description.Text += " (may change what the program means)"
	}
	at := map[*spec.File]int{}
	for _, e := range f.Edits {
		file := s.set.File(e.Span.Start)
		if file == nil {
			continue
		}
		i, ok := at[file]
		if !ok {
			i = len(out.Changes)
			at[file] = i
			out.Changes = append(out.Changes, sarifChange{Artifact: artifact(file)})
		}
		out.Changes[i].Replacements = append(out.Changes[i].Replacements, sarifReplacement{region(file, e.Span), sarifText{e.New}})
	}
	return out
}

// location returns a place, or nil where there is none.
func (s *sarifWriter) location(span spec.Span, message string) *sarifLocation {
	f := s.set.File(span.Start)
	if f == nil {
		return nil
	}
	l := &sarifLocation{Physical: sarifPhysical{artifact(f), region(f, span)}}
	if message != "" {
		l.Message = &sarifText{message}
	}
	return l
}

func region(f *spec.File, span spec.Span) sarifRegion {
	start, end := f.Position(span.Start), f.Position(max(span.Start, span.End))
	return sarifRegion{start.Line, start.Column, end.Line, end.Column}
}

// artifact names a file by a URI: relative to the working directory where it lies below.
func artifact(f *spec.File) sarifArtifact {
	p := f.Path
	switch {
	case path.IsAbs(p):
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: p}).String()}
	case len(p) > 2 && p[1] == ':' && p[2] == '/': // a drive of Windows
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: "/" + p}).String()}
	}
	segments := strings.Split(p, "/")
	for i, seg := range segments {
		segments[i] = url.PathEscape(seg)
	}
	return sarifArtifact{URI: strings.ReplaceAll(strings.Join(segments, "/"), ":", "%3A"), Base: sourceRoot}
}
