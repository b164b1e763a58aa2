package parser

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causetc/causetc/spec"
)

// write makes files below a new folder and returns it. The names are in pairs with the texts.
func write(t *testing.T, files ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// load loads a program that is below dir and returns its files and what is said of it, with paths relative to dir.
func load(t *testing.T, dir string, opts Options) (files []string, r *Result) {
	t.Helper()
	t.Chdir(dir)
	r, err := Load(context.Background(), opts)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Program.Set.Files() {
		files = append(files, f.Path)
	}
	return files, r
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func stateNames(states []*spec.State) []string {
	var names []string
	for _, s := range states {
		names = append(names, s.Name.Value)
	}
	return names
}

func state(name string) string {
	return "state:\n  " + name + ": { entity_key: id, fields: { x: string } }\n"
}

const head = "dsl_version: 1\napp: test\nincludes:\n"

func TestManifest(t *testing.T) {
	dir := write(t,
		"app.causet", head+"  states: [./states/**/*.causet, 'states/*.causet', extra.yaml, ./states]\n  events: none/*.causet\n",
		"states/b.causet", state("b"),
		"states/a.causet", state("a"),
		"states/deep/er/c.causet", state("c"),
		"states/.hidden/d.causet", state("d"),
		"states/readme.md", "# not a spec",
		"extra.yaml", state("e"),
		"other.causet", state("f"),
	)
	files, r := load(t, dir, Options{Args: []string{"."}})
	same(t, "files", files, "app.causet", "extra.yaml", "states/a.causet", "states/b.causet", "states/deep/er/c.causet")
	same(t, "states", stateNames(r.Program.States), "e", "a", "b", "c")
	want := `app.causet:4:65: error: states is a folder; write "states/**/*.causet" for the files below it [CS110] "./states"
app.causet:5:11: hint: no .causet, .yaml or .yml file matches "none/*.causet" [CS112] "none/*.causet"
`
	if got := show(r); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if m := r.Program.Manifest; m == nil || m.App.Value != "test" || len(m.Includes) != 2 || len(m.Includes[0].Globs) != 4 {
		t.Errorf("manifest %+v", m)
	}
	byFile, _ := load(t, dir, Options{Args: []string{"app.causet"}})
	same(t, "files by the manifest's name", byFile, files...)
	fromBelow, _ := load(t, filepath.Join(dir, "states"), Options{Args: []string{".."}})
	same(t, "files from below", fromBelow, "../app.causet", "../extra.yaml", "a.causet", "b.causet", "deep/er/c.causet")
}

// TestExclude checks that files which a folder or a glob finds can be left out, but not those that are named.
func TestExclude(t *testing.T) {
	dir := write(t, "app.causet", "dsl_version: 1\napp: a\nincludes: { states: ['s/**/*.causet', named.causet] }\n",
		"s/a.causet", "", "s/gone.causet", "", "named.causet", "")
	gone := func(path string) bool {
		return filepath.Base(path) == "gone.causet" || filepath.Base(path) == "named.causet"
	}
	files, _ := load(t, dir, Options{Exclude: gone})
	same(t, "a glob", files, "app.causet", "named.causet", "s/a.causet")
	files, _ = load(t, dir, Options{Exclude: gone, Args: []string{"s"}})
	same(t, "a folder", files, "s/a.causet")
	files, _ = load(t, dir, Options{Exclude: gone, Args: []string{"s/gone.causet"}})
	same(t, "a file that is named", files, "s/gone.causet")
}

// TestTexts checks that texts stand in for files.
func TestTexts(t *testing.T) {
	dir := write(t, "a.causet", "state: { old: { entity_key: id } }\n", "b.causet", "state: { other: { entity_key: id } }\n")
	files, r := load(t, dir, Options{Texts: map[string][]byte{"a.causet": []byte("state: { new: { entity_key: id } }\n")}})
	same(t, "files", files, "a.causet", "b.causet")
	same(t, "states", stateNames(r.Program.States), "new", "other")
}

func TestFolderAndFiles(t *testing.T) {
	dir := write(t, "b.yml", state("b"), "sub/a.causet", state("a"), ".git/x.causet", state("x"), "c.json", "{}", ".d.causet", state("d"),
		".tool.yaml", "not: a spec\n")
	files, _ := load(t, dir, Options{Args: []string{"."}})
	same(t, "a folder", files, ".d.causet", "b.yml", "sub/a.causet")
	files, _ = load(t, dir, Options{Args: []string{"sub/a.causet", "b.yml", "./b.yml", "sub/../b.yml"}})
	same(t, "files by name", files, "b.yml", "sub/a.causet")
	files, _ = load(t, dir, Options{Args: []string{"b.yml", "sub", "c.json"}})
	same(t, "a file, a folder, and any name that is asked for", files, "b.yml", "c.json", "sub/a.causet")
}

func TestMissingInclude(t *testing.T) {
	dir := write(t, "app.causet", head+"  states: [seat.state.caust, nothing.causet, 'a[']\n", "seat.state.causet", state("seat"))
	_, r := load(t, dir, Options{Args: []string{"."}})
	want := `app.causet:4:12: error: the file seat.state.caust does not exist; did you mean "seat.state.causet"? [CS110] "seat.state.caust"
app.causet:4:30: error: the file nothing.causet does not exist [CS110] "nothing.causet"
app.causet:4:46: error: "a[" is not a glob: a bracket or a brace is not closed [CS110] "'a['"
`
	if got := show(r); got != want || !r.Program.Incomplete {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestOutside(t *testing.T) {
	dir := write(t, "shared/s.causet", state("s"), "app/app.causet", head+"  states: ['../shared/*.causet', '*.causet', 'links/**/*.causet']\n")
	for link, target := range map[string]string{"app/link.causet": "../shared/s.causet", "app/self.causet": "app.causet", "app/links": ".", "app/away": "../shared"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	files, r := load(t, filepath.Join(dir, "app"), Options{Args: []string{"."}})
	same(t, "files", files, "app.causet")
	for _, d := range r.Diagnostics {
		if d.Rule != ruleOutside {
			t.Errorf("other findings:\n%s", show(r))
		}
	}
	if len(r.Diagnostics) < 2 {
		t.Errorf("too few findings:\n%s", show(r))
	}
	files, r = load(t, filepath.Join(dir, "app"), Options{Args: []string{"."}, AllowOutside: true})
	same(t, "files with permission", files, "../shared/s.causet", "app.causet")
	same(t, "states", stateNames(r.Program.States), "s")
	if len(r.Diagnostics) > 0 {
		t.Errorf("findings:\n%s", show(r))
	}
}

func TestStdin(t *testing.T) {
	_, r := load(t, t.TempDir(), Options{Args: []string{"-"}, Stdin: strings.NewReader(state("a"))})
	same(t, "standard input", stateNames(r.Program.States), "a")
	_, r = load(t, t.TempDir(), Options{Stdin: strings.NewReader(state("b"))})
	same(t, "standard input without arguments", stateNames(r.Program.States), "b")
	dir := write(t, "x.causet", state("x"))
	files, r := load(t, dir, Options{Args: []string{"x.causet", "-"}, Stdin: strings.NewReader(state("c"))})
	same(t, "files", files, "<stdin>", "x.causet")
	same(t, "states", stateNames(r.Program.States), "c", "x")
}

func TestStdinFilename(t *testing.T) {
	dir := write(t, "app.causet", head+"  states: 'states/**/*.causet'\n", "states/a.causet", state("a"), "states/b.causet", state("b"), "z.causet", state("z"))
	tests := []struct {
		name, file, cwd string
		args            []string
		files, states   []string
		rule            string
	}{
		{"a file of the program above", "states/a.causet", ".", nil, []string{"app.causet", "states/a.causet", "states/b.causet"}, []string{"new", "b"}, ""},
		{"from another folder", "a.causet", "states", nil, []string{"../app.causet", "a.causet", "b.causet"}, []string{"new", "b"}, ""},
		{"with the program given", "states/b.causet", ".", []string{"app.causet"}, []string{"app.causet", "states/a.causet", "states/b.causet"}, []string{"a", "new"}, ""},
		{"a file that is not saved yet", "states/deep/n.causet", ".", nil, []string{"app.causet", "states/a.causet", "states/b.causet", "states/deep/n.causet"}, []string{"a", "b", "new"}, ""},
		{"a file that no glob matches", "z.causet", ".", nil, []string{"app.causet", "states/a.causet", "states/b.causet", "z.causet"}, []string{"a", "b", "new"}, ruleNotIncluded},
		{"a single file given", "z.causet", ".", []string{"z.causet"}, []string{"z.causet"}, []string{"new"}, ""},
		{"a file not saved yet, given", "y.causet", ".", []string{"y.causet"}, []string{"y.causet"}, []string{"new"}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files, r := load(t, filepath.Join(dir, test.cwd), Options{Args: test.args, StdinFilename: test.file, Stdin: strings.NewReader(state("new"))})
			same(t, "files", files, test.files...)
			same(t, "states", stateNames(r.Program.States), test.states...)
			if test.rule != "" {
				r.first(t, test.rule)
			} else if len(r.Diagnostics) > 0 {
				t.Errorf("findings:\n%s", show(r))
			}
		})
	}
	t.Run("the manifest itself", func(t *testing.T) {
		files, r := load(t, dir, Options{StdinFilename: "app.causet", Stdin: strings.NewReader(head + "  states: z.causet\n")})
		same(t, "files", files, "app.causet", "z.causet")
		same(t, "states", stateNames(r.Program.States), "z")
	})
	t.Run("no manifest above", func(t *testing.T) {
		files, r := load(t, t.TempDir(), Options{StdinFilename: "q.causet", Stdin: strings.NewReader(state("q"))})
		same(t, "files", files, "q.causet")
		same(t, "states", stateNames(r.Program.States), "q")
	})
}

func TestTwoManifests(t *testing.T) {
	dir := write(t, "a/app.causet", head+"  states: s.causet\n", "a/s.causet", state("a"), "b/app.causet", "dsl_version: 1\napp: other\nincludes: {}\n")
	_, r := load(t, dir, Options{Args: []string{"a", "b"}})
	want := `b/app.causet:1:14: error: a program has one manifest, and a/app.causet is one already; load them one at a time [CS115] "1"
  a/app.causet:2:6: the other manifest
`
	if got := show(r); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestFolderOfPrograms checks what a folder without a manifest stands for: the only program below it; else all spec files, but
// not the YAML files of other tools.
func TestFolderOfPrograms(t *testing.T) {
	const manifest = "dsl_version: 1\napp: x\nincludes: { states: '*.yaml' }\n"
	foreign := []string{"chart/Chart.yaml", "apiVersion: v1\nname: x\nresources: []\n", "chart/broken.yaml", "kind: {{ if }}\nmetadata:\n", "empty.yml", "# nothing\n", "list.yaml", "- 1\n"}
	with := func(more ...string) string { return write(t, append(slices.Clone(foreign), more...)...) }
	for _, c := range []struct {
		dir  string
		args []string
		want []string
	}{
		{with("specs/app.causet", manifest, "specs/s.yaml", state("s"), "x.causet", state("x")), nil, []string{"specs/app.causet", "specs/s.yaml"}},
		{with("specs/s.yaml", state("s"), "x.causet", state("x")), nil, []string{"specs/s.yaml", "x.causet"}},
		{with("specs/s.yaml", "evetns: {}\n", "t.yaml", "state: {\n"), nil, []string{"specs/s.yaml", "t.yaml"}},
		{with("specs/s.causet", "what: ever\n"), nil, []string{"specs/s.causet"}},
		{with(), []string{"list.yaml"}, []string{"list.yaml"}},
	} {
		files, _ := load(t, c.dir, Options{Args: c.args})
		same(t, "files", files, c.want...)
	}
	for want, dir := range map[string]string{
		".: there is no Causet file below this folder: its YAML files have no sections such as state, events or projections": with(),
		".: there are several programs below this folder: a/app.causet, b/app.causet; name one of them":                      with("a/app.causet", manifest, "b/app.causet", manifest),
	} {
		t.Chdir(dir)
		if _, err := Load(context.Background(), Options{Args: []string{"."}}); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestManifestKeys(t *testing.T) {
	const versionFix = "  fix: write dsl_version: 1: \"\" -> \"dsl_version: 1\\n\"\n"
	for text, want := range map[string]string{
		"includes: {}\n":                                         `app.causet:1:1: error: a manifest needs the key "app", the name of the application [CS202] "i"` + "\n" + `app.causet:1:1: error: a manifest needs the key "dsl_version": write dsl_version: 1 [CS202] "i"` + "\n" + versionFix,
		"app: x\n":                                               `app.causet:1:6: error: a manifest needs the key "dsl_version": write dsl_version: 1 [CS202] "x"` + "\n" + versionFix,
		"dsl_version: 3\napp: '{{ name }}'\n":                    `app.causet:1:14: error: version 3 of the language is not known; this program reads version 1 [CS116] "3"` + "\n",
		"dsl_version: one\napp: x\n":                             `app.causet:1:14: error: expected a whole number, got the text "one" [CS204] "one"` + "\n",
		"dsl_version: 1\napp: x\nincludes: 5":                    `app.causet:3:11: error: expected includes (a map), got the number 5 [CS203] "5"` + "\n",
		"dsl_version: 1\napp: x\nincludes:\n":                    "",
		"dsl_version: 1\napp: x\nincludes:\n  evens: a.causet\n": `app.causet:4:3: error: unknown key "evens" in includes; did you mean "events"? [CS201] "evens"` + "\n  fix: write events: \"evens\" -> \"events\"\n" + `app.causet:4:10: error: the file a.causet does not exist [CS110] "a.causet"` + "\n",
	} {
		dir := write(t, "app.causet", text)
		_, r := load(t, dir, Options{Args: []string{"."}})
		if got := show(r); got != want {
			t.Errorf("%q: got:\n%s\nwant:\n%s", text, got, want)
		}
	}
}

// TestUnreadableInclude checks that a file without permission is a finding at its glob, and an error as an argument.
func TestUnreadableInclude(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can read everything")
	}
	dir := write(t, "app.causet", head+"  states: '*.state.causet'\n", "a.state.causet", state("a"))
	secret := filepath.Join(dir, "a.state.causet")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	_, r := load(t, dir, Options{Args: []string{"."}})
	r.first(t, ruleFile)
	var input *InputError
	if _, err := Load(context.Background(), Options{Args: []string{secret}}); !errors.As(err, &input) {
		t.Errorf("got %v", err)
	}
}

// TestSameOrder checks that nothing depends on the order of arguments or of goroutines.
func TestSameOrder(t *testing.T) {
	dir, _ := generated(t, 40)
	t.Chdir(dir)
	var first string
	for i := range 6 {
		args := []string{"part0001.causet", "part0002.causet", "app.causet", "part0030.causet"}
		if i%2 == 1 {
			slices.Reverse(args)
		}
		r, err := Load(context.Background(), Options{Args: args})
		if err != nil {
			t.Fatal(err)
		}
		got := show(r) + strings.Join(stateNames(r.Program.States), " ")
		if i == 0 {
			first = got
		} else if got != first {
			t.Fatalf("got %s, want %s", got, first)
		}
	}
}
