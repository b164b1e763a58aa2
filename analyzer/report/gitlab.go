package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"

	"github.com/causetc/causetc/spec"
)

// codeQuality is one finding of a GitLab code quality report.
type codeQuality struct {
	Description string              `json:"description"`
	CheckName   string              `json:"check_name"`
	Fingerprint string              `json:"fingerprint"`
	Severity    string              `json:"severity"`
	Location    codeQualityLocation `json:"location"`
}

type codeQualityLocation struct {
	Path  string           `json:"path"`
	Lines codeQualityLines `json:"lines"`
}

type codeQualityLines struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

// GitLab prints findings as a GitLab code quality report. Each has a fingerprint of its own there.
func GitLab(w io.Writer, set *spec.FileSet, findings []spec.Diagnostic) error {
	c := converter{set}
	prints := numbered(Fingerprints(set, findings))
	list := make([]codeQuality, 0, len(findings))
	for i := range findings {
		d := &findings[i]
		file, start, end := c.place(d.Span)
		if file == "" {
			file = "." // GitLab takes no finding without a path
		}
		sum := sha256.Sum256([]byte(prints[i]))
		list = append(list, codeQuality{
			Description: d.Message, CheckName: d.Rule, Fingerprint: hex.EncodeToString(sum[:16]), Severity: gitlabSeverity(d.Severity),
			Location: codeQualityLocation{Path: file, Lines: codeQualityLines{Begin: start.Line, End: end.Line}},
		})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(list)
}

func gitlabSeverity(s spec.Severity) string {
	switch s {
	case spec.Error:
		return "critical"
	case spec.Warning:
		return "major"
	case spec.Info:
		return "minor"
	}
	return "info"
}
