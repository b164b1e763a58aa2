package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// texts are the files of a program, by path.
type texts map[string]string

// readTexts reads the spec files below a folder.
func readTexts(t *testing.T, dir string) texts {
	t.Helper()
	found := texts{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".causet" {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		found[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// write puts the texts into a folder.
func (f texts) write(t *testing.T, dir string) {
	t.Helper()
	for path, text := range f {
		file := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// fault is a mistake in one file: bytes of its text, and what stands there instead.
type fault struct {
	kind, path string
	from, to   int
	wrong      string
}

func (f fault) String() string {
	return fmt.Sprintf("%s in %s at %d: %q", f.kind, f.path, f.from, f.wrong)
}

// with returns the texts with faults, none of which overlap.
func (f texts) with(faults ...fault) texts {
	out := maps.Clone(f)
	slices.SortFunc(faults, func(a, b fault) int { return b.from - a.from })
	for _, x := range faults {
		text := out[x.path]
		out[x.path] = text[:x.from] + x.wrong + text[x.to:]
	}
	return out
}

// faultKinds find where mistakes can be made: the first group of a match is what is replaced.
var faultKinds = []struct {
	name   string
	unsafe bool
	where  *regexp.Regexp
	wrong  func(r *rand.Rand, right string) string
}{
	{"misspelt key", false, regexp.MustCompile(`(?m)^[ \t]*(?:- )?(source_events|primary_key|entity_expr|mutations|aggregates|cardinality|projections|entity_id_expr|partition_by|instructions):`), misspell},
	{"misspelt key in braces", false, regexp.MustCompile(`[{,] ?(entity_key|primary_key|source_events|payload|event_type|interval|direction):`), misspell},
	{"misspelt op", false, regexp.MustCompile(`op: (upsert|update|soft_delete|reject|emit_each|for_each|lookup|bulk_update|replace)\b`), misspell},
	{"misspelt type", false, regexp.MustCompile(`: (BIGINT|BOOLEAN|TIMESTAMPTZ|boolean|integer|decimal|timestamp)\b`), misspell},
	{"other spelling", false, regexp.MustCompile(`side_effect(s):`), func(*rand.Rand, string) string { return "" }},
	{"no version", false, regexp.MustCompile(`(?s)^(dsl_version: 1\r?\n)app:`), func(*rand.Rand, string) string { return "" }},
	{"no quotes", false, regexp.MustCompile(`(?m): ("[^"'\\\n]*")`), func(_ *rand.Rand, right string) string { return strings.Trim(right, `"`) }},
	{"no operator", false, regexp.MustCompile(`(?m)where: \{ \w+: (\{ eq: [\w.]+ \}) \}\r?$`), func(_ *rand.Rand, right string) string { return right[len("{ eq: ") : len(right)-len(" }")] }},
	{"unused suppression", false, regexp.MustCompile(`(?m)^()[ ]*\w+:`), func(*rand.Rand, string) string { return "# causetc:ignore CS112 -- ünused\n" }},
	{"misspelt event", true, regexp.MustCompile(`source_events: \[([A-Z_]{8,})\]`), misspell},
	{"misspelt payload field", true, regexp.MustCompile(`event\.payload\.([a-z_]{6,})`), misspell},
}

// misspell swaps two letters that differ.
func misspell(r *rand.Rand, word string) string {
	for {
		i := 1 + r.IntN(len(word)-2)
		if word[i] != word[i+1] {
			return word[:i] + string(word[i+1]) + string(word[i]) + word[i+2:]
		}
	}
}

// seeder makes faults in a program whose fixes are offered.
type seeder struct {
	*rand.Rand
	t    *testing.T
	base texts
	dir  string
	args []string // of every lint, the flag that makes fixes left out
}

func (s *seeder) lint(dir string, args ...string) result {
	return causetc(s.t, slices.Concat([]string{"lint", dir, "--fail-on", "never"}, s.args, args)...)
}

// one returns a random fault that has a fix, or false.
func (s *seeder) one(unsafe bool) (fault, bool) {
	kind := faultKinds[s.IntN(len(faultKinds))]
	paths := slices.Sorted(maps.Keys(s.base))
	path := paths[s.IntN(len(paths))]
	places := kind.where.FindAllStringSubmatchIndex(s.base[path], -1)
	if kind.unsafe && !unsafe || len(places) == 0 {
		return fault{}, false
	}
	at := places[s.IntN(len(places))]
	f := fault{kind: kind.name, path: path, from: at[2], to: at[3], wrong: kind.wrong(s.Rand, s.base[path][at[2]:at[3]])}
	dir := s.t.TempDir()
	s.base.with(f).write(s.t, dir)
	r := s.lint(dir, "--diff")
	return f, r.code == exitFindings
}

// some returns faults on lines of their own.
func (s *seeder) some(unsafe bool) []fault {
	var faults []fault
	for range 12 {
		f, ok := s.one(unsafe)
		line := func(x fault) int { return strings.Count(s.base[x.path][:x.from], "\n") }
		near := func(x fault) bool { return x.path == f.path && max(line(x), line(f))-min(line(x), line(f)) < 2 }
		if ok && !slices.ContainsFunc(faults, near) {
			faults = append(faults, f)
		}
	}
	return faults
}

// disguise changes what must survive a fix: line breaks, comments, blanks.
func (s *seeder) disguise(f texts) texts {
	out := texts{}
	for _, path := range slices.Sorted(maps.Keys(f)) {
		text := "# ä 😀\n" + strings.ReplaceAll(f[path], "\nprojections:", "\n#  two   blanks\t\n\nprojections:")
		if path == "app.causet" {
			text = f[path]
		}
		if s.IntN(3) == 0 {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		out[path] = text
	}
	return out
}

// TestFixRestores makes random mistakes that have a fix in programs without one: --fix gives back the program as it was,
// byte for byte, and has nothing to do a second time.
func TestFixRestores(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	rounds, seen := 8, map[string]int{}
	if testing.Short() {
		rounds = 2
	}
	for _, name := range []string{"everything", "tickets", "wallet"} {
		plain := readTexts(t, filepath.Join(specs, name))
		for round := range rounds {
			unsafe := round%2 == 1
			s := &seeder{Rand: r, t: t}
			if unsafe {
				s.args = []string{"--unsafe-fixes"}
			}
			s.base = s.disguise(plain)
			s.settle()
			faults := s.some(unsafe)
			for _, f := range faults {
				seen[f.kind]++
			}
			s.check(name, faults)
		}
	}
	t.Logf("faults: %v", seen)
	if len(seen) < 6 && !testing.Short() {
		t.Errorf("too few kinds of faults: %v", seen)
	}
}

// settle applies the fixes that the base itself has, so that those of the faults are the only ones.
func (s *seeder) settle() {
	s.dir = s.t.TempDir()
	s.base.write(s.t, s.dir)
	s.lint(s.dir, "--fix")
	s.base = readTexts(s.t, s.dir)
}

func (s *seeder) check(name string, faults []fault) {
	before := s.lint(s.dir, "--diff")
	if before.code != exitClean || before.stdout != "" {
		s.t.Errorf("%s: fixes do not settle: %s", name, before.stdout)
		return
	}
	dir := s.t.TempDir()
	s.base.with(faults...).write(s.t, dir)
	first := s.lint(dir, "--fix")
	got := readTexts(s.t, dir)
	for path, want := range s.base {
		if got[path] != want {
			s.t.Errorf("%s, %s: not as it was after the faults\n%v\n%s\n%s", name, path, faults, difference(got[path], want), first.stderr)
		}
	}
	if again := s.lint(dir, "--diff"); again.code != exitClean || again.stdout != "" {
		s.t.Errorf("%s: a second --fix changes more: %s", name, again.stdout)
	}
}

// difference returns the first lines that differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d:\n got %q\nwant %q", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// counter is a program whose projection counts without a record of what it counted.
const counter = `state:
  show: { entity_key: show_id, fields: { title: string } }
events:
  SOLD: { state: show, entity_expr: event.show_id, payload: { show_id: string } }
projections:
  %s
`

// TestFixCounter checks the fix of a counter under the worker that knows it, in both ways to write a map.
func TestFixCounter(t *testing.T) {
	for was, want := range map[string]string{
		"sales:  # per show\n\n    # which\n    source_events: [SOLD]\n    target: { table: sales, primary_key: [show_id] }\n    fields: { show_id: TEXT, n: BIGINT }\n" +
			"    derive: { show_id: event.payload.show_id }\n    aggregates: { SOLD: { n: { op: add } } }": "# which\n    dedup: true\n    source_events: [SOLD]\n",
		"sales: { source_events: [SOLD], target: { table: sales, primary_key: [show_id] }, fields: { show_id: TEXT, n: BIGINT }, " +
			"derive: { show_id: event.payload.show_id }, aggregates: { SOLD: { n: { op: add } } } }": "sales: { dedup: true, source_events: [SOLD], target:",
	} {
		file := filepath.Join(t.TempDir(), "a.causet")
		if err := os.WriteFile(file, fmt.Appendf(nil, counter, was), 0o600); err != nil {
			t.Fatal(err)
		}
		causetc(t, "lint", file, "--target", "causetc").want(t, exitFindings, "CS601", "fix: add dedup: true")
		causetc(t, "lint", file).want(t, exitFindings, "CS601")
		causetc(t, "lint", file, "--target", "causetc", "--fix").want(t, exitClean, "fixed 1 finding in 1 file")
		if text, _ := os.ReadFile(file); !strings.Contains(string(text), want) {
			t.Errorf("got\n%s", text)
		}
	}
}

// TestFixLeaves checks what --fix does not do: nothing unsafe unasked, nothing to suppressed findings, nothing to files when
// only a diff is wanted, and nothing to a file that no one may write.
func TestFixLeaves(t *testing.T) {
	const text = "state:\n  show: { entity_key: show_id, fields: { title: string } }\nevents:\n" +
		"  SOLD: { state: show, entity_expr: event.show_id, payload: { show_id: strin } }\n" + // safe
		"  LEFT: { state: shwo, entity_expr: event.show_id, payload: { show_id: string } }\n" // unsafe
	dir := t.TempDir()
	file := filepath.Join(dir, "a.causet")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	same := func(what, want string) {
		t.Helper()
		if got, _ := os.ReadFile(file); string(got) != want {
			t.Errorf("%s: got\n%s", what, got)
		}
	}
	write(text)
	r := causetc(t, "lint", file, "--fix", "--diff")
	r.want(t, exitFindings, "-  SOLD:", "+  SOLD:", "payload: { show_id: string }")
	if strings.Contains(r.stdout, "+  LEFT") {
		t.Errorf("an unsafe fix in\n%s", r.stdout)
	}
	same("a diff", text)
	causetc(t, "lint", file, "--diff", "--unsafe-fixes").want(t, exitFindings, "+  LEFT: { state: show,")
	causetc(t, "lint", file, "--fix").want(t, exitFindings, "fixed 1 finding in 1 file", "1 more finding can be fixed with --unsafe-fixes", "unsafe fix: write show", "CS303")
	same("a safe fix", strings.Replace(text, "strin }", "string }", 1))
	causetc(t, "lint", file, "--fix", "--unsafe-fixes").want(t, exitClean, "fixed 1 finding in 1 file")
	hidden := text + "  # causetc:ignore CS361 -- for another program\n  KEPT: { state: show, payload: { show_id: strnig } } # causetc:ignore CS303 -- unused\n"
	write(hidden)
	causetc(t, "lint", file, "--fix", "--rule", "CS803").want(t, exitFindings, "CS803")
	same("an unused suppression beside an error", hidden)
	suppressed := strings.Replace(text, "strin } }", "strin } } # causetc:ignore CS209 -- soon", 1)
	write(suppressed)
	causetc(t, "lint", file, "--fix")
	same("a suppressed finding", suppressed)
}

func TestFixUsage(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.causet")
	if err := os.WriteFile(file, []byte("state: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		text string
	}{
		{[]string{file, "--unsafe-fixes"}, "add --fix or --diff"},
		{[]string{"-", "--fix"}, "standard input"},
		{[]string{file, "--stdin-filename", file, "--fix"}, "standard input"},
		{[]string{file, "--diff", "--format", "json"}, "leave --format out"},
		{[]string{file, "--fix", "--statistics"}, "can't be used together"},
		{[]string{file, "--fix", "--write-baseline", "b"}, "can't be used together"},
		{[]string{file, "--suppressions", "--statistics"}, "can't be used together"},
		{[]string{file, "--suppressions", "--format", "sarif"}, "text or json"},
		{[]string{file, "--statistics", "--format", "sarif"}, "leave --format out"},
	} {
		causetc(t, append([]string{"lint"}, c.args...)...).want(t, exitUsage, c.text)
	}
}

// TestFixOnlyTouchesEdits checks that the bytes beside an edit survive, however odd they are.
func TestFixOnlyTouchesEdits(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.causet")
	was := []byte("\ufeff# kept  \r\nstate:\r\n    show:   {entity_key:   show_id , fields: {title: strin} }   # ü\t\r\n\r\n\r\n")
	if err := os.WriteFile(file, was, 0o640); err != nil {
		t.Fatal(err)
	}
	causetc(t, "lint", file, "--fix").want(t, exitClean)
	got, _ := os.ReadFile(file)
	if want := bytes.Replace(was, []byte("strin}"), []byte("string}"), 1); !bytes.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestFixOf checks the fixes of single rules: what becomes of a text, and whether that is asked for with --unsafe-fixes.
func TestFixOf(t *testing.T) {
	const head = "state: { show: { entity_key: show_id, fields: { title: string } } }\nevents:\n" +
		"  SOLD: { state: show, entity_expr: event.show_id, payload: { show_id: string, cents: integer } }\n" +
		"  GONE: { state: show, entity_expr: event.show_id, payload: { show_id: string } }\n"
	projection := func(sources, fields, derive, mutations string) string {
		return head + "projections:\n  shows:\n    source_events: " + sources + "\n    target: { table: shows, primary_key: [show_id] }\n" +
			"    fields: " + fields + "\n    derive: " + derive + "\n    mutations: " + mutations + "\n"
	}
	const fields, derive = "{ show_id: TEXT, at: BIGINT }", "{ show_id: event.show_id, at: event.ts }"
	action := func(value string) string {
		return head + "actions:\n  OPEN:\n    state: show\n    input: { title: string }\n    core:\n      rules:\n        - name: open\n          then:\n" +
			"            - { op: set, path: /title, value: " + value + " }\n"
	}
	for _, c := range []struct {
		name, was, want string
		unsafe          bool
	}{
		{"a column for a soft delete", projection("[GONE]", fields, derive, "{ GONE: { op: soft_delete } }"),
			projection("[GONE]", "{ deleted_at: BIGINT, show_id: TEXT, at: BIGINT }", derive, "{ GONE: { op: soft_delete } }"), true},
		{"the same below each other", projection("[GONE]", "# kept\r\n      show_id: TEXT\r\n      at: BIGINT\r", derive, "{ GONE: { op: soft_delete } }"),
			projection("[GONE]", "# kept\r\n      show_id: TEXT\r\n      at: BIGINT\r", derive, "{ GONE: { op: soft_delete } }"), true},
		{"the same without a comment", projection("[GONE]", "\r\n      show_id: TEXT\r\n      at: BIGINT\r", derive, "{ GONE: { op: soft_delete } }"),
			projection("[GONE]", "\r\n      deleted_at: BIGINT\r\n      show_id: TEXT\r\n      at: BIGINT\r", derive, "{ GONE: { op: soft_delete } }"), true},
		{"a name that is listed twice", projection("[SOLD, GONE, SOLD]", fields, derive, "{ SOLD: upsert, GONE: delete }"),
			projection("[SOLD, GONE]", fields, derive, "{ SOLD: upsert, GONE: delete }"), false},
		{"a line that is listed twice", projection("\n      - SOLD\n      - SOLD", fields, derive, "{ SOLD: upsert }"),
			projection("\n      - SOLD", fields, derive, "{ SOLD: upsert }"), false},
		{"a line with a comment", projection("\n      - SOLD\n      - SOLD # why", fields, derive, "{ SOLD: upsert }"),
			projection("\n      - SOLD\n      - SOLD # why", fields, derive, "{ SOLD: upsert }"), true},
		{"a handler without its source", projection("SOLD", fields, derive, "{ SOLD: upsert, GONE: delete }"),
			projection("[SOLD, GONE]", fields, derive, "{ SOLD: upsert, GONE: delete }"), true},
		{"a handler without its source, in lines", projection("\n      - SOLD # sold", fields, derive, "{ SOLD: upsert, GONE: delete }"),
			projection("\n      - SOLD # sold\n      - GONE", fields, derive, "{ SOLD: upsert, GONE: delete }"), true},
		{"a reserved name", strings.Replace(projection("[SOLD]", fields, "{ show_id: event.show_id, at: event.payload.ts }", "{ SOLD: upsert }"), "cents:", "ts:", 1),
			strings.Replace(projection("[SOLD]", fields, "{ show_id: event.show_id, at: event.payload.show_ts }", "{ SOLD: upsert }"), "cents:", "show_ts:", 1), true},
		{"the clock in a value", action("now()"), action("event.ts"), false},
		{"the day in a value", action(`"concat('on ', today())"`), action(`"concat('on ', format_date(event.ts))"`), false},
		{"a function", action(`"concta('on ', intent.title)"`), action(`"concat('on ', intent.title)"`), false},
		{"a namespace", action("intnet.title"), action("intent.title"), false},
		{"an input", action("intent.tilte"), action("intent.title"), true},
		{"a missing colon", strings.Replace(action("intent.title"), "input: {", "input {", 1) + "# ü\n", action("intent.title") + "# ü\n", false},
	} {
		file := filepath.Join(t.TempDir(), "a.causet")
		for _, unsafe := range []bool{false, true} {
			write(t, file, c.was)
			args := []string{"lint", file, "--fix", "--fail-on", "never"}
			want := c.want
			switch {
			case unsafe:
				args = append(args, "--unsafe-fixes")
			case c.unsafe:
				want = c.was
			}
			causetc(t, args...).want(t, exitClean)
			if got := readFile(t, file); got != want {
				t.Errorf("%s, unsafe %v: %s", c.name, unsafe, difference(got, want))
			}
		}
	}
}
