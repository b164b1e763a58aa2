// Package baseline remembers the findings that a program has, so that a later run can tell the new ones from them.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/causetc/causetc/analyzer/report"
	"github.com/causetc/causetc/spec"
)

// version is that of the file. It changes when older programs could misread it, or fingerprints are made in another way.
const version = 1

// maxSize bounds what is read, in bytes.
const maxSize = 256 << 20

// Entry is one finding, or several that nothing but their lines tells apart.
type Entry struct {
	File        string `json:"file"` // relative to the folder of the baseline, with slashes
	Rule        string `json:"rule"`
	Message     string `json:"message"` // for people; it decides nothing
	Fingerprint string `json:"fingerprint"`
	Count       int    `json:"count"`
}

// Baseline is a list of known findings.
type Baseline struct {
	entries []Entry
	dir     string // absolute
}

// document is the form of the file.
type document struct {
	Version  int     `json:"version"`
	Findings []Entry `json:"findings"`
}

// key is what makes two findings the same one.
type key struct{ file, print string }

// New makes the baseline of findings, for a file at path.
func New(path string, set *spec.FileSet, findings []spec.Diagnostic) (*Baseline, error) {
	b, err := empty(path)
	if err != nil {
		return nil, err
	}
	prints := report.Fingerprints(set, findings)
	at := map[key]int{}
	for i := range findings {
		k := key{b.file(set, &findings[i]), prints[i]}
		n, ok := at[k]
		if !ok {
			n = len(b.entries)
			at[k] = n
			b.entries = append(b.entries, Entry{File: k.file, Rule: findings[i].Rule, Message: findings[i].Message, Fingerprint: k.print})
		}
		b.entries[n].Count++
	}
	slices.SortFunc(b.entries, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Message, y.Message), cmp.Compare(x.Fingerprint, y.Fingerprint))
	})
	return b, nil
}

func empty(path string) (*Baseline, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	return &Baseline{dir: filepath.Dir(abs), entries: []Entry{}}, nil
}

// file returns the path of a finding's file relative to the baseline, so that it does not matter where lint is started.
func (b *Baseline) file(set *spec.FileSet, d *spec.Diagnostic) string {
	f := set.File(d.Span.Start)
	if f == nil {
		return ""
	}
	abs, err := filepath.Abs(filepath.FromSlash(f.Path))
	if err != nil {
		return f.Path
	}
	rel, err := filepath.Rel(b.dir, abs)
	if err != nil {
		return f.Path
	}
	return filepath.ToSlash(rel)
}

// Bytes returns the file's content: the same for the same findings.
func (b *Baseline) Bytes() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(document{Version: version, Findings: b.entries})
	return out.Bytes(), err
}

// Len returns how many findings the baseline holds.
func (b *Baseline) Len() int {
	n := 0
	for _, e := range b.entries {
		n += e.Count
	}
	return n
}

// Read reads a baseline that was written before.
func Read(path string) (*Baseline, error) {
	b, err := empty(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	case info.Size() > maxSize:
		return nil, fmt.Errorf("%s has more than %d bytes", path, maxSize)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var doc document
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("%s is not a baseline: %w", path, err)
	}
	if doc.Version != version {
		return nil, fmt.Errorf("%s is a baseline of version %d, and this program knows version %d; write it again", path, doc.Version, version)
	}
	b.entries = doc.Findings
	return b, nil
}

// Compare returns the findings that the baseline does not hold, and the entries that no longer occur, each with how often
// it is missed. An entry stands first for findings of its own file, then for the same finding in another file, to which
// its text may have moved. Of several equal findings the first are the known ones.
func (b *Baseline) Compare(set *spec.FileSet, findings []spec.Diagnostic) (fresh []spec.Diagnostic, gone []Entry) {
	prints := report.Fingerprints(set, findings)
	left := map[key]int{}
	for _, e := range b.entries {
		left[key{e.File, e.Fingerprint}] += max(e.Count, 0)
	}
	known := make([]bool, len(findings))
	for i := range findings {
		k := key{b.file(set, &findings[i]), prints[i]}
		if left[k] > 0 {
			left[k]--
			known[i] = true
		}
	}
	elsewhere := b.moved(left)
	fresh = []spec.Diagnostic{}
	for i := range findings {
		if !known[i] && !take(elsewhere[prints[i]], left) {
			fresh = append(fresh, findings[i])
		}
	}
	for _, e := range b.entries {
		if k := (key{e.File, e.Fingerprint}); left[k] > 0 {
			e.Count = left[k]
			left[k] = 0
			gone = append(gone, e)
		}
	}
	return fresh, gone
}

// moved lists by fingerprint the entries that have not been met in their own file.
func (b *Baseline) moved(left map[key]int) map[string][]key {
	byPrint := map[string][]key{}
	for _, e := range b.entries {
		k := key{e.File, e.Fingerprint}
		if left[k] > 0 && !slices.Contains(byPrint[e.Fingerprint], k) {
			byPrint[e.Fingerprint] = append(byPrint[e.Fingerprint], k)
		}
	}
	return byPrint
}

// take uses up one finding of the first entry that has one left.
func take(keys []key, left map[key]int) bool {
	for _, k := range keys {
		if left[k] > 0 {
			left[k]--
			return true
		}
	}
	return false
}
