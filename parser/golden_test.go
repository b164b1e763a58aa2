package parser

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden loads each file and compares all that is said of it, with places, related places and fixes.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.causet")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			r, err := Load(context.Background(), Options{Args: []string{file}})
			if err != nil {
				t.Fatal(err)
			}
			got := show(r)
			golden := strings.TrimSuffix(file, ".causet") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}
