package parser

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/causetc/causetc/spec"
)

// TestRules runs the examples of every rule: the bad one has the finding, the good one has none.
func TestRules(t *testing.T) {
	last := ""
	for _, rule := range Rules() {
		t.Run(rule.ID+" "+rule.Name, func(t *testing.T) {
			if rule.ID <= last || !regexp.MustCompile(`^CS[12]\d\d$`).MatchString(rule.ID) {
				t.Errorf("%s behind %s", rule.ID, last)
			}
			last = rule.ID
			for what, text := range map[string]string{"name": rule.Name, "title": rule.Title, "why": rule.Why, "fix": rule.Fix, "since": rule.Since} {
				if text == "" {
					t.Errorf("no %s", what)
				}
			}
			good := loadAs(t, "one.causet", rule.Good)
			if len(good.Diagnostics) > 0 {
				t.Errorf("the good example has findings:\n%s", show(good))
			}
			if rule.ID == ruleNotIncluded {
				return // needs a program around it: TestStdinFilename
			}
			bad := loadAs(t, "one.causet", rule.Bad)
			i := slices.IndexFunc(bad.Diagnostics, func(d spec.Diagnostic) bool { return d.Rule == rule.ID })
			if i < 0 {
				t.Fatalf("the bad example has no such finding:\n%s", show(bad))
			}
			if d := bad.Diagnostics[i]; d.Severity != rule.Severity || !d.Span.IsValid() {
				t.Errorf("severity %v at %v", d.Severity, d.Span)
			}
			for _, d := range bad.Diagnostics {
				if d.Rule != rule.ID {
					t.Errorf("the bad example has other findings:\n%s", show(bad))
				}
			}
		})
	}
}

// loadAs loads a text as a file.
func loadAs(t *testing.T, name, text string) *Result {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Load(context.Background(), Options{Args: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
