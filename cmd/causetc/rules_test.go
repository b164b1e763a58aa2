package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer/ruledoc"
)

// TestRulePages holds docs/rules to the rules: every rule has its page and the index, and there is no other page.
func TestRulePages(t *testing.T) {
	dir := "../../docs/rules"
	docs := allRules()
	want := map[string]bool{"README.md": true}
	golden(t, filepath.Join(dir, "README.md"), ruledoc.Index(docs))
	for i, d := range docs {
		if i > 0 && docs[i-1].ID == d.ID {
			t.Errorf("two rules are called %s", d.ID)
		}
		if d.Title == "" || d.Why == "" || d.Fix == "" || d.Name == "" || d.Since == "" || d.Severity == 0 {
			t.Errorf("%s lacks a part of its documentation: %+v", d.ID, d)
		}
		name := d.ID + ".md"
		want[name] = true
		golden(t, filepath.Join(dir, name), ruledoc.Page(d))
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !want[e.Name()] {
			t.Errorf("docs/rules/%s belongs to no rule", e.Name())
		}
	}
}

func TestExplain(t *testing.T) {
	causetc(t, "explain", "CS601").want(t, exitClean, "counter-without-dedup", "## Why", "## Good")
	causetc(t, "explain", "counter-without-dedup").want(t, exitClean, "# CS601")
	causetc(t, "explain", "CS999x").want(t, exitUsage, "causetc rules")
	if out := causetc(t, "rules").stdout; strings.Count(out, "\n") != len(allRules()) {
		t.Errorf("%d rules, but:\n%s", len(allRules()), out)
	}
}
