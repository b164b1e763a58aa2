package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// onPath makes the command causetc available to scripts, and returns a function that runs one in the working directory.
func onPath(t *testing.T) func(script string, env ...string) (output string, code int) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	wrapper := "#!/bin/sh\n" + asCommand + "=1 exec '" + exe + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "causetc"), []byte(wrapper), 0o700); err != nil {
		t.Fatal(err)
	}
	return func(script string, env ...string) (string, int) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
		cmd.Env = append(append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH")), env...)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
}

// document returns a file of the repository.
func document(t *testing.T, path string) string {
	t.Helper()
	return readFile(t, filepath.Join("..", "..", filepath.FromSlash(path)))
}

// TestAdoptionRecipe runs the commands by which the documentation brings an existing program under lint.
func TestAdoptionRecipe(t *testing.T) {
	_, section, ok := strings.Cut(document(t, "docs/ci.md"), "## An existing program")
	section, _, ok2 := strings.Cut(section, "\n## ")
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(section, -1)
	if !ok || !ok2 || len(blocks) != 3 {
		t.Fatalf("%d blocks", len(blocks))
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	bash := onPath(t)
	inFolder(t, "specs/a.causet", existing(200)+"  LEFT: { state: shwo, entity_expr: event.show_id, payload: { show_id: string } }\n")
	git := []string{"GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x", "GIT_CONFIG_GLOBAL=/dev/null"}
	if out, code := bash("git init -q .", git...); code != 0 {
		t.Fatal(out)
	}
	for _, b := range blocks {
		if out, code := bash(b[1], git...); code != 0 {
			t.Errorf("exit code %d of\n%s\n%s", code, b[1], out)
		}
	}
	if left := readFile(t, "causetc-baseline.json"); strings.Count(left, `"fingerprint"`) != 1 || !strings.Contains(left, "shwo") {
		t.Errorf("the baseline holds\n%s", left)
	}
	f, err := os.OpenFile("specs/a.causet", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("  NEW: { state: shwwo, entity_expr: event.show_id, payload: { show_id: string } }\n"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if out, code := bash("causetc lint specs --baseline causetc-baseline.json -q"); code != exitFindings || strings.Count(out, "\n") != 1 || !strings.Contains(out, "shwwo") {
		t.Errorf("after a new fault: exit code %d\n%s", code, out)
	}
}

// TestDocumentedConfiguration checks that lint takes the configuration that the documentation shows.
func TestDocumentedConfiguration(t *testing.T) {
	m := regexp.MustCompile("(?s)```yaml\n(target: .*?)```").FindStringSubmatch(document(t, "docs/ci.md"))
	if m == nil {
		t.Fatal("there is none")
	}
	inFolder(t, "a.causet", "state: {}\n", ".causetc.yaml", m[1])
	if r := causetc(t, "lint"); r.code != exitClean || r.stdout+r.stderr != "" {
		t.Errorf("%s%s", r.stdout, r.stderr)
	}
}

// action is the part of action.yml that decides what is run.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Steps []struct {
			Name, Run string
			Env       map[string]string
		}
	}
}

// TestActionSteps runs the step of the GitHub action that lints, with its defaults and with all inputs.
func TestActionSteps(t *testing.T) {
	var a action
	if err := yaml.Unmarshal([]byte(document(t, "action.yml")), &a); err != nil {
		t.Fatal(err)
	}
	step := a.Runs.Steps[len(a.Runs.Steps)-1]
	env := func(with map[string]string) (list []string) {
		used := 0
		for name, expr := range step.Env {
			input := strings.TrimSuffix(strings.TrimPrefix(expr, "${{ inputs."), " }}")
			in, ok := a.Inputs[input]
			if !ok {
				t.Errorf("%s reads %s", name, expr)
			}
			value := in.Default
			if v, ok := with[input]; ok {
				value = v
				used++
			}
			list = append(list, name+"="+value)
		}
		if used != len(with) {
			t.Errorf("inputs that nothing reads among %v", with)
		}
		return list
	}
	bash := onPath(t)
	inFolder(t, "my specs/a.causet", faulty, "other/b.causet", "state: {}\n", ".conf.yaml", "rules: { CS209: info }\n")
	if out, code := bash(step.Run, env(nil)...); code != exitFindings || !strings.HasPrefix(out, "::error file=my specs/a.causet,line=4,") {
		t.Errorf("defaults: exit code %d\n%s", code, out)
	}
	causetc(t, "lint", "my specs", "other", "--write-baseline", "base.json")
	all := map[string]string{"paths": "my specs\nother\n", "target": "causetc", "fail-on": "info", "config": ".conf.yaml", "sarif-file": "out.sarif", "args": "--rule\nCS209\n"}
	if out, code := bash(step.Run, env(all)...); code != exitFindings || strings.Count(out, "\n") != 1 || !strings.HasPrefix(out, "::notice file=my specs/a.causet") {
		t.Errorf("all inputs: exit code %d\n%s", code, out)
	}
	sarifOf(t, readFile(t, "out.sarif"))
	if out, code := bash(step.Run, env(map[string]string{"baseline": "base.json"})...); code != exitClean || out != "" {
		t.Errorf("with a baseline: exit code %d\n%s", code, out)
	}
}

// TestProblemMatcher checks that the problem matcher for VS Code reads what lint prints.
func TestProblemMatcher(t *testing.T) {
	var tasks struct {
		Tasks []struct {
			Args           []string
			ProblemMatcher struct{ Pattern struct{ Regexp string } }
		}
	}
	if err := json.Unmarshal([]byte(document(t, "editors/vscode/tasks.json")), &tasks); err != nil {
		t.Fatal(err)
	}
	task := tasks.Tasks[0]
	inFolder(t, "dir/a.causet", faulty+"    \"x: 😀 [CS101]\": 1\n")
	r := causetc(t, task.Args...)
	matches := regexp.MustCompile("(?m)"+task.ProblemMatcher.Pattern.Regexp).FindAllStringSubmatch(r.stdout, -1)
	if len(matches) != 2 || strings.Count(r.stdout, "\n") != 2 {
		t.Fatalf("%d matches in\n%s", len(matches), r.stdout)
	}
	if m := matches[0]; m[1] != "dir/a.causet" || m[2] != "4" || m[3] != "72" || m[4] != "error" || !strings.HasPrefix(m[5], "unknown type") || m[6] != "CS209" {
		t.Errorf("got %q", m)
	}
	if m := matches[1]; m[2] != "12" || m[6] != "CS201" {
		t.Errorf("got %q", m)
	}
}
