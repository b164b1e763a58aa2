package codegen_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/causetc/causetc/ir"
)

// The public example apps compile, and what comes out can be read back.
func TestCorpus(t *testing.T) {
	root := os.Getenv("CAUSETC_CORPUS")
	if root == "" {
		t.Skip("CAUSETC_CORPUS is not set")
	}
	manifests, err := filepath.Glob(filepath.Join(root, "*", "app.causet"))
	if err != nil || len(manifests) == 0 {
		t.Fatalf("no apps: %v", err)
	}
	for _, manifest := range manifests {
		t.Run(filepath.Base(filepath.Dir(manifest)), func(t *testing.T) {
			out := compile(t, load(t, filepath.Dir(manifest)))
			if _, err := ir.Decode([]byte(encode(t, out))); err != nil {
				t.Fatal(err)
			}
			for _, g := range out.Groups {
				for _, table := range g.Tables {
					t.Logf("%s %s %q", table.Name, table.Class, table.Reasons)
				}
			}
		})
	}
}
