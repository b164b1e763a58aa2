package codegen_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/causetc/causetc/ir"
)

// The compiled form of every spec made for it is what its golden file says, and can be read back.
func TestGolden(t *testing.T) {
	for _, dir := range specDirs(t, "compile-*") {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			text := encode(t, compile(t, load(t, dir)))
			golden(t, filepath.Join(dir, "app.ir.json"), text)
			p, err := ir.Decode([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			if err := ir.Print(&out, p); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join(dir, "app.ir.txt"), out.String())
		})
	}
}

// The files of a program, cut up, renamed and read in any order, give the same bytes.
func TestOrderOfFilesDoesNotMatter(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for _, dir := range append(specDirs(t, "compile-*"), specDirs(t, "tickets")...) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			want := encode(t, compile(t, load(t, dir)))
			pieces := pieces(t, dir)
			if len(pieces) < 2 {
				t.Fatal("nothing to shuffle")
			}
			for range 5 {
				random.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
				folder := t.TempDir()
				var args []string
				for i, piece := range pieces {
					path := filepath.Join(folder, string(rune('a'+i%26))+string(rune('a'+i/26))+".causet")
					if err := os.WriteFile(path, []byte(piece), 0o600); err != nil {
						t.Fatal(err)
					}
					args = append(args, path)
				}
				if got := encode(t, compile(t, load(t, args...))); got != want {
					t.Fatalf("other bytes:\n%s", got)
				}
			}
		})
	}
}

// pieces returns every named thing of a spec as a file of its own: what stands two spaces deep in a section. What stands
// flush left without children (the manifest's own keys) is left out, but for the name of the app.
func pieces(t *testing.T, dir string) []string {
	t.Helper()
	app := ""
	var out []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".causet" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		section, piece := "", ""
		flush := func() {
			if piece != "" && section != "includes:" {
				out = append(out, section+"\n"+piece)
			}
			piece = ""
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\n")
			switch {
			case strings.HasPrefix(line, "app:"):
				app = line
			case line == "" || strings.HasPrefix(strings.TrimSpace(line), "#"):
			case line[0] != ' ':
				flush()
				section = line
			case strings.HasPrefix(line, "  ") && line[2] != ' ':
				flush()
				piece = line + "\n"
			default:
				piece += line + "\n"
			}
		}
		flush()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	out[0] = app + "\n" + out[0]
	return out
}

// The two apps of our own compile into tables that need no order of arrival.
func TestApps(t *testing.T) {
	for _, name := range []string{"tickets", "wallet"} {
		t.Run(name, func(t *testing.T) {
			p := compile(t, load(t, filepath.Join(specs, name)))
			if _, err := ir.Decode([]byte(encode(t, p))); err != nil {
				t.Fatal(err)
			}
			for _, g := range p.Groups {
				for _, table := range g.Tables {
					if table.Class != ir.Convergent {
						t.Errorf("%s is %s: %q", table.Name, table.Class, table.Reasons)
					}
				}
			}
			if p.App != name || len(p.Queries) < 5 {
				t.Errorf("the app %s has %d queries", p.App, len(p.Queries))
			}
		})
	}
}
