package parser

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/causetc/causetc/spec"
)

// TestCorpus loads public example apps, which must have no error.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("CAUSETC_CORPUS")
	if corpus == "" {
		t.Skip("CAUSETC_CORPUS is not set")
	}
	apps, err := filepath.Glob(filepath.Join(corpus, "*", "app.causet"))
	if err != nil || len(apps) == 0 {
		t.Fatalf("no apps in %s: %v", corpus, err)
	}
	for _, app := range apps {
		r, err := Load(context.Background(), Options{Args: []string{filepath.Dir(app)}})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range r.Diagnostics {
			f := r.Program.Set.File(d.Span.Start)
			t.Logf("%s:%d: %s: %s [%s]", f.Path, f.Position(d.Span.Start).Line, d.Severity, d.Message, d.Rule)
			if d.Severity > spec.Hint {
				t.Fail()
			}
		}
		if len(r.Program.Projections) == 0 || len(r.Program.Actions) == 0 || r.Program.Manifest == nil {
			t.Errorf("%s: sections are missing", app)
		}
	}
}
