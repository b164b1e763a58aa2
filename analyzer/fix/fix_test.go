package fix_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer/fix"
	"github.com/causetc/causetc/spec"
)

// rewrites judges texts: each rule is a word that must be replaced by another.
type rewrites struct {
	files  map[string]string
	rules  [][2]string
	unsafe bool // the second rule and those after it
}

func (r rewrites) judge(_ context.Context, texts map[string][]byte) (*spec.FileSet, []spec.Diagnostic, error) {
	set := &spec.FileSet{}
	var list []spec.Diagnostic
	for _, path := range []string{"a", "b"} {
		text, ok := texts[path]
		if !ok {
			text = []byte(r.files[path])
		}
		f := set.Add(path, text)
		for n, rule := range r.rules {
			for from := 0; ; {
				i := strings.Index(string(f.Text[from:]), rule[0])
				if i < 0 {
					break
				}
				at := f.Span(from+i, from+i+len(rule[0]))
				list = append(list, spec.Diagnostic{Rule: "CS101", Span: at, Message: rule[0], Fixes: []spec.Fix{
					{Unsafe: r.unsafe && n > 0, Edits: []spec.Edit{{Span: at, New: rule[1]}}},
				}})
				from += i + 1
			}
		}
	}
	return set, list, nil
}

// run fixes and returns the texts of both files, changed or not.
func (r rewrites) run(t *testing.T, unsafe bool) (*fix.Result, string) {
	t.Helper()
	got, err := fix.Run(t.Context(), r.judge, unsafe)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{"a": r.files["a"], "b": r.files["b"]}
	for _, c := range got.Changes {
		if string(c.Old) != texts[c.Path] {
			t.Errorf("%s was %q, the change says %q", c.Path, texts[c.Path], c.Old)
		}
		texts[c.Path] = string(c.New)
	}
	return got, texts["a"] + "|" + texts["b"]
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		what, a, b, want string
		rules            [][2]string
		fixed, left      int
	}{
		{"all over", "x one y\r\n\tone\xff", "one", "x two y\r\n\ttwo\xff|two", [][2]string{{"one", "two"}}, 3, 0},
		{"one after another", "one", "", "three|", [][2]string{{"one", "two"}, {"two", "three"}}, 2, 0},
		{"overlapping", "abc", "", "xc|", [][2]string{{"ab", "x"}, {"bc", "y"}}, 1, 0},
		{"side by side", "ab", "", "xy|", [][2]string{{"a", "x"}, {"b", "y"}}, 2, 0},
		{"an edit that changes nothing", "one", "", "one|", [][2]string{{"one", "one"}}, 0, 1},
		{"nothing", "one", "b", "one|b", nil, 0, 0},
	} {
		r, got := rewrites{files: map[string]string{"a": c.a, "b": c.b}, rules: c.rules}.run(t, false)
		if got != c.want || r.Fixed != c.fixed || len(r.Left) != c.left || !r.Finished {
			t.Errorf("%s: %q with %d fixed and %d left, finished %v", c.what, got, r.Fixed, len(r.Left), r.Finished)
		}
	}
}

func TestUnsafe(t *testing.T) {
	r := rewrites{files: map[string]string{"a": "one two"}, rules: [][2]string{{"one", "1"}, {"two", "2"}}, unsafe: true}
	if got, text := r.run(t, false); text != "1 two|" || len(got.Left) != 1 {
		t.Errorf("safe: %q, %d left", text, len(got.Left))
	}
	if _, text := r.run(t, true); text != "1 2|" {
		t.Errorf("unsafe: %q", text)
	}
}

// TestCircle checks that edits which undo each other end.
func TestCircle(t *testing.T) {
	r := rewrites{files: map[string]string{"a": "one"}, rules: [][2]string{{"one", "two"}, {"two", "one"}}}
	if got, _ := r.run(t, false); got.Finished {
		t.Error("a circle is finished")
	}
}

// TestUnsoundEdits checks that edits which can't be meant are left out.
func TestUnsoundEdits(t *testing.T) {
	set := &spec.FileSet{}
	a, b := set.Add("a", []byte("text")), set.Add("b", []byte("text"))
	edits := [][]spec.Edit{
		{{Span: spec.Span{}, New: "x"}},
		{{Span: spec.Span{Start: a.Pos(3), End: a.Pos(1)}, New: "x"}},
		{{Span: spec.Span{Start: a.Pos(1), End: b.Pos(1)}, New: "x"}},
		{{Span: a.Span(0, 2), New: "x"}, {Span: a.Span(1, 3), New: "y"}},
		nil,
	}
	for i, list := range edits {
		judge := func(context.Context, map[string][]byte) (*spec.FileSet, []spec.Diagnostic, error) {
			return set, []spec.Diagnostic{{Fixes: []spec.Fix{{Edits: list}}}}, nil
		}
		r, err := fix.Run(t.Context(), judge, true)
		if err != nil || len(r.Changes) != 0 || r.Fixed != 0 {
			t.Errorf("%d: %+v, %v", i, r, err)
		}
	}
}

func TestWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, mode := range map[string]os.FileMode{"a": 0o640, "b": 0o755} {
		if err := os.WriteFile(name, []byte("old"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("b", "link"); err != nil {
		t.Skip(err)
	}
	changes := []fix.Change{{Path: "a", Old: []byte("old"), New: []byte("new a")}, {Path: "link", Old: []byte("old"), New: []byte("new b")}}
	if err := fix.Write(changes); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "new a -rw-r-----", "b": "new b -rwxr-xr-x"} {
		text, err := os.ReadFile(name)
		info, err2 := os.Stat(name)
		if err != nil || err2 != nil || string(text)+" "+info.Mode().String() != want {
			t.Errorf("%s: %s %v, want %s", name, text, info.Mode(), want)
		}
	}
	if info, err := os.Lstat("link"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if left, _ := filepath.Glob(".causetc-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestWriteRefuses checks that nothing is written if one of the files is not what was read.
func TestWriteRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a": "old", "b": "changed"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := fix.Write([]fix.Change{{Path: "a", Old: []byte("old"), New: []byte("new")}, {Path: "b", Old: []byte("old"), New: []byte("new")}})
	var changed *fix.ChangedError
	if !errors.As(err, &changed) || changed.Path != "b" {
		t.Errorf("got %v", err)
	}
	if text, _ := os.ReadFile("a"); string(text) != "old" {
		t.Error("the other file was written")
	}
}

// TestDiff checks that patch makes of the old text the new one.
func TestDiff(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip(err)
	}
	t.Chdir(t.TempDir())
	for _, c := range [][2]string{{"a\nb\nc\n", "a\nB\nc\n"}, {"no end", "no new end"}, {"x\r\ny\r\n", "x\r\nz\r\n"}, {"a\n", "a\nb"}, {"ü\n\xff\n", "u\n\xff\n"}} {
		if err := os.WriteFile("f", []byte(c[0]), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), patch, "-p1", "--binary")
		cmd.Stdin = strings.NewReader(fix.Diff(fix.Change{Path: "f", Old: []byte(c[0]), New: []byte(c[1])}))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", c, err, out)
		}
		if text, _ := os.ReadFile("f"); string(text) != c[1] {
			t.Errorf("got %q, want %q", text, c[1])
		}
	}
}
